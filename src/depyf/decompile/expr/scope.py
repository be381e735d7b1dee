"""What names mean inside one code object, and what its text needs besides its statements.

A `Scope` hands out temporaries, turns odd names into identifiers, remembers which names need a
`global` or `nonlocal` declaration and which constants have no literal.
"""

from __future__ import annotations

import types
from typing import Any, Callable, Dict, List, Mapping, Optional, Set

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.names import is_name, nearest_name, spellable
from depyf.decompile.decode.outside import HIDDEN, OF_MODULE, CellOf
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.simplify.values import Facts

MODULE, FUNCTION, CLASS, LAMBDA, COMPREHENSION = (
    "module",
    "function",
    "class",
    "lambda",
    "comprehension",
)
# Hidden functions: what is evaluated on demand, and what makes type parameters.
ANNOTATION, TYPE_PARAMETERS = "annotation", "type parameters"
# Code objects that are written as a part of an expression or of a definition's first line.
EXPRESSION_KINDS = frozenset((LAMBDA, COMPREHENSION, ANNOTATION, TYPE_PARAMETERS))

NAME_REPLACED = "a name that is no identifier was replaced"

_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
# Variables of the compiler's own. What is done with them is never written as a statement.
_HIDDEN_NAMES = frozenset((".type_params", ".generic_base", ".defaults", ".kwdefaults", ".format"))
# The argument of what is evaluated on demand, which alone is shown as a function.
_FORMAT = ".format"
_CO_NEWLOCALS = 2
_CO_OPTIMIZED = 1


class Options:
    """How to write, the same for all code objects of one decompilation."""

    __slots__ = (
        "indentation", "temporary_prefix", "constants", "renamed", "names", "decompile_nested",
        "facts", "spelled",
    )  # fmt: skip

    def __init__(self, indentation: int = 4, temporary_prefix: str = "__temp_") -> None:
        self.indentation = indentation
        self.temporary_prefix = temporary_prefix
        # Constants without a literal: the name that the text uses -> the object.
        self.constants: Dict[str, Any] = {}
        # Names that are no identifiers: the name that the text uses -> the name of the bytecode.
        self.renamed: Dict[str, str] = {}
        # All names of the whole bytecode, once a name that is nobody's is needed.
        self.names: Optional[Set[str]] = None
        # Set by the pipeline while it writes: (code or program, scope) -> statements of the body.
        self.decompile_nested: Optional[Callable[[Any, Scope], Any]] = None
        # Of a frame that a code generator made: what is known about the globals it uses, and
        # names that are to be written otherwise than the bytecode has them.
        self.facts: Optional[Facts] = None
        self.spelled: Mapping[str, str] = {}


class _Spelling(Dict[str, str]):
    """Names of the bytecode -> the identifiers that stand for them, made when first asked for.

    A dictionary that fills itself, because every load and store asks.
    """

    __slots__ = ("outermost", "private", "kind", "options", "notes")

    def __init__(self, outermost: Code, class_name: Optional[str], scope: Scope) -> None:
        self.outermost = outermost
        self.private = f"_{class_name}__" if class_name else None
        self.kind = scope.kind
        self.options = scope.options
        self.notes = scope.notes

    def __missing__(self, raw: str) -> str:
        is_plain = self.private is None and not self.options.spelled and is_name(raw)
        text = self[raw] = raw if is_plain else self.identifier(raw)
        return text

    def identifier(self, raw: str) -> str:
        private = self.private
        if private and raw.startswith(private) and not raw.endswith("__") and is_name(raw):
            return raw[len(private) - 2 :]
        spelled = self.options.spelled.get(raw)
        if spelled is not None:
            self.options.renamed[spelled] = raw
            return spelled
        if is_name(raw):
            return raw
        if raw.startswith(HIDDEN):
            return self.hidden_global(raw[len(HIDDEN) :])
        if raw in _HIDDEN_NAMES and (raw != _FORMAT or self.kind != FUNCTION):
            return raw
        # The iterator of a comprehension is never written.
        if raw != ".0" and NAME_REPLACED not in self.notes:
            self.notes.append(NAME_REPLACED)
        return self.replacement(raw)

    def replacement(self, raw: str) -> str:
        renamed = self.options.renamed
        known = [text for text, meant in renamed.items() if meant == raw]
        if known:
            return known[0]
        text = nearest_name(raw)
        used = self.anywhere()
        while text in used or text in renamed:
            text += "_"
        renamed[text] = raw
        return text

    def hidden_global(self, raw: str) -> str:
        text, used = raw + OF_MODULE, self.anywhere()
        while text in used:
            text += OF_MODULE
        self.options.renamed[text] = raw
        return text

    def anywhere(self) -> Set[str]:
        """All names of the bytecode here, around, and in functions beside this one.

        What replaces a name or a constant does so in the whole text.
        """
        names = self.options.names
        if names is None:
            names = self.options.names = _names_of(self.outermost)
        return names


