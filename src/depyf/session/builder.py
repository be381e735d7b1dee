"""Events become a session: each is filed under the frame and the graph it is about.

The one place that mutates a session while it grows. Torch numbers compilations anew after a reset,
so an id means the latest frame of that id; of several attempts at one frame only the last is real.
"""

from __future__ import annotations

from typing import Callable, Dict, Iterable, List, Optional

from .break_text import (
    is_recompile_limit,
    parse_break,
    parse_failure,
    parse_recompilation,
    with_aftermath,
    with_limit,
)
from .clean import clean_fields
from .events import Event
from .json import read
from .model import CodeText, Frame, Graph, GraphBreak, Location, Session, Stage
from .same_breaks import break_key
from .stages import STAGE_OF, direction_of, stage_of_title

SKIPPED_FOR = ("Unsupported", "SkipFrame", "SkipCodeRecursiveException", "RecompileLimitExceeded")
# What the bytecode hook knows better than the trace.
_FROM_HOOK = (
    "name qualname file line transformed transformed_file swapped graphs resumes resumed_by "
    "free_variables"
).split()
# What is read when a block is left, as far as it could be.
_FROM_CACHE = ("original guards unguarded resumed_by cache_position swapped runs_from").split()
_NO_FRAME = {"compile_id": "", "name": "", "qualname": "", "file": "", "line": 0}
# The kind of event that torch sends when it is done with a frame.
START_OF_COMPILATION = "dynamo_start"
END_OF_COMPILATION = "compilation_metrics"
NOTHING_TO_COMPILE = "torch found nothing in it to compile"
CACHES = {"aotautograd_cache": "aot", "fx_graph_cache": "inductor"}


def build_session(events: Iterable[Event], torch: str = "", python: str = "") -> Session:
    builder = SessionBuilder(Session(torch=torch, python=python))
    for event in events:
        builder.take(event)
    builder.tell_of_strays()
    builder.name_recompiled()
    clean_fields(builder.session)
    return builder.session


