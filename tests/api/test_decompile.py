"""`depyf.decompile` and `Decompiler` on functions, classes, modules and files."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import json
import py_compile
import sys
import textwrap
import types
from pathlib import Path

import pytest

import depyf
from depyf import Decompiler
from depyf.decompile.api import examine


@dataclasses.dataclass
class Data:
    x: int
    y: float


class Shape:
    """A shape."""

    sides: int = 4

    def __init__(self, name: str, *, size: int = 1) -> None:
        self.name = name
        self.size = size

    @property
    def area(self) -> int:
        return self.size**2

    class Inner:
        text = """one
        two"""


def test_the_dataclass_example() -> None:
    assert depyf.decompile(Data.__init__) == textwrap.dedent(
        """\
        def __init__(self, x, y):
            self.x = x
            self.y = y
        """
    )
    assert depyf.decompile(Data.__eq__) == textwrap.dedent(
        """\
        def __eq__(self, other):
            if other.__class__ is self.__class__:
                return (self.x, self.y) == (other.x, other.y)
            return NotImplemented
        """
    )


def test_one_function_many_ways_in() -> None:
    expected = depyf.decompile(Shape.__init__)
    shape = Shape("s")
    assert depyf.decompile(shape.__init__) == expected
    assert depyf.decompile(functools.partial(shape.__init__, 1)) == expected


def test_options() -> None:
    def f(x):
        if x:
            return 1
        return 2

    text = Decompiler(f).decompile(indentation=2, overwite_fn_name="renamed")
    assert text.startswith("def renamed(x):\n  if x:\n    return 1\n")


@pytest.mark.parametrize(
    "options",
    [
        {"indentation": 0},
        {"indentation": "x"},
        {"indentation": None},
        {"temporary_prefix": "1"},
        {"temporary_prefix": 5},
        {"temporary_prefix": None},
        {"overwite_fn_name": "a b"},
        {"overwite_fn_name": 5},
        {"overwite_fn_name": "if"},
    ],
)
def test_options_that_make_no_sense(options: dict) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Decompiler(test_options).decompile(**options)


def test_lambda_and_nested_code() -> None:
    text = depyf.decompile(lambda a, *b, c=1: [a + x for x in b if x != c])
    assert "for x in b if x != c" in text


def test_class_from_its_module() -> None:
    text = depyf.decompile(Shape)
    assert text.startswith("class Shape:\n")
    assert "@property" in text and "sides: int = 4" in text
    assert depyf.decompile(Shape.Inner).startswith("class Inner:\n")
    assert depyf.decompile(textwrap.TextWrapper).startswith("class TextWrapper:\n")


def test_class_without_a_module() -> None:
    space: dict = {"__name__": "nowhere"}
    exec("class Made(dict):\n    def f(self):\n        return 1\n", space)
    text = depyf.decompile(space["Made"])
    assert "class Made(dict):" in text and "    def f(self):\n        return 1\n" in text
    compile(text, "made", "exec")


NAMESAKES = """
if True:
    class Plain(dict):
        flag = True
else:
    class Plain(list):
        flag = False
class Method:
    def f(self):
        return 1
First = Method
class Method:
    "The second."
    def f(self):
        return 2