class Scope:
    """The names of one code object."""

    __slots__ = (
        "code",
        "parent",
        "kind",
        "options",
        "class_name",
        "globals",
        "implicit_globals",
        "nonlocals",
        "notes",
        "temporaries",
        "temporary_suffix",
        "spelling",
        "name",
        "_used",
        "local_names",
        "bound",
        "loaded",
        "captured",
        "annotates",
        "type_params",
        "deferred",
    )

    def __init__(self, code: Code, parent: Optional[Scope], kind: str, options: Options) -> None:
        self.code = code
        self.parent = parent
        self.kind = kind
        self.options = options
        self.class_name: Optional[str] = _mangling_class(code, parent, kind)
        self.globals: Set[str] = set()
        # Of a module: what a comprehension in it binds is global without a declaration.
        self.implicit_globals: Set[str] = set()
        self.nonlocals: Set[str] = set()
        self.notes: List[str] = []
        self.temporaries = 0
        self.temporary_suffix = ""
        outermost = code if parent is None else parent.spelling.outermost
        self.spelling: _Spelling = _Spelling(outermost, self.class_name, self)
        # name(raw): the identifier that stands for the name `raw` of the bytecode.
        self.name = self.spelling.__getitem__
        # All names of the bytecode, once a temporary is needed.
        self._used: Optional[Set[str]] = None
        self.local_names: Set[str] = set(code.varnames + code.cellvars)
        # Locals that something in reach binds; not all of them, but most.
        self.bound: Set[str] = set()
        # Free and cell variables in use; "yield" when the code yields, "super" when it asks for it.
        self.loaded: Set[str] = set()
        # Cells that were handed to functions inside.
        self.captured: Set[str] = set()
        # Of a module or class: whether an annotation in it is kept.
        self.annotates = False
        # The list of type parameters, `[T]`, and the annotations that are evaluated on demand.
        self.type_params = ""
        self.deferred: List[Any] = []

    def keep_locals(self, used: Set[str]) -> None:
        """Variables of comprehensions that run inline are none of the function's own.

        `used` are those that it uses itself.
        """
        code = self.code
        arguments = code.varnames[: code.parameter_count]
        self.local_names.intersection_update(used.union(arguments, code.cellvars))

    def start_over(self) -> None:
        """Forget what an attempt that failed left behind."""
        self.globals.clear()
        self.implicit_globals.clear()
        self.nonlocals.clear()
        self.notes.clear()
        self.bound.clear()
        self.loaded.clear()
        self.captured.clear()
        self.temporaries = 0

    def temporary(self) -> Expr:
        """A fresh local that no name of the bytecode collides with."""
        prefix = self.options.temporary_prefix
        if self._used is None:
            self._used = self.local_names.union(self.code.names, self.code.freevars)
        while True:
            text = f"{prefix}{self.temporaries}{self.temporary_suffix}"
            self.temporaries += 1
            if text not in self._used:
                self.note("temporaries")
                return Expr(text, 17, "temp", text, True)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def placeholder(self, value: Any) -> Expr:
        """A readable name for a constant that has no literal."""
        constants = self.options.constants
        used = self.spelling.anywhere()
        for text, known in constants.items():
            if known is value and text not in used:
                return Expr(text, 17, "object", value, True)
        stem = spellable(_described(value))
        text, number = stem, 1
        while text in constants or text in used:
            number += 1
            text = f"{stem}_{number}"
        constants[text] = value
        return Expr(text, 17, "object", value, True)

    def encloses(self, raw: str) -> bool:
        """Whether a function around this scope has `raw` as a variable of its own."""
        scope = self.parent
        while scope is not None:
            if scope.kind != CLASS and scope.kind != MODULE:
                if raw in scope.local_names or raw in scope.code.freevars:
                    return True
            scope = scope.parent
        return False


def _names_of(code: Code) -> Set[str]:
    """The names of a code object and of all code in it."""
    names: Set[str] = set()
    work = [code]
    while work:
        one = work.pop()
        names.update((one.name,), one.names, one.varnames, one.cellvars, one.freevars)
        work.extend(const for const in one.consts if isinstance(const, Code))
    return names


def _described(value: Any) -> str:
    if isinstance(value, CellOf):
        return f"__cell_{value.name}"
    if isinstance(value, types.CodeType):
        return f"__code_of_{value.co_name}"
    name = getattr(value, "__name__", None)
    return f"__const_{name if isinstance(name, str) and name else type(value).__name__}"


def scope_kind(code: Code, parent: Optional[Scope]) -> str:
    """What the code object is the body of."""
    if code.name in _COMPREHENSIONS:
        return COMPREHENSION
    if code.name == "<lambda>":
        return LAMBDA
    if code.flags & _CO_NEWLOCALS or code.flags & _CO_OPTIMIZED:
        return FUNCTION
    return MODULE if parent is None and code.name == "<module>" else CLASS


def _mangling_class(code: Code, parent: Optional[Scope], kind: str) -> Optional[str]:
    if kind == CLASS:
        return code.name.lstrip("_") or None
    return parent.class_name if parent is not None else None
