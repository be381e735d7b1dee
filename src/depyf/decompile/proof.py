"""Compiles decompiled text again and says for every code object how well it is proven.

The exact checker goes first; what it objects to is given to the equivalence checker. Text of
another Python version than the running one cannot be compiled as that version would, and stays
unverified.
"""

from __future__ import annotations
import __future__

import ast
import types
from typing import Dict, FrozenSet, Iterator, List, Optional, Set, Tuple

from depyf.decompile.closing import close_over, import_names
from depyf.decompile.decode.code import Code, code_from_live
from depyf.decompile.decode.modes import EVAL
from depyf.decompile.decode.normalise import normalise
from depyf.decompile.decode.outside import spelled_variables
from depyf.decompile.expr.scope import Options
from depyf.decompile.restore import compile_restored, compile_tree
from depyf.decompile.simplify.values import Facts
from depyf.decompile.surroundings import imported_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from depyf.decompile.verify.trust import Trust

Verdict = Tuple[str, str]

FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag


class DoesNotCompile(Exception):
    """The text is no Python; `line` is where the compiler stopped, if it said."""

    def __init__(self, why: str, line: Optional[int]) -> None:
        super().__init__(why)
        self.line = line


def compile_text(text: str, record: Code, options: Options, mode: str) -> types.CodeType:
    # What a module imports from the future stands in its text.
    flags = record.flags & FUTURE_FLAGS if record.name != "<module>" or mode == EVAL else 0
    file, constants = record.filename, options.constants
    try:
        return compile_restored(text, file, flags, constants, options.renamed, mode)
    except SyntaxError as error:
        raise DoesNotCompile(str(error.msg), _line_of(error, text)) from None
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise DoesNotCompile(f"{type(error).__name__}: {error}", None) from None


def _line_of(error: SyntaxError, text: str) -> Optional[int]:
    """Some objections come without a line: a line of the innermost function that meets them."""
    if error.lineno is not None and error.lineno > 0:
        return error.lineno
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return None
    for node in reversed(nodes):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            try:
                compile(ast.Module([node], []), "<function>", "exec")
            except SyntaxError as found:
                if found.msg == error.msg:
                    return next(_lines_of_its_own(node.body), None)
    return None


_DECLARATIONS = (ast.Global, ast.Nonlocal, ast.Pass)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _lines_of_its_own(body: List[ast.stmt]) -> Iterator[int]:
    """Where instructions of this code object come from, and of none inside it."""
    for stmt in body:
        parts = [getattr(stmt, field, []) for field in ("body", "handlers", "orelse", "finalbody")]
        if isinstance(stmt, _DEFINITIONS):
            continue
        if any(parts):
            for part in parts:
                yield from _lines_of_its_own(part)
        elif not isinstance(stmt, _DECLARATIONS) and not _is_docstring(stmt):
            yield stmt.lineno


