"""The wrapper class: the right code for each instance, thread and task, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import gc
import inspect
import subprocess
import sys
import threading
import weakref
from contextlib import ExitStack

import pytest
from interpreters import environment

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch._dynamo import convert_frame  # noqa: E402

import depyf  # noqa: E402
from depyf.optimization import (  # noqa: E402
    GuardViolation,
    TorchCompileWrapperWithCustomDispatcher,
)
from depyf.optimization.bytecode import belongs_to  # noqa: E402
from depyf.optimization.dynamo import graphs_of  # noqa: E402


class Add(torch.nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x):
        return x + self.number


class Model(TorchCompileWrapperWithCustomDispatcher):
    """The pattern of the tutorial: attributes before super().__init__(), dispatch in __call__."""

    def __init__(self, *numbers: int, **options: object) -> None:
        self.parts = torch.nn.ModuleList([Add(number) for number in numbers])
        super().__init__(torch.compile(self.forward, backend="eager"), **options)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def __call__(self, x):
        if len(self.compiled_codes) == 1:
            with self.dispatch_to_code(0):
                return self.forward(x)
        return self.compiled_callable(x)


@pytest.fixture
def model():
    model = Model(1, 2)
    model(torch.ones(1))
    return model


def runs_compiled(model: Model) -> bool:
    """Compiled code has the number burnt in; only the original sees that it has changed."""
    model.parts[0].number += 100
    answer = model.forward(torch.zeros(1)).item()
    model.parts[0].number -= 100
    return answer < 100


def test_the_tutorial(model: Model) -> None:
    assert len(model.compiled_codes) == 1
    assert [model(torch.tensor([n])).item() for n in range(5)] == [3, 4, 5, 6, 7]
    assert model.original_code_object is Model.forward.__code__
    assert model.use_custom_dispatcher is True


def test_guards_are_skipped_inside_and_only_inside(model: Model) -> None:
    with model.dispatch_to_code(0):
        assert runs_compiled(model)
    assert not runs_compiled(model)


def test_the_class_function_is_never_touched(model: Model) -> None:
    code = Model.forward.__code__
    with model.dispatch_to_code(0):
        assert Model.forward.__code__ is code
        assert Model.forward(Model(5), torch.zeros(1)).item() == 5


def test_an_exception_in_the_block_leaves_everything_usable(model: Model) -> None:
    with pytest.raises(ZeroDivisionError), model.dispatch_to_code(0):
        raise ZeroDivisionError
    assert not runs_compiled(model)
    assert model(torch.zeros(1)).item() == 3


def test_an_exception_in_the_compiled_code_leaves_everything_usable(model: Model) -> None:
    with pytest.raises(Exception, match="str"), model.dispatch_to_code(0):
        model.forward("not a tensor")
    assert not runs_compiled(model)
    assert model(torch.zeros(1)).item() == 3


def test_instances_keep_apart() -> None:
    one, two = Model(1), Model(10)
    one(torch.zeros(1))
    two(torch.zeros(1))
    assert len(one.compiled_codes) == len(two.compiled_codes) == 1
    with one.dispatch_to_code(0):
        assert runs_compiled(one)
        assert not runs_compiled(two)
        with two.dispatch_to_code(0):
            assert runs_compiled(one) and runs_compiled(two)
            assert (one.forward(torch.zeros(1)).item(), two.forward(torch.zeros(1)).item()) == (
                1,
                10,
            )
        assert runs_compiled(one) and not runs_compiled(two)


def test_an_entry_that_was_made_for_another_instance_is_shared() -> None:
    one, two = Model(1), Model(1)
    one(torch.zeros(1))
    assert len(two.compiled_codes) == 0
    assert two(torch.zeros(1)).item() == 1
    # The same code where torch shares it between instances, else one of its own.
    assert len(two.compiled_codes) == 1
    with two.dispatch_to_code(0):
        assert runs_compiled(two) and not runs_compiled(one)


def test_threads_that_are_served_at_once_record_a_code_once(model: Model, monkeypatch) -> None:
    model.compiled_codes.clear()
    waiting = threading.Barrier(4)

    def all_of_them_together(*args: object) -> bool:
        # By now each thread has found that the code is missing.
        waiting.wait(timeout=60)
        return belongs_to(*args)

    monkeypatch.setattr("depyf.optimization.wrapper.belongs_to", all_of_them_together)
    calls = [threading.Thread(target=model.compiled_callable, args=(ZERO,)) for _ in range(4)]
    for each in calls:
        each.start()
    for each in calls:
        each.join()
    assert len(model.compiled_codes) == 1


def test_codes_are_in_the_order_of_the_calls_of_the_instance() -> None:
    kinds = [torch.float32, torch.int64, torch.float64]
    one, two = Model(1), Model(1)
    for kind in kinds:
        one.compiled_callable(torch.zeros(1, dtype=kind))
    for kind in reversed(kinds):
        two.compiled_callable(torch.zeros(1, dtype=kind))
    assert len(two.compiled_codes) == len(one.compiled_codes) == 3
    for index, kind in enumerate(reversed(kinds)):
        with two.dispatch_to_code(index):
            assert two.forward(torch.zeros(1, dtype=kind)).dtype is kind


def test_the_callable_is_the_one_that_was_given() -> None:
    def add(x):
        return x + 1

    compiled = torch.compile(add, backend="eager")
    wrapper = TorchCompileWrapperWithCustomDispatcher(compiled)
    assert wrapper.compiled_callable is compiled
    wrapper.compiled_callable(torch.zeros(1))
    assert wrapper.compiled_callable is compiled


def test_blocks_nest_and_the_inner_one_wins() -> None:
    model = Model(1)
    model.compiled_callable(torch.zeros(1))
    model.compiled_callable(torch.zeros(1, dtype=torch.int64))
    assert len(model.compiled_codes) == 2
    with model.dispatch_to_code(0) as outer:
        with model.dispatch_to_code(1) as inner:
            assert outer is not inner
            assert runs_compiled(model)
        assert runs_compiled(model)
    assert not runs_compiled(model)


def test_the_value_of_the_block_is_the_function(model: Model) -> None:
    with model.dispatch_to_code(0) as forward:
        assert forward(torch.zeros(1)).item() == 3


def test_a_block_opened_by_an_exit_stack(model: Model) -> None:
    with ExitStack() as stack:
        stack.enter_context(model.dispatch_to_code(0))
        assert runs_compiled(model)
    assert not runs_compiled(model)


def test_a_dispatch_is_good_for_one_block(model: Model) -> None:
    dispatch = model.dispatch_to_code(0)
    with dispatch, pytest.raises(RuntimeError, match="of its own"), dispatch:
        pass
    with pytest.raises(RuntimeError, match="of its own"), dispatch:
        pass


def test_a_missing_code_is_named(model: Model) -> None:
    with pytest.raises(IndexError, match="no compiled code 7: forward has 1"):
        model.dispatch_to_code(7)


def test_without_custom_dispatcher_nothing_is_hooked() -> None:
    hooks = len(convert_frame._bytecode_hooks)
    model = Model(1, use_custom_dispatcher=False)
    assert len(convert_frame._bytecode_hooks) == hooks
    assert model(torch.zeros(1)).item() == 1
    assert model.compiled_codes == []


def test_eight_threads_call_two_instances() -> None:
    models = {1: Model(1), 10: Model(10)}
    for each in models.values():
        each(torch.zeros(1))
    wrong = []
    calls = 10_000

    def work(number: int) -> None:
        model, zero = models[number], torch.zeros(1)
        for turn in range(calls):
            # Every second call is outside of a block, and must see the original.
            answer = model(zero) if turn % 2 else model.forward(zero)
            if answer.item() != number:
                wrong.append((number, turn))

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 10) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert not any(runs_compiled(each) for each in models.values())


def test_a_block_is_not_seen_by_other_threads(model: Model) -> None:
    seen = []
    with model.dispatch_to_code(0):
        thread = threading.Thread(target=lambda: seen.append(runs_compiled(model)))
        thread.start()
        thread.join()
    assert seen == [False]


def test_a_copy_of_the_context_is_inside_until_the_block_ends(model: Model) -> None:
    with model.dispatch_to_code(0):
        context = contextvars.copy_context()
        assert context.run(runs_compiled, model)
    assert not context.run(runs_compiled, model)


def test_a_generator_that_is_suspended_leaves_its_block_open(model: Model) -> None:
    def steps():
        with model.dispatch_to_code(0):
            yield

    generator = steps()
    next(generator)
    assert runs_compiled(model)
    generator.close()
    assert not runs_compiled(model)


def test_a_function_that_torch_compiles_has_the_method_as_written(model: Model) -> None:
    model.parts[0].number = 100
    with model.dispatch_to_code(0):
        caller = torch.compile(lambda x: model.forward(x) * 2, backend="eager")
        assert caller(torch.zeros(1)).item() == 204
        assert model.forward(torch.zeros(1)).item() == 3


def test_tasks_that_take_turns_keep_apart(model: Model) -> None:
    seen = []

    async def inside() -> None:
        with model.dispatch_to_code(0):
            await asyncio.sleep(0)
            seen.append(("inside", runs_compiled(model)))

    async def outside() -> None:
        seen.append(("outside", runs_compiled(model)))

    async def both() -> None:
        await asyncio.gather(inside(), outside())

    asyncio.run(both())
    assert sorted(seen) == [("inside", True), ("outside", False)]


def test_the_hook_goes_with_the_instance() -> None:
    hooks = len(convert_frame._bytecode_hooks)
    model = Model(1)
    model(torch.zeros(1))
    model(torch.zeros(1))
    assert len(convert_frame._bytecode_hooks) == hooks + 1
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None
    assert len(convert_frame._bytecode_hooks) == hooks


def test_an_instance_dies_while_torch_compiles() -> None:
    hooks = len(convert_frame._bytecode_hooks)
    models: list[Model] = []

    def drop(*_: object) -> None:
        models.clear()
        gc.collect()

    handle = convert_frame.register_bytecode_hook(drop)
    models += [Model(1), Model(2)]
    assert torch.compile(lambda x: x + 1, backend="eager")(torch.zeros(1)).item() == 1
    handle.remove()
    # The next one that dies takes them along.
    models.append(Model(3))
    drop()
    assert len(convert_frame._bytecode_hooks) == hooks


ZERO = torch.zeros(1)


class Light(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        super().__init__(torch.compile(self.forward, backend="eager"))
        self.compiled_callable(ZERO)
        with self.dispatch_to_code(0):
            self.forward(ZERO)

    def forward(self, x):
        return x + 1


class Bare:
    def __init__(self) -> None:
        self.compiled = torch.compile(self.forward, backend="eager")
        self.compiled(ZERO)

    def forward(self, x):
        return x + 1


def objects_left_by(kind: type, count: int) -> int:
    def make(count: int) -> int:
        for _ in range(count):
            kind()
        gc.collect()
        return len(gc.get_objects())

    before = make(100)
    return make(count) - before


def test_ten_thousand_instances_leave_nothing() -> None:
    hooks = len(convert_frame._bytecode_hooks)
    # torch.compile itself leaves something behind for each.
    assert objects_left_by(Light, 10_000) - 10 * objects_left_by(Bare, 1_000) < 500
    assert len(convert_frame._bytecode_hooks) == hooks


def test_reset_leaves_the_code_usable(model: Model) -> None:
    torch._dynamo.reset()
    gc.collect()
    assert model(torch.ones(1)).item() == 4
    model.compiled_callable(torch.ones(1))
    assert len(model.compiled_codes) == 2
    for index in (0, 1):
        with model.dispatch_to_code(index):
            assert runs_compiled(model)


def test_reset_before_the_first_dispatch() -> None:
    model = Model(1)
    model.compiled_callable(torch.zeros(1))
    torch._dynamo.reset()
    gc.collect()
    with model.dispatch_to_code(0):
        assert runs_compiled(model)


def test_recompilation_adds_a_code() -> None:
    model = Model(1)
    for kind in (torch.float32, torch.int64, torch.float64):
        model.compiled_callable(torch.zeros(1, dtype=kind))
    assert len(model.compiled_codes) == 3
    for index, kind in enumerate((torch.float32, torch.int64, torch.float64)):
        with model.dispatch_to_code(index):
            assert model.forward(torch.zeros(1, dtype=kind)).dtype is kind


def test_self_under_another_name_defaults_and_keywords() -> None:
    class Odd(TorchCompileWrapperWithCustomDispatcher):
        def __init__(me, number: int) -> None:
            me.number = number
            super().__init__(torch.compile(me.run, backend="eager"))

        def run(this, x, factor=2, *, offset=3):
            return x * factor + offset + this.number

    odd, other = Odd(100), Odd(1000)
    one = torch.ones(1)
    assert [m.compiled_callable(one).item() for m in (odd, other)] == [105, 1005]
    assert [len(m.compiled_codes) for m in (odd, other)] == [1, 1]
    with odd.dispatch_to_code(0):
        assert odd.run(one).item() == odd.run(x=one, factor=2, offset=3).item() == 105
    assert str(inspect.signature(odd.run)) == "(x, factor=2, *, offset=3)"


def test_self_as_one_of_the_rest() -> None:
    class Rest(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self, number: int) -> None:
            self.number = number
            super().__init__(torch.compile(self.forward, backend="eager"))

        def forward(*everything):
            self, x = everything
            return x + self.number

    one, two = Rest(1), Rest(2)
    assert [m.compiled_callable(torch.zeros(1)).item() for m in (one, two)] == [1, 2]
    assert [len(m.compiled_codes) for m in (one, two)] == [1, 1]


def test_closures() -> None:
    def kind(number: int) -> type:
        class Closed(TorchCompileWrapperWithCustomDispatcher):
            def __init__(self) -> None:
                super().__init__(torch.compile(self.forward, backend="eager"))

            def forward(self, x):
                return sum(x + number for _ in range(1))

        return Closed

    one, two = kind(1)(), kind(2)()
    for model, number in ((one, 1), (two, 2)):
        assert model.compiled_callable(torch.zeros(1)).item() == number
    for model, number in ((one, 1), (two, 2)):
        assert len(model.compiled_codes) == 1
        with model.dispatch_to_code(0):
            assert model.forward(torch.zeros(1)).item() == number


def test_subclasses_that_call_super() -> None:
    class Doubled(Model):
        def forward(self, x):
            return super().forward(x) * 2

    model = Doubled(1, 2)
    assert [model(torch.zeros(1)).item() for _ in range(3)] == [6, 6, 6]
    assert len(model.compiled_codes) == 1
    with model.dispatch_to_code(0):
        assert runs_compiled(model)


def test_a_wrapper_that_is_a_module() -> None:
    class Both(torch.nn.Module, TorchCompileWrapperWithCustomDispatcher):
        def __init__(self) -> None:
            torch.nn.Module.__init__(self)
            self.inner = Add(1)
            TorchCompileWrapperWithCustomDispatcher.__init__(
                self, torch.compile(self, backend="eager")
            )

        def forward(self, x):
            return self.inner(x)

    both = Both()
    assert both.compiled_callable(torch.zeros(1)).item() == 1
    assert [name for name, _ in both.named_children()] == ["inner"]
    assert len(both.compiled_codes) == 1
    with both.dispatch_to_code(0):
        both.inner.number = 5
        assert both(torch.zeros(1)).item() == 1
    assert both(torch.zeros(1)).item() == 5


def test_a_function_instead_of_a_method() -> None:
    def add(x):
        return x + 1

    wrapper = TorchCompileWrapperWithCustomDispatcher(torch.compile(add, backend="eager"))
    wrapper.compiled_callable(torch.zeros(1))
    with wrapper.dispatch_to_code(0) as function:
        assert function(torch.zeros(1)).item() == 1


def test_a_copy_has_a_method_of_its_own(model: Model) -> None:
    for twin in (copy.copy(model), copy.deepcopy(model)):
        twin.parts = torch.nn.ModuleList([Add(50)])
        assert twin.forward(torch.zeros(1)).item() == 50
        assert not hasattr(twin, "compiled_callable")


class Forgetful(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        pass


class ForgetfulModule(torch.nn.Module, TorchCompileWrapperWithCustomDispatcher):
    """`super().__init__()` is that of the module alone."""

    def __init__(self) -> None:
        super().__init__()


def a_copy() -> Model:
    return copy.deepcopy(Model(1))


USES = {
    "compiled_codes": lambda model: model.compiled_codes,
    "compiled_callable": lambda model: model.compiled_callable,
    "original_code_object": lambda model: model.original_code_object,
    "dispatch_to_code": lambda model: model.dispatch_to_code(0),
    "bytecode_hook": lambda model: model.bytecode_hook(None, None),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", [Forgetful, ForgetfulModule, a_copy])
def test_an_instance_that_is_not_set_up_says_what_to_call(make, use) -> None:
    expected = r"not set up.*it is a copy: call TorchCompileWrapperWithCustomDispatcher\.__init__\("
    with pytest.raises((AttributeError, RuntimeError), match=expected):
        USES[use](make())


def test_a_copy_can_be_set_up(model: Model) -> None:
    twin = copy.deepcopy(model)
    twin.parts[0].number = 50
    compiled = torch.compile(twin.forward, backend="eager")
    TorchCompileWrapperWithCustomDispatcher.__init__(twin, compiled)
    assert twin(ZERO).item() == twin(ZERO).item() == 52
    assert (len(twin.compiled_codes), len(model.compiled_codes)) == (1, 1)
    assert model(ZERO).item() == 3


def test_an_instance_that_is_set_up_again_starts_anew(model: Model) -> None:
    hooks = len(convert_frame._bytecode_hooks)
    compiled = torch.compile(model.forward, backend="eager")
    TorchCompileWrapperWithCustomDispatcher.__init__(model, compiled)
    assert len(convert_frame._bytecode_hooks) == hooks
    model.compiled_callable(torch.zeros(1, dtype=torch.int64))
    assert len(model.compiled_codes) == 1
    with model.dispatch_to_code(0):
        assert runs_compiled(model)
    assert not runs_compiled(model)


def plainly(function):
    return function


def in_a_decorator(function):
    compiled = torch.compile(function, backend="eager")

    def around(x):
        return compiled(x)

    return around


def switched_off(function):
    return torch.compile(function, disable=True)


class Given(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self, how, **options: object) -> None:
        super().__init__(how(self.forward), **options)

    def forward(self, x):
        return x + 1


def test_a_method_with_arguments_filled_in_is_reached_by_the_value_alone() -> None:
    def filled_in(function):
        return torch.compile(functools.partial(function, number=2), backend="eager")

    class Filled(Given):
        def forward(self, x, number):
            return x + number

    with pytest.warns(UserWarning, match="no method of Filled leads to"):
        model = Filled(filled_in)
    assert model.original_code_object is Filled.forward.__code__
    assert model.compiled_callable(ZERO).item() == 2
    with model.dispatch_to_code(0) as function:
        assert function(ZERO).item() == 2
        assert model.forward(ZERO, 3).item() == 3


@pytest.mark.parametrize("how", [plainly, in_a_decorator, switched_off])
def test_what_torch_does_not_compile_is_told_when_its_code_is_asked_for(how) -> None:
    model = Given(how)
    assert model.compiled_callable(ZERO).item() == 1
    with pytest.raises(IndexError, match=r"as it is written; give it what torch\.compile returns"):
        model.dispatch_to_code(0)


def test_code_of_what_was_not_called_is_asked_for() -> None:
    model = Given(lambda function: torch.compile(function, backend="eager"))
    with pytest.raises(IndexError, match=r"nothing of forward for this.*call compiled_callable"):
        model.dispatch_to_code(0)


def test_code_is_asked_for_where_none_is_kept() -> None:
    model = Given(torch.compile, use_custom_dispatcher=False)
    with pytest.raises(IndexError, match="use_custom_dispatcher=False"):
        model.dispatch_to_code(0)


def test_compiling_a_caller_of_the_method(model: Model) -> None:
    @torch.compile(backend="eager", fullgraph=True)
    def caller(x):
        return model.forward(x) * 2

    assert caller(torch.zeros(1)).item() == 6


def test_compiling_the_method_again_means_the_original(model: Model) -> None:
    again = torch.compile(model.forward, backend="eager", fullgraph=True)
    assert again(torch.zeros(1)).item() == 3


def bridges() -> set:
    return {name for name in globals() if name.startswith("__depyf_bridge")}


def test_a_graph_is_called_without_the_wrapper_that_switches_torch_off(model: Model) -> None:
    if not hasattr(torch._C._dynamo.eval_frame, "get_eval_frame_callback"):
        pytest.skip("this torch does not tell whether it is off")
    before = bridges()
    with model.dispatch_to_code(0) as function:
        (bare,) = bridges() - before
        wrapped = globals()[next(n for n in function.__code__.co_names if "compiled_fn" in n)]
        assert globals()[bare] is wrapped._torchdynamo_orig_callable
        calls = []
        globals()[bare] = lambda x: calls.append(x) or [x * 100]
        assert model.forward(torch.ones(1)).item() == 100
        assert function(torch.ones(1)).item() == 4
    assert len(calls) == 1


def test_what_a_graph_is_called_by_leaves_with_the_instance() -> None:
    before = bridges()
    first, second = Model(1), Model(2)
    for one in (first, second, first, second):
        one(torch.zeros(1))
    del first, one
    gc.collect()
    assert second(torch.zeros(1)).item() == 2
    del second
    gc.collect()
    assert bridges() == before


def test_torch_compiles_nothing_inside_a_graph_of_a_caller_that_it_compiles() -> None:
    def backend(graph, inputs):
        def run(x):
            return [torch.sin(torch.neg(x))]

        return run

    class Sine(Model):
        def __init__(self) -> None:
            TorchCompileWrapperWithCustomDispatcher.__init__(
                self, torch.compile(self.forward, backend=backend)
            )

        def forward(self, x):
            return torch.sin(torch.neg(x))

    seen = []

    def watching(graph, inputs):
        seen.extend(str(node.target) for node in graph.graph.nodes)
        return graph.forward

    sine = Sine()
    sine(torch.ones(1))
    opened = ExitStack()
    opened.enter_context(sine.dispatch_to_code(0))

    @torch.compile(backend=watching)
    def caller(x):
        torch._dynamo.graph_break()
        return apply(sine, x) + 1

    with opened:
        assert torch.allclose(caller(torch.ones(1)), torch.sin(-torch.ones(1)) + 1)
    assert seen
    assert not any("sin" in each or "neg" in each for each in seen)


@torch._dynamo.decorators.skip
def apply(sine, x):
    """Runs as it is, while torch is on for what it calls."""
    return sine.forward(x)


def test_the_wrapper_checks_when_asked() -> None:
    model = Model(1, check_every=3)
    model(torch.zeros(1))
    model.parts[0].number = 2
    model(torch.zeros(1))
    model(torch.zeros(1))
    with pytest.raises(GuardViolation, match="expected 1, got 2"):
        model(torch.zeros(1))
    model.parts[0].number = 1
    assert model(torch.zeros(1)).item() == 1


class Checked(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        self.number = 1
        self.compiled = torch.compile(self.forward, backend="eager")
        super().__init__(self.compiled, check_every=1)

    def forward(self, x):
        return x + self.number

    def __call__(self, x):
        if not self.compiled_codes:
            return self.compiled_callable(x)
        with self.dispatch_to_code(0):
            return self.forward(x)


def notices_a_change(model: Checked) -> bool:
    assert model(ZERO).item() == 1
    model.number = 2
    with pytest.raises(GuardViolation, match="expected 1, got 2"):
        model(ZERO)
    model.number = 1
    return model(ZERO).item() == 1


def test_guards_are_checked_after_reset() -> None:
    model = Checked()
    model(ZERO)
    torch._dynamo.reset()
    gc.collect()
    assert notices_a_change(model)


def test_guards_that_torch_dropped_before_the_wrapper_saw_them() -> None:
    model = Checked()
    model.compiled(ZERO)
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match=r"dropped the guards.*call compiled_callable"):
        model.dispatch_to_code(0)
    model.compiled_callable(ZERO)
    with model.dispatch_to_code(1):
        assert model.forward(ZERO).item() == 1


def test_a_compilation_under_prepare_debug_is_one_code(tmp_path) -> None:
    models = [Checked()]
    with depyf.prepare_debug(tmp_path):
        models.append(Checked())
        for each in models:
            each(ZERO)
            each(ZERO)
            each.compiled_callable(ZERO)
            assert len(each.compiled_codes) == 1
            assert notices_a_change(each)
    assert all(notices_a_change(each) for each in models)


def test_code_made_under_prepare_debug_outlives_torchs_own(tmp_path) -> None:
    model = Model(1)
    with depyf.prepare_debug(tmp_path):
        model(ZERO)
    torch._dynamo.reset()
    gc.collect()
    assert model(ZERO).item() == 1
    assert len(model.compiled_codes) == 1
    with model.dispatch_to_code(0):
        assert runs_compiled(model)


def test_instances_that_check_leave_as_well() -> None:
    gone = []
    for _ in range(3):
        model = Checked()
        assert model(ZERO).item() == model(ZERO).item() == 1
        gone.append(weakref.ref(model))
    del model
    gc.collect()
    assert [each() for each in gone] == [None] * 3


@pytest.mark.parametrize("every", [0.5, 1.5, -1, "often"])
def test_an_interval_that_is_no_number_of_calls_is_refused(every) -> None:
    with pytest.raises(ValueError, match=f"check_every must be a number of calls.*{every!r}"):
        Model(1, check_every=every)


AT_THE_END = """
import atexit

