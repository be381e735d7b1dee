"""The bytecode hook: what Dynamo made of a frame becomes a file, and the running code if proven.

Called by torch inside the compilation, with the original code and Dynamo's. The file has to exist
before the code first runs, because the running code carries its path.
"""

from __future__ import annotations

import dis
import re
import types
import weakref
from typing import Dict, List, Optional, Tuple

from depyf.decompile.frames import decompile_frame
from depyf.errors import DecompilationError
from depyf.session.clean import clean, clean_code
from depyf.session.model import CodeText, Frame

from . import compat
from .folder import Folder
from .torch_constants import torch_expressions

_GRAPH = re.compile(r"__compiled_fn_(\d+)")
_RESUME = re.compile(r"__resume_at_\d+_\d+(_\w+)?")

# Code that we put in the place of Dynamo's -> Dynamo's. Where blocks are nested, or a function was
# compiled in an earlier block, the second look must be at what torch made, not at our own text.
_dynamos_code: Dict[int, Tuple[weakref.ref[types.CodeType], types.CodeType]] = {}


def dynamos_own(code: types.CodeType) -> types.CodeType:
    reference, own = _dynamos_code.get(id(code), (None, code))
    return own if reference is not None and reference() is code else code


def remember_swap(swapped: types.CodeType, own: types.CodeType) -> None:
    key = id(swapped)
    _dynamos_code[key] = (weakref.ref(swapped, lambda _: _dynamos_code.pop(key, None)), own)


class Seen:
    """A frame whose code passed through the hook; live objects are held weakly.

    `facts` is what was read of it when a block was left, and stays when torch lets go of it.
    """

    __slots__ = ("original", "original_copy", "made", "running", "facts")

    def __init__(
        self, original: types.CodeType, made: types.CodeType, running: types.CodeType, file: str
    ) -> None:
        # Torch frees compiled code with the code it was made of: that must not wait for us.
        # A copy has no compiled code.
        self.original = weakref.ref(original)
        self.original_copy = original.replace()
        self.made = weakref.ref(made)
        self.running = weakref.ref(running)
        self.facts: Dict[str, object] = {"transformed_file": file}

    def runs(self, code: types.CodeType) -> None:
        self.running = weakref.ref(code)


class Resume:
    """A continuation that some frame calls: its code, weakly, and under which names."""

    __slots__ = ("code", "copy", "names", "reached")

    def __init__(self, code: types.CodeType, name: str) -> None:
        self.code = weakref.ref(code)
        self.copy = code.replace()
        self.names = [name]
        self.reached = False


class Resumes:
    """The continuations known so far, by the identity of their code."""

    def __init__(self) -> None:
        self._known: Dict[int, Resume] = {}

    def learn(self, names: List[str], variables: Dict[str, object]) -> None:
        for name in names:
            function = variables.get(name)
            if isinstance(function, types.FunctionType):
                self._learn(_continuation(function), name)

    def _learn(self, code: types.CodeType, name: str) -> None:
        known = self.of(code)
        if known is None:
            self._known[id(code)] = Resume(code, name)
        elif name not in known.names:
            known.names.append(name)

    def of(self, code: types.CodeType) -> Optional[Resume]:
        known = self._known.get(id(code))
        return known if known is not None and known.code() is code else None

    def names_of(self, code: types.CodeType) -> List[str]:
        known = self.of(code)
        return list(known.names) if known is not None else []

    def reach(self, code: types.CodeType) -> None:
        known = self.of(code)
        if known is not None:
            known.reached = True

    def not_reached(self) -> List[Resume]:
        return [resume for resume in self._known.values() if not resume.reached]


def _continuation(function: types.FunctionType) -> types.CodeType:
    """One with free variables is made by a factory, which holds it as a constant or in a cell."""
    code = function.__code__
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    held = {"_make_fn": [*cells, *(function.__defaults__ or ())]}.get(code.co_name, code.co_consts)
    is_factory = code.co_name == "_make_fn" or code.co_name.startswith("__resume_at_")
    inner = [part for part in held if isinstance(part, types.CodeType)]
    return inner[0] if is_factory and inner else code


class FrameWriter:
    """Turns one rewritten code object into an event, a file, and code to run."""

    def __init__(self, folder: Folder, resumes: Resumes) -> None:
        self._folder = folder
        self._resumes = resumes

    def read(
        self, original: types.CodeType, made: types.CodeType
    ) -> Tuple[Frame, Optional[types.CodeType]]:
        """The frame as far as it is known, and the code to run in place of `made`."""
        frame, running = self._frame(original, made, compat.compiling_now()[0])
        frame.swapped = running is not None
        return frame, running

    def write(self, frame: Frame) -> bool:
        """The file of the frame. It does not say that its code runs if it cannot be written."""
        return self._folder.write_transformed(frame)

    def write_old(self, original: types.CodeType, made: types.CodeType, compile_id: str) -> Frame:
        """A frame that was compiled before anybody listened; its code stays what it is."""
        frame, _ = self._frame(original, made, compile_id)
        frame.compiled_before = True
        return frame

    def _frame(
        self, original: types.CodeType, made: types.CodeType, compile_id: str
    ) -> Tuple[Frame, Optional[types.CodeType]]:
        name, file = self._folder.next_transformed(original.co_name)
        frame = frame_of(original, compile_id)
        path = self._folder.path_of(file)
        frame.transformed, running = _decompiled(original, made, name, path)
        frame.transformed_file = file
        names = code_names(made)
        frame.graphs = graph_numbers(names)
        frame.resumes = [known for known in names if _RESUME.fullmatch(known)]
        frame.resumed_by = self._resumes.names_of(original)
        frame.free_variables = list(made.co_freevars)
        return frame, running


def frame_of(original: types.CodeType, compile_id: str) -> Frame:
    qualname = getattr(original, "co_qualname", original.co_name)
    return Frame(
        compile_id, original.co_name, qualname, original.co_filename, original.co_firstlineno
    )


def _decompiled(
    original: types.CodeType, made: types.CodeType, name: str, path: str
) -> Tuple[CodeText, Optional[types.CodeType]]:
    try:
        text = decompile_frame(original, made, name, path)
    except (DecompilationError, RecursionError) as error:
        return CodeText(name, _as_comment(made), "unverified", clean(str(error))), None
    # Only what runs must keep its text to the letter.
    source = text.result.source if text.running else clean_code(text.result.source)
    result = text.result
    shown = CodeText(
        name,
        source,
        result.verdict,
        clean(text.why_not),
        list(result.notes),
        torch_expressions(result.constants),
        text.hidden_globals(),
    )
    return shown, text.running


def _as_comment(code: types.CodeType) -> str:
    lines = (f"{each.offset} {each.opname} {each.argrepr}" for each in dis.get_instructions(code))
    return "".join(f"# {clean_code(line.rstrip())}\n" for line in lines)


def code_names(code: types.CodeType) -> List[str]:
    """Global and attribute names of the code and of the code nested in it, in order, each once."""
    names = list(code.co_names)
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            names += code_names(part)
    return list(dict.fromkeys(names))


def graph_numbers(names: List[str]) -> List[int]:
    found = [_GRAPH.match(name) for name in names]
    return list(dict.fromkeys(int(match[1]) for match in found if match))
