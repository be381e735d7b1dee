"""`unguarded`: the same answers with the same signature, and a sentence where it cannot be."""

from __future__ import annotations

import cProfile
import gc
import inspect
import re
import sys
import threading
import time
import types

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from torch._dynamo import convert_frame  # noqa: E402

from depyf.optimization import GuardViolation, UnguardedError, unguarded  # noqa: E402
from depyf.optimization.dynamo import entries_of, tells_backends  # noqa: E402
from depyf.optimization.guards import FunctionGuards  # noqa: E402

ZERO = torch.zeros(2)
ONE = torch.ones(2)


def compiled(function):
    return torch.compile(function, backend="eager")


def test_a_function_becomes_a_function() -> None:
    @compiled
    def scale(x: torch.Tensor, factor: float = 2.0, *, offset: float = 1.0) -> torch.Tensor:
        """Scales."""
        return x * factor + offset

    fast = unguarded(scale, ONE)
    assert type(fast) is types.FunctionType
    assert fast(ONE).tolist() == [3.0, 3.0]
    assert fast(x=ZERO).tolist() == [1.0, 1.0]
    assert inspect.signature(fast) == inspect.signature(scale)
    assert (fast.__name__, fast.__doc__) == ("scale", "Scales.")


def test_guards_are_gone() -> None:
    @compiled
    def add(x, number):
        return x + number

    fast = unguarded(add, ZERO, 1)
    assert fast(ZERO, 5).tolist() == [1.0, 1.0]
    assert add(ZERO, 5).tolist() == [5.0, 5.0]


def test_a_method_becomes_a_method() -> None:
    class Model:
        number = 1

        def run(this, x, factor=3):
            return x * factor + this.number

    model = Model()
    fast = unguarded(compiled(model.run), ONE)
    assert fast.__self__ is model
    assert fast(ONE).tolist() == [4.0, 4.0]
    assert str(inspect.signature(fast)) == "(x, factor=3)"


def test_a_decorated_method() -> None:
    class Model:
        @compiled
        def run(self, x):
            return x + 1

    assert unguarded(Model().run, ZERO)(ZERO).tolist() == [1.0, 1.0]


class Add(torch.nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x):
        return x + self.number


def decorated():
    class Decorated(torch.nn.Module):
        @compiled
        def forward(self, x):
            return x + 1

    return Decorated()


def compiled_in_place():
    module = Add(1)
    module.compile(backend="eager")
    return module


@pytest.mark.parametrize("make", [lambda: compiled(Add(1)), decorated, compiled_in_place])
def test_modules(make) -> None:
    assert unguarded(make(), ZERO)(ZERO).tolist() == [1.0, 1.0]


def test_a_module_of_torch() -> None:
    linear = torch.nn.Linear(2, 3)
    expected = linear(ONE)
    assert torch.equal(unguarded(compiled(linear), ONE)(ONE), expected)


def test_a_module_of_torch_has_the_name_that_its_user_knows() -> None:
    """Torch compiles a frame of its own around the forward of its modules."""
    subject = compiled(torch.nn.Linear(2, 2))
    fast = unguarded(subject, ONE, check_every=1)
    with pytest.raises(GuardViolation, match=r"the unguarded Linear\.forward breaks"):
        fast(torch.ones(2, dtype=torch.float64))
    subject(torch.ones(1, 2))
    with pytest.raises(UnguardedError, match=r"^Linear\.forward has 2 entries"):
        unguarded(subject, ONE)


def test_a_module_with_hooks_is_refused() -> None:
    module = Add(1)
    module.register_forward_hook(lambda *_: ONE)
    with pytest.raises(UnguardedError, match=r"runs hooks.*_forward_hooks"):
        unguarded(compiled(module), ZERO)


def test_hooks_of_what_torch_makes_of_a_module_are_refused() -> None:
    module = compiled(Add(1))
    module.register_forward_hook(lambda *_: ONE)
    with pytest.raises(UnguardedError, match=r"runs hooks \(_forward_hooks\).*remove them"):
        unguarded(module, ZERO)


def test_closures_share_code_and_keep_their_values() -> None:
    def adder(number):
        def add(x):
            return [x + number, x][0]

        return add

    one, ten = (unguarded(compiled(adder(n)), ZERO) for n in (1, 10))
    assert one(ZERO).tolist() == [1.0, 1.0]
    assert ten(ZERO).tolist() == [10.0, 10.0]


def test_objects_of_one_class_have_entries_of_their_own() -> None:
    one, ten = (unguarded(compiled(Add(n)), ZERO) for n in (1, 10))
    assert one(ZERO).tolist() == [1.0, 1.0]
    assert ten(ZERO).tolist() == [10.0, 10.0]


