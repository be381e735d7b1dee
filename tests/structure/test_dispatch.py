"""The last rung on every Python found: samples, random programs, bytecode edited by hand."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

from depyf.decompile.pipeline import decompile_module

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("dispatch_worker.py")


@functools.lru_cache(maxsize=None)
def failures(version: str) -> dict[str, list[str]]:
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("check", ["samples", "programs", "edited"])
@pytest.mark.parametrize("version", VERSIONS)
def test_in_every_python(version: str, check: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} is not installed")
    wrong = failures(version)[check]
    assert not wrong, "\n".join(wrong)


def forced(source: str) -> str:
    code = compile(source, "<test>", "exec", dont_inherit=True)
    return decompile_module(code, rung="dispatch", verify=False).source


def test_straight_code_needs_no_loop() -> None:
    assert forced("def f(a):\n    b = a + 1\n    return b * 2\n") == (
        "def f(a):\n    b = a + 1\n    return b * 2\n"
    )


def test_branches_without_a_meeting_point_need_no_loop() -> None:
    assert "while" not in forced("def f(a):\n    if a:\n        return 1\n    return 2\n")


def test_a_module_keeps_no_added_name() -> None:
    source = (
        "x = 0\n"
        "for i in range(3):\n"
        "    try:\n"
        "        x += 1 // i\n"
        "    except ZeroDivisionError:\n"
        "        x = 5\n"
    )
    namespace: dict[str, object] = {}
    exec(forced(source), namespace)
    assert sorted(namespace) == ["__builtins__", "i", "x"]
    assert namespace["x"] == 6


def test_an_enumeration_gets_no_member_from_the_loop() -> None:
    source = (
        "import enum\n"
        "class Colour(enum.Enum):\n"
        "    for name in ():\n"
        "        pass\n"
        "    RED = 1\n"
        "    if RED:\n"
        "        GREEN = 2\n"
    )
    namespace: dict[str, object] = {}
    exec(forced(source), namespace)
    assert [member.name for member in namespace["Colour"]] == ["RED", "GREEN"]


def test_builtins_that_the_function_hides() -> None:
    source = (
        "def f(iter, next, type):\n"
        "    for each in iter:\n"
        "        next += each\n"
        "    return next, type\n"
    )
    namespace: dict[str, object] = {}
    exec(forced(source), namespace)
    assert namespace["f"]([1, 2], 3, 4) == (6, 4)


def test_the_handled_exception_is_the_original_one() -> None:
    source = (
        "import sys\n"
        "def f():\n"
        "    try:\n"
        "        try:\n"
        "            raise ValueError(1)\n"
        "        except ValueError:\n"
        "            first = sys.exc_info()[1]\n"
        "            raise KeyError(2)\n"
        "    except KeyError as error:\n"
        "        return first, error, error.__context__, sys.exc_info()[1]\n"
    )
    namespace: dict[str, object] = {}
    exec(forced(source), namespace)
    first, error, context, handled = namespace["f"]()
    assert context is first and handled is error
    assert sys.exc_info()[1] is None


def test_many_states_are_found_by_halving() -> None:
    lines = [f"    if a == {n}:\n        a += {n}\n    print(a)" for n in range(300)]
    text = forced("def f(a):\n" + "\n".join(lines) + "\n")
    compile(text, "<test>", "exec")
    assert "__state <" in text
