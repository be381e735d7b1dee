"""Long conditions over several lines mean what they meant on one."""

from __future__ import annotations

import ast

import pytest

from depyf.output.wrapping import wrapped_call


@pytest.mark.parametrize(
    "text",
    [
        "call(first, second[0, 1], third=[1, 2], fourth='a, (b', fifth={'k': (1, 2)})",
        "and call('it\\'s', \"(\", L['a, b'].c(1, 2), key=None)",
        "one.two(L['x'].stride()[0], [None, 1], keys='CPU, AutogradCPU', text=\"'\")",
    ],
)
def test_a_call_is_wrapped_between_its_arguments(text: str) -> None:
    lines = wrapped_call(text, "    ", 30)
    assert len(lines) > 3 and lines[-1] == "    )"
    joined = "\n".join(lines).strip()
    bare = [one[4:] if one.startswith("and ") else one for one in (text, joined)]
    assert ast.dump(ast.parse(bare[0])) == ast.dump(ast.parse(bare[1]))


@pytest.mark.parametrize(
    "text", ["a_very_long_name == another_long_name", "f(1, 2) == g(3, 4)", "f()"]
)
def test_what_is_no_call_stays_as_it_is(text: str) -> None:
    assert wrapped_call(text, "  ", 5) == ["  " + text]


def test_a_short_call_stays_as_it_is() -> None:
    assert wrapped_call("f(1, 2)", "", 100) == ["f(1, 2)"]
