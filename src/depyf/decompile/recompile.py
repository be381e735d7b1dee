"""From decompiled source back to a code object that can take the place of another.

The text on disk stays what a person reads. What the text cannot say is put back in the syntax
tree, where no line number moves (free variables, cells), or in the finished code (objects without
a literal, names that are no identifiers). The result is proven again before it is handed out.
"""

from __future__ import annotations
import __future__

import ast
import types
from typing import Mapping, Optional, Tuple

from depyf.errors import DecompilationError
from depyf.files import safe_file_name, write_new

from .cell_order import with_free_variables
from .closing import FACTORY, close_over, import_names
from .decode.code import Code
from .decode.names import is_name, nearest_name
from .decode.outside import spelled_variables
from .fitting import fit
from .pipeline import decompile_code
from .proof import BUILTINS_OF_DISPATCH, why_not_proven
from .restore import compile_tree, qualified_name, with_code_inside, with_name
from .result import Decompilation
from .same_but_for_cells import difference
from .simplify.values import Facts
from .surroundings import imported_names
from .targets import AnyCode

FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag

CANNOT_REPLACE = "The compiled code cannot replace the reference"

# The free variables and the cells that the compiled function is to have.
Outside = Tuple[Tuple[str, ...], Tuple[str, ...]]


def compile_like(
    code: AnyCode,
    reference: types.CodeType,
    indentation: int,
    temporary_prefix: str,
    filepath_template: str | None,
) -> types.CodeType:
    """Compile the decompiled source of `code` so that it fits where `reference` is used."""
    original = _live(code)
    name = original.co_name
    spelled = name if is_name(name) else "decompiled_" + nearest_name(safe_file_name(name))
    result = decompile_code(code, indentation, temporary_prefix, spelled)
    filename = f"<decompiled {name}>"
    if filepath_template is not None:
        filename = write_new(filepath_template, name, result.source)
    recompiler = Recompiler(original, spelled, result, filename)
    made = recompiler.compile((reference.co_freevars, reference.co_cellvars))
    recompiler.prove(made)
    for field in ("co_freevars", "co_cellvars"):
        if getattr(made, field) != getattr(reference, field):
            why = f"its {field} are {getattr(made, field)}, not {getattr(reference, field)}"
            raise DecompilationError(CANNOT_REPLACE, name, why)
    return made


def _live(code: AnyCode) -> types.CodeType:
    live = code.live if isinstance(code, Code) else code
    if live is None:
        assert isinstance(code, Code)
        why = "only code of the running Python can be replaced"
        raise DecompilationError("Cannot compile the decompiled source", code.qualname, why)
    return live


class Recompiler:
    """One decompiled function, compiled for different surroundings."""

    def __init__(
        self,
        original: types.CodeType,
        spelled: str,
        result: Decompilation,
        filename: str,
        facts: Optional[Facts] = None,
    ) -> None:
        self.facts = facts
        self.original = original
        self.spelled = spelled
        self.result = result
        self.filename = filename

    def compile(self, outside: Outside) -> types.CodeType:
        flags = self.original.co_flags & FUTURE_FLAGS
        names = spelled_variables(self.result.renamed)
        free, cells = (tuple([names.get(one, one) for one in each]) for each in outside)
        try:
            tree = ast.parse(self.result.source, self.filename)
            close_over(tree, free, cells)
            import_names(tree, imported_names(self.original))
            constants = {**self.result.constants, **self._builtins_meant()}
            compiled = compile_tree(tree, self.filename, flags, constants, self.result.renamed)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            what = "The decompiled source does not compile"
            raise DecompilationError(what, self.original.co_name, str(error)) from error
        made = _find_function(compiled, self.spelled, self.original.co_name)
        spelled = f"{FACTORY}.<locals>.{self.spelled}" if free else self.spelled
        made = with_name(made, spelled, qualified_name(self.original), self.original.co_name)
        if self.facts is not None:
            # Dynamo knows the code of its continuations by identity.
            made = with_code_inside(made, self.original)
        try:
            return with_free_variables(fit(made, self.original), outside[0])
        except ValueError as error:
            # Flags and fields of the original contradict each other.
            raise DecompilationError(CANNOT_REPLACE, self.original.co_name, str(error)) from error

    def _builtins_meant(self) -> Mapping[str, object]:
        """Builtins that the text calls by name where the bytecode has an instruction for it.

        As constants they stay what they are, whatever the program calls by that name later.
        """
        return {
            name: builtin
            for name, builtin in BUILTINS_OF_DISPATCH.items()
            if name in self.result.source and not _says(name, self.original)
        }

    def prove(self, made: types.CodeType) -> None:
        """`DecompilationError` unless `made` provably does what the original does."""
        own = self.original.co_freevars, self.original.co_cellvars
        if set(made.co_freevars) != set(own[0]) or set(made.co_cellvars) != set(own[1]):
            # The proof is about the function as it was; the variables added must change nothing.
            added = {*made.co_freevars, *made.co_cellvars} - {*own[0], *own[1]}
            plain, made = self.compile(own), made
            self._demand(difference(plain, made, added))
            made = plain
        self._demand(why_not_proven(self.original, made, self.facts))

    def _demand(self, why_not: str | None) -> None:
        if why_not is not None:
            what = "The decompiled source is not proven to do what the bytecode does"
            raise DecompilationError(what, self.original.co_name, why_not)


def _says(name: str, code: types.CodeType) -> bool:
    """Whether the code, or code inside it, has something of that name."""
    own = name in {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return own or any(_says(name, each) for each in inner)


# --- the finished code ------------------------------------------------------------------------


def _find_function(compiled: types.CodeType, spelled: str, name: str) -> types.CodeType:
    for const in reversed(compiled.co_consts):
        if isinstance(const, types.CodeType):
            if const.co_name == FACTORY:
                return _find_function(const, spelled, name)
            if const.co_name in (spelled, name):
                return const
    raise DecompilationError("The decompiled source holds no function", name)
