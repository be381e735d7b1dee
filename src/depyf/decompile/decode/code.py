"""`Code`: a code object of any supported Python version, as plain data.

Live code objects and code read from a .pyc file both become a `Code`, so everything after this
point works the same for the running Python and for the others.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Optional, Tuple

Version = Tuple[int, int]

HOST_VERSION: Version = sys.version_info[:2]


_CO_VARARGS, _CO_VARKEYWORDS = 4, 8


class Code:
    """The fields of a code object; nested code constants are `Code` too."""

    __slots__ = (
        "version",
        "argcount",
        "posonlyargcount",
        "kwonlyargcount",
        "stacksize",
        "flags",
        "bytecode",
        "consts",
        "names",
        "varnames",
        "freevars",
        "cellvars",
        "filename",
        "name",
        "qualname",
        "firstlineno",
        "linetable",
        "exceptiontable",
        "live",
        "parameter_count",
    )

    def __init__(
        self,
        version: Version,
        argcount: int,
        posonlyargcount: int,
        kwonlyargcount: int,
        stacksize: int,
        flags: int,
        bytecode: bytes,
        consts: Tuple[Any, ...],
        names: Tuple[str, ...],
        varnames: Tuple[str, ...],
        freevars: Tuple[str, ...],
        cellvars: Tuple[str, ...],
        filename: str,
        name: str,
        qualname: str,
        firstlineno: int,
        linetable: bytes,
        exceptiontable: bytes = b"",
        live: Optional[types.CodeType] = None,
    ) -> None:
        self.version = version
        self.argcount = argcount
        self.posonlyargcount = posonlyargcount
        self.kwonlyargcount = kwonlyargcount
        self.stacksize = stacksize
        self.flags = flags
        self.bytecode = bytecode
        self.consts = consts
        self.names = names
        self.varnames = varnames
        self.freevars = freevars
        self.cellvars = cellvars
        self.filename = filename
        self.name = name
        self.qualname = qualname
        self.firstlineno = firstlineno
        # co_lnotab before 3.10, co_linetable from then on.
        self.linetable = linetable
        self.exceptiontable = exceptiontable
        self.live = live
        # How many of the first variables are parameters, `*args` and `**kwargs` among them.
        stars = (flags & _CO_VARARGS) // _CO_VARARGS + (flags & _CO_VARKEYWORDS) // _CO_VARKEYWORDS
        self.parameter_count = argcount + kwonlyargcount + stars

    def __repr__(self) -> str:
        version = "%d.%d" % self.version
        return f"<Code {self.qualname} of Python {version}, line {self.firstlineno}>"


def _lines_and_handlers(code: types.CodeType) -> Tuple[str, bytes, bytes]:
    """Qualified name, line table and exception table: what the versions store differently."""
    if sys.version_info >= (3, 11):
        return code.co_qualname, code.co_linetable, code.co_exceptiontable
    if sys.version_info >= (3, 10):
        return code.co_name, code.co_linetable, b""
    return code.co_name, code.co_lnotab, b""


def code_from_live(code: types.CodeType) -> Code:
    """The `Code` of a code object of the running Python, nested ones included."""
    qualname, linetable, exceptiontable = _lines_and_handlers(code)
    consts = code.co_consts
    if types.CodeType in map(type, consts):
        consts = tuple(
            code_from_live(const) if type(const) is types.CodeType else const for const in consts
        )
    return Code(
        HOST_VERSION,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_stacksize,
        code.co_flags,
        code.co_code,
        consts,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_filename,
        code.co_name,
        qualname,
        code.co_firstlineno,
        linetable,
        exceptiontable,
        code,
    )
