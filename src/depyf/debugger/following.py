"""A debugger that keeps the files, and the links to them, up with a program that still compiles.

Code that runs cannot be linked any more. So what has been compiled is written and linked when the
next call leads to it, and at the latest at the next stop.
"""

from __future__ import annotations

import contextlib
import os
import types
from typing import Any, Callable, Iterator, List, Optional

from depyf.torch_capture import compat, compat_debug
from depyf.torch_capture.blocks import say
from depyf.torch_capture.faults import describe
from depyf.torch_capture.prepare import (
    heard_in_open_folders,
    known_folders,
    write_open_folders,
)

from .linking import Links, link
from .stepper import Stepper

PREFIX = "__transformed_code_"


class FollowingStepper(Stepper):
    """Of a program that we started; `greet` is told the folders and links at the first stop."""

    def __init__(self, greet: Callable[[List[str], Links], None]) -> None:
        super().__init__(self._greet, started=True)
        self._tell = greet
        self._links = Links()
        self._heard = 0
        self._is_following = False
        self._has_compiled = False

    def _greet(self) -> None:
        self._is_following = True
        with self._giving_up_on_errors():
            self._write_and_link()
            self._tell(list(known_folders()), self._links)

    def dispatch_call(self, frame: types.FrameType, arg: None) -> Any:
        if self._is_following and _leads_to_graphs(frame.f_code):
            self._catch_up()
        return super().dispatch_call(frame, arg)

    def interaction(
        self, frame: Optional[types.FrameType], traceback: Optional[types.TracebackType]
    ) -> None:
        if self._is_following:
            self._catch_up()
        super().interaction(frame, traceback)

    def _catch_up(self) -> None:
        with self._giving_up_on_errors():
            if _is_compiling():
                # A graph that is known may get its code only now, as the backward ones do.
                self._has_compiled = True
            elif self._has_compiled or heard_in_open_folders() != self._heard:
                self._write_and_link()

    def _write_and_link(self) -> None:
        self._has_compiled = False
        write_open_folders()
        link(list(known_folders()), self._links)
        # Only now: writing may have found more.
        self._heard = heard_in_open_folders()

    @contextlib.contextmanager
    def _giving_up_on_errors(self) -> Iterator[None]:
        """They would be raised in the program that is being traced, or be told at every call."""
        try:
            yield
        except Exception as error:
            self._is_following = False
            say(f"the graphs are not linked to files: {describe(error)}")


def _leads_to_graphs(code: types.CodeType) -> bool:
    is_ours = os.path.basename(code.co_filename).startswith(PREFIX)
    return is_ours or compat_debug.is_about_to_call_graphs(code)


def _is_compiling() -> bool:
    """What is half compiled comes later."""
    return bool(compat.compiling_now()[0] or compat.aot_graph_now())
