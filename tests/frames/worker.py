"""Frames as a code generator writes them, decompiled, proven, compiled back and run. Any Python.

Prints one JSON object: the name of each case with what is wrong with it, if anything.
"""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

from depyf.decompile.frames import decompile_frame
from depyf.decompile.verify.equivalent import equivalent
from depyf.decompile.verify.trust import Trust

CASES = Path(__file__).with_name("cases.py")


def load() -> dict[str, types.FunctionType]:
    space: dict[str, object] = {"__name__": "cases"}
    exec(compile(CASES.read_text(encoding="utf-8"), str(CASES), "exec"), space)
    return {name: f for name, f in space.items() if isinstance(f, types.FunctionType)}


def outcome(function: types.FunctionType) -> object:
    """What a frame does: calls with their arguments, in order, and how it ends."""
    calls: list[object] = []
    space = function.__globals__
    space["calls"] = calls
    try:
        ended = repr(function(3, [4, 5]))
    except Exception as error:
        ended = repr(error)
    return calls, ended


def wrong_with(frame: types.FunctionType, written: str) -> list[str]:
    original = types.CodeType.replace(frame.__code__)
    text = decompile_frame(user_code(), frame.__code__, "frame", "frame.py")
    if text.running is None:
        return [f"not proven: {text.why_not}", text.result.source]
    wrong = []
    if text.result.source.strip() != written.strip():
        wrong.append(f"reads:\n{text.result.source}")
    again = types.FunctionType(text.running, frame.__globals__, frame.__name__)
    if outcome(frame) != outcome(again):
        wrong.append(f"does {outcome(again)}, not {outcome(frame)}")
    if not {id(one) for one in inner_code(frame.__code__)} <= {
        id(one) for one in inner_code(text.running)
    }:
        wrong.append("the functions inside are not the very same code")
    assert original == frame.__code__
    return wrong


def inner_code(code: types.CodeType) -> list[types.CodeType]:
    return [const for const in code.co_consts if isinstance(const, types.CodeType)]


def user_code() -> types.CodeType:
    def toy_example(a, b):  # type: ignore[no-untyped-def]
        return a, b

    return toy_example.__code__


def trusted_in_vain() -> list[str]:
    """Programs that differ although everything that frames may trust is trusted."""
    trust = Trust(
        silent={"utils": frozenset({"enter", "now"})},
        sequences=frozenset({"graph"}),
        fixed=frozenset({"rest", "other_rest"}),
        scratch=frozenset({"t"}),
    )
    pairs = [
        ("utils.enter()", "utils.leave()"),
        ("t = graph(a)\n return t[0]", "t = graph(a)\n return t[1]"),
        ("t = graph(a)\n return t[0]", "t = other(a)\n return t[0]"),
        ("t = graph(a)\n b()\n return t[b]", "t = graph(a)\n x = t[b]\n b()\n return x"),
        ("t = a()\n b = t\n del b\n a()", "t = a()\n a()"),
        ("t = []\n t.append(a)\n return t", "t = []\n t.extend(a)\n return t"),
        ("t = []\n b(t)\n t.append(a)\n return t", "t = []\n t.append(a)\n b(t)\n return t"),
        # what the code does to the result of a graph shows when it is read again
        ("t = graph(a)\n t[0] = b\n return t[0]", "t = graph(a)\n x = t[0]\n t[0] = b\n return x"),
        ("t = graph(a)\n b(t)\n return t[0]", "t = graph(a)\n x = t[0]\n b(t)\n return x"),
        (
            "t = [graph(a)]\n b(t)\n return t[0][0]",
            "t = [graph(a)]\n x = t[0][0]\n b(t)\n return x",
        ),
        # two times are two values
        ("return utils.now()", "return utils.enter()"),
        ("return a(utils.now(), b)", "return a(utils.enter(), b)"),
        ("t = utils.now()\n a(t)\n a(t)", "a(utils.now())\n a(utils.now())"),
        ("t = utils.now()\n return [t, t]", "return [utils.now(), utils.now()]"),
        ("return utils.now() is None", "return utils.enter() is None"),
        ("if utils.now() is None:\n  a()", "if utils.enter() is None:\n  a()"),
        ("if utils.now() is None:\n  a()", "utils.now()\n a()"),
        # what a continuation returns is anything
        ("return rest(a)", "return other_rest(a)"),
        ("t = rest(a)\n b()\n return t[0]", "t = rest(a)\n x = t[0]\n b()\n return x"),
        ("a()\n rest(b)", "rest(b)\n a()"),
        # names that come to mean something else
        (
            "global rest\n t = a()\n rest = b\n return rest(t)",
            "global rest\n t, r = a(), rest\n rest = b\n return r(t)",
        ),
        (
            "global graph\n graph = a\n t = graph(b)\n b()\n return t[0]",
            "global graph\n graph = a\n t = graph(b)\n x = t[0]\n b()\n return x",
        ),
        ("global utils\n utils = a\n utils.enter()", "global utils\n utils = a"),
        (
            "def g():\n  global utils\n  utils = a\n g()\n utils.enter()",
            "def g():\n  global utils\n  utils = a\n g()",
        ),
    ]
    return [
        one
        for one, other in pairs
        if equivalent(function_code(one), function_code(other), trust=trust).reason is None
    ]


def function_code(body: str) -> types.CodeType:
    code = compile(f"def f(a, b):\n {body}\n", "pair", "exec").co_consts[0]
    assert isinstance(code, types.CodeType)
    return code


def main() -> None:
    found = load()
    answers: dict[str, list[str]] = {"trusted in vain": trusted_in_vain()}
    for name, function in found.items():
        written = function.__doc__
        if name.startswith("frame_") and written is not None:
            answers[name] = wrong_with(function, written)
    sys.stdout.write("\n" + json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