def test_an_entry_whose_object_died_does_not_count() -> None:
    def step(optimizer):
        optimizer.step()

    weight = torch.ones(2, requires_grad=True)
    weight.grad = torch.ones(2)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    compiled(step)(optimizer)
    if isinstance(entries_of(step.__code__)[0].guards, FunctionGuards):
        pytest.skip("this torch guards the type of the object, which does not die")
    del optimizer
    gc.collect()
    assert entries_of(step.__code__) == []


def test_two_backends_do_not_count_as_two_entries() -> None:
    def add(x):
        return x + 1

    torch.compile(add, backend="eager")(ZERO)
    compiled_again = torch.compile(add, backend="aot_eager")
    if not tells_backends():
        with pytest.raises(UnguardedError, match="2 entries, for different arguments or backends"):
            unguarded(compiled_again, ZERO)
        return
    fast = unguarded(compiled_again, ZERO)
    assert fast(ZERO).tolist() == [1.0, 1.0]


def test_more_than_one_entry_is_refused() -> None:
    @compiled
    def add(x):
        return x + 1

    add(ZERO)
    with pytest.raises(UnguardedError, match=r"add has 2 entries.*choose="):
        unguarded(add, torch.zeros(2, dtype=torch.int64))


def test_entries_that_threads_made_for_the_same_call_count_as_one() -> None:
    if not tells_backends():
        pytest.skip("this torch does not tell what an entry was compiled for")
    if not has_guard_trees():
        pytest.skip("this torch does not tell what its guards ask of tensors")

    def add(x):
        return x + 1

    def backend(graph, inputs):
        if second.ident is None:
            second.start()
            while second.is_alive() and not is_about_to_compile(second):
                time.sleep(0.001)
        return graph.forward

    subject = torch.compile(add, backend=backend)
    second = threading.Thread(target=subject, args=(ZERO,))
    subject(ZERO)
    second.join()
    assert len(entries_of(add.__code__)) == 2
    assert unguarded(subject, ZERO)(ZERO).tolist() == [1.0, 1.0]
    subject(ZERO.to(torch.int64))
    with pytest.raises(UnguardedError, match="2 entries, for different arguments"):
        unguarded(subject, ZERO)


def has_guard_trees() -> bool:
    def add(x):
        return x + 2

    compiled(add)(ZERO)
    return entries_of(add.__code__)[0].guards.tell_all


def is_about_to_compile(thread: threading.Thread) -> bool:
    """Torch has found no entry for its call, and one thread after the other compiles."""
    frame = sys._current_frames().get(thread.ident)
    return frame is not None and frame.f_code.co_filename == convert_frame.__file__


def test_a_chooser_picks_an_entry_for_each_call() -> None:
    @compiled
    def name(x, kind):
        return x + {"first": 1, "second": 2}[kind]

    name(ZERO, "first")
    name(ZERO, "second")
    fast = unguarded(name, ZERO, "first", choose=lambda x, kind: int(kind == "second"))
    assert fast(ZERO, "first").tolist() == [1.0, 1.0]
    assert fast(ZERO, kind="second").tolist() == [2.0, 2.0]
    assert str(inspect.signature(fast)) == "(x, kind)"


def test_a_chooser_for_a_method_gets_the_arguments_of_the_call() -> None:
    model = compiled(Add(1))
    model(ZERO)
    model(torch.zeros(2, dtype=torch.int64))
    fast = unguarded(model, ZERO, choose=lambda x: int(x.dtype is torch.int64))
    assert fast(ZERO).dtype is torch.float32
    assert fast(torch.zeros(2, dtype=torch.int64)).dtype is torch.int64


def test_a_chooser_counts_the_entries_of_the_object_alone() -> None:
    one, ten = (compiled(Add(n)) for n in (1, 10))
    whole = torch.zeros(2, dtype=torch.int64)
    one(whole)
    one(ZERO)
    fast = unguarded(ten, ZERO, choose=lambda x: int(x.dtype is torch.int64))
    with pytest.raises(
        IndexError, match=r"asked for entry 1 of Add\.forward, which has 1 for this"
    ):
        fast(whole)
    assert fast(ZERO).tolist() == [10.0, 10.0]
    ten(whole)
    fast = unguarded(ten, ZERO, choose=lambda x: int(x.dtype is torch.int64))
    assert (fast(ZERO).tolist(), fast(whole).tolist()) == ([10.0, 10.0], [10, 10])


def test_entries_of_other_objects_for_other_arguments_do_not_count() -> None:
    one, ten = (compiled(Add(n)) for n in (1, 10))
    one(torch.zeros(2, dtype=torch.int64))
    assert unguarded(ten, ZERO)(ZERO).tolist() == [10.0, 10.0]


def test_a_chooser_for_a_closure_counts_its_own_entries() -> None:
    def adder(number):
        def add(x):
            return x + number

        return compiled(add)

    adder(torch.ones(2))(ZERO)
    ten = adder(torch.tensor([10.0]))
    assert unguarded(ten, ZERO, choose=lambda x: 0)(ZERO).tolist() == [10.0, 10.0]


