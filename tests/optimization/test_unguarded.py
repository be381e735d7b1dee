"""`unguarded`: the same answers with the same signature, and a sentence where it cannot be."""

from __future__ import annotations

import gc
import inspect
import types

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from depyf.optimization import UnguardedError, unguarded  # noqa: E402
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


def test_a_module_with_hooks_is_refused() -> None:
    module = Add(1)
    module.register_forward_hook(lambda *_: ONE)
    with pytest.raises(UnguardedError, match=r"runs hooks.*_forward_hooks"):
        unguarded(compiled(module), ZERO)


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

    with pytest.raises(UnguardedError, match=r"has made no code of .*nothing"):
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
