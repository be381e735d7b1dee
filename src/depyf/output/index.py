"""`README.md` of the folder: what happened at a glance.

Times differ from run to run, so they are told on request: without them the folder is the same
whenever the same program runs again.
"""

from __future__ import annotations

import os
import re
from typing import Dict, Iterable, List

from depyf.session.builder import NOTHING_TO_COMPILE
from depyf.session.continuations import which_breaks
from depyf.session.model import Frame, Graph, GraphBreak, Location, Recompilation, Session
from depyf.session.same_breaks import breaks_by_place

from .names import GraphFiles
from .story import Function, Story
from .valid_python import one_line

INDEX = "README.md"
_STORY = re.compile(r"^- `(full_code_for_.*?)`", re.MULTILINE)
TIMES_ON_REQUEST = [
    "Times differ from run to run: with `DEPYF_TIMINGS=1` in the environment they stand here.",
    "",
]
OTHER_WAYS = [
    ("exported", "exported function", "exported functions"),
    ("ahead of time", "function compiled ahead of time", "functions compiled ahead of time"),
]
# Torch leaves such frames alone without a record in its trace.
NOTHING_HEARD = [
    "Torch compiled nothing in this block, and gave nothing up. Perhaps no compiled function was "
    "called, or only functions that torch leaves alone without a word, as it does with those in "
    "files of its own: `nn.Sequential.forward` behind `module.compile()` is one, "
    "`torch.compile(module)` compiles it. With `TORCH_LOGS=+dynamo` torch names what it skips.",
    "",
]


def stories_in(folder: str) -> List[str]:
    """The files to start reading, in the order in which the functions were compiled.

    Other programs' may lie in the folder as well: which are of the last one, its index tells.
    """
    try:
        with open(os.path.join(folder, INDEX), encoding="utf-8") as file:
            return _STORY.findall(file.read())
    except OSError:
        # It could not be written, which has been told.
        return []


def index(
    session: Session,
    functions: List[Function],
    stories: Dict[str, Story],
    files: GraphFiles,
    with_times: bool,
) -> str:
    sections = [
        _glance(session, functions),
        _time(session.frames) if with_times else TIMES_ON_REQUEST,
        [] if session.frames or session.graphs or session.breaks else NOTHING_HEARD,
        _start(stories),
        _section("Graph breaks", _breaks(session)),
        _section("Recompilations", _recompilations(session)),
        _section("Not compiled", _listed(_failures(session.frames))),
        _section("Exported", _listed(_with_outcome("exported", session.frames))),
        _section("Compiled ahead of time", _listed(_with_outcome("ahead of time", session.frames))),
        _section("Frames", _frames(functions, with_times)),
        _section("Graphs", [_graph(graph, files) for graph in session.graphs]),
        _section("Not available", [f"- {one_line(one)}" for one in session.unavailable]),
        _section("Problems inside depyf", [f"- {one_line(one)}" for one in session.problems]),
    ]
    return "\n".join(line for section in sections for line in section)


def _section(title: str, points: Iterable[str]) -> List[str]:
    points = list(points)
    return [f"## {title}", "", *points, ""] if points else []


def _glance(session: Session, functions: List[Function]) -> List[str]:
    entries = sum(len(one.entries) for one in functions)
    users = sum(1 for one in functions if one.entries and not one.is_continuation)
    others = which_breaks(session)
    failures = _failures(session.frames)
    empty = [frame for frame in failures if frame.reason == NOTHING_TO_COMPILE]
    left = len(failures) - len(empty)
    counts = [
        (users, "function", "functions"),
        (entries, "compiled frame", "compiled frames"),
        (len(session.graphs), "graph", "graphs"),
        (len(breaks_by_place(session)), f"graph break{others}", f"graph breaks{others}"),
        (len(session.recompilations), "recompilation", "recompilations"),
        (left, "frame not compiled", "frames not compiled"),
    ]
    if empty:
        what = "with nothing to compile"
        counts.append((len(empty), f"frame {what}", f"frames {what}"))
    for outcome, one, many in OTHER_WAYS:
        found = len(_with_outcome(outcome, session.frames))
        if found:
            counts.append((found, one, many))
    said = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)
    about = f"torch {session.torch or 'unknown'}, Python {session.python or 'unknown'}"
    return [
        "# What torch.compile did",
        "",
        f"{said}.",
        "",
        f"{about}. Everything for programs: `session.json`.",
    ]


def _time(frames: List[Frame]) -> List[str]:
    seconds = [frame.seconds for frame in frames if frame.seconds is not None]
    said = f"Compiling took {sum(seconds):.2f} s." if seconds else "Torch told no times."
    return [said, ""]


def _start(stories: Dict[str, Story]) -> List[str]:
    points = []
    for name, story in stories.items():
        root = story.root
        parts = [f"{len(root.entries)} entries" if len(root.entries) != 1 else "1 entry"]
        rest = len(story.functions) - 1
        if rest:
            parts.append(f"{rest} continuation{'s' if rest > 1 else ''}")
        where = _where(root.file, root.line)
        points.append(f"- `{name}`: {_code(root.qualname)}, {where}; {', '.join(parts)}")
    return _section("Start here", points)