@pytest.mark.parametrize("number", [-1, None, "0", [0]])
def test_what_is_no_number_of_an_entry_is_refused(number) -> None:
    fast = unguarded(compiled(Add(1)), ZERO, choose=lambda x: number)
    expected = re.escape(f"asked for entry {number!r} of Add.forward")
    with pytest.raises(IndexError, match=expected):
        fast(ZERO)


def test_an_index_error_of_the_chooser_is_its_own() -> None:
    fast = unguarded(compiled(Add(1)), ZERO, choose=lambda x: [][0])
    with pytest.raises(IndexError, match=r"^list index out of range$"):
        fast(ZERO)


@pytest.mark.parametrize("choose", [None, lambda x: 0])
def test_a_method_that_changes_what_it_is_guarded_on_is_refused(choose) -> None:
    class Growing:
        def __init__(self) -> None:
            self.numbers = []

        def grow(self, x):
            self.numbers.append(1)
            return x + len(self.numbers)

    with pytest.raises(UnguardedError, match="grow itself breaks a guard"):
        unguarded(compiled(Growing().grow), ZERO, choose=choose)


def test_arguments_may_be_called_like_parameters_of_unguarded() -> None:
    def add(x, compiled):
        return x + compiled

    assert unguarded(compiled(add), ZERO, compiled=2)(ZERO, 2).tolist() == [2.0, 2.0]


def too_often() -> None:
    if not hasattr(torch._dynamo.config, "recompile_limit"):
        pytest.skip("this torch keeps no entries once there were too many")
    torch._dynamo.config.recompile_limit = 1


def forced_eager() -> None:
    if not hasattr(torch.compiler, "set_stance"):
        pytest.skip("this torch has no stances")
    torch.compiler.set_stance("force_eager")


@pytest.fixture
def as_before():
    limit = getattr(torch._dynamo.config, "recompile_limit", None)
    yield
    if limit is not None:
        torch._dynamo.config.recompile_limit = limit
    if hasattr(torch.compiler, "set_stance"):
        torch.compiler.set_stance("default")


@pytest.mark.parametrize("stop_compiling", [too_often, forced_eager])
def test_a_call_that_ran_uncompiled_is_refused_as_such(stop_compiling, as_before) -> None:
    @compiled
    def add(x):
        return x + 1

    add(ZERO)
    stop_compiling()
    with pytest.raises(UnguardedError, match=r"torch ran .*add uncompiled for this call"):
        unguarded(add, torch.zeros(2, dtype=torch.int64))
    assert unguarded(add, ZERO)(ZERO).tolist() == [1.0, 1.0]


def test_a_graph_break_is_bridged() -> None:
    @compiled
    def speak(x, number):
        x = x + number
        torch._dynamo.graph_break()
        return x * 2 + number

    fast = unguarded(speak, ZERO, 1)
    assert fast(ZERO, 1).tolist() == [3.0, 3.0]
    # Both halves have their number burnt in, so both are compiled code.
    assert fast(ZERO, 50).tolist() == [3.0, 3.0]


def test_bridges_leave_with_the_function() -> None:
    @compiled
    def broken(x):
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    fast = unguarded(broken, ZERO)
    assert [name for name in globals() if name.startswith("__depyf_bridge")]
    del fast
    gc.collect()
    assert not [name for name in globals() if name.startswith("__depyf_bridge")]


def test_a_graph_break_with_two_ways_to_go_on_is_refused() -> None:
    @compiled
    def branch(x):
        x = x + 1
        if x.sum() > 0:
            return x * 2
        return x * 3

    with pytest.raises(UnguardedError, match=r"graph break.*0 entries"):
        unguarded(branch, ZERO)


def breaking_helper(x):
    x = x * 3
    torch._dynamo.graph_break()
    return x * 5


def ends_with_a_helper(x):
    return breaking_helper(x + 1)


def goes_on_after_a_helper(x, helper=breaking_helper):
    return helper(x + 1) - 1