class SessionBuilder:
    """Holds the session and, per compile id, what is being filled right now."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._frames: Dict[str, Frame] = {}
        self._finished: Dict[str, bool] = {}
        self._graphs: Dict[str, Graph] = {}
        self._by_file: Dict[str, Frame] = {}
        # Stages that came before the graph they belong to was named.
        self._waiting: Dict[str, List[Stage]] = {}
        self._of_aot_number: Dict[str, str] = {}

    def take(self, event: Event) -> None:
        self._notice_attempt(event)
        if event.kind in STAGE_OF:
            self._add_traced_stage(event)
        elif event.kind in _TAKERS:
            _TAKERS[event.kind](self, event)
        else:
            self._note_cache(event)

    # Frames

    def _notice_attempt(self, event: Event) -> None:
        """Torch says that a frame was started once; a new attempt shows in what follows."""
        frame = self._frames.get(event.compile_id)
        if frame is None or self._finished[event.compile_id]:
            return
        if event.attempt >= frame.attempts:
            frame.attempts = event.attempt + 1
            self._forget_attempt(event.compile_id)

    def _start(self, event: Event) -> None:
        if event.attempt and not self._finished.get(event.compile_id, True):
            return
        self._graphs.pop(event.compile_id, None)
        stack = [read(Location, entry) for entry in _list(event.data.get("stack"))]
        last = stack[-1] if stack else Location("", 0)
        self._add_frame(
            event.compile_id,
            Frame(
                event.compile_id,
                last.function,
                last.function,
                last.file,
                last.line,
                stack=stack[:-1],
            ),
        )

    def _add_frame(self, compile_id: str, frame: Frame) -> Frame:
        self.session.frames.append(frame)
        self._frames[compile_id] = frame
        self._finished[compile_id] = False
        return frame

    def _frame(self, event: Event) -> Frame:
        frame = self._frames.get(event.compile_id)
        if frame is None:
            frame = self._add_frame(event.compile_id, Frame(event.compile_id, "", "", "", 0))
        return frame

    def _rewritten(self, event: Event) -> None:
        """The bytecode hook saw the frame: its names, its text, the graphs and resumes it calls."""
        known = self._frames.get(event.compile_id)
        if known is not None and (self._finished[event.compile_id] or known.transformed_file):
            # Its id was given again after a reset, and without a trace nobody said so.
            del self._frames[event.compile_id]
        frame, seen = self._frame(event), read(Frame, event.data)
        for name in _FROM_HOOK:
            setattr(frame, name, getattr(seen, name))
        self._by_file[frame.transformed_file] = frame
        for number in frame.graphs:
            self._name_graph(event.compile_id, number)

    def _compiled_before(self, event: Event) -> None:
        """Nothing was heard of it but what torch's cache holds."""
        frame = read(Frame, event.data)
        self.session.frames.append(frame)
        self._by_file[frame.transformed_file] = frame
        for number in frame.graphs:
            graph = self._name_graph(event.compile_id, number)
            graph.missing.append("all stages: it was compiled before the capture began")

    def _late_facts(self, event: Event) -> None:
        """What was read when the block was left: the original's text, the guards."""
        known = read(Frame, {**_NO_FRAME, **event.data})
        frame = self._by_file.get(known.transformed_file)
        if frame is None:
            return
        for name in sorted(set(_FROM_CACHE) & set(event.data)):
            setattr(frame, name, getattr(known, name))
        if frame.compiled_before:
            frame.swapped = False

    def _not_compiled(self, event: Event) -> None:
        """A continuation whose code never came to the hook: it was not reached, or is empty."""
        known = read(Frame, event.data)
        started = known.outcome == "skipped"
        frame = next((one for one in self.session.frames if _is_started(one, known)), None)
        if frame is None or not started:
            if started and any(self._finished.values()):
                # Torch tells of all that it traces; what it leaves alone before has no tensors.
                known.reason = NOTHING_TO_COMPILE
            self.session.frames.append(known)
            return
        if frame.outcome == "compiled":
            # Torch calls it so all the same.
            frame.outcome, frame.reason = "skipped", NOTHING_TO_COMPILE
        frame.original, frame.resumed_by = known.original, known.resumed_by

    def _exported(self, event: Event) -> None:
        """Torch may not say that it started on it; where it did, the hook tells the rest."""
        frame = read(Frame, event.data)
        started = not self._finished.get(event.compile_id, True)
        if not started and frame not in self.session.frames:
            self._add_frame(event.compile_id, frame)
            self._finished[event.compile_id] = True

    def _ahead_of_time(self, event: Event) -> None:
        """What is made of its graph comes without a compile id, up to the end of `aot_compile`."""
        self._exported(event)
        graph = self._graphs.get(event.compile_id)
        if graph is not None:
            self._graphs[""] = graph

    def _metrics(self, event: Event) -> None:
        if not event.compile_id:
            # Of an export, which is a frame by itself where it did not fail.
            self._frames.pop("", None)
            ahead = self._graphs.pop("", None)
            if not event.data.get("fail_type"):
                return
            if ahead is not None:
                self._frames[""] = self._frames[ahead.compile_id]
        frame, data = self._frame(event), event.data
        self._finished[event.compile_id] = True
        seconds = data.get("entire_frame_compile_time_s")
        frame.seconds = float(seconds) if isinstance(seconds, (int, float)) else None
        frame.name = frame.name or _str(data.get("co_name")) or self._name_of_siblings(frame)
        frame.qualname = frame.qualname or frame.name
        frame.file = frame.file or _str(data.get("co_filename"))
        frame.line = frame.line or _int(data.get("co_firstlineno"))
        if data.get("fail_type"):
            self._failed(frame, data)
        elif frame.transformed is None and event.compile_id not in self._graphs:
            # Torch calls it compiled all the same; before 2.13 also where a loop has a break in it.
            breaks = self._breaks_of(event.compile_id)
            frame.outcome = "skipped"
            frame.reason = breaks[-1].reason if breaks else NOTHING_TO_COMPILE

    def _failed(self, frame: Frame, data: Dict[str, object]) -> None:
        kind, text = _str(data.get("fail_type")), _str(data.get("fail_reason"))
        location: Optional[Location] = None
        if data.get("fail_user_frame_filename"):
            location = Location(
                _str(data.get("fail_user_frame_filename")), _int(data.get("fail_user_frame_lineno"))
            )
        # Where it cannot be exported (there is no compile id), or made one graph, torch raises.
        must_compile = (
            frame.outcome == "ahead of time" or not frame.compile_id or data.get("one_graph")
        )
        is_skipped = not must_compile and kind.rpartition(".")[2] in SKIPPED_FOR
        frame.outcome = "skipped" if is_skipped else "failed"
        failure = parse_failure(frame.compile_id, text, location)
        frame.reason = with_aftermath(failure, text) or kind
        if is_recompile_limit(failure.reason):
            frame.reason = with_limit(failure)
            frame.failures = self._was_refused(frame.compile_id)
        elif failure.explanation and not self._breaks_of(frame.compile_id):
            self.session.breaks.append(failure)

    def _was_refused(self, compile_id: str) -> List[str]:
        """Torch said why it would compile again, and then did not: the guards that failed."""
        same = [one for one in self.session.recompilations if one.compile_id == compile_id]
        for refused in same[-1:]:
            self.session.recompilations = [
                one for one in self.session.recompilations if one is not refused
            ]
        return [failure for refused in same[-1:] for failure in refused.failures]

    def _breaks_of(self, compile_id: str) -> List[GraphBreak]:
        return [known for known in self.session.breaks if known.compile_id == compile_id]

    def _name_of_siblings(self, frame: Frame) -> str:
        """A frame that hit the recompile limit never started; its function has older frames."""
        family = frame.compile_id.rpartition("/")[0]
        for other in self.session.frames:
            if other.name and other.compile_id.rpartition("/")[0] == family:
                frame.file, frame.line = other.file, other.line
                return other.name
        return ""

    # Graphs

    def _named(self, event: Event) -> None:
        self._name_graph(event.compile_id, _int(event.data.get("number")))

    def _name_graph(self, compile_id: str, number: int) -> Graph:
        current = self._graphs.get(compile_id)
        if current is not None and current.number == number:
            return current
        graph = Graph(number, compile_id)
        self.session.graphs.append(graph)
        self._graphs[compile_id] = graph
        for key in [key for key in self._waiting if _belongs(key, compile_id)]:
            graph.stages.extend(self._waiting.pop(key))
        return graph

    def _forget_attempt(self, compile_id: str) -> None:
        """Torch gave the attempt up, and with it the graph it had captured."""
        graph = self._graphs.pop(compile_id, None)
        if graph is not None:
            self.session.graphs.remove(graph)
        self._waiting.pop(compile_id, None)

    def _add_traced_stage(self, event: Event) -> None:
        kind, direction = STAGE_OF[event.kind]
        if direction == "?":
            direction = direction_of(event.text)
        path = _str(event.data.get("file_path") or event.data.get("filename"))
        stage = Stage(kind, event.text, direction, path)
        self._add_stage(self._compile_id_of(event), stage)

    def _shown(self, event: Event) -> None:
        """A graph that someone showed through lazy_format_graph_code."""
        kind, direction = stage_of_title(_str(event.data.get("title")))
        if direction == "?":
            direction = direction_of(event.text)
        self._add_stage(self._compile_id_of(event), Stage(kind, event.text, direction))

    def _compile_id_of(self, event: Event) -> str:
        """An old torch lowers a backward graph without a compile id; AOTAutograd's number is known.

        `3_forward` was lowered with one, and `3_backward` is of the same graph.
        """
        number = _str(event.data.get("aot")).partition("_")[0]
        if event.compile_id and number:
            self._of_aot_number.setdefault(number, event.compile_id)
        return event.compile_id or self._of_aot_number.get(number, "")

    def _add_stage(self, compile_id: str, stage: Stage) -> None:
        graph = self._graphs.get(compile_id)
        if graph is None:
            self._waiting.setdefault(compile_id, []).append(stage)
        elif not any(_same_stage(stage, known) for known in graph.stages):
            graph.stages.append(stage)

    def tell_of_strays(self) -> None:
        """What was shown outside of any compilation belongs to no graph, and to no file."""
        for stages in self._waiting.values():
            for stage in stages:
                sentence = f"A text of the stage {stage.kind} belongs to no graph that was seen."
                if sentence not in self.session.unavailable:
                    self.session.unavailable.append(sentence)

    def _note_cache(self, event: Event) -> None:
        prefix, _, outcome = event.kind.rpartition("_")
        graph = self._graphs.get(event.compile_id)
        if prefix in CACHES and graph is not None:
            graph.caches.setdefault(CACHES[prefix], outcome)
            # A hit and a miss are told in different orders.
            graph.caches = dict(sorted(graph.caches.items()))

    # Breaks, recompilations, problems

    def _broke(self, event: Event) -> None:
        found = parse_break(event.compile_id, event.text)
        # The attempt that broke is traced again up to the break, and says it again.
        known = [break_key(one) for one in self._breaks_of(event.compile_id)]
        if break_key(found) not in known:
            self.session.breaks.append(found)

    def _recompiled(self, event: Event) -> None:
        family = event.compile_id.rpartition("/")[0]
        names = [
            frame.name
            for frame in self.session.frames
            if frame.compile_id.rpartition("/")[0] == family and frame.name
        ]
        function = names[-1] if names else ""
        found = parse_recompilation(event.compile_id, function, event.text)
        self.session.recompilations.append(found)

    def name_recompiled(self) -> None:
        """Of a function that was compiled before the capture, no frame was known by then."""
        names = {frame.compile_id: frame.name for frame in self.session.frames}
        for one in self.session.recompilations:
            one.function = one.function or names.get(one.compile_id, "")

    def _problem(self, event: Event) -> None:
        if event.text not in self.session.problems:
            self.session.problems.append(event.text)

    def _unavailable(self, event: Event) -> None:
        if event.text not in self.session.unavailable:
            self.session.unavailable.append(event.text)


