"""CPython's own tests of a few modules, with the modules replaced by their decompiled source."""

from __future__ import annotations

import pytest
from interpreters import find_interpreters
from stdlib_tests import SUITES, check_version

MODULES = ("heapq", "textwrap", "shlex")


def test_replaced_modules_pass_their_own_tests(capsys: pytest.CaptureFixture[str]) -> None:
    found = [one for one in find_interpreters() if len(one.command) == 1]
    if not found:
        pytest.skip("no interpreter with its own test suite is installed")
    suites = {module: SUITES[module] for module in MODULES}
    rows = check_version(found[-1], suites, ["auto", "dispatch"], None)
    assert [row.new_failures for row in rows] == [0, 0], capsys.readouterr().out
    assert all(row.modules == len(MODULES) for row in rows)