def _is_docstring(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def compile_frame(text: str, record: Code, options: Options, filename: str) -> types.CodeType:
    """The same for a frame, which keeps the free variables and cells that it may never use."""
    assert record.live is not None
    spelled = spelled_variables(options.renamed)
    free, cells = (
        tuple([spelled.get(name, name) for name in names])
        for names in (record.live.co_freevars, record.live.co_cellvars)
    )
    flags = record.flags & FUTURE_FLAGS
    # Most are modules for the timing that the text leaves out.
    imported = [name for name in imported_names(record.live) if name in text]
    try:
        if not (free or cells or imported):
            # The text says it all: most of the time would go into making a tree of it.
            return compile_restored(text, filename, flags, options.constants, options.renamed)
        tree = ast.parse(text, filename)
        close_over(tree, free, cells)
        import_names(tree, imported)
        return compile_tree(tree, filename, flags, options.constants, options.renamed)
    except SyntaxError as error:
        raise DoesNotCompile(str(error.msg), error.lineno) from None
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise DoesNotCompile(f"{type(error).__name__}: {error}", None) from None


def find_code(compiled: types.CodeType, path: List[str]) -> Optional[types.CodeType]:
    """The code object that is reached by these names, from the outside in."""
    for name in path:
        inner = [
            const
            for const in compiled.co_consts
            if isinstance(const, types.CodeType) and const.co_name == name
        ]
        if not inner:
            return None
        compiled = inner[-1]
    return compiled


def prove(record: Code, candidate: types.CodeType, facts: Optional[Facts]) -> Dict[int, Verdict]:
    """A verdict and the reason for it, by the identity of every code object in `record`."""
    from depyf.decompile.verify.proof import prove as prove_parts

    assert record.live is not None
    trust = _trust(facts).with_builtins(_unshadowed(record))
    parts = prove_parts(record.live, candidate, trust=trust)
    return {id(part.original): (part.verdict, part.reason) for part in parts}


def takes_names_for_builtins(found: Dict[int, Verdict]) -> bool:
    """Whether the proof rests on that; then it does not hold where anybody shadows them."""
    from depyf.decompile.verify.proof import ASSUMES

    return any(reason.startswith(ASSUMES) for _, reason in found.values())


def _trust(facts: Optional[Facts]) -> Trust:
    from depyf.decompile.verify.trust import Trust

    if facts is None:
        return Trust()
    return Trust(
        silent=facts.silent,
        flags=facts.flags,
        sequences=facts.sequences,
        fixed=facts.fixed,
        scratch=facts.scratch,
    )


# What the text of the last rung calls by name.
BUILTINS_OF_DISPATCH: Dict[str, object] = {
    "iter": iter,
    "next": next,
    "BaseException": BaseException,
    "StopIteration": StopIteration,
}
_NAMES_OF_DISPATCH = frozenset(BUILTINS_OF_DISPATCH)


def _unshadowed(record: Code) -> FrozenSet[str]:
    """Builtins that nothing in the code binds: the proof may take them for what they are."""
    bound: Set[str] = set()
    work = [record]
    while work:
        each = work.pop()
        bound.update(_NAMES_OF_DISPATCH.intersection(each.varnames + each.cellvars))
        if _NAMES_OF_DISPATCH.intersection(each.names):
            stores = (op for op in normalise(each).ops if op.name.startswith("STORE_"))
            bound.update(op.arg for op in stores if isinstance(op.arg, str))
        work.extend(const for const in each.consts if isinstance(const, Code))
    return _NAMES_OF_DISPATCH - bound


def why_not_proven(
    original: types.CodeType, candidate: types.CodeType, facts: Optional[Facts] = None
) -> Optional[str]:
    """What stands against putting the candidate in the place of the original, if anything."""
    from depyf.decompile.verify.proof import ASSUMES, UNVERIFIED
    from depyf.decompile.verify.proof import prove as prove_parts

    parts = prove_parts(original, candidate, trust=_trust(facts))
    why_not = next((part.reason for part in parts if part.verdict == UNVERIFIED), None)
    if why_not is None:
        return None
    found = prove(code_from_live(original), candidate, facts).values()
    if any(verdict == UNVERIFIED for verdict, _reason in found):
        return why_not
    # For a text that is read this will do.
    assumed = [reason.partition(";")[0] for _verdict, reason in found if reason.startswith(ASSUMES)]
    return f"it {assumed[0]}" if assumed else why_not


def load() -> None:
    """Do now what the first proof would otherwise do: load the checkers."""
    from depyf.decompile.verify import proof  # noqa: F401


def records_by_live(record: Code) -> Dict[int, Code]:
    """Every nested record, by the identity of its live code object."""
    found: Dict[int, Code] = {}
    work = [record]
    while work:
        each = work.pop()
        if each.live is not None:
            found[id(each.live)] = each
        work.extend(const for const in each.consts if isinstance(const, Code))
    return found