_TAKERS: Dict[str, Callable[[SessionBuilder, Event], None]] = {
    START_OF_COMPILATION: SessionBuilder._start,
    END_OF_COMPILATION: SessionBuilder._metrics,
    "dynamo_graph_break_reason": SessionBuilder._broke,
    "recompile_reasons": SessionBuilder._recompiled,
    "depyf_frame": SessionBuilder._rewritten,
    "depyf_old_frame": SessionBuilder._compiled_before,
    "depyf_late": SessionBuilder._late_facts,
    "depyf_not_compiled": SessionBuilder._not_compiled,
    "depyf_exported": SessionBuilder._exported,
    "depyf_ahead_of_time": SessionBuilder._ahead_of_time,
    "depyf_graph_name": SessionBuilder._named,
    "depyf_shown_graph": SessionBuilder._shown,
    "depyf_problem": SessionBuilder._problem,
    "depyf_unavailable": SessionBuilder._unavailable,
}
# Kinds of records that mean something to the builder; anything else need not be kept.
WANTED = frozenset(_TAKERS) | frozenset(STAGE_OF)


def is_wanted(kind: str) -> bool:
    return kind in WANTED or kind.rpartition("_")[0] in CACHES


def is_end_of_wanted(end: str) -> bool:
    """Whether a kind that ends like this may be one of them."""
    cache, underscore, _outcome = end.rpartition("_")
    if any(kind.endswith(end) for kind in WANTED):
        return True
    return not underscore or any(known.endswith(cache) for known in CACHES)


def _is_started(frame: Frame, continuation: Frame) -> bool:
    """Whether torch started on this continuation, and no code came of it."""
    if (
        frame.transformed
        or frame.original
        or frame.outcome in ("exported", "ahead of time", "not run")
    ):
        return False
    place = (continuation.name, continuation.file, continuation.line)
    return bool(frame.compile_id) and (frame.name, frame.file, frame.line) == place


def _belongs(waiting_id: str, compile_id: str) -> bool:
    """Compiled autograd shows its graph as `!0`; the frame compiled of it is `!0/1/0`."""
    return waiting_id == compile_id or (
        waiting_id.startswith("!") and compile_id.startswith(waiting_id + "/")
    )


def _same_stage(one: Stage, other: Stage) -> bool:
    return (one.kind, one.direction, one.text) == (other.kind, other.direction, other.text)


def _code_text(plain: object) -> CodeText:
    return read(CodeText, plain)


def _list(value: object) -> List[object]:
    return value if isinstance(value, list) else []


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0
