"""`full_code_*` files are imported and called: the dispatcher takes the entry that fits."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import contextmanager
from pathlib import Path
from types import CellType, ModuleType
from typing import Callable, Iterator

import pytest

from depyf.guard_checks import GuardUnavailable, NotHere, remember
from depyf.output import render, write
from depyf.output.original import original_text
from depyf.output.own_names import HELPERS
from depyf.session.model import CodeText, Frame, Session

from .sessions import FILE, RESUME, RESUMED, continuation, entry, guard, toy_session

Graph = Callable[..., object]


def load(folder: Path, session: Session, name: str = "full_code_for_toy_example_0") -> ModuleType:
    assert write(str(folder), render(session)) == []
    return load_file(folder / f"{name}.py")


def load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_dispatcher_takes_the_entry_whose_guards_hold(tmp_path: Path) -> None:
    module = load(tmp_path, toy_session())
    calls = []
    module.__dict__["__compiled_fn_1"] = lambda a, b: calls.append(1) or (False, a)
    module.__dict__["__compiled_fn_7"] = lambda a, b: calls.append(7) or (True, a)
    module.__dict__["__compiled_fn_5"] = lambda b, x: (b + x,)
    assert module.toy_example(2, 10) == 12
    # Both fit: torch tries the newest entry first.
    assert module.toy_example(1, 10) == 11
    assert calls == [7, 7]


def test_the_order_of_torchs_cache_decides(tmp_path: Path) -> None:
    session = toy_session()
    session.frames[0].cache_position, session.frames[2].cache_position = 0, 1
    module = load(tmp_path, session)
    calls = []
    module.__dict__["__compiled_fn_1"] = lambda a, b: calls.append(1) or (True, a)
    module.__dict__["__compiled_fn_5"] = lambda b, x: (b,)
    module.toy_example(1, 10)
    assert calls == [1]


def test_where_no_entry_fits_python_runs_the_original(tmp_path: Path) -> None:
    module = load(tmp_path, toy_session())
    module.__dict__["__original_toy_example"] = lambda a, b: "original"
    assert module.toy_example("text", 1) == "original"


def test_an_entry_that_torch_dropped_is_not_tried(tmp_path: Path) -> None:
    session = toy_session()
    session.frames[2].cache_position = 0
    text = render(session)["full_code_for_toy_example_0.py"]
    assert "if __guard_0_for_toy_example" not in text
    assert "Entry 0 is no longer in torch's cache" in text


def test_a_continuation_that_was_never_reached_says_so(tmp_path: Path) -> None:
    module = load(tmp_path, toy_session())
    module.__dict__["__compiled_fn_7"] = lambda a, b: (False, a)
    with pytest.raises(NotHere, match="__resume_at_112_3: not reached while depyf was"):
        module.toy_example(2, 10)


def full_codes(session: Session) -> list[str]:
    return sorted(name for name in render(session) if name.startswith("full_code_for_"))


def test_a_frame_without_a_number_goes_with_the_one_of_its_place_and_text() -> None:
    session = toy_session()
    together = full_codes(session)
    session.frames[2].compile_id = ""
    assert full_codes(session) == together
    stranger = entry(2, 9, "__resume_at_102_2", [])
    stranger.compile_id = ""
    stranger.original = CodeText("toy_example", "def toy_example(a, b):\n    return b\n")
    session.frames.append(stranger)
    assert len(full_codes(session)) == len(together) + 1


def test_the_users_names_are_there_when_the_module_is_loaded(tmp_path: Path) -> None:
    user = ModuleType("user_module_of_test")
    user.__file__ = FILE
    user.__dict__["__compiled_fn_7_8a5f858c_8111"] = lambda a, b: (True, a)
    user.__dict__["__compiled_fn_70_8a5f858c_8111"] = lambda a, b: None
    user.__dict__["__compiled_fn_5_8a5f858c_8111"] = lambda b, x: ("live", b, x)
    user.__dict__["helper"] = 5
    sys.modules[user.__name__] = user
    try:
        module = load(tmp_path, toy_session())
    finally:
        del sys.modules[user.__name__]
    assert module.toy_example(3, 10) == "live"
    assert module.helper == 5
    assert module.__name__ == "full_code_for_toy_example_0"


def test_a_guard_that_fails_to_look_something_up_does_not_fit(tmp_path: Path) -> None:
    session = Session(frames=[entry(0, 1, "r", [guard("L['a'].missing == 3")])])
    module = load(tmp_path, session)
    assert vars(module)["__guard_0_for_toy_example"]({"a": 1}, {}) is False


def test_guards_that_torch_did_not_give_are_no_answer(tmp_path: Path) -> None:
    module = load(tmp_path, Session(frames=[entry(0, 1, "r", [])]))
    with pytest.raises(GuardUnavailable):
        vars(module)["__guard_0_for_toy_example"]({"a": 1}, {})
    unspeakable = entry(0, 1, "r", [guard(None, "ids == None"), guard("this is not", "odd")])
    module = load(tmp_path, Session(frames=[unspeakable]))
    with pytest.raises(GuardUnavailable, match="ids == None"):
        vars(module)["__guard_0_for_toy_example"]({"a": 1}, {})


def test_torch_is_asked_where_the_folder_was_written(tmp_path: Path) -> None:
    asked = entry(0, 1, "r", [guard("torch_says(0, L['a'])")])
    module = load(tmp_path, Session(frames=[asked]))
    check = vars(module)["__guard_0_for_toy_example"]
    with pytest.raises(GuardUnavailable):
        check({"a": 1}, {})
    code = "__transformed_code_0_for_toy_example.py"
    remember(str(tmp_path), code, lambda number, value: value == 1, lambda path: None)
    assert check({"a": 1}, {}) and not check({"a": 2}, {})


def test_each_line_of_a_guard_names_the_users_line() -> None:
    text = render(toy_session())["full_code_for_toy_example_0.py"]
    lines = [line for line in text.splitlines() if "type(L['a']) is int" in line]
    assert lines and all("toy.py:15: x = a / (torch.abs(a) + 1)" in line for line in lines)


def test_many_absent_attributes_are_one_line() -> None:
    guards = [guard(f"not hasattr(L['a'], '_dynamo_{one}')") for one in ("x", "y", "z")]
    text = render(Session(frames=[entry(0, 1, "r", guards)]))["full_code_for_toy_example_0.py"]
    assert "has_none_of(L['a'], '_dynamo_x', '_dynamo_y', '_dynamo_z')" in text


def test_a_function_that_calls_its_own_continuation_again_is_told_once() -> None:
    looping = continuation(resumes=["__resume_at_102_2"])
    session = Session(frames=[entry(0, 1, "__resume_at_102_2", [guard("True")]), looping])
    text = render(session)["full_code_for_toy_example_0.py"]
    assert text.count("def __resume_at_102_2(") == 1
    assert text.count("__resume_at_102_8 = __resume_at_102_2") == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@torch.compile\ndef f(x, y=unknown(3), *, z=4):\n    return (x, z)\n", (1, 4)),
        ("def f(x, y=unknown(  # so\n    3,\n), *, z=4):\n    return (x, z)\n", (1, 4)),
        ("    def f(x, größe={'a': 1}):\n        return x\n", 1),
        ("lambda x: x + 1", 2),
        ("f = torch.compile(lambda x: x + 1)", None),
    ],
)
def test_originals_stand_in_another_file(tmp_path: Path, source: str, expected: object) -> None:
    transformed = CodeText("f", "def __transformed_code_0_for_f(x):\n    return x\n", "exact")
    frame = Frame("0/0", "f", "f", FILE, 1, original=CodeText("f", source), transformed=transformed)
    module = load(tmp_path, Session(frames=[frame]), "full_code_for_f_0")
    original = vars(module)["__original_f"]
    if expected is None:
        with pytest.raises(NotHere):
            original(1)
    else:
        assert original(1) == expected


def test_parameters_of_every_kind_are_passed_on(tmp_path: Path) -> None:
    source = "def __transformed_code_0_for_f(a, /, b, *c, d, **e):\n    return (a, b, c, d, e)\n"
    transformed = CodeText("f", source, "exact")
    frame = Frame("0/0", "f", "f", FILE, 1, transformed=transformed)
    frame.guards = [guard("L == {'a': 1, 'b': 2, 'c': (3,), 'd': 4, 'e': {'f': 5}}")]
    module = load(tmp_path, Session(frames=[frame]), "full_code_for_f_0")
    assert module.f(1, 2, 3, d=4, f=5) == (1, 2, (3,), 4, {"f": 5})


@pytest.mark.parametrize(
    "end",
    [
        "    __is_tracing_resume_prologue = False\n    ___stack0\n",
        "    __is_tracing_resume_prologue, __is_tracing_resume_prologue = ___stack0, False\n",
    ],
)
def test_continuations_are_shown_without_their_prologue(end: str) -> None:
    start = "def resumed(___stack0, x):\n    __is_tracing_resume_prologue = True\n"
    shown = original_text(start + end + "    return x\n", "rest")
    assert shown == "def rest(___stack0, x):\n    ___stack0\n    return x"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("k, __is_tracing_resume_prologue = ___stack0, False", "k = ___stack0"),
        ("x.é, __is_tracing_resume_prologue, b = 'é', False, (1, 2)", "x.é, b = 'é', (1, 2)"),
        ("__is_tracing_resume_prologue = k = False", ""),
        ("k = __is_tracing_resume_prologue", ""),
        ("k, *__is_tracing_resume_prologue = ___stack0, False", ""),
    ],
)
def test_the_end_of_the_prologue_may_share_a_line(line: str, expected: str) -> None:
    start = "def rest(___stack0, x):\n    __is_tracing_resume_prologue = True\n"
    source = f"{start}    {line}\n    return x"
    # What is not understood stays as it is, all of it.
    shown = f"def rest(___stack0, x):\n    {expected}\n    return x" if expected else source
    assert original_text(source, "rest") == shown


def one_function(transformed: str, original: str, *guards: str, **more: object) -> Session:
    """A session of a function f in which each guard is a condition in Python."""
    code = "__transformed_code_0_for_f"
    frame = Frame("0/0", "f", "f", FILE, 1, **more)  # type: ignore[arg-type]
    frame.transformed = CodeText(code, transformed.replace("def f(", f"def {code}("), "exact")
    frame.transformed_file = code + ".py"
    frame.original = CodeText("f", original, "exact")
    frame.guards = [guard(one) for one in guards]
    return Session(frames=[frame])


@contextmanager
def users_module(**names: object) -> Iterator[None]:
    user = ModuleType("user_module_of_test")
    user.__file__ = FILE
    vars(user).update(names)
    sys.modules[user.__name__] = user
    try:
        yield
    finally:
        del sys.modules[user.__name__]


def test_parameters_may_be_called_as_the_variables_of_the_dispatcher(tmp_path: Path) -> None:
    source = "def f(L, G, x):\n    return ('compiled', L, G, x)\n"
    session = one_function(source, source.replace("compiled", "original"), "L['L'] == 1")
    module = load(tmp_path, session, "full_code_for_f_0")
    assert module.f(1, 2, 3) == ("compiled", 1, 2, 3)
    assert module.f(5, 2, 3) == ("original", 5, 2, 3)


def test_a_global_of_the_users_may_be_called_g(tmp_path: Path) -> None:
    source = "def f(x):\n    return x * G + GLOBAL_STATE_0\n"
    # Torch does not survive a state that it did not write itself.
    state = "True or global_state_is({'grad_mode': True})"
    session = one_function(source, source, "G['G'] == 4", state)
    session.frames[0].guards[1].cause = None
    with users_module(G=4, GLOBAL_STATE_0=1):
        module = load(tmp_path, session, "full_code_for_f_0")
    assert module.f(2) == 9
    assert vars(module)["__depyf_GLOBAL_STATE_0"] == {"grad_mode": True}


def test_a_free_variable_may_be_called_as_anything_of_ours(tmp_path: Path) -> None:
    names = "L, G, rest, contents_of, guard, not_here"
    resumed = RESUMED.replace("    return", f"    return ({names})\n    return")
    text = CodeText(f"__transformed_code_0_for_{RESUME}", resumed, "exact")
    rest = continuation(transformed=text, free_variables=names.split(", "), guards=[guard("True")])
    session = Session(frames=[entry(0, 1, "__resume_at_102_2", [guard("True")]), rest])
    module = load(tmp_path, session)
    cells = [CellType(number) for number in range(6)]
    assert vars(module)["__resume_at_102_2"](cells)([], [], 1, 2) == (0, 1, 2, 3, 4, 5)


def test_helpers_of_the_file_and_functions_of_the_user_keep_apart(tmp_path: Path) -> None:
    source = "def f(imported, x):\n    return graph(x), has_no_marks(x), __compiled_fn_1\n"
    guards = "has_no_marks(L['x'])", "not has_none_of(L['x'], 'real', 'graph')", "imported('os')"
    session = one_function(source, source, *guards)
    user = {name: lambda *args, name=name: f"user's {name}" for name in HELPERS}
    with users_module(**user):
        module = load(tmp_path, session, "full_code_for_f_0")
    said = module.f(1, 5)
    assert said[:2] == ("user's graph", "user's has_no_marks")
    assert "whose graph was not captured" in repr(said[2])
    text = (tmp_path / "full_code_for_f_0.py").read_text()
    assert "and not has_none_of(L['x'], 'real', 'graph')" in text
    assert "__depyf_imported" not in text


def test_the_function_may_be_called_as_a_helper(tmp_path: Path) -> None:
    source = "def f(x):\n    return x\n"
    session = one_function(source, source, "is_exactly(L['x'], 1)")
    session.frames[0].name = session.frames[0].qualname = "is_exactly"
    module = load(tmp_path, session, "full_code_for_is_exactly_0")
    assert vars(module)["__guard_0_for_is_exactly"]({"x": 1}, {})
    assert module.is_exactly(1) == 1


@pytest.mark.parametrize(
    "original",
    [
        "@torch.compile\ndef f(x, k=-2, *, z=(3, 4)):\n    return 'original'\n",
        "    def f(x, k=-2, *, z=(3, 4)):\n        return 'original'\n",
        "lambda x, k=-2, *, z=(3, 4): 'original'",
    ],
)
def test_the_dispatcher_has_the_defaults_of_the_original(tmp_path: Path, original: str) -> None:
    transformed = "def f(x, k, *, z):\n    return (x, k, z)\n"
    session = one_function(transformed, original, "L['x'] == 1")
    module = load(tmp_path, session, "full_code_for_f_0")
    assert module.f(1) == (1, -2, (3, 4))
    assert module.f(1, 5, z=6) == (1, 5, 6)
    assert module.f(2) == "original"


def test_a_default_that_was_computed_is_not_guessed(tmp_path: Path) -> None:
    original = "def f(x, k=unknown(3), *, z=also.unknown):\n    return 'original'\n"
    session = one_function("def f(x, k, *, z):\n    return (x, k, z)\n", original, "L['x'] == 1")
    module = load(tmp_path, session, "full_code_for_f_0")
    assert module.f(1, 5, z=6) == (1, 5, 6)
    with pytest.raises(GuardUnavailable, match="k is not available here: its default value"):
        module.f(1, z=6)


def test_texts_without_such_names_have_none_of_ours() -> None:
    assert not [name for name, text in render(toy_session()).items() if "__depyf_" in text]
