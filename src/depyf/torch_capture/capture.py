"""One capture: everything that was heard for one folder, over all blocks that were open on it."""

from __future__ import annotations

import contextlib
import platform
import threading
import types
from dataclasses import asdict
from typing import Callable, Dict, List, Optional

from depyf.forks import family
from depyf.garbage import without_collection
from depyf.session.builder import END_OF_COMPILATION, START_OF_COMPILATION, build_session
from depyf.session.events import Event
from depyf.session.model import Session
from depyf.session.stages import is_repetition, is_traced_title

from . import bytecode_hooks, compat, graph_text, output_code, trace_filter
from .blocks import undo_later
from .bytecode_files import (
    COMPILED_BACK,
    ORIGINAL,
    TRANSFORMED,
    WITHOUT_DILL,
    has_dill,
    write_bytecode,
)
from .exports import ahead_of_time_under_way, export_under_way
from .faults import Faults, describe
from .folder import Folder
from .hook import FrameWriter, Resumes, Seen, dynamos_own, remember_swap
from .late import look_again, not_compiled, read_guards_of
from .output_code import OutputCodeHandler
from .trace import TraceHandler
from .unseen import hide_from_dynamo


class Capture:
    """Listens between `start` and `stop`; `write` puts what was heard into the folder."""

    def __init__(self, path: str) -> None:
        self.events: List[Event] = []
        self._missing: List[Event] = []
        self.faults = Faults(lambda text: self.events.append(Event("depyf_problem", text=text)))
        self.folder = Folder(path, self.faults.tell)
        self._resumes = Resumes()
        self._writer = FrameWriter(self.folder, self._resumes)
        self._seen: List[Seen] = []
        self._known: Dict[int, Seen] = {}
        self._undo = contextlib.ExitStack()
        self.is_listening = False
        self._lock = threading.RLock()
        self.family = family()
        # The blocks that are open on the folder -> whether they want bytecode. Without one,
        # whatever torch still has of us does nothing.
        self.blocks: Dict[object, bool] = {}

    # Listening

    def start(self) -> None:
        """Each step is undone in reverse order; one that fails leaves the others in place."""
        self.is_listening = True
        for doing, step in (
            ("hiding from Dynamo", hide_from_dynamo),
            ("listening to torch's trace", self._attach_handler),
            ("listening to graphs that are shown", self._attach_graph_text),
            ("registering the bytecode hook", self._attach_hook),
        ):
            with self.faults.contained(doing):
                step()

    def stop(self) -> None:
        try:
            self._undo.close()
        except Exception as error:
            self.faults.tell(f"While letting go of torch: {describe(error)}")
        self.is_listening = False

    # Who is interrupted while it attaches has to be detached: that is noted first. Detaching what
    # is not there does nothing.

    def _attach_handler(self) -> None:
        logger = compat.trace_logger()
        if logger is not None:
            handler = TraceHandler(self._take, self.faults, self.folder.path)
            undo_later(self._undo, trace_filter.detach, logger, handler)
            trace_filter.attach(logger, handler)
            return
        log = compat.output_code_logger()
        if log is not None:
            listener = OutputCodeHandler(self._take, self.faults)
            undo_later(self._undo, output_code.detach, log, listener)
            output_code.attach(log, listener)

    def _attach_graph_text(self) -> None:
        undo_later(self._undo, graph_text.stop_listening, self._shown)
        graph_text.listen(self._shown)

    def _attach_hook(self) -> None:
        undo_later(self._undo, bytecode_hooks.discard, self._hook)
        bytecode_hooks.add(self._hook)

    # What torch calls

    def _take(self, event: Event) -> None:
        if self.blocks and self.family.is_here():
            self.events.append(event)
            if event.kind == START_OF_COMPILATION:
                bytecode_hooks.come_last()
            if event.kind == END_OF_COMPILATION:
                with self.faults.contained("reading guards"):
                    entry = compat.entry_just_made()
                    without_collection(lambda: self._read_guards(entry))

    def _read_guards(self, entry: Optional[object]) -> None:
        """Now: when the block is left what they are about may be gone, and they with it."""
        made = compat.code_of_entry(entry)
        seen = self._seen_as(dynamos_own(made)) if made is not None else None
        if seen is not None:
            read_guards_of(seen, entry, self.folder.path)

    def _shown(self, func: Callable[..., str]) -> None:
        if self.blocks:
            with self.faults.contained("reading a graph that was shown"):
                if self.family.is_here():
                    self.events.extend(self._events_of(func))

    def _events_of(self, func: Callable[..., str]) -> List[Event]:
        title = graph_text.title_of(func)
        compile_id, attempt = compat.compiling_now()
        found: List[Event] = []
        number = graph_text.graph_number(title)
        if number is not None:
            data: Dict[str, object] = {"number": number}
            found.append(Event("depyf_graph_name", compile_id, attempt, data))
            found += ahead_of_time_under_way(compile_id, attempt, number)
            title = "Captured Graph"
        if number is not None or not compile_id:
            found += export_under_way(compile_id, attempt, number)
        if is_repetition(title) or (compat.trace_logger() and is_traced_title(title)):
            return found
        text = graph_text.text_of(func)
        about: Dict[str, object] = {"title": title, "aot": compat.aot_graph_now()}
        return [*found, Event("depyf_shown_graph", compile_id, attempt, about, text)]

    def _hook(self, original: types.CodeType, made: types.CodeType) -> Optional[types.CodeType]:
        if self.blocks:
            with self.faults.contained(f"writing the code of {original.co_name}"):
                if self.family.is_here():
                    own = dynamos_own(made)
                    return without_collection(lambda: self._take_code(original, own))
                self.family.lose()
        return None

    def _take_code(
        self, original: types.CodeType, made: types.CodeType
    ) -> Optional[types.CodeType]:
        """All that may fail comes first. Behind the file, which says what runs, nothing does."""
        with self._lock:
            frame, running = self._writer.read(original, made)
            seen = Seen(original, made, running or made, frame.transformed_file)
            if running is not None:
                remember_swap(running, made)
            with self.faults.contained("looking for continuations"):
                self._resumes.learn(frame.resumes, compat.globals_of_compiling_frame())
            # Shallow: its parts are only cleaned any more, and doing that again changes nothing.
            event = Event("depyf_frame", *compat.compiling_now(), {**vars(frame)})
            if not self._writer.write(frame):
                # Without its file the code would carry the path of nothing.
                event.data["swapped"], running = False, None
                seen.runs(made)
            self._resumes.reach(original)
            self._remember(seen)
            self.events += [event, *_compiled_again(event)]
        if any(self.blocks.values()):
            with self.faults.contained("storing bytecode"):
                self._log_bytecode(frame.transformed_file, original, made, running)
        return running

    def _remember(self, seen: Seen) -> None:
        self._seen.append(seen)
        made = seen.made()
        self._known[id(made)] = seen

    def _log_bytecode(
        self,
        file: str,
        original: types.CodeType,
        made: types.CodeType,
        running: Optional[types.CodeType],
    ) -> None:
        codes = {ORIGINAL: original, TRANSFORMED: made, COMPILED_BACK: running}
        for problem in write_bytecode(self.folder.path_of(file), codes):
            self.faults.tell(problem)
        if not has_dill():
            self.events.append(Event("depyf_unavailable", text=WITHOUT_DILL))

    # Leaving

    def write(self) -> None:
        """Nothing is raised: what went wrong is told, and what can be written is written."""
        if not self.family.is_here():
            # The story is that of another process, which writes it.
            return
        with self._lock:
            with self.faults.contained("asking what this torch can give"):
                missing = compat.what_is_missing()
                self.family.mention_loss(missing.append)
                self._missing = [Event("depyf_unavailable", text=each) for each in missing]
            with self.faults.contained("looking at what was compiled before"):
                self._add_compiled_before()
            for seen in self._seen:
                with self.faults.contained("reading guards and originals"):
                    look_again(seen, self._resumes, self.folder.path)
            with self.faults.contained("writing the folder"):
                self.folder.write_session(self.session())

    def session(self) -> Session:
        versions = compat.torch_version(), platform.python_version()
        return build_session(self.all_events(), *versions)

    def all_events(self) -> List[Event]:
        # What was found on leaving may be otherwise after the next block: no lasting events.
        found = [Event("depyf_late", data=seen.facts) for seen in self._seen]
        found += not_compiled(self._resumes)
        return [*self._missing, *self.events, *found]

    def _add_compiled_before(self) -> None:
        for original in compat.compiled_codes():
            for entry in compat.cache_entries(original):
                code = compat.code_of_entry(entry)
                if code is not None and self._seen_as(dynamos_own(code)) is None:
                    self._add_old_frame(original, code, entry)
        # A continuation may have come before the function that calls it.
        for seen in self._seen:
            known = seen.original()
            if known is not None:
                self._resumes.reach(known)

    def _add_old_frame(
        self, original: types.CodeType, running: types.CodeType, entry: object
    ) -> None:
        made, compile_id = dynamos_own(running), compat.compile_id_of_entry(entry)
        frame = self._writer.write_old(original, made, compile_id)
        event = Event("depyf_old_frame", compile_id, data=asdict(frame))
        self._remember(Seen(original, made, running, frame.transformed_file))
        with self.faults.contained("looking for continuations"):
            self._resumes.learn(frame.resumes, compat.globals_of_entry(entry))
        self.events.append(event)

    def _seen_as(self, made: types.CodeType) -> Optional[Seen]:
        seen = self._known.get(id(made))
        return seen if seen is not None and seen.made() is made else None


def _compiled_again(frame: Event) -> List[Event]:
    """Where no trace tells of recompilations, the compile id does, if not of their reasons."""
    again = not frame.compile_id.endswith("/0") and compat.trace_logger() is None
    return [Event("recompile_reasons", frame.compile_id, text="[]")] if again else []
