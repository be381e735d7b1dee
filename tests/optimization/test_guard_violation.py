"""The safe mode: a broken guard is found within N calls, and named with its line and its values."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from depyf.optimization import GuardViolation, unguarded  # noqa: E402
from depyf.optimization.dynamo import tells_backends  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402

EVERY = 4
SCALE = 3


class Part(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.number = 5

    def forward(self, x):
        return x + self.number


def make():
    """A function that depends on much: its guards are the subject of the tests below."""
    part = Part()
    threshold = 7

    def subject(x, numbers, table, flag=True):
        x = part(x) * SCALE + threshold
        for number in numbers:
            x = x + number
        for key in table:
            x = x + table[key]
        return x if flag else -x

    return torch.compile(subject, backend="eager"), part


class Call:
    """The arguments of a call, to be changed, and the part that the function holds."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.x = torch.ones(4, 4)
        self.numbers = [1, 2]
        self.table = {"a": 1}
        self.flag = True

    def arguments(self):
        return self.x, self.numbers, self.table, self.flag


def set_x(value):
    def change(call: Call, patch: pytest.MonkeyPatch) -> None:
        call.x = value()

    return change


def no_grad(call: Call, patch: pytest.MonkeyPatch) -> None:
    torch.set_grad_enabled(False)


def new_global(call: Call, patch: pytest.MonkeyPatch) -> None:
    patch.setitem(globals(), "SCALE", 4)


