"""Finds the functions of ours that a run calls, and makes one of them raise where it starts."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import random
import sys
import threading
import types
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

import depyf

SOURCE = str(Path(depyf.__file__).parent) + os.sep
# The decompiler is one thing to its callers: how it fails is the matter of its own tests.
DECOMPILER = os.path.join(SOURCE, "decompile", "")
ENTRIES_OF_DECOMPILER = {"decompile_frame", "decompile_code"}
_INLINE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>"}
# Asked by whoever looks through all modules, now and then.
_BY_CHANCE = {"__getattr__"}
NEVER = "it was never called: nothing was tested"


class Place(NamedTuple):
    """A function of ours, by its file and name; the line tells two of one name apart."""

    file: str
    name: str
    line: int

    def __str__(self) -> str:
        return f"{self.file[:-3]}:{self.name}"


class Injected(Exception):
    """No code of torch's or ours expects this."""

    times = 0
    # Called when it is raised.
    noticed: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        Injected.times += 1
        Injected.noticed()


@contextlib.contextmanager
def recorded(found: set[types.CodeType]) -> Iterator[None]:
    """The code of every function of ours that is called, in this thread and in new ones."""
    before = sys.getprofile()
    record(found)
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]


def record(found: set[types.CodeType]) -> None:
    def note(frame: types.FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code not in found and _is_ours(code):
            found.add(code)

    threading.setprofile(note)
    sys.setprofile(note)


def _is_ours(code: types.CodeType) -> bool:
    if not code.co_filename.startswith(SOURCE) or code.co_name in _INLINE | _BY_CHANCE:
        return False
    inside = code.co_filename.startswith(DECOMPILER)
    return not inside or code.co_name in ENTRIES_OF_DECOMPILER


def codes_in(file: str) -> set[types.CodeType]:
    """Of all functions in one of our files: none is recorded while Python calls a debugger."""
    return {code for code in all_codes() if code.co_filename == SOURCE + file}


def all_codes() -> set[types.CodeType]:
    found = [one.__code__ for one in _functions()]
    for code in found:
        found += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return {code for code in found if _is_ours(code)}


def place_of(code: types.CodeType) -> Place:
    name = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
    return Place(code.co_filename[len(SOURCE) :], name, code.co_firstlineno)


@contextlib.contextmanager
def raising(target: types.CodeType, once: bool = False) -> Iterator[None]:
    """Whoever holds a function with this code runs into the error, and so do those made anew."""
    changed: list[tuple[types.FunctionType, types.CodeType]] = []
    for function in _functions():
        code = _replaced(function.__code__, target)
        if code is not function.__code__:
            changed.append((function, function.__code__))
            function.__code__ = code

    def undo() -> None:
        for function, own in changed:
            function.__code__ = own

    Injected.times = 0
    Injected.noticed = undo if once else lambda: None
    try:
        yield
    finally:
        undo()


@functools.lru_cache(maxsize=None)
def _functions() -> list[types.FunctionType]:
    """Those that were there the first time; what they make later is found in their constants."""
    found = [one for one in gc.get_objects() if type(one) is types.FunctionType]
    return [one for one in found if one.__code__.co_filename.startswith(SOURCE)]


def _replaced(code: types.CodeType, target: types.CodeType) -> types.CodeType:
    """The code with the target in it, or itself, exchanged for one that raises."""
    if code is target:
        return _raiser(target)
    new = tuple(
        _replaced(one, target) if isinstance(one, types.CodeType) else one for one in code.co_consts
    )
    same = all(one is other for one, other in zip(new, code.co_consts))
    return code if same else code.replace(co_consts=new)


def _raiser(target: types.CodeType) -> types.CodeType:
    module = compile("def f(*args, **options):\n raise 'error'", target.co_filename, "exec")
    code = next(one for one in module.co_consts if isinstance(one, types.CodeType))
    constants = tuple(Injected if one == "error" else one for one in code.co_consts)
    return code.replace(co_consts=constants, co_freevars=target.co_freevars, co_name=target.co_name)


# Set to run all of them; else a sample that is the same each time.
EVERYTHING = "DEPYF_EVERY_FAULT"


def some_of(codes: list[types.CodeType], most: int) -> list[types.CodeType]:
    if os.environ.get(EVERYTHING) or len(codes) <= most:
        return codes
    return sorted(random.Random(most).sample(codes, most), key=place_of)