"""


def test_classes_that_share_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "namesakes.py").write_text(NAMESAKES)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("namesakes")
    assert "return 1" in depyf.decompile(module.First)
    assert "The second." in depyf.decompile(module.Method)
    assert depyf.Decompiler(module.Method).decompile(overwite_fn_name="Z").startswith("class Z:")
    with pytest.raises(TypeError, match="several classes of its name"):
        depyf.decompile(module.Plain)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with 3.11")
def test_handlers_that_handle_themselves() -> None:
    text = "def f(a):\n    try:\n        a()\n    except* ValueError:\n        a\n"
    code = next(c for c in compile(text, "f", "exec").co_consts if isinstance(c, types.CodeType))
    for place in range(len(code.co_exceptiontable)):
        table = bytearray(code.co_exceptiontable)
        table[place] ^= 1
        with contextlib.suppress(depyf.DecompilationError):
            depyf.decompile(code.replace(co_exceptiontable=bytes(table)))


def test_class_without_python_in_it() -> None:
    with pytest.raises(TypeError, match="no bytecode"):
        depyf.decompile(int)


def test_module_and_pyc(tmp_path: Path) -> None:
    text = depyf.decompile(json)
    compile(text, "json", "exec")
    assert "def dumps(" in text
    source = tmp_path / "made.py"
    source.write_text("def f(a, b=2):\n    return a + b\n")
    compiled = py_compile.compile(str(source), cfile=str(tmp_path / "made.pyc"), doraise=True)
    assert depyf.decompile(compiled) == "def f(a, b=2):\n    return a + b\n"


def test_supported_opnames() -> None:
    names = Decompiler.supported_opnames()
    assert {"LOAD_CONST", "RETURN_VALUE", "EXTENDED_ARG"} <= set(names)


def test_results_carry_a_verdict() -> None:
    result = examine(textwrap.dedent)
    assert result.verdict == "exact"
    assert [part.qualname for part in result.parts] == ["dedent"]
    assert {name for _line, name, _offset in result.line_map} == {"dedent"}


def test_names_that_pytest_made_are_proven() -> None:
    """Its rewritten asserts have variables such as `@py_assert1` and a global `@pytest_ar`."""
    result = examine(test_supported_opnames)
    assert result.verdict != "unverified"
    assert "@pytest_ar" in result.renamed.values()


def test_defaults_of_a_live_function() -> None:
    def f(a, b=[], c=(1, "x"), *, d, e=None, g=frozenset({1})):  # noqa: B006
        return a

    assert depyf.decompile(f) == (
        "# depyf: the signature does not show these defaults: "
        "b (has no literal), g (has no literal)\n"
        "def f(a, b, c=(1, 'x'), *, d, e=None, g):\n    return a\n"
    )
    assert depyf.decompile(f.__code__) == "def f(a, b, c, *, d, e, g):\n    return a\n"
    assert depyf.decompile(lambda a=1: a) == "lambda a=1: a\n"
    left_out = "defaults without a literal are left out"
    assert left_out in examine(f).parts[0].notes
    assert left_out not in examine(lambda a=1: a).parts[0].notes


def test_defaults_before_one_that_has_no_literal() -> None:
    def f(a, b=1, c="x" * 50, d=[], e=2):  # noqa: B006
        return a

    result = examine(f)
    assert result.verdict == "exact"
    comment, definition, _, _ = result.source.split("\n")
    assert comment.endswith(": b=1, c, d (has no literal)")
    assert definition == "def f(a, b, c, d, e=2):"
    # The comment moves the lines down.
    assert {line for line, _, _ in result.line_map} == {3}


def test_a_comprehension_alone() -> None:
    def scaled(values, factor):
        return (factor * value for value in values if value)

    result = examine(scaled([1], 2))
    assert result.source == "(factor * value for value in iterable if value)\n"
    assert result.verdict == "exact"
    assert "def named(" in Decompiler(scaled([1], 2)).decompile(overwite_fn_name="named")


@pytest.mark.parametrize("value", [-1j, 1 - 1j, -0j, -(1 + 0j), complex(1, -0.0), 2j, 1e999j])
def test_complex_constants(value: complex) -> None:
    def f():
        return 1j

    consts = tuple(value if const == 1j else const for const in f.__code__.co_consts)
    result = examine(f.__code__.replace(co_consts=consts))
    assert result.verdict == "exact"
    assert repr(eval(result.source.partition("return ")[2])) == repr(value)
    assert "-1j" in depyf.decompile(lambda: -1j)


def test_docstrings_are_readable() -> None:
    source = 'def f():\n    """One \\\\d\n\n    two \\\\ """\n'
    assert '"""One \\\\d\n' in depyf.decompile(compile(source, "f", "exec"))
    indented = compile('class C:\n    __doc__ = "  one\\n    two"\n', "f", "exec")
    assert examine(indented).verdict == "exact"


def test_frames_and_generators() -> None:
    def numbers(n):
        for i in range(n):
            yield i + 1

    made = numbers(2)
    assert "yield i + 1" in depyf.decompile(made)
    assert "yield i + 1" in depyf.decompile(made.gi_frame)
    assert isinstance(made.gi_code, types.CodeType)


GENERIC = {
    "def f[T: int, *Ts](a: T, b=1, *, c=2) -> T:\n    return a\n": (
        "def f[T: int, *Ts](a: T, b=..., *, c=...) -> T:\n    return a\n",
        ["the values of defaults are not known"],
    ),
    "class C[T](list[T]):\n    x = 1\n": ("class C[T](list[T]):\n    x = 1\n", []),
    "type A[T] = list[T]\n": ("type A[T] = list[T]\n", []),
}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in 3.12")
@pytest.mark.parametrize("source", GENERIC)
def test_code_of_type_parameters_alone(source: str) -> None:
    module = compile(source, "generic", "exec")
    code = next(const for const in module.co_consts if isinstance(const, types.CodeType))
    assert code.co_name.startswith("<generic parameters of ")
    result = examine(code)
    text, notes = GENERIC[source]
    assert (result.source, result.verdict, list(result.parts[0].notes)) == (text, "exact", notes)


def test_an_iterator_over_a_tuple() -> None:
    """No compiler makes one outside of a loop, but somebody may write the bytecode."""
    import opcode

    def negative() -> object:
        return -(0, 1)  # type: ignore[operator]

    raw = bytearray(negative.__code__.co_code)
    place = raw[::2].index(opcode.opmap["UNARY_NEGATIVE"])
    raw[2 * place] = opcode.opmap["GET_ITER"]
    source = depyf.decompile(negative.__code__.replace(co_code=bytes(raw)))
    assert source == "def negative():\n    return iter((0, 1))\n"
