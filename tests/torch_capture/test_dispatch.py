"""`full_code_*` files of real compilations: imported, and their dispatchers asked.

The dispatcher must take the entry that torch takes: the first in its cache whose check holds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Iterator

import pytest

torch = pytest.importorskip("torch")

import depyf  # noqa: E402
from depyf.guard_checks import NotHere  # noqa: E402
from depyf.optimization.dynamo import entries_of  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402

from .loading import load_file  # noqa: E402

FACTOR = 2
TALLY = 0


def broken(a: Any, b: Any) -> Any:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def halved(a: Any, b: Any) -> Any:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        x = b = x / 2
    return x


def many(x: Any, n: Any, *rest: Any, k: Any = 1, **more: Any) -> Any:
    total = x * FACTOR
    for one in rest:
        total = total + one
    return total + k + len(more)


def twice(x: Any, n: Any) -> Any:
    x = x + inner(x) * n
    torch._dynamo.graph_break()
    return x * 2


def inner(x: Any) -> Any:
    y = x * 3
    torch._dynamo.graph_break()
    return y - 1


def _writes_tally(x: Any) -> Any:
    global TALLY
    TALLY = TALLY + 1
    return x + TALLY


def hides_tally(x: Any, TALLY: Any) -> Any:
    y = _writes_tally(x)
    torch._dynamo.graph_break()
    return y * TALLY


def holds_texts(x: Any, given: Any) -> Any:
    made = frozenset(given)
    return x + len(made), made


def makes_a_function(x: Any) -> Any:
    def made(y: Any) -> Any:
        return y * 2

    return x + 1, made


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x: Any) -> Any:
        y = self.linear(x)
        print(end="")
        return y + 1 if self.training else y - 1


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def ones(*size: int) -> Any:
    return torch.ones(*size)


def record(module: ModuleType, function: str) -> list[int]:
    """Replace the transformed codes by ones that only note that they were chosen."""
    chosen: list[int] = []
    for name in list(vars(module)):
        if name.startswith("__transformed_code_") and name.endswith(f"_for_{function}"):
            number = int(name.split("_")[4])
            vars(module)[name] = lambda *args, number=number, **kwargs: chosen.append(number)
        if name == f"__original_{function}":
            vars(module)[name] = lambda *args, **kwargs: chosen.append(-1)
    return chosen


def torchs_choice(function: Any, scope: dict[str, Any], numbers: list[int]) -> int:
    for entry, number in zip(entries_of(function.__code__), numbers):
        if entry.guards.hold(scope):
            return number
    return -1


def order_of_entries(session: Any, function: str) -> list[int]:
    frames = [one for one in session.frames if one.name == function]
    frames.sort(key=lambda one: one.cache_position)
    return [int(one.transformed_file.split("_")[4]) for one in frames]


def loaded_session(folder: Path) -> Any:
    from depyf.session.json import from_json

    return from_json((folder / "session.json").read_text())


def test_entries_are_chosen_as_torch_chooses(tmp_path: Path) -> None:
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((ones(3), 1), {}),
        ((ones(4), 1), {}),
        ((ones(4), 1, ones(4)), {}),
        ((ones(4), 1, ones(4)), {"k": 5}),
        ((ones(4), 1), {"u": 1}),
        ((ones(4, 2), 2), {"k": 2.5, "u": 1}),
    ]
    compiled = torch.compile(many, backend="eager")
    with depyf.prepare_debug(tmp_path):
        for args, kwargs in calls:
            compiled(*args, **kwargs)
    module = load_file(tmp_path / "full_code_for_many_0.py")
    numbers = order_of_entries(loaded_session(tmp_path), "many")
    assert len(numbers) >= 4
    chosen = record(module, "many")
    for args, kwargs in [*calls, ((ones(3).double(), 1), {}), ((3, 1), {})]:
        extra = {key: value for key, value in kwargs.items() if key != "k"}
        scope = {"x": args[0], "n": args[1], "rest": args[2:], "k": kwargs.get("k", 1)}
        module.many(*args, **kwargs)
        assert chosen[-1] == torchs_choice(many, {**scope, "more": extra}, numbers)
    assert len(set(chosen)) >= 4 and -1 in chosen


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_the_story_computes_what_the_function_computes(tmp_path: Path, backend: str) -> None:
    compiled = torch.compile(broken, backend=backend)
    with depyf.prepare_debug(tmp_path):
        compiled(ones(10), -ones(10))
        compiled(ones(11), ones(11))
    module = load_file(tmp_path / "full_code_for_broken_0.py")
    for size in (10, 11, 12):
        for sign in (1, -1):
            a, b = torch.rand(size), torch.rand(size) * sign
            assert torch.equal(module.broken(a, b), broken(a, b))


@pytest.mark.parametrize("function", [broken, halved])
@pytest.mark.parametrize("sign", [1, -1])
def test_one_side_of_a_break_was_reached(tmp_path: Path, function: Any, sign: int) -> None:
    """Both continuations have one place in the source; that of `halved` may be empty."""
    with depyf.prepare_debug(tmp_path):
        torch.compile(function, backend="eager")(ones(10), sign * ones(10))
    name = function.__name__
    module = load_file(tmp_path / f"full_code_for_{name}_0.py")
    for b in (ones(10), -ones(10)):
        assert torch.equal(vars(module)[name](ones(10), b), function(ones(10), b))
    rests = [one for one in loaded_session(tmp_path).frames if "resume" in one.name]
    (reached,) = (one for one in rests if one.outcome != "not run")
    assert ("b =" in reached.original.source) == (sign < 0)


def test_two_breaks_one_of_them_in_a_function_that_is_called(tmp_path: Path) -> None:
    compiled = torch.compile(twice, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(ones(3), 3)
    module = load_file(tmp_path / "full_code_for_twice_0.py")
    assert torch.equal(module.twice(ones(3), 3), twice(ones(3), 3))


class Private:
    def __init__(self) -> None:
        self.__factor = 3

    def run(self, x: Any, __more: int = 1) -> Any:
        def __inner(y: Any) -> Any:
            return y * self.__factor

        return __inner(x) + self.__added(x) + __more

    def __added(self, x: Any) -> Any:
        return x


def test_private_names_are_those_of_the_class(tmp_path: Path) -> None:
    private = Private()
    with depyf.prepare_debug(tmp_path):
        torch.compile(private.run, backend="eager")(ones(2))
    module = load_file(tmp_path / "full_code_for_run_0.py")
    assert torch.equal(module.run(private, ones(3).double()), private.run(ones(3).double()))


def test_an_original_without_source_says_what_is_missing(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        # Which of two on one line it is, nobody can tell.
        pair = [lambda x, y=2: x * y, lambda x, y=3: x + y]
        torch.compile(pair[0], backend="eager")(ones(2))
    text = (tmp_path / "full_code_for__lambda__0.py").read_text()
    assert "# Made from the bytecode, which knows neither default values" in text


def test_a_module_with_a_break(tmp_path: Path) -> None:
    net = Net()
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(net, backend="eager")
        compiled(ones(2, 3))
        net.eval()
        compiled(ones(2, 3))
    module = load_file(tmp_path / "full_code_for_forward_0.py")
    for training in (True, False):
        net.train(training)
        assert torch.equal(module.forward(net, ones(2, 3)), net(ones(2, 3)))


def test_a_function_that_only_the_running_code_can_make(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        torch.compile(makes_a_function, backend="eager")(ones(3))
    module = load_file(tmp_path / "full_code_for_makes_a_function_0.py")
    with pytest.raises(NotHere, match=r"the function \S*made, made of an object that only"):
        module.makes_a_function(ones(3))


def test_a_global_that_a_parameter_hides(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        torch.compile(hides_tally, backend="eager")(ones(3), 3)
    text = (tmp_path / "__transformed_code_0_for_hides_tally.py").read_text()
    assert "# TALLY_of_module is the global TALLY, which a variable of the function hides" in text
    module = load_file(tmp_path / "full_code_for_hides_tally_0.py")
    assert module.TALLY_of_module == TALLY == 1
    written = module.__transformed_code_0_for_hides_tally(ones(3), 3)
    assert torch.equal(written, ones(3) * 6)


def test_texts_of_the_users_in_constants_stay_as_they_are(tmp_path: Path) -> None:
    given = {"reg at 0x10", "b"}
    with depyf.prepare_debug(tmp_path):
        # Some versions of torch get this one wrong themselves.
        made = torch.compile(holds_texts, backend="eager")(ones(2), given)[1]
    path = tmp_path / "full_code_for_holds_texts_0.py"
    assert "'reg at 0x10'" in path.read_text()
    assert load_file(path).__transformed_code_0_for_holds_texts(ones(2), given)[1] == made


USERS = """
G = 4