class Chained(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Broken()

    def forward(self, x):
        return self.part(x) + 1


class Broken(torch.nn.Module):
    def forward(self, x):
        return breaking_helper(x)


@pytest.mark.parametrize(
    "make", [lambda: ends_with_a_helper, lambda: goes_on_after_a_helper, Chained]
)
def test_a_graph_break_in_a_function_that_is_called_is_refused(make) -> None:
    subject = compiled(make())
    for _ in range(2):
        with pytest.raises(UnguardedError, match="which torch compiled by itself"):
            unguarded(subject, ONE)
    with pytest.raises(UnguardedError, match="which torch compiled by itself"):
        unguarded(subject, ONE, choose=lambda x: 0)
    assert sys.getprofile() is None


def test_a_profiler_does_not_hide_what_is_called() -> None:
    seen = []

    def profiler(frame, event, argument):
        seen.append((event, frame.f_code.co_name))

    subject = compiled(goes_on_after_a_helper)
    sys.setprofile(profiler)
    try:
        with pytest.raises(UnguardedError, match="which torch compiled by itself"):
            unguarded(subject, ONE)
        assert sys.getprofile() is profiler
        subject(ONE)
    finally:
        sys.setprofile(None)
    # It has been told of both calls, and of both ends.
    calls = [event for event, name in seen if name == "breaking_helper"]
    assert calls == ["call", "return"] * (len(calls) // 2)
    assert len(calls) >= 6


def test_a_profiler_that_cannot_be_put_back_is_told() -> None:
    subject = compiled(goes_on_after_a_helper)
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        if sys.getprofile() is None:
            with pytest.raises(UnguardedError, match="which torch compiled by itself"):
                unguarded(subject, ONE)
            return
        with pytest.warns(UserWarning, match=r"profiler.*\(Profiler?\).*stop it") as told:
            unguarded(subject, ONE)
        assert told[0].filename == __file__
    finally:
        profiler.disable()


async def coroutine(x):
    return x + 1


def generator(x):
    yield x + 1


@pytest.mark.parametrize("function", [coroutine, generator])
def test_what_runs_in_pieces_is_refused(function) -> None:
    with pytest.raises(UnguardedError, match=r"is a generator or coroutine.*call it from there"):
        unguarded(compiled(function), ONE)


def test_a_chooser_that_cannot_be_called_is_refused() -> None:
    with pytest.raises(TypeError, match=r"choose= must be a function.*not 0"):
        unguarded(compiled(Add(1)), ONE, choose=0)


def test_what_torch_does_not_look_into_is_told() -> None:
    def add(x, numbers):
        for number in numbers:
            x = x + number
        return x

    with pytest.raises(
        UnguardedError, match=r"no code of .*add for this call: call torch._dynamo.reset"
    ):
        unguarded(compiled(add), ONE, (number for number in (1, 2)))
    torch._dynamo.reset()
    assert unguarded(compiled(add), ONE, [1, 2])(ONE, [1, 2]).tolist() == [4.0, 4.0]


def test_all_graphs_of_a_call_run_unguarded() -> None:
    ran = []

    def backend(graph, inputs):
        def run(*arguments):
            ran.append(graph)
            return graph.forward(*arguments)

        return run

    def broken(x):
        x = x + 1
        torch._dynamo.graph_break()
        x = x * 2
        torch._dynamo.graph_break()
        return x - 1

    subject = torch.compile(broken, backend=backend)
    fast = unguarded(subject, ONE)
    ran.clear()
    subject(ONE)
    guarded, ran[:] = list(ran), []
    fast(ONE)
    assert ran == guarded != []


def test_what_is_compiled_on_purpose_may_be_called() -> None:
    inner = compiled(breaking_helper)

    def outer(x, uncompiled, inner):
        return uncompiled(inner, x + 1) - 1

    uncompiled = torch._dynamo.disable(lambda function, x: function(x))
    fast = unguarded(compiled(outer), ONE, uncompiled, inner)
    assert fast(ONE, uncompiled, inner).tolist() == [29.0, 29.0]


def test_a_graph_break_that_needs_a_closure_is_refused() -> None:
    number = 1

    @compiled
    def broken(x):
        x = x + number
        torch._dynamo.graph_break()
        return x * number

    with pytest.raises(UnguardedError, match=r"graph break.*enclosing function"):
        unguarded(broken, ZERO)


def test_a_function_that_was_never_compiled_is_refused() -> None:
    def nothing(x):
        return x + 1

    with pytest.raises(UnguardedError, match=r"made no code of .*nothing, which is as it is.*pass"):
        unguarded(nothing, ZERO)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match=r"not what torch\.compile made"):
        unguarded(print, ZERO)


def test_reset_and_collection_leave_the_function_usable() -> None:
    @compiled
    def add(x):
        return x + 1

    fast = unguarded(add, ZERO)
    torch._dynamo.reset()
    del add
    gc.collect()
    assert fast(ZERO).tolist() == [1.0, 1.0]


def test_an_exception_passes_through() -> None:
    @compiled
    def add(x):
        return x + 1

    fast = unguarded(add, ZERO)
    with pytest.raises(TypeError, match="missing"):
        fast()
    assert fast(ZERO).tolist() == [1.0, 1.0]


def test_gradients_flow() -> None:
    linear = torch.nn.Linear(2, 1)
    fast = unguarded(compiled(linear), ONE)
    fast(ONE).sum().backward()
    assert linear.weight.grad.tolist() == [[1.0, 1.0]]
