"""Code that takes the place of a frame: what no text can say is still as the frame has it."""

from __future__ import annotations

import opcode
import sys
import types
import weakref
from typing import Callable

import pytest

from depyf.decompile.cell_order import with_free_variables
from depyf.decompile.frames import FrameText, decompile_frame

HANDS_OVER = """
def frame(x):
    graph_out_0 = __compiled_fn_1(x)
    look(graph_out_0[1])
    values = [[graph_out_0[0]]]
    del graph_out_0
    values[0][0:0] = [look()]
    last = [values[0]]
    del values[-1]
    return __resume_at_1_2(*[last.pop()])
"""


def subtraction() -> Callable[[int], int]:
    first, second = 1, 20

    def inner(third: int) -> int:
        return (lambda: second - first)() + third

    return inner


def cell(value: object) -> types.CellType:
    return (lambda: value).__closure__[0]  # type: ignore[index]


def call(code: types.CodeType, *cells: types.CellType) -> object:
    return types.FunctionType(code, {}, "f", None, cells)(300)


def shown(code: types.CodeType) -> FrameText:
    return decompile_frame(code, code, "f", "f.py")


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="no torch for it orders them otherwise")
def test_free_variables_come_in_the_order_of_the_frame() -> None:
    code = subtraction().__code__
    turned = with_free_variables(code, ("second", "first"))
    assert call(turned, cell(20), cell(1)) == call(code, cell(1), cell(20)) == 319
    running = shown(turned).running
    assert running is not None and running.co_freevars == ("second", "first")
    assert call(running, cell(20), cell(1)) == 319


def test_nothing_lives_longer_than_in_the_frame() -> None:
    class Value:
        pass

    made: list[weakref.ref[Value]] = []
    alive: list[list[bool]] = []

    def graph(x: object) -> tuple[Value, ...]:
        values = (Value(), Value())
        made.extend(map(weakref.ref, values))
        return values

    def look(*_arguments: object) -> None:
        alive.append([reference() is not None for reference in made])

    def resume(values: list[object]) -> None:
        look()
        values.clear()
        look()

    space = {"__compiled_fn_1": graph, "__resume_at_1_2": resume, "look": look}
    exec(compile(HANDS_OVER, "frame.py", "exec"), space)
    function = space["frame"]
    assert isinstance(function, types.FunctionType)
    running = decompile_frame(resume.__code__, function.__code__, "f", "f.py").running
    assert running is not None
    function(3)
    in_frame = [*alive]
    made.clear()
    alive.clear()
    types.FunctionType(running, space)(3)
    assert alive == in_frame
    assert alive == [[True, True], [True, False], [True, False], [False, False]]


def test_other_free_variables_are_left_alone() -> None:
    code = subtraction().__code__
    assert with_free_variables(code, ("first", "third")) is code


def test_iter_of_a_frame_is_the_builtin_whatever_the_program_calls_so() -> None:
    def negated(x: object) -> object:
        return -x  # type: ignore[operator]

    code = negated.__code__
    swap = [bytes((opcode.opmap[name], 0)) for name in ("UNARY_NEGATIVE", "GET_ITER")]
    code = code.replace(co_code=code.co_code.replace(*swap))
    frame = shown(code)
    assert "iter(x)" in frame.result.source
    assert frame.running is not None, frame.why_not
    run = types.FunctionType(frame.running, {"iter": len})
    assert list(run([1, 2])) == [1, 2]  # type: ignore[call-overload]


def test_a_cell_that_nothing_binds_any_more_is_kept() -> None:
    def gone(x: object) -> object:
        if 0:
            size = 0
            (lambda: size)()
        return x

    code = gone.__code__
    assert code.co_cellvars == ("size",)
    frame = shown(code)
    assert "size" not in frame.result.source
    assert frame.running is not None and frame.running.co_cellvars == ("size",)
    assert call(frame.running) == 300
