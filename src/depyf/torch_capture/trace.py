"""Torch's structured trace, heard through an ordinary logging handler.

Each record that the session can use becomes an event; the rest is let go as cheaply as possible,
because torch emits hundreds of them while it compiles.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from typing import Callable, Dict, List

from depyf.session.builder import is_wanted
from depyf.session.events import Event

from . import compat
from .exports import names_of_exported
from .faults import Faults

# What may stand beside the one key that names the kind of a record.
_ABOUT_THE_RECORD = frozenset(
    "rank frame_id frame_compile_id attempt compiled_autograd_id has_payload stack process "
    "subgraph_name".split()
)
# The parts of a record's metadata that the session uses; the rest (whole configurations, shapes
# of every node) would only take room.
_KEPT = frozenset(
    "stack filename file_path co_name co_filename co_firstlineno entire_frame_compile_time_s "
    "fail_type fail_reason fail_user_frame_filename fail_user_frame_lineno has_guarded_code".split()
)


class TraceHandler(logging.Handler):
    """Gives events to `take`. `folder` is where the code that runs instead of Dynamo's lies."""

    def __init__(self, take: Callable[[Event], None], faults: Faults, folder: str = "") -> None:
        super().__init__(logging.DEBUG)
        self._take = take
        self._faults = faults
        self._folder = os.path.join(folder, "")

    def handle(self, record: logging.LogRecord) -> bool:
        """Without the lock of ordinary handlers: `take` is safe, and threads compile at once."""
        with contextlib.suppress(Exception):
            self.emit(record)
        return True

    def emit(self, record: logging.LogRecord) -> None:
        metadata = getattr(record, "metadata", None)
        if not isinstance(metadata, dict) or "chromium_event" in metadata:
            return
        with self._faults.contained("reading torch's trace"):
            self._read(metadata, getattr(record, "payload", None))

    def _read(self, metadata: Dict[str, object], payload: object) -> None:
        for kind, data in metadata.items():
            if kind in _ABOUT_THE_RECORD or not isinstance(data, dict):
                continue
            if kind == "artifact":
                kind = str(data.get("name"))
            if is_wanted(kind):
                text = payload if isinstance(payload, str) else ""
                event = Event(kind, _id(metadata), _attempt(metadata), self._kept(data), text)
                if kind == "compilation_metrics":
                    event.data.update(_whose_metrics(event))
                if kind == "inductor_output_code":
                    name_cache_folder(event)
                self._take(event)
            return

    def _kept(self, data: Dict[str, object]) -> Dict[str, object]:
        kept = {key: value for key, value in data.items() if key in _KEPT}
        if "stack" in kept:
            kept["stack"] = _stack(kept["stack"], self._folder)
        return kept


def _whose_metrics(event: Event) -> Dict[str, object]:
    """What the metrics leave out: which export they are of, or what the compilation was to give."""
    if event.compile_id:
        return {"one_graph": compat.must_be_one_graph(), **_interruption()}
    return dict(names_of_exported())


def _interruption() -> Dict[str, object]:
    """Torch notes why it failed, but not that Ctrl-C or an exit ended it: that is under way now.

    One that the program is handling while it compiles was never in a frame of torch's.
    """
    error = sys.exc_info()[1]
    if error is None or isinstance(error, Exception) or error.__traceback__ is None:
        return {}
    if not str(error.__traceback__.tb_frame.f_globals.get("__name__")).startswith("torch."):
        return {}
    name = type(error).__name__
    return {"fail_type": name, "fail_reason": f"the compilation was interrupted by {name}"}


def name_cache_folder(event: Event) -> None:
    """The same files lie in another folder on another machine: its variable names it for all."""
    folder = compat.inductor_cache_folder()
    if folder:
        event.text = event.text.replace(folder, "$TORCHINDUCTOR_CACHE_DIR")
        for key in ("filename", "file_path"):
            path = event.data.get(key)
            if isinstance(path, str):
                event.data[key] = path.replace(folder, "$TORCHINDUCTOR_CACHE_DIR")


def _stack(entries: object, folder: str) -> List[Dict[str, object]]:
    files = compat.interned_files()
    return [
        {
            "file": _within(folder, files.get(entry.get("filename"), "")),
            "line": entry.get("line"),
            "function": entry.get("name"),
            "text": entry.get("loc") or "",
        }
        for entry in (entries if isinstance(entries, list) else [])
    ]


def _within(folder: str, file: str) -> str:
    """A file of the folder by its name in there: the folder may be another in the next run."""
    return file[len(folder) :] if folder and file.startswith(folder) else file


def _id(metadata: Dict[str, object]) -> str:
    """As torch writes it: `0/1`, and `!2/0/1` within compiled autograd."""
    parts = [metadata.get("frame_id"), metadata.get("frame_compile_id")]
    written = "/".join(str(part) for part in parts if part is not None)
    autograd = metadata.get("compiled_autograd_id")
    if autograd is None:
        return written
    return f"!{autograd}/{written}" if written else f"!{autograd}"


def _attempt(metadata: Dict[str, object]) -> int:
    attempt = metadata.get("attempt")
    return attempt if isinstance(attempt, int) else 0
