"""`decompile_and_compile_like`: code that can take the place of other code."""

from __future__ import annotations

import linecache
import types
from pathlib import Path

import pytest

import depyf
from depyf import DecompilationError, Decompiler
from depyf.decompile.restore import compile_restored
from depyf.decompile.result import Decompilation

like = Decompiler.decompile_and_compile_like


def with_code(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    return types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def test_a_plain_function() -> None:
    def f(a, b=2, *args, k=3, **kw):
        return a, b, args, k, kw

    made = like(f.__code__, f.__code__)
    assert made.co_varnames[:5] == f.__code__.co_varnames[:5]
    assert made.co_name == "f"
    assert with_code(f, made)(1, 2, 3, k=4, z=5) == f(1, 2, 3, k=4, z=5)


def test_free_variables_used_and_unused() -> None:
    x, y = 1, 2

    def f():
        return x

    def reference():
        return x, y

    made = like(f.__code__, reference.__code__)
    assert made.co_freevars == ("x", "y")
    assert types.FunctionType(made, {}, "f", None, reference.__closure__)() == 1


def test_cells_that_nothing_captures() -> None:
    def f(a, b):
        return a + b

    def reference(a, b):
        return (lambda: a + b)()

    made = like(f.__code__, reference.__code__)
    assert made.co_cellvars == reference.__code__.co_cellvars
    assert types.FunctionType(made, {})(1, 2) == 3


def test_nonlocal_and_class_cell() -> None:
    n = 0

    def f():
        nonlocal n
        n += 1
        return n

    assert with_code(f, like(f.__code__, f.__code__))() == 1
    assert n == 1

    class A:
        def g(self):
            return super().__repr__() is not None, __class__

    made = like(A.g.__code__, A.g.__code__)
    assert with_code(A.g, made)(A()) == (True, A)


def test_objects_without_a_literal_come_back() -> None:
    def f(x):
        return ("the object", x, "the module")

    thing = object()
    swap = {"the object": thing, "the module": types}
    consts = tuple(
        swap.get(const, const) if isinstance(const, str) else const
        for const in f.__code__.co_consts
    )
    code = f.__code__.replace(co_consts=consts)
    made = like(code, code)
    result = types.FunctionType(made, {})(1)
    assert result[0] is thing and result[1] == 1 and result[2] is types


class Thing:
    """Folding an expression of this object would be wrong, and would show."""

    def __bool__(self) -> bool:
        return False

    def __add__(self, other: object) -> object:
        return ("sum", other)

    def __getitem__(self, index: object) -> object:
        return ("item", index)


def function_with(source: str, **constants: object) -> types.CodeType:
    """The code of a function in which the names are constants."""
    module = compile_restored(source, "made", 0, constants, {})
    return next(const for const in module.co_consts if isinstance(const, types.CodeType))


def test_nothing_is_folded() -> None:
    thing = Thing()
    source = (
        "def f():\n    if THING:\n        return 1\n"
        "    return THING + 'x', THING[0], not THING, THING is None\n"
    )
    code = function_with(source, THING=thing)
    assert "THING" not in code.co_names and any(const is thing for const in code.co_consts)
    made = like(code, code)
    assert types.FunctionType(made, {})() == (("sum", "x"), ("item", 0), True, False)


def test_an_object_among_hundreds_of_constants() -> None:
    thing = object()
    lines = "".join(f"    x += {number}.5\n" for number in range(400))
    code = function_with(f"def f(x):\n{lines}    return x, THING\n", THING=thing)
    assert types.FunctionType(like(code, code), {})(0)[1] is thing


def test_objects_in_nested_code() -> None:
    def f():
        class Made:
            value = "the object"

            def method(self):
                return ["the object" for _ in range(2)]

        return Made

    thing = object()

    def swapped(code: types.CodeType) -> types.CodeType:
        consts = tuple(
            swapped(const)
            if isinstance(const, types.CodeType)
            else (thing if const == "the object" else const)
            for const in code.co_consts
        )
        return code.replace(co_consts=consts)

    code = swapped(f.__code__)
    cls = types.FunctionType(like(code, code), {"__name__": "made", "range": range})()
    assert cls.value is thing and cls().method() == [thing, thing]


def test_code_inside_a_function_of_another_name() -> None:
    code = (lambda n: sorted(x for x in n if x)).__code__
    made = like(code, code)
    assert types.FunctionType(made, {"sorted": sorted})([2, 0, 1]) == [1, 2]


def test_what_is_not_proven_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from depyf.decompile import recompile

    def lying(*arguments: object, **options: object) -> Decompilation:
        result = decompile_code(*arguments, **options)  # type: ignore[arg-type]
        result.source = result.source.replace("+", "-")
        return result

    decompile_code = recompile.decompile_code
    monkeypatch.setattr(recompile, "decompile_code", lying)

    def f(a, b):
        return a + b

    def reference(a, b):
        return lambda: (a, b)

    for wanted in (f, reference):
        with pytest.raises(DecompilationError, match="not proven"):
            like(f.__code__, wanted.__code__)


def test_names_that_are_no_identifiers() -> None:
    def f(a):
        b = a + 1
        return b

    code = f.__code__.replace(co_name="<lambda>", co_varnames=("@a", "@py_assert1"))
    made = like(code, code)
    assert made.co_varnames[0] == "@a"
    assert made.co_name == "<lambda>"
    assert types.FunctionType(made, {})(1) == 2


@pytest.mark.parametrize("name", ["class", "", "a b", "<locals>"])
def test_functions_of_any_name(name: str) -> None:
    code = (lambda a: [a for _ in range(2)]).__code__.replace(co_name=name)
    made = like(code, code)
    assert made.co_name == name and types.FunctionType(made, {"range": range})(1) == [1, 1]
    compile(depyf.decompile(code), "named", "exec")


def test_the_source_is_written(tmp_path: Path) -> None:
    def f(a):
        return a + 1

    template = str(tmp_path / "deeper" / "100% sure_%s.py")
    made = like(f.__code__, f.__code__, filepath_template=template)
    path = Path(made.co_filename)
    assert path.name == "100% sure_f.py"
    assert path.read_text() == "def f(a):\n    return a + 1\n"
    assert linecache.getline(str(path), made.co_firstlineno).startswith("def f")
    again = like(f.__code__, f.__code__, filepath_template=Path(template))
    assert again.co_filename == made.co_filename
    with pytest.raises(TypeError, match="must be the path of a file, not 5"):
        like(f.__code__, f.__code__, filepath_template=5)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_another_source_of_the_same_name_gets_its_own_file(tmp_path: Path) -> None:
    def f(a):
        return a + 1

    def g(a):
        return a + 2

    template = str(tmp_path / "%s.py")
    first = like(f.__code__, f.__code__, filepath_template=template)
    other = g.__code__.replace(co_name="f")
    second = like(other, other, filepath_template=template)
    assert first.co_filename != second.co_filename
    assert types.FunctionType(second, {})(1) == 3


@pytest.mark.parametrize("kind", ["generator", "async"])
def test_generators_and_coroutines(kind: str) -> None:
    def gen(n):
        for i in range(n):
            yield i + 1

    async def co(n):
        return n

    function = gen if kind == "generator" else co
    made = like(function.__code__, function.__code__)
    assert made.co_flags & 0x2A0 == function.__code__.co_flags & 0x2A0


def test_an_object_without_a_literal_is_called() -> None:
    class Recorder:
        def __call__(self, *args: object, **kwargs: object) -> object:
            return args, kwargs

    thing = Recorder()
    module = compile_restored("def g(x):\n    return C(x, k=2)\n", "g", 0, {"C": thing}, {})
    code = next(const for const in module.co_consts if isinstance(const, types.CodeType))
    made = Decompiler.decompile_and_compile_like(code, code)
    assert any(const is thing for const in made.co_consts)
    assert types.FunctionType(made, {})(1) == ((1,), {"k": 2})


def test_functions_stand_for_their_code() -> None:
    def f(a):
        return a + 1

    made = like(f, f)
    assert isinstance(made, types.CodeType) and types.FunctionType(made, {})(1) == 2
    with pytest.raises(TypeError, match="a class cannot"):
        like(Thing, f)


@pytest.mark.parametrize(
    "constant",
    [
        [1, 2],
        {1: 2},
        slice(1, 2),
        frozenset({1, 2}),
        (1, frozenset({2})),
        test_a_plain_function.__code__,
    ],
    ids=lambda constant: type(constant).__name__,
)
def test_constants_that_no_compiler_makes(constant: object) -> None:
    def f(x):
        return (x, "the constant")

    consts = tuple(constant if const == "the constant" else const for const in f.__code__.co_consts)
    code = f.__code__.replace(co_consts=consts)
    is_code = isinstance(constant, types.CodeType)
    name = "__code_of_test_a_plain_function" if is_code else f"__const_{type(constant).__name__}"
    assert f"return x, {name}\n" in depyf.decompile(code)
    assert types.FunctionType(like(code, code), {})(1)[1] is constant


class NotComparable:
    def __eq__(self, other: object) -> bool:
        raise ValueError("compared")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("behind", [NotComparable(), "in"], ids=["not comparable", "in"])
def test_what_stands_behind_a_frozenset_is_not_looked_at(behind: object) -> None:
    def f(x):
        return x(111, 222)

    held = {111: frozenset({1, 2}), 222: behind}
    kept = [held.get(const, const) for const in f.__code__.co_consts]
    code = f.__code__.replace(co_consts=tuple(kept))
    assert "return x(__const_frozenset, " in depyf.decompile(code)


def test_a_variable_called_like_a_constant() -> None:
    def f(__const_types):
        return (__const_types, "the module")

    consts = tuple(types if const == "the module" else const for const in f.__code__.co_consts)
    code = f.__code__.replace(co_consts=consts)
    assert types.FunctionType(like(code, code), {})(1) == (1, types)


@pytest.mark.parametrize("target", [types, types.SimpleNamespace, compile("x = 1", "", "exec")])
def test_only_functions_are_replaced(target: object) -> None:
    with pytest.raises(TypeError, match=r"can be replaced, a (module|class) cannot|no bytecode"):
        like(target, test_a_plain_function)


def test_a_header_that_contradicts_itself() -> None:
    def f(a, *b):
        return a

    code = f.__code__.replace(co_flags=0)
    with pytest.raises(DecompilationError, match="cannot replace the reference"):
        like(code, code)


class Reader:
    def f(self) -> object:
        def inner() -> str:
            return "inner.txt"

        return "f.txt", inner


def test_texts_that_begin_like_a_qualified_name_are_left_alone() -> None:
    made = like(Reader.f.__code__, Reader.f.__code__)
    text, inner = types.FunctionType(made, {})(None)
    assert text == "f.txt"
    assert inner.__qualname__ == "Reader.f.<locals>.inner"