atexit.register(lambda: print(broken(x).item(), model.forward(x).item()))

import torch
from depyf.optimization import TorchCompileWrapperWithCustomDispatcher, unguarded

class Model(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self):
        super().__init__(torch.compile(self.forward, backend="eager"))

    def forward(self, x):
        return x + 1

def broken(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2

model, x = Model(), torch.zeros(1)
broken = unguarded(torch.compile(broken, backend="eager"), x)
model.compiled_callable(x)
model.dispatch_to_code(0).__enter__()
"""


def test_compiled_code_can_be_called_when_the_program_ends() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", AT_THE_END], capture_output=True, text=True, env=environment()
    )
    assert answer.stdout == "2.0 1.0\n", answer.stderr


def test_an_overridden_hook_still_sees_everything() -> None:
    class Curious(Model):
        seen: list = []

        def bytecode_hook(self, old_code, new_code):
            self.seen.append(old_code)
            return super().bytecode_hook(old_code, new_code)

    model = Curious(1)
    model(torch.zeros(1))
    assert Curious.seen == [Model.forward.__code__]
    assert len(model.compiled_codes) == 1


graph_calls: list[str] = []


def counting(graph, inputs):
    def run(*args):
        graph_calls.append("called")
        return graph.forward(*args)

    return run


class WithoutGradients(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        super().__init__(torch.compile(self.forward, backend=counting))

    @torch.no_grad()
    def forward(self, x):
        return x + 1


class Decorated(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        super().__init__(self.forward)

    @torch.compile(backend=counting)
    def forward(self, x):
        return x + 1


class DecoratedTwice(Decorated):
    @torch.compile(backend=counting)
    @torch.no_grad()
    def forward(self, x):
        return x + 1


class Static(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        super().__init__(torch.compile(self.forward, backend=counting))

    @staticmethod
    def forward(x):
        return x + 1


class OfTheClass(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        super().__init__(torch.compile(self.forward, backend=counting))

    @classmethod
    def forward(cls, x):
        return x + 1


class FromTheClass(TorchCompileWrapperWithCustomDispatcher):
    number = 1

    def __init__(self) -> None:
        super().__init__(torch.compile(type(self).forward, backend=counting))

    def forward(self, x):
        return x + self.number


class FromTheClassWithoutGradients(FromTheClass):
    @torch.no_grad()
    def forward(self, x):
        return x + self.number


KINDS = [WithoutGradients, Decorated, DecoratedTwice, Static, OfTheClass, FromTheClass]


@pytest.mark.parametrize("kind", [*KINDS, FromTheClassWithoutGradients])
def test_decorated_methods_are_dispatched(kind) -> None:
    model, other = kind(), kind()
    first = (model,) if issubclass(kind, FromTheClass) else ()
    model.compiled_callable(*first, ZERO)
    assert len(model.compiled_codes) == 1
    original = inspect.unwrap(getattr(kind, "forward"))  # noqa: B009
    assert model.original_code_object is original.__code__
    if not graphs_of(model.compiled_codes[0]):
        pytest.skip("this torch does not look into bound methods that are decorated")
    # Only the block can lead to the graph now.
    with torch._dynamo.config.patch(disable=True):
        graph_calls.clear()
        with model.dispatch_to_code(0) as function:
            assert model.forward(ZERO).item() == 1
            assert function(*first, ZERO).item() == 1
            assert len(graph_calls) == 2
        assert str(inspect.signature(model.forward)) == str(inspect.signature(other.forward))
    again = torch.compile(model.forward, backend="eager")
    assert again(ZERO).item() == 1


def test_the_block_runs_the_first_graph_and_the_rest_as_written() -> None:
    class Broken(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self) -> None:
            super().__init__(torch.compile(self.forward, backend=counting))

        def forward(self, x):
            x = x + 1
            torch._dynamo.graph_break()
            return x * 2

    model = Broken()
    graph_calls.clear()
    model.compiled_callable(ZERO)
    assert len(graph_calls) == 2
    with model.dispatch_to_code(0):
        assert model.forward(ZERO).item() == 2
    assert len(graph_calls) == 3


def test_the_block_runs_compiled_code_whatever_the_stance() -> None:
    if not hasattr(torch.compiler, "set_stance"):
        pytest.skip("this torch has no stances")
    model = Static()
    model.compiled_callable(ZERO)
    graph_calls.clear()
    with torch.compiler.set_stance("force_eager"), model.dispatch_to_code(0):
        model.compiled_callable(ZERO)
        assert graph_calls == []
        model.forward(ZERO)
        assert graph_calls == ["called"]


class Watching(TorchCompileWrapperWithCustomDispatcher):
    """Its backend refers to it, in the way that the documentation says."""

    def __init__(self) -> None:
        self.calls = 0
        watched = weakref.proxy(self)

        def backend(graph, inputs):
            def run(*args):
                watched.calls += 1
                return graph.forward(*args)

            return run

        super().__init__(torch.compile(self.forward, backend=backend))

    def forward(self, x):
        return x + 1


def test_a_backend_that_refers_to_its_instance_weakly_does_not_keep_it() -> None:
    before = bridges()
    hooks = len(convert_frame._bytecode_hooks)
    model = Watching()
    model.compiled_callable(ZERO)
    with model.dispatch_to_code(0):
        model.forward(ZERO)
    assert model.calls == 2
    gone = weakref.ref(model)
    del model
    gc.collect()
    torch._dynamo.reset()
    gc.collect()
    assert gone() is None
    assert bridges() == before
    assert len(convert_frame._bytecode_hooks) == hooks


def test_a_method_of_the_class_keeps_instances_apart() -> None:
    one, two = FromTheClass(), FromTheClass()
    two.number = 2
    assert one.compiled_callable(one, ZERO).item() == 1
    assert one.compiled_callable(two, ZERO).item() == 2
    assert (len(one.compiled_codes), len(two.compiled_codes)) == (1, 1)
    with one.dispatch_to_code(0), two.dispatch_to_code(0):
        assert (one.forward(ZERO).item(), two.forward(ZERO).item()) == (1, 2)


def test_a_method_that_is_compiled_in_the_class_stays_compiled_outside_of_blocks() -> None:
    model = Decorated()
    model.compiled_callable(ZERO)
    graph_calls.clear()
    assert model.forward(ZERO).item() == 1
    assert graph_calls == ["called"]


def test_what_no_method_leads_to_is_told() -> None:
    class Module(torch.nn.Module, TorchCompileWrapperWithCustomDispatcher):
        def __init__(self) -> None:
            torch.nn.Module.__init__(self)
            compiled = torch.compile(self, backend=counting)
            TorchCompileWrapperWithCustomDispatcher.__init__(self, compiled)

        @torch.no_grad()
        def forward(self, x):
            return x + 1

    with pytest.warns(UserWarning, match="no method of Module leads to.*only its value"):
        module = Module()
    module.compiled_callable(ZERO)
    graph_calls.clear()
    with module.dispatch_to_code(0) as function:
        assert function(ZERO).item() == 1
    assert graph_calls == ["called"]
