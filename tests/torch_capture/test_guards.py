"""Guard functions against Dynamo's own check, on the call that was compiled and on others.

Each case compiles one small function, writes its guards as a guard function, and asks both about
the same locals. They must agree every time, and Dynamo must say yes once and no at least once.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import enum
import math
import re
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

import depyf  # noqa: E402
from depyf import guard_checks  # noqa: E402
from depyf.optimization.dynamo import entries_of  # noqa: E402
from depyf.output import render, write  # noqa: E402
from depyf.session.clean import clean_fields  # noqa: E402
from depyf.session.json import from_json  # noqa: E402
from depyf.session.model import CodeText, Frame, Guard, Session  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402
from depyf.torch_capture.compat import cache_entries, code_of_entry  # noqa: E402
from depyf.torch_capture.guards import remember_guards, tree_of  # noqa: E402

from .loading import load_file  # noqa: E402

needs_types = pytest.mark.skipif(
    not compat.tells_types_of_guards(), reason="the guards of this torch know no types"
)
SCALE = 3
SWITCH = True
TABLE = {"a": 2}


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Whole(int):
    pass


class Box:
    factor = 5

    def __init__(self, value: Any = None, **more: Any) -> None:
        self.value = value
        self.__dict__.update(more)


class Caller:
    def __init__(self, k: int) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return x * self.k


class Other(Box):
    pass


@dataclasses.dataclass
class Data:
    x: Any
    n: int = 2


Pair = collections.namedtuple("Pair", "a b")


def double(x: Any) -> Any:
    return x * 2


def triple(x: Any) -> Any:
    return x * 3


def with_defaults(x: Any, y: int = 2, *, k: int = 3) -> Any:
    return x * y + k


def closure(n: object) -> Callable[[Any], Any]:
    def inner(x: Any) -> Any:
        return x * n

    return inner


def ones(*size: int, **more: Any) -> Any:
    return torch.ones(*size, **more)


class Net(torch.nn.Module):
    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
        self.register_buffer("buffer", torch.ones(width))
        self.items = {"k": torch.ones(width)}

    def forward(self, x: Any) -> Any:
        return self.linear(x) * self.buffer + self.items["k"] * (2 if self.training else 1)


# --- the functions that are compiled ----------------------------------------------------------


def plain(x: Any) -> Any:
    return torch.abs(x) + 1


def number(x: Any, n: Any) -> Any:
    return x * n


def number_outside(x: Any) -> Any:
    return x * SCALE if SWITCH else x


def table_outside(x: Any) -> Any:
    return x * TABLE["a"]


def calls_global(x: Any) -> Any:
    return double(x)


def flag(x: Any, f: Any) -> Any:
    return x + 1 if f else x * 2


def is_none(x: Any, y: Any) -> Any:
    return x * 2 if y is None else x + 1


def text(x: Any, s: Any) -> Any:
    return x + 1 if s == "a" else x * 2


def sequence(xs: Any) -> Any:
    return xs[0] + xs[-1] * len(xs)


def items(d: Any) -> Any:
    total = 0
    for key, value in d.items():
        total = total + value * len(key)
    return total


def by_type(d: Any, x: Any) -> Any:
    return x * d[int]


def by_dtype(d: Any, x: Any) -> Any:
    return x * d[x.dtype]


def called(x: Any, c: Any) -> Any:
    return c(x)


def one_item(d: Any) -> Any:
    return d["a"] + 1


def asks_for_key(d: Any, x: Any) -> Any:
    return d["a"] + 1 if "b" in d else d["a"] * x


def members(x: Any, s: Any) -> Any:
    return x + 1 if 3 in s else x * 2


def calls(x: Any, fn: Any) -> Any:
    return fn(x)


def attribute(o: Any) -> Any:
    return o.value + o.factor


def asks_for_attribute(o: Any) -> Any:
    return o.value + (1 if hasattr(o, "extra") else 2)


def pair(p: Any) -> Any:
    return p.a + p.b


def data(d: Any) -> Any:
    return d.x * d.n


def colored(x: Any, c: Any) -> Any:
    return x + 1 if c is Color.RED else x * 2


def two(a: Any, b: Any) -> Any:
    return a + b * 2


def converted(x: Any, d: Any) -> Any:
    return x.to(d)


def cut(x: Any, s: Any) -> Any:
    return x[s]


def counted(x: Any, r: Any) -> Any:
    return [x + i for i in r]


def shaped(x: Any) -> Any:
    return x * x.shape[0] if x.shape[0] > 4 else x + 1


def arrays(x: Any) -> Any:
    return x + 1


def module(self: Any, x: Any) -> Any:
    return self(x) + 1


def typed(x: Any, t: Any) -> Any:
    return x + 1 if t is int else x * 2


# --- circumstances ----------------------------------------------------------------------------


@contextlib.contextmanager
def changed(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def default_dtype(dtype: Any) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def here(name: str, value: Any) -> Callable[[], Any]:
    import sys

    return lambda: changed(sys.modules[__name__], name, value)


def marked(tensor: Any) -> Any:
    torch._dynamo.mark_static(tensor, 0)
    return tensor


def maybe_dynamic(tensor: Any) -> Any:
    torch._dynamo.maybe_mark_dynamic(tensor, 0)
    return tensor


T = ones(3)
Arguments = tuple  # of the function
CASES: dict[str, tuple[Any, Arguments, list[Arguments], list[Callable[[], Any]]]] = {
    # name: (function, arguments that compile, arguments that are asked about, circumstances)
    "tensor": (
        plain,
        (ones(3),),
        [
            (ones(4),), (ones(3, 1),), (ones(3, dtype=torch.float64),), (1,), (None,),
            (ones(3, requires_grad=True),), (torch.nn.Parameter(ones(3)),), (ones(6)[::2],),
            (marked(ones(3)),), (ones(3).to_sparse(),), (ones(3, device="meta"),), (ones(3),),
        ],
        [
            torch.no_grad, torch.inference_mode, lambda: default_dtype(torch.float64),
            lambda: torch.autocast("cpu", dtype=torch.bfloat16), lambda: torch.device("meta"),
            lambda: changed(torch, "abs", torch.sin),
        ],
    ),
    "size that shall not vary": (
        plain,
        (marked(ones(3)),),
        [(ones(3),), (marked(ones(3)),), (ones(4),), (ones(3, dtype=torch.int8),), (None,), (1,)],
        [torch.no_grad],
    ),
    "size that may vary": (
        plain,
        (maybe_dynamic(ones(3)),),
        [(ones(3),), (maybe_dynamic(ones(3)),), (ones(3, dtype=torch.int8),), (None,), (1,)],
        [],
    ),
    "needs gradient": (
        plain,
        (ones(3, requires_grad=True),),
        [(ones(3),), (ones(3, requires_grad=True),)],
        [torch.no_grad],
    ),
    "integer": (number, (T, 2), [(T, 3), (T, 2.0), (T, True), (T, Whole(2)), (T, "2"), (T, 2)], []),
    "float": (number, (T, 2.5), [(T, 2.5), (T, 2), (T, math.nan), (T, -2.5)], []),
    "negative": (number, (T, -3), [(T, -3), (T, 3)], []),
    "infinite": (number, (T, math.inf), [(T, math.inf), (T, -math.inf), (T, math.nan)], []),
    "not a number": (number, (T, math.nan), [(T, math.nan), (T, 1.0), (T, 1)], []),
    "complex": (number, (T, 1 + 2j), [(T, 1 + 2j), (T, 1 - 2j), (T, 1)], []),
    "globals": (number_outside, (T,), [(T,)], [here("SCALE", 4), here("SWITCH", False)]),
    "global table": (table_outside, (T,), [(T,)], [here("TABLE", {"a": 3}), here("TABLE", {})]),
    "global function": (calls_global, (T,), [(T,)], [here("double", triple)]),
    "true": (flag, (T, True), [(T, True), (T, False), (T, 1), (T, None)], []),
    "false": (flag, (T, False), [(T, False), (T, True), (T, 0)], []),
    "none": (is_none, (T, None), [(T, None), (T, 1), (T, T)], []),
    "string": (text, (T, "a"), [(T, "a"), (T, "b"), (T, b"a"), (T, "")], []),
    "odd string": (text, (T, "a'\"\n # x"), [(T, "a'\"\n # x"), (T, "a")], []),
    "list": (
        sequence,
        ([ones(3), ones(3)],),
        [
            ([ones(3), ones(3)],), ([ones(3)],), ((ones(3), ones(3)),), ([ones(3), ones(4)],),
            ([T, T],),
        ],
        [],
    ),
    "tuple": (sequence, ((T, 1),), [((T, 1),), ((T, 2),), ([T, 1],), ((T, 1, 2),)], []),
    "dict in order": (
        items,
        ({"a": ones(3), "bb": ones(3)},),
        [
            ({"a": ones(3), "bb": ones(3)},), ({"bb": ones(3), "a": ones(3)},), ({"a": ones(3)},),
            ({"a": ones(3), "bb": ones(3), "c": ones(3)},), ({},), ([],),
            (collections.OrderedDict(a=ones(3), bb=ones(3)),), ({"a": ones(3), "bb": ones(4)},),
        ],
        [],
    ),
    "dict": (one_item, ({"a": T},), [({"a": T},), ({"b": T},), ({"a": T, "b": 1},), ({},)], []),
    "ordered dict": (
        items,
        (collections.OrderedDict(a=T),),
        [(collections.OrderedDict(a=T),), ({"a": T},), (collections.OrderedDict(b=T),)],
        [],
    ),
    "default dict": (
        one_item,
        (collections.defaultdict(list, a=T),),
        [
            (collections.defaultdict(list, a=T),), (collections.defaultdict(dict, a=T),),
            (collections.defaultdict(list),), ({"a": T},),
        ],
        [],
    ),
    "key present": (
        asks_for_key,
        ({"a": T, "b": 1}, T),
        [({"a": T, "b": 1}, T), ({"a": ones(3)}, T), ({"a": ones(3), "b": 2}, T)],
        [],
    ),
    "key absent": (
        asks_for_key,
        ({"a": ones(3)}, T),
        [({"a": ones(3)}, T), ({"a": ones(3), "b": 2}, T), ({"a": ones(3), "c": 2}, T)],
        [],
    ),
    "set": (members, (T, {3, 4}), [(T, {3, 4}), (T, {3}), (T, {4, 5}), (T, frozenset({3, 4}))], []),
    "function": (calls, (T, double), [(T, double), (T, triple), (T, torch.sin), (T, None)], []),
    "builtin": (calls, (T, torch.sin), [(T, torch.sin), (T, torch.cos), (T, double)], []),
    "defaults": (
        calls,
        (T, with_defaults),
        [(T, with_defaults), (T, double)],
        [
            lambda: changed(with_defaults, "__defaults__", (4,)),
            lambda: changed(with_defaults, "__kwdefaults__", {"k": 4}),
        ],
    ),
    "closure": (calls, (T, closure(4)), [(T, closure(4)), (T, closure(5)), (T, double)], []),
    "object": (
        attribute,
        (Box(ones(3)),),
        [(Box(ones(3)),), (Other(ones(3)),), (Box(ones(4)),), (Box(ones(3), factor=9),), (1,)],
        [lambda: changed(Box, "factor", 6)],
    ),
    "attribute absent": (
        asks_for_attribute,
        (Box(ones(3)),),
        [(Box(ones(3)),), (Box(ones(3), extra=1),)],
        [],
    ),
    "named tuple": (pair, (Pair(T, 3),), [(Pair(T, 3),), (Pair(T, 4),), ((T, 3),)], []),
    "data class": (data, (Data(T),), [(Data(T),), (Data(T, 3),), (Data(ones(4)),), (Box(T),)], []),
    "enum": (colored, (T, Color.RED), [(T, Color.RED), (T, Color.BLUE), (T, 1)], []),
    "two tensors": (two, (ones(3), ones(3)), [(ones(3), ones(3)), (T, T), (ones(3), ones(1))], []),
    "one tensor twice": (two, (T, T), [(T, T), (ones(3), ones(3))], []),
    "dtype": (converted, (T, torch.float64), [(T, torch.float64), (T, torch.int32), (T, 1)], []),
    "device": (
        converted,
        (T, torch.device("cpu")),
        [(T, torch.device("cpu")), (T, torch.device("meta")), (T, "cpu")],
        [],
    ),
    "slice": (cut, (T, slice(0, 2)), [(T, slice(0, 2)), (T, slice(0, 1)), (T, slice(0, 2, 1))], []),
    "range": (counted, (T, range(3)), [(T, range(3)), (T, range(1, 3)), (T, [0, 1, 2])], []),
    "tuple iterator": (
        counted,
        (T, iter((1, 2))),
        [(T, iter((1, 2))), (T, iter((1, 3))), (T, iter((1, 2, 3))), (T, iter([1, 2]))],
        [],
    ),
    "numpy": (
        arrays,
        (np.ones(3),),
        [(np.ones(3),), (np.ones(4),), (np.ones(3, dtype="float32"),), (T,)],
        [],
    ),
    "type as key": (
        by_type,
        ({int: 2, str: 3}, T),
        [({int: 2, str: 3}, T), ({int: 2}, T), ({int: 3, str: 3}, T), ({str: 3, int: 2}, T)],
        [],
    ),
    "dtype as key": (
        by_dtype,
        ({torch.float32: 2}, T),
        [({torch.float32: 2}, T), ({torch.float32: 3}, T), ({torch.float64: 2}, T)],
        [],
    ),
    "instance that is called": (
        called,
        (T, Caller(2)),
        [(T, Caller(2)), (T, Caller(3)), (T, double)],
        [lambda: changed(Caller, "__call__", lambda self, x: x - 1)],
    ),
    "class": (typed, (T, int), [(T, int), (T, float), (T, bool)], []),
}  # fmt: skip
# What torch itself gets wrong where guards are text; the day it does not, these fail.
WRONG_WITHOUT_TREE = {
    "complex": "no function of complex numbers is compiled",
    "global function": "a function that was inlined is not guarded: torch goes on with the old one",
    "type as key": "compiling raises InternalTorchDynamoError",
}


def judged(name: str) -> Any:
    """The case, expected to fail where torch does."""
    if name not in WRONG_WITHOUT_TREE or compat.has_tree_of_guards():
        return name
    return pytest.param(name, marks=pytest.mark.xfail(reason=WRONG_WITHOUT_TREE[name], strict=True))


def compiled_by_this_torch() -> Iterator[str]:
    wrong = () if compat.has_tree_of_guards() else WRONG_WITHOUT_TREE
    return (name for name in CASES if name not in wrong)


# Compiled by the second call, for any size.
DYNAMIC = {
    "size above": (
        shaped,
        [(ones(6),), (ones(8),)],
        [(ones(9),), (ones(3),), (ones(1),), (ones(6, 1),)],
    ),
    "size below": (shaped, [(ones(2),), (ones(3),)], [(ones(4),), (ones(5),), (ones(0),)]),
    "two sizes": (
        two,
        [(ones(5), ones(5)), (ones(6), ones(6))],
        [(ones(7), ones(7)), (ones(7), ones(1)), (ones(7), ones(8)), (ones(7, 7), ones(7))],
    ),
    "any number": (number, [(T, 7), (T, 8)], [(T, 9), (T, 0), (T, 1), (T, 2.0)]),
}


class Asked:
    """One compiled function: its entry, and our guard function for it."""

    def __init__(self, function: Any, calls: list[Arguments], folder: Path) -> None:
        torch._dynamo.reset()
        compiled = torch.compile(function, backend="eager")
        for arguments in calls:
            # A call uses an iterator up.
            compiled(*[copy.copy(one) if isinstance(one, Iterator) else one for one in arguments])
        self.function = function
        entry = newest(function.__code__)
        self.torchs = entries_of(function.__code__)[0].guards
        self.guards = remember_guards(str(folder), "__transformed_code_0_for_f.py", entry)
        self.check = guard_function(self.guards, function, folder)

    def locals(self, arguments: Arguments) -> dict[str, Any]:
        return dict(zip(self.function.__code__.co_varnames, arguments))

    def agree(self, arguments: Arguments) -> bool:
        """What both say; an iterator is left as it was."""
        given = self.locals(arguments)
        theirs = self.torchs.hold(given)
        ours = self.check(given, globals())
        assert ours == theirs, f"{arguments}: torch says {theirs}, the guard function {ours}"
        return ours


def newest(code: Any) -> Any:
    entries = cache_entries(code)
    assert entries and code_of_entry(entries[0]) is not None
    return entries[0]


def guard_function(guards: Any, function: Any, folder: Path) -> Callable[..., bool]:
    names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    source = f"def __transformed_code_0_for_f({names}):\n    return None\n"
    frame = Frame("0/0", "f", "f", "nowhere.py", 1, transformed=CodeText("f", source, "exact"))
    frame.guards = guards
    assert write(str(folder), render(Session(frames=[frame]))) == []
    loaded = load_file(folder / "full_code_for_f_0.py")
    return vars(loaded)["__guard_0_for_f"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", [judged(name) for name in CASES])
def test_the_guard_function_answers_what_dynamo_answers(name: str, tmp_path: Path) -> None:
    function, arguments, others, circumstances = CASES[name]
    asked = Asked(function, [arguments], tmp_path)
    answers = [asked.agree(one) for one in [arguments, *others]]
    for circumstance in circumstances:
        with circumstance():
            answers.append(asked.agree(arguments))
    assert answers[0] and not all(answers)
    assert asked.agree(arguments)


@pytest.mark.parametrize("name", DYNAMIC)
def test_guards_on_sizes_answer_what_dynamo_answers(name: str, tmp_path: Path) -> None:
    function, calls_made, others = DYNAMIC[name]
    asked = Asked(function, calls_made, tmp_path)
    answers = [asked.agree(one) for one in [calls_made[-1], *others]]
    assert answers[0] and not all(answers)


def test_guards_of_a_module(tmp_path: Path) -> None:
    net, x = Net(), ones(2, 3)
    asked = Asked(module, [(net, x)], tmp_path)
    assert asked.agree((net, x))
    assert asked.agree((Net(), x)) in (True, False)
    assert not asked.agree((Net(4), x))
    net.eval()
    assert not asked.agree((net, x))
    net.train()
    if compat.tells_types_of_guards():
        # Older ones do not look at what a dictionary holds while its version is the same.
        net.linear.weight.requires_grad_(False)
        assert not asked.agree((net, x))
        net.linear.weight.requires_grad_(True)
    net.linear.forward = double
    # Graphs of a torch without that tree call the module itself: no guard is needed.
    assert asked.agree((net, x)) is not compat.has_tree_of_guards()
    del net.linear.forward
    assert asked.agree((net, x))


def test_no_guard_shows_an_address_or_the_name_of_a_made_up_thing(tmp_path: Path) -> None:
    for name in compiled_by_this_torch():
        function, arguments, _, _ = CASES[name]
        asked = Asked(function, [arguments], tmp_path)
        for guard in asked.guards:
            # As everything in a session is before it is shown.
            clean_fields(guard)
            said = f"{guard.text} {guard.python}"
            assert not re.search(r"0x[0-9a-f]+|\d{12,}", said), f"{name}: {said}"


@needs_types
def test_few_guards_need_to_ask_torch(tmp_path: Path) -> None:
    """A ceiling for what has no form in Python; lower it when something gets one."""
    asking = []
    for name, (function, arguments, _, _) in CASES.items():
        for guard in Asked(function, [arguments], tmp_path).guards:
            if guard.python is None or re.search("torch_(says|checks)", guard.python):
                asking.append((name, guard.kind, guard.text))
    assert len(asking) <= 7, asking


@needs_types
def test_the_cause_is_the_users_line(tmp_path: Path) -> None:
    asked = Asked(number, [(T, 2)], tmp_path)
    (guard,) = [
        one for one in asked.guards if one.source == "L['n']" and one.kind == "EQUALS_MATCH"
    ]
    assert guard.cause is not None
    assert guard.cause.file == __file__
    assert guard.cause.line == number.__code__.co_firstlineno + 1
    assert guard.cause.text == "return x * n"


def test_nothing_is_kept_alive(tmp_path: Path) -> None:
    import gc
    import weakref

    given = ones(3)
    Asked(number, [(given, 2)], tmp_path)
    gone = [weakref.ref(given)]
    if compat.has_tree_of_guards():
        # Torch itself keeps the guards of an entry that is tied to a living class or function,
        # and where they are no tree always.
        gone.append(weakref.ref(tree_of(newest(number.__code__))))
    del given
    torch._dynamo.reset()
    gc.collect()
    assert [one() for one in gone if one() is not None] == []


def in_a_function_of_its_own() -> None:
    class Local(torch.nn.Module):  # type: ignore[name-defined, misc]
        def forward(self, x: Any) -> Any:
            return x + 1

    torch.compile(Local(), backend="eager")(ones(2))
    weights = [torch.nn.Parameter(ones(2))]
    optimizer = torch.optim.SGD(weights, lr=0.5)
    weights[0].sum().backward()
    torch.compile(optimizer.step, backend="eager")()


@pytest.mark.skipif(compat.trace_logger() is None, reason="nothing tells when an entry was made")
def test_guards_of_what_is_gone_when_the_block_is_left(tmp_path: Path) -> None:
    import gc

    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path):
        in_a_function_of_its_own()
        gc.collect()
    session = from_json((tmp_path / "session.json").read_text())
    compiled = [one for one in session.frames if one.outcome == "compiled"]
    assert {"forward", "step"} <= {one.name for one in compiled}
    assert [one.name for one in compiled if one.transformed and not one.guards] == []


def chosen_by_value(x: Any) -> Any:
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))


def repeated(x: Any) -> Any:
    from torch._higher_order_ops.while_loop import while_loop

    start = (torch.tensor(0), x)
    return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), start)


def mapped_rows(x: Any) -> Any:
    from torch._higher_order_ops.map import map as map_rows

    return map_rows(lambda row: row.sin(), x)


def mapped_batch(x: Any) -> Any:
    return torch.vmap(lambda row: row.sum() * row)(x)


def derived(x: Any) -> Any:
    return torch.func.jvp(lambda y: y.sin(), (x,), (x,))


HIGHER_ORDER = [chosen_by_value, repeated, mapped_rows, mapped_batch, derived]


@needs_types
@pytest.mark.parametrize("function", HIGHER_ORDER, ids=lambda one: one.__name__)
def test_guards_on_torchs_own_tables_can_be_evaluated(function: Any, tmp_path: Path) -> None:
    shapes = [(3, 2), (4, 2)]
    with depyf.prepare_debug(tmp_path):
        for shape in shapes:
            torch.compile(function, backend="eager", dynamic=False)(ones(*shape))
    module = load_file(tmp_path / f"full_code_for_{function.__name__}_0.py")
    checks = [
        getattr(module, f"__guard_{number}_for_{function.__name__}")
        for number in range(len(shapes))
    ]
    for shape in [*shapes, (5, 2)]:
        given = {"x": ones(*shape)}
        theirs = [bool(check_of(entry)(given)) for entry in cache_entries(function.__code__)]
        # Torch tries the newest first, the files count from the oldest.
        assert [check(given, globals()) for check in checks] == theirs[::-1]
        assert theirs.count(True) == (shape in shapes)
    torch.testing.assert_close(getattr(module, function.__name__)(ones(3, 2)), function(ones(3, 2)))


def check_of(entry: Any) -> Any:
    tree = tree_of(entry)
    assert tree is not None
    return tree.check


def test_a_guard_without_a_form_in_python_is_asked_where_torch_can_answer(tmp_path: Path) -> None:
    def ask(number: int, value: Any) -> bool:
        assert number == guard_checks.ALL_GUARDS
        return bool(value["x"])

    check = guard_function([Guard("ODD", "odd(x)", "<odd>", None)], plain, tmp_path)
    with pytest.raises(guard_checks.GuardUnavailable, match=r"odd\(x\)"):
        check({"x": 1}, {})
    guard_checks.remember(str(tmp_path), "__transformed_code_0_for_f.py", ask, lambda _: None)
    assert check({"x": 1}, {}) and not check({"x": 0}, {})


ADDRESS = "object at 0x7f001234abcd"


def looks_like_an_address(x: Any, k: Any) -> Any:
    if k == "object at 0x7f001234abcd":
        x = x + 1
    return x + (x.long() & 0xFFFFFFFFFFF)


def test_strings_of_the_users_that_look_like_addresses_are_compared_as_they_are(
    tmp_path: Path,
) -> None:
    with depyf.prepare_debug(tmp_path):
        torch.compile(looks_like_an_address, backend="eager")(T, ADDRESS)
    module = load_file(tmp_path / "full_code_for_looks_like_an_address_0.py")
    check = getattr(module, "__guard_0_for_looks_like_an_address")
    assert check({"x": T, "k": ADDRESS}, globals())
    assert not check({"x": T, "k": "object"}, globals())
    text = (tmp_path / "full_code_for_looks_like_an_address_0.py").read_text(encoding="utf-8")
    assert "<address>" not in text and "0xFFFFFFFFFFF" in text


def test_another_process_is_told_what_it_cannot_know(tmp_path: Path) -> None:
    asked = Asked(calls, [(T, closure(4))], tmp_path)
    guard_checks._ENTRIES.clear()
    with pytest.raises(guard_checks.GuardUnavailable):
        asked.check({"x": T, "fn": closure(4)}, globals())


@pytest.mark.skipif(
    not hasattr(torch.compiler, "skip_guard_on_globals_unsafe"), reason="filters no guards"
)
def test_an_entry_whose_guards_were_all_left_out_fits_everything(tmp_path: Path) -> None:
    none = {"guard_filter_fn": lambda guards: [False for _ in guards]}
    function = torch.compile(number, backend="eager", options=none)
    with depyf.prepare_debug(tmp_path):
        function(ones(3), 2)
        assert torch.equal(function(ones(4), 3), ones(4) * 2)
    (file,) = tmp_path.glob("full_code_for_number_*.py")
    text = file.read_text(encoding="utf-8")
    # A torch may keep those of the process itself, whatever a filter says.
    assert ("torch checks nothing" in text) is ("___check_global_state()" not in text)
    module = load_file(file)
    assert vars(module)["__guard_0_for_number"]({}, {}) is True
    assert torch.equal(module.number(ones(4), 3), ones(4) * 2)


def test_guards_that_are_gone_are_not_taken_for_none() -> None:
    from depyf.torch_capture.guards import is_unguarded

    class Gone:
        class guard_manager:
            invalidation_reason = "a module died"

            class root:
                get_leaf_guards = get_child_managers = get_accessors = list

    assert not is_unguarded(Gone()) and not is_unguarded(object())