def new_attribute(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.part.number = 6


def longer_list(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.numbers = [1, 2, 3]


def other_list(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.numbers = [1, 9]


def other_keys(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.table = {"b": 1}


def larger_dict(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.table = {"a": 1, "b": 2}


def no_attribute(call: Call, patch: pytest.MonkeyPatch) -> None:
    del call.part.number


def other_type(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.numbers = (1, 2)


def other_flag(call: Call, patch: pytest.MonkeyPatch) -> None:
    call.flag = False


# What changes, a part of the guard's name, and what the error must say about the values; the
# order in which torch asks about a value is not the same in all versions.
KINDS = {
    "shape": (set_x(lambda: torch.ones(5, 4)), "x", "4", "5"),
    "dtype": (set_x(lambda: torch.ones(4, 4, dtype=torch.int32)), "x", "Float", "Int"),
    "device": (set_x(lambda: torch.ones(4, 4, device="meta")), "x", "CPU", "Meta"),
    "stride": (set_x(lambda: torch.ones(4, 8)[:, ::2]), "x", "4", "8"),
    "requires_grad": (
        set_x(lambda: torch.ones(4, 4, requires_grad=True)),
        "x",
        "requires_grad=0",
        "requires_grad=1",
    ),
    "module attribute": (new_attribute, "number", "5", "6"),
    "global": (new_global, "SCALE", "3", "4"),
    "type": (other_type, "numbers", "<class 'list'>", r"<class 'tuple'> \(\(1, 2\)\)"),
    "no tensor": (set_x(lambda: 3), "x", "[Tt]ensor", r"<class 'int'> \(3\)"),
    "list length": (longer_list, "numbers", "2", "3"),
    "list item": (other_list, "numbers", "2", "9"),
    "dict keys": (other_keys, "table", "'a'", "'b'"),
    "dict size": (larger_dict, "table", "1", "2"),
    "no attribute": (no_attribute, "number", "5|<class 'int'>", "AttributeError"),
    "grad mode": (no_grad, "", "grad_mode=True", "grad_mode=False"),
    "constant": (other_flag, "flag", "True", "False"),
}

TENSOR_KINDS = ("shape", "dtype", "device", "stride", "requires_grad")


def calls_until_violation(fast, arguments) -> tuple[int, GuardViolation]:
    for number in count(1):
        try:
            fast(*arguments)
        except GuardViolation as violation:
            return number, violation
        if number > EVERY:
            raise AssertionError("the violation went unnoticed")
    raise AssertionError


@pytest.mark.parametrize("kind", KINDS)
def test_a_violation_is_found_within_n_calls(kind, monkeypatch) -> None:
    change, name, expected, actual = KINDS[kind]
    compiled, part = make()
    call = Call(part)
    fast = unguarded(compiled, *call.arguments(), check_every=EVERY)
    for _ in range(2 * EVERY + 1):
        fast(*call.arguments())
    change(call, monkeypatch)
    number, violation = calls_until_violation(fast, call.arguments())
    assert number <= EVERY
    assert name in violation.guard
    assert re.search(expected, violation.expected)
    assert re.search(actual, violation.actual)
    assert violation.call == 3 * EVERY
    assert violation.function.endswith("subject")


HAS_TREE = hasattr(torch._C._dynamo.guards, "GuardManager")
WRITES_STATE = any(
    hasattr(torch._C._dynamo.guards.GlobalStateGuard, name) for name in ("dump", "__setstate__")
)


def keeps_line(kind: str) -> bool:
    """None is for the state of torch, nor for tensors before there was a tree of guards."""
    if kind == "grad mode":
        return False
    return compat.keeps_lines_of_guards() and (HAS_TREE or kind not in TENSOR_KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_violation_names_the_line(kind, monkeypatch) -> None:
    change = KINDS[kind][0]
    compiled, part = make()
    call = Call(part)
    fast = unguarded(compiled, *call.arguments(), check_every=1)
    change(call, monkeypatch)
    violation = calls_until_violation(fast, call.arguments())[1]
    assert_names_the_line(violation, kind, ("SCALE", "x + ", "for ", "flag"))


def assert_names_the_line(violation: GuardViolation, kind: str, words) -> None:
    if not violation.line and not keeps_line(kind):
        assert "torch keeps no line" in str(violation)
        return
    path, _, line = violation.line.rpartition(":")
    assert path == __file__
    assert violation.line in str(violation)
    with open(__file__, encoding="utf-8") as file:
        text = file.readlines()[int(line) - 1]
    assert any(word in text for word in words)


def violated(function, right, wrong) -> GuardViolation:
    fast = unguarded(torch.compile(function, backend="eager"), *right, check_every=1)
    return calls_until_violation(fast, wrong)[1]


def between(x, n):
    return x * 2 if 5 < n < 10 else x


@pytest.mark.parametrize("wrong", [2, 20])
def test_bounds_are_expected_and_the_value_is_what_it_got(wrong) -> None:
    x = torch.ones(3)
    fast = unguarded(torch.compile(between, backend="eager", dynamic=True), x, 8, check_every=1)
    violation = calls_until_violation(fast, (x, wrong))[1]
    assert "L['n']" in violation.expected and re.search("[<>]", violation.expected)
    assert violation.line == "" or violation.line.startswith(__file__)
    assert violation.actual == str(wrong)


def add_length(x):
    return x * 2 + x.shape[0]


@pytest.mark.parametrize("choose", [None, lambda x: 0])
def test_sizes_that_vary_break_no_guard(choose) -> None:
    compiled = torch.compile(add_length, backend="eager", dynamic=True)
    fast = unguarded(compiled, torch.ones(3), choose=choose, check_every=1)
    for size in (4, 5, 6):
        assert fast(torch.ones(size)).tolist() == [size + 2.0] * size
    violation = calls_until_violation(fast, (torch.ones(3, 3),))[1]
    assert (violation.expected, violation.actual) == ("1", "2")


def test_two_ways_of_compiling_do_not_count_as_two_entries() -> None:
    if not tells_backends():
        pytest.skip("this torch does not tell what an entry was compiled for")
    x = torch.ones(3)
    torch.compile(add_length, backend="eager", dynamic=False)(x)
    for dynamic in (True, False):
        compiled = torch.compile(add_length, backend="eager", dynamic=dynamic)
        assert unguarded(compiled, x, check_every=1)(x).tolist() == [5.0] * 3


def breaking(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def test_guards_are_checked_in_other_threads() -> None:
    fast = unguarded(torch.compile(breaking, backend="eager"), torch.ones(1), check_every=1)
    with ThreadPoolExecutor(2) as pool:
        assert [answer.item() for answer in pool.map(fast, [torch.ones(1)] * 4)] == [4.0] * 4
        with pytest.raises(GuardViolation, match="dtype mismatch"):
            pool.submit(fast, torch.ones(1, dtype=torch.int64)).result()


def add_both(x, y):
    return x + y


def test_tensors_that_became_one() -> None:
    one, other = torch.ones(2), torch.zeros(2)
    violation = violated(add_both, (one, other), (one, one))
    assert violation.expected == "different tensors"
    assert "one" in violation.actual


def test_tensors_that_are_one_no_more() -> None:
    one, other = torch.ones(2), torch.zeros(2)
    violation = violated(add_both, (one, one), (one, other))
    assert (violation.expected, violation.actual) == ("one and the same object", "two objects")


@pytest.mark.skipif(not HAS_TREE, reason="this torch trusts the parameters of its modules")
def test_a_bias_that_became_none_in_a_module_of_torch() -> None:
    linear = torch.nn.Linear(2, 2)
    fast = unguarded(torch.compile(linear, backend="eager"), torch.ones(2), check_every=1)
    linear.bias = None
    violation = calls_until_violation(fast, (torch.ones(2),))[1]
    assert "bias" in violation.guard
    assert "NoneType" in violation.actual
    if violation.line:
        assert violation.line.startswith(torch.nn.modules.linear.__file__ + ":")


class Weighted(torch.nn.Module):
    weight = torch.ones(2)

    def forward(self, x):
        return x * self.weight


WEIGHTS = {
    "requires_grad": (lambda: torch.ones(2, requires_grad=True), "requires_grad=1"),
    "size": (lambda: torch.ones(3), "3"),
    "no tensor": (lambda: 3, r"<class 'int'> \(3\)"),
}


@pytest.mark.skipif(not HAS_TREE, reason="this torch trusts what is in a class")
@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_tensor_that_a_class_has(kind, monkeypatch) -> None:
    make_weight, actual = WEIGHTS[kind]
    compiled = torch.compile(Weighted(), backend="eager")
    fast = unguarded(compiled, torch.ones(2), check_every=1)
    monkeypatch.setattr(Weighted, "weight", make_weight())
    violation = calls_until_violation(fast, (torch.ones(2),))[1]
    assert "weight" in violation.guard
    assert re.search(actual, violation.actual)
    if violation.line or torch.__version__.startswith("2.13."):
        assert_names_the_line(violation, "shape", ("self.weight",))


@pytest.mark.skipif(not HAS_TREE, reason="this torch asks for the array in another way")
def test_an_array_that_became_a_list() -> None:
    numpy = pytest.importorskip("numpy")

    def add(x, array):
        return x + torch.from_numpy(array)

    x = torch.ones(2)
    violation = violated(add, (x, numpy.ones(2)), (x, [1, 2]))
    assert "array" in violation.guard
    assert violation.actual == "<class 'list'> ([1, 2])"


STATES = {
    "num_threads": (torch.get_num_threads, torch.set_num_threads, torch.get_num_threads() + 1),
    "default_dtype": (torch.get_default_dtype, torch.set_default_dtype, torch.float64),
    "deterministic_algorithms": (
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
        True,
    ),
    "autocast(cuda)_enabled": (
        torch.is_autocast_enabled,
        torch.set_autocast_enabled,
        True,
    ),
}


@pytest.mark.parametrize("name", STATES)
def test_the_state_of_torch_is_told_before_and_after(name) -> None:
    if name.startswith("autocast") and not WRITES_STATE:
        pytest.skip("this torch does not guard on autocast")
    get, change, other = STATES[name]
    fast = unguarded(torch.compile(add_both, backend="eager"), *(torch.ones(2),) * 2, check_every=1)
    before = get()
    change(other)
    try:
        violation = calls_until_violation(fast, (torch.ones(2),) * 2)[1]
    finally:
        change(before)
    if "GLOBAL_STATE" not in violation.guard:
        pytest.skip("this torch does not tell what changed")
    if WRITES_STATE or name == "deterministic_algorithms":
        assert violation.expected.endswith(f"={before}")
    assert violation.actual.endswith(f"={other}")


def test_closure_value() -> None:
    def make_counter():
        step = 1

        def set_step(value):
            nonlocal step
            step = value

        def add(x):
            return x + step

        return add, set_step

    add, set_step = make_counter()
    fast = unguarded(torch.compile(add, backend="eager"), torch.ones(1), check_every=EVERY)
    fast(torch.ones(1))
    set_step(2)
    number, violation = calls_until_violation(fast, (torch.ones(1),))
    assert number <= EVERY
    assert "step" in violation.guard
    assert (violation.expected, violation.actual) == ("1", "2")
    assert_names_the_line(violation, "closure value", ("x + step",))


def test_what_holds_is_never_complained_about() -> None:
    compiled, part = make()
    call = Call(part)
    expected = compiled(*call.arguments())
    fast = unguarded(compiled, *call.arguments(), check_every=1)
    for _ in range(50):
        assert torch.equal(fast(*call.arguments()), expected)


def test_the_environment_variable(monkeypatch) -> None:
    monkeypatch.setenv("DEPYF_CHECK_EVERY", "2")
    compiled, part = make()
    call = Call(part)
    fast = unguarded(compiled, *call.arguments())
    never = unguarded(compiled, *call.arguments(), check_every=0)
    part.number = 6
    fast(*call.arguments())
    with pytest.raises(GuardViolation, match=r"expected 5, got 6"):
        fast(*call.arguments())
    for _ in range(10):
        never(*call.arguments())


@pytest.mark.parametrize("value", ["often", "-1", "1.5"])
def test_a_bad_environment_variable_is_named(monkeypatch, value) -> None:
    monkeypatch.setenv("DEPYF_CHECK_EVERY", value)
    compiled, part = make()
    with pytest.raises(ValueError, match=f"DEPYF_CHECK_EVERY must be a number.*{value}"):
        unguarded(compiled, *Call(part).arguments())


def test_the_rest_of_a_graph_break_is_checked_too() -> None:
    def broken(x, part):
        x = x + 1
        torch._dynamo.graph_break()
        return part(x)

    arguments = (torch.ones(1), Part())
    fast = unguarded(torch.compile(broken, backend="eager"), *arguments, check_every=2)
    arguments[1].number = 6
    fast(*arguments)
    with pytest.raises(GuardViolation, match="number"):
        fast(*arguments)


def test_the_guards_of_the_chosen_entry_are_checked() -> None:
    @torch.compile(backend="eager")
    def add(x, number):
        return x + {"one": 1, "two": 2}[number]

    x = torch.ones(1)
    add(x, "one")
    add(x, "two")
    right = unguarded(add, x, "one", choose=lambda x, number: number == "two", check_every=1)
    wrong = unguarded(add, x, "one", choose=lambda x, number: number == "one", check_every=1)
    assert right(x, "two").item() == 3
    with pytest.raises(GuardViolation, match="number"):
        wrong(x, "two")


def nothing(*_: object) -> None:
    """A hook."""


# What gets a hook only after `unguarded`: what torch.compile made, its module, or all modules.
HOOKED = {
    "_forward_hooks": lambda compiled, module: module.register_forward_hook(nothing),
    "_forward_pre_hooks": lambda compiled, module: compiled.register_forward_pre_hook(nothing),
    "_global_forward_hooks": lambda compiled, module: (
        torch.nn.modules.module.register_module_forward_hook(nothing)
    ),
}


@pytest.mark.parametrize("choose", [None, lambda x: 0])
@pytest.mark.parametrize("name", HOOKED)
def test_hooks_that_a_call_through_torch_compile_would_run(name, choose) -> None:
    part, x = Part(), torch.ones(1)
    compiled = torch.compile(part, backend="eager")
    fast = unguarded(compiled, x, choose=choose, check_every=EVERY)
    fast(x)
    hook = HOOKED[name](compiled, part)
    try:
        number, violation = calls_until_violation(fast, (x,))
    finally:
        hook.remove()
    assert number <= EVERY
    # Older torch has guards on those of all modules.
    assert name in violation.actual or name in violation.guard
    for _ in range(2 * EVERY):
        assert fast(x).item() == 6


@pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "skip_nnmodule_hook_guards"), reason="no such setting"
)
def test_hooks_of_modules_inside_are_what_torch_guards_them_to_be() -> None:
    class Outer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.part = Part()

        def forward(self, x):
            return self.part(x)

    outer, x = Outer(), torch.ones(1)
    with torch._dynamo.config.patch(skip_nnmodule_hook_guards=False):
        fast = unguarded(torch.compile(outer, backend="eager"), x, check_every=EVERY)
        fast(x)
        outer.part.register_forward_hook(nothing)
        _, violation = calls_until_violation(fast, (x,))
    assert "_forward_hooks" in violation.guard