def graph(x):
    return x * G

def imported(path):
    return path.upper()

class Three:
    factor = 3

def f(L, G, kind, x, k=-2, *, z=graph):
    return graph(x) * kind.factor + L + G + k
"""


def test_names_of_the_users_that_the_file_has_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "users.py").write_text(USERS)
    user = load_file(tmp_path / "users.py")
    monkeypatch.setitem(sys.modules, "users", user)
    values = {"L": 1, "G": 2, "kind": user.Three, "x": ones(3), "k": -2, "z": user.graph}
    with depyf.prepare_debug(tmp_path / "dump"):
        expected = torch.compile(user.f, backend="eager")(**values)
    module = load_file(tmp_path / "dump" / "full_code_for_f_0.py")
    for kind in (user.Three, int):
        scope = {**values, "kind": kind}
        found = vars(module)["__guard_0_for_f"](scope, vars(user))
        assert found is entries_of(user.f.__code__)[0].guards.hold(scope) is (kind is user.Three)
    assert torch.equal(module.f(**values), expected)
    assert vars(module)["graph"] is user.graph


ELSEWHERE = """
import importlib.util, sys, torch
spec = importlib.util.spec_from_file_location("story", sys.argv[1])
story = importlib.util.module_from_spec(spec)
spec.loader.exec_module(story)
chosen = []
for number in (0, 1):
    name = f"__transformed_code_{number}_for_broken"
    real = vars(story)[name]
    vars(story)[name] = lambda *args, n=number, real=real: chosen.append(n) or real(*args)
for size in (10, 11):
    a = torch.rand(size)
    expected = a / (a + 1) * 2
    assert torch.allclose(story.broken(a, torch.full((size,), -2.0)), expected)
print(chosen)
"""


@pytest.mark.skipif(
    not compat.tells_types_of_guards(), reason="the guards of this torch need torch to answer"
)
def test_another_process_finds_the_same_entries_and_runs_the_captured_graphs(
    tmp_path: Path,
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    here = Path(__file__).resolve().parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": str(here)}
    run = [sys.executable, str(program), str(tmp_path / "dump")]
    subprocess.run(run, check=True, env=environment)
    story = str(tmp_path / "dump" / "full_code_for_broken_0.py")
    run = [sys.executable, "-c", ELSEWHERE, story]
    found = subprocess.run(run, check=True, env=environment, capture_output=True, text=True)
    # Entry 1 fits sizes from 2 on, and torch tried it first when the block was left.
    assert found.stdout.strip() == "[1, 1]"


PROGRAM = """
import sys
import depyf, torch

def broken(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b

with depyf.prepare_debug(sys.argv[1]):
    compiled = torch.compile(broken, backend="eager")
    for size in (10, 11):
        compiled(torch.ones(size), -torch.ones(size))
"""
