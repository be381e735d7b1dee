"""Records, once per Python found on this machine, what that Python says about its own code."""

from __future__ import annotations

import functools
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

HERE = Path(__file__).resolve().parent
# The script that runs in the other Pythons is also a module of these tests.
sys.path.insert(0, str(HERE))


@functools.lru_cache(maxsize=None)
def commands():
    return {interpreter.version: interpreter.command for interpreter in find_interpreters()}


@pytest.fixture(scope="session", params=VERSIONS)
def python(request):
    """The version and the command of each supported Python."""
    command = commands().get(request.param)
    if command is None:
        pytest.skip(f"Python {request.param} was not found")
    return request.param, command


@pytest.fixture(scope="session")
def records(python, tmp_path_factory):
    """(module name, .pyc bytes, description, disagreement of the live reader) of one Python."""
    version, command = python
    output = tmp_path_factory.mktemp("records") / f"{version}.pickle"
    script = HERE / "code_descriptions.py"
    subprocess.run([*command, str(script), str(output)], check=True, env=environment())
    return pickle.loads(output.read_bytes())