def _breaks(session: Session) -> List[str]:
    lines = []
    for number, same in enumerate(breaks_by_place(session), 1):
        lines += _break(number, same, session.frames)
    return lines


def _break(number: int, same: List[GraphBreak], frames: List[Frame]) -> List[str]:
    one = same[0]
    lines = [f"{number}. {one_line(one.reason)}"]
    lines += [f"   - where: {_place(one.location)}"] if one.location else []
    lines += [f"   - in: {', '.join(_named(each.compile_id, frames) for each in same)}"]
    lines += [f"   - why: {one_line(one.explanation)}"] if one.explanation else []
    hints = dict.fromkeys(hint for each in same for hint in each.hints)
    lines += [f"   - hint: {one_line(hint)}" for hint in hints]
    lines += [f"   - details: {one_line(one.details)}"] if one.details else []
    lines += [f"   - more: {one.url}"] if one.url else []
    return lines


def _recompilations(session: Session) -> List[str]:
    lines = []
    for number, one in enumerate(session.recompilations, 1):
        lines += _recompilation(number, one, session.frames)
    return lines


def _recompilation(number: int, one: Recompilation, frames: List[Frame]) -> List[str]:
    lines = [f"{number}. {_code(one.function)} again, as {_named(one.compile_id, frames)}"]
    lines += [f"   - where: {_place(one.location)}"] if one.location else []
    return lines + _failed_guards(one.failures, "   ")


def _failures(frames: List[Frame]) -> List[Frame]:
    return [frame for frame in frames if frame.outcome in ("skipped", "failed")]


def _with_outcome(outcome: str, frames: List[Frame]) -> List[Frame]:
    return [frame for frame in frames if frame.outcome == outcome]


def _listed(frames: List[Frame]) -> List[str]:
    lines = []
    for frame in frames:
        reason = f", {one_line(frame.reason)}" if frame.reason else ""
        where = _where(frame.file, frame.line)
        lines.append(f"- {_code(frame.qualname)}, {where}: {frame.outcome}{reason}")
        lines += _failed_guards(frame.failures, "  ")
    return lines


def _failed_guards(failures: List[str], margin: str) -> List[str]:
    return [f"{margin}- failed guard: {_code(one_line(failure))}" for failure in failures]


def _frames(functions: List[Function], with_times: bool) -> List[str]:
    columns = ["compile id", "function", "file", "the text", *(["seconds"] if with_times else [])]
    rows = [_row(columns), _row(["---"] * len(columns))]
    for function in functions:
        for entry in function.entries:
            frame = entry.frame
            cells = [frame.compile_id, _code(function.qualname), f"`{entry.file}`", _trust(frame)]
            if with_times:
                cells.append("" if frame.seconds is None else f"{frame.seconds:.2f}")
            rows.append(_row(cells))
    return rows if len(rows) > 2 else []


def _row(cells: List[str]) -> str:
    return f"| {' | '.join(_cell(one) for one in cells)} |"


def _trust(frame: Frame) -> str:
    text = frame.transformed
    verdict = text.verdict if text else "unverified"
    if frame.swapped:
        return f"{verdict}; it is what runs"
    runs = "the text of another capture" if frame.runs_from else "torch's own code"
    return f"{verdict}; {runs} runs, the file says why"


def _graph(graph: Graph, files: GraphFiles) -> str:
    listed = ", ".join(f"`{name}`" for name in files.of_graph(graph.number)) or "no files"
    lines = [f"- `__compiled_fn_{graph.number}` ({graph.compile_id}): {listed}"]
    lines += [f"  - {cache} cache: {said}" for cache, said in sorted(graph.caches.items())]
    lines += [f"  - missing: {one_line(missing)}" for missing in graph.missing]
    return "\n".join(lines)


def _named(compile_id: str, frames: List[Frame]) -> str:
    if not compile_id:
        return _failed_export(frames)
    frame = next((one for one in frames if one.compile_id == compile_id), None)
    return f"{compile_id} ({_code(frame.qualname)})" if frame else compile_id


def _failed_export(frames: List[Frame]) -> str:
    """Torch gives the failure of an export no compile id: of several, none can be named."""
    failed = [one for one in frames if one.outcome == "failed" and not one.compile_id]
    return _code(failed[0].qualname) if len(failed) == 1 else "an export or `aot_compile`"


def _place(place: Location) -> str:
    function = f" in {_code(place.function)}" if place.function else ""
    text = f": {_code(one_line(place.text))}" if place.text else ""
    return f"{_where(place.file, place.line)}{function}{text}"


def _where(file: str, line: int) -> str:
    return f"{file}:{line}"


def _code(text: str) -> str:
    """Inline code, also when the text itself holds a backquote."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
