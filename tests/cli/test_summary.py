"""The lines that `depyf run` ends with, from sessions without torch."""

from __future__ import annotations

from pathlib import Path

from depyf.cli.summary import summary
from depyf.session.builder import NOTHING_TO_COMPILE
from depyf.session.json import to_json
from depyf.session.model import Frame, GraphBreak, Location, Recompilation, Session


def lines_about(session: Session, folder: Path) -> list[str]:
    (folder / "session.json").write_text(to_json(session), encoding="utf-8")
    return summary(str(folder))


def frame(compile_id: str, outcome: str, reason: str) -> Frame:
    return Frame(compile_id, "f", "f", "a.py", 3, outcome=outcome, reason=reason)


def test_frames_that_were_not_compiled(tmp_path: Path) -> None:
    frames = [
        frame("0/8", "skipped", "Dynamo recompile limit exceeded"),
        frame("1/0", "failed", "the backend refuses"),
        frame("2/0", "skipped", "a call that cannot be traced"),
        frame("3/0", "skipped", NOTHING_TO_COMPILE),
        frame("", "skipped", ""),
        frame("4/0", "not run", ""),
    ]
    breaks = [GraphBreak("2/0", "a call that cannot be traced", location=Location("a.py", 5))]
    counts, *lines = lines_about(Session(frames=frames, breaks=breaks), tmp_path)
    told = "4 frames not compiled, 1 frame with nothing to compile"
    assert counts.endswith(f"1 graph break, 0 recompilations, {told}")
    # A break alone does not say that all of the function runs as it is; what is empty is no loss.
    assert [line for line in lines if "not compiled" in line] == [
        "  not compiled: f (a.py:3): Dynamo recompile limit exceeded",
        "  not compiled: f (a.py:3): the backend refuses",
        "  not compiled: f (a.py:3): a call that cannot be traced",
        "  not compiled: f (a.py:3)",
    ]


def test_a_break_that_two_frames_meet_is_told_once(tmp_path: Path) -> None:
    place = Location("a.py", 5)
    breaks = [
        GraphBreak("0/0", "a branch", hints=["one", "another"], location=place),
        GraphBreak("1/0", "a branch", hints=["one"], location=Location("a.py", 5)),
        GraphBreak("1/0", "a branch", location=Location("a.py", 6)),
    ]
    counts, *lines = lines_about(Session(breaks=breaks), tmp_path)
    assert "2 graph breaks" in counts
    assert [line for line in lines if "graph break" in line] == [
        "  graph break at a.py:5: a branch",
        "  graph break at a.py:6: a branch",
    ]


def test_a_method_compiled_again_is_named_with_its_class(tmp_path: Path) -> None:
    """In a model of many modules all of them are called `forward`."""
    frames = [Frame("1/1", "forward", "Block.forward", "a.py", 3)]
    again = [
        Recompilation("1/1", function="forward", failures=["1/0: size mismatch"]),
        Recompilation("2/1", function="untold"),
        Recompilation("3/1", function=""),
    ]
    lines = lines_about(Session(frames=frames, recompilations=again), tmp_path)
    assert [line for line in lines if "compiled again" in line] == [
        "  compiled again: Block.forward: 1/0: size mismatch",
        "  compiled again: untold",
        "  compiled again: 3/1",
    ]


def test_a_line_that_several_entries_fail_for_is_told_once(tmp_path: Path) -> None:
    failures = [f"0/{n}: s == {n} # f(s) # a.py:9 in f" for n in (2, 1)] + ["0/0: s == 0 # g(s)"]
    again = [Recompilation("0/3", function="f", failures=failures)]
    lines = lines_about(Session(recompilations=again), tmp_path)
    said = "0/2: s == 2 # f(s) # a.py:9 in f; 0/1: s == 1; 0/0: s == 0 # g(s)"
    assert f"  compiled again: f: {said}" in lines


def test_nothing_is_said_where_everything_was_compiled(tmp_path: Path) -> None:
    (counts, *lines) = lines_about(Session(frames=[frame("0/0", "compiled", "")]), tmp_path)
    assert "not compiled" not in "\n".join([counts, *lines])


def test_exported_functions_are_counted(tmp_path: Path) -> None:
    session = Session(frames=[frame("0/0", "exported", "no code of its own runs")])
    (counts, _everything) = lines_about(session, tmp_path)
    assert counts.endswith("1 exported function") and "not compiled" not in counts


def test_breaks_of_code_compiled_before_are_not_counted_as_none(tmp_path: Path) -> None:
    old = Frame("0/0", "f", "f", "a.py", 3, resumes=["__resume_at_4_1"], compiled_before=True)
    again = Frame("0/1", "f", "f", "a.py", 3, resumes=["__resume_at_4_2"])
    told = GraphBreak("0/1", "a call", location=Location("a.py", 5))
    assert "0 graph breaks told of (" in lines_about(Session(frames=[old]), tmp_path)[0]
    untold = lines_about(Session(frames=[old, again]), tmp_path)[0]
    assert "0 graph breaks that this torch tells of," in untold
    whole = lines_about(Session(frames=[old, again], breaks=[told]), tmp_path)[0]
    assert "1 graph break," in whole


def test_times_are_told_where_they_were_asked_for(tmp_path: Path) -> None:
    frames = [Frame(f"{place}/0", "f", "f", "a.py", 3, seconds=1.25) for place in range(2)]
    session = Session(frames=frames)
    assert "compiling took" not in lines_about(session, tmp_path)[0]
    (tmp_path / "session.json").write_text(to_json(session, with_varying=True), encoding="utf-8")
    assert summary(str(tmp_path))[0].endswith("; compiling took 2.50 s")
