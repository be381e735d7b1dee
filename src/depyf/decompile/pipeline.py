"""The only place that knows all stages: text is written, compiled again, compared, and improved.

Every code object starts on the first rung of the ladder. Where that fails, or the proof objects,
the next rung is taken for that code object alone, until everything is proven or the last rung is
reached; what stays unproven is labelled in the text.
"""

from __future__ import annotations

import copy
import types
from typing import Dict, List, Mapping, Optional, Set, Tuple, Union

from depyf.decompile import ladder, proof, restore
from depyf.decompile.closing import FACTORY
from depyf.decompile.decode.code import HOST_VERSION, Code, code_from_live
from depyf.decompile.decode.modes import EVAL, EXEC, compiled_as
from depyf.decompile.decode.names import is_name
from depyf.decompile.decode.ops import Program
from depyf.decompile.emit import labels
from depyf.decompile.emit.printer import (
    LineMap,
    source_of_class,
    source_of_expression,
    source_of_function,
    source_of_module,
    source_of_statement,
)
from depyf.decompile.expr.functions import FunctionInfo
from depyf.decompile.expr.generics import definition, makes_type_parameters
from depyf.decompile.expr.literals import Defaults, literal_defaults
from depyf.decompile.expr.scope import (
    CLASS,
    COMPREHENSION,
    EXPRESSION_KINDS,
    FUNCTION,
    LAMBDA,
    MODULE,
    NAME_REPLACED,
    TYPE_PARAMETERS,
    Options,
    Scope,
    scope_kind,
)
from depyf.decompile.expr.statements import Body
from depyf.decompile.fitting import fit
from depyf.decompile.result import EXACT, UNVERIFIED, CodeVerdict, Decompilation
from depyf.decompile.simplify.values import Facts
from depyf.decompile.surroundings import imported_names
from depyf.errors import DecompilationError
from depyf.garbage import without_collection

AnyCode = Union[Code, types.CodeType]
_MOST_ROUNDS = 6
_CO_OPTIMIZED = 1
# From so many bytes on it shows that the collector goes over all that is made.
_LONG = 200
_NO_DEFAULTS = Defaults([], [], [])


class _Job:
    """One decompilation: the rung of every code object and what became of it."""

    def __init__(
        self, root: Code, options: Options, name: Optional[str], rung: str, mode: str = EXEC
    ) -> None:
        self.root = root
        self.options = options
        self.mode = mode
        self.kind = LAMBDA if mode == EVAL else self.root_kind(name)
        self.name = name or (root.name if is_name(root.name) else "function")
        # Whether nobody asked for the name that it gets.
        self.is_renamed = self.name not in (root.name, name)
        self.first_rung = rung
        self.rungs: Dict[Code, str] = {}
        self.expressions: Set[Code] = set()
        self.notes: Dict[Code, List[str]] = {}
        self.verdicts: Dict[Code, Tuple[str, str]] = {}
        # Of a frame: the file that its text goes to, and the code that was proven, if it may run.
        self.filename = root.filename
        self.running: Optional[types.CodeType] = None
        # Of a live function: what the code object alone does not know.
        self.defaults = _NO_DEFAULTS

    def root_kind(self, name: Optional[str]) -> str:
        if name is None and makes_type_parameters(self.root):
            return TYPE_PARAMETERS
        kind = scope_kind(self.root, None)
        # What has a name of its own is shown as a function.
        return FUNCTION if kind in (COMPREHENSION, LAMBDA) and name is not None else kind

    def statements(self, source: ladder.Source, scope: Scope) -> Body:
        """The body of one code object, on the rung it stands on or the next that takes it."""
        code = source.code if isinstance(source, Program) else source
        rung = self.rungs.get(code, self.first_rung)
        is_expression = scope.kind in EXPRESSION_KINDS or isinstance(source, Program)
        if is_expression:
            # There is no room for a loop.
            rung = ladder.STRUCTURED
            if code is source:
                self.expressions.add(code)
        while True:
            try:
                body = ladder.attempt(rung, source, scope)
                self.notes.setdefault(code, []).extend(scope.notes)
                return body
            except ladder.NotThisWay as error:
                if is_expression:
                    raise
                if rung not in ladder.NEXT:
                    what = "Cannot decompile"
                    raise DecompilationError(what, code.qualname, str(error)) from error
                rung = self.rungs[code] = ladder.NEXT[rung]
                scope.start_over()

    def write(self) -> Tuple[str, str, LineMap]:
        """The text, the text to compile for the proof, and the lines of the former."""
        self.notes = {}
        self.options.constants.clear()
        self.options.renamed.clear()
        self.options.decompile_nested = self.statements
        scope = Scope(self.root, None, self.kind, self.options)
        try:
            if self.kind == TYPE_PARAMETERS:
                return self.print_generic(scope)
            return self.print(self.statements(self.root, scope), scope)
        except (*ladder.NotThisWay, LookupError) as error:
            raise DecompilationError("Cannot decompile", self.root.qualname, str(error)) from error
        finally:
            # No circle: all that was made is gone when the job is done.
            self.options.decompile_nested = None

    def print(self, body: Body, scope: Scope) -> Tuple[str, str, LineMap]:
        if self.kind == MODULE:
            text, lines = source_of_module(body, scope)
            return text, text, lines
        info = FunctionInfo(self.root)
        info.scope, info.body = scope, body
        if self.mode == EVAL:
            text, lines = source_of_expression(info)
            return text, text, lines
        info.defaults, info.keyword_defaults = self.defaults.positional, self.defaults.keyword_only
        notes = self.notes.setdefault(self.root, [])
        if self.defaults.left_out:
            notes.append("defaults without a literal are left out")
        if self.is_renamed and self.kind in (CLASS, FUNCTION) and NAME_REPLACED not in notes:
            notes.append(NAME_REPLACED)
        write = source_of_class if self.kind == CLASS else source_of_function
        free = tuple(map(scope.name, self.root.freevars))
        if self.options.facts is not None:
            # Text that goes to a file must compile there, `nonlocal` included.
            text, lines = write(info, self.name, free if scope.nonlocals else ())
            return text, text, lines
        text, lines = write(info, self.name, ())
        return text, write(info, self.name, free)[0] if free else text, lines

    def print_generic(self, scope: Scope) -> Tuple[str, str, LineMap]:
        """The definition that the hidden function makes: it has no text of its own."""
        stmt, complete = definition(self.root, self.options)
        if not complete:
            self.notes.setdefault(self.root, []).append("the values of defaults are not known")
        free = tuple(map(scope.name, self.root.freevars))
        text, lines = source_of_statement(stmt, scope, ())
        return text, source_of_statement(stmt, scope, free)[0] if free else text, lines

    def imports(self) -> str:
        """What the module around a function imports, as far as its instructions depend on it."""
        if self.kind == MODULE or self.mode == EVAL or self.root.live is None:
            return ""
        names = imported_names(self.root.live)
        return f"import {', '.join(names)}\n" if names else ""

    def check(self, enclosed: str, lines: LineMap) -> bool:
        """Prove what was written; False when something moved to another rung."""
        try:
            if self.options.facts is None:
                text = enclosed + self.imports()
                compiled = proof.compile_text(text, self.root, self.options, self.mode)
            else:
                compiled = proof.compile_frame(enclosed, self.root, self.options, self.filename)
        except proof.DoesNotCompile as error:
            return not self.blame(error, lines)
        path = self.path_to_root()
        candidate = proof.find_code(compiled, path)
        if candidate is None:
            raise DecompilationError("The decompiled source holds no code", self.root.qualname)
        found = proof.prove(self.root, self.named(candidate, path), self.options.facts)
        if proof.takes_names_for_builtins(found):
            self.running = None
        records = proof.records_by_live(self.root)
        moved = False
        for live, verdict in found.items():
            # Code among the items of a constant has no text of its own: the whole answers for it.
            code = records.get(live, self.root)
            if live in records or verdict[0] == UNVERIFIED:
                self.verdicts[code] = verdict
            if verdict[0] == UNVERIFIED:
                moved = self.descend(code) or moved
        return not moved

    def named(self, candidate: types.CodeType, path: List[str]) -> types.CodeType:
        """The candidate under the name of the original; of a frame, the very code that is to run.

        Not with code inside: what is shown of that is proven here, what runs is the original's.
        """
        spelled = ".<locals>.".join(path)
        live = self.root.live if self.options.facts is not None else None
        self.running = None
        if live is not None and not restore.has_code_inside(candidate):
            whole = restore.qualified_name(live)
            named = restore.with_name(candidate, spelled, whole, self.root.name)
            self.running = fit(named, live)
            return self.running
        if candidate.co_name != self.root.name:
            whole = ".<locals>.".join([*path[:-1], self.root.name])
            candidate = restore.with_name(candidate, spelled, whole, self.root.name)
        return candidate if live is None else restore.with_names_inside(candidate, live)

    def path_to_root(self) -> List[str]:
        if self.kind == MODULE or self.mode == EVAL:
            return []
        hidden = self.kind in (COMPREHENSION, LAMBDA, TYPE_PARAMETERS)
        path = [self.root.name if hidden else self.name]
        if not self.root.freevars:
            return path
        return ["__enclosing__" if self.options.facts is None else FACTORY, *path]

    def descend(self, code: Code) -> bool:
        """Move a code object to the next rung, if it has one."""
        following = ladder.NEXT.get(self.rungs.get(code, self.first_rung))
        if following is None or code in self.expressions:
            return False
        self.rungs[code] = following
        return True

    def blame(self, error: proof.DoesNotCompile, lines: LineMap) -> bool:
        """Text that does not compile: move the code object that wrote the line."""
        guilty: Optional[Code] = None
        for line, code, _offset in lines:
            if error.line is not None and line <= error.line:
                guilty = code
        guilty = guilty or self.root
        self.verdicts = {self.root: (UNVERIFIED, f"the text does not compile: {error}")}
        return self.descend(guilty) or (guilty is not self.root and self.descend(self.root))

    def run(self, verify: bool) -> Decompilation:
        text, enclosed, lines = self.write()
        if not verify:
            self.verdicts = {self.root: (UNVERIFIED, "not asked for")}
        elif self.root.live is None or self.root.version != HOST_VERSION:
            why = f"only Python {'%d.%d' % self.root.version} can compile it for a comparison"
            self.verdicts = {self.root: (UNVERIFIED, why)}
        else:
            for _round in range(_MOST_ROUNDS):
                if self.check(enclosed, lines):
                    break
                text, enclosed, lines = self.write()
        parts = [self.part(code, *verdict) for code, verdict in self.verdicts.items()]
        if self.defaults.left_out:
            text, lines = labels.tell_defaults(text, lines, self.defaults.left_out)
        if verify:
            text, lines = self.labelled(text, lines)
        named = [(line, code.qualname, offset) for line, code, offset in lines]
        return Decompilation(text, parts, named, self.options.constants, self.options.renamed)

    def labelled(self, text: str, lines: LineMap) -> Tuple[str, LineMap]:
        """The text, with a word at every place that could not be proven."""
        unproven = {
            code: reason
            for code, (verdict, reason) in self.verdicts.items()
            if verdict == UNVERIFIED
        }
        return labels.attach(text, lines, self.root, unproven) if unproven else (text, lines)

    def part(self, code: Code, verdict: str, reason: str) -> CodeVerdict:
        reason = "" if verdict == EXACT else reason
        return CodeVerdict(
            code.qualname, code.firstlineno, verdict, reason, self.notes.get(code, ())
        )


def _decompile(
    code: AnyCode,
    indentation: int,
    temporary_prefix: str,
    name: Optional[str],
    verify: bool,
    rung: str,
    function: Optional[types.FunctionType] = None,
) -> Decompilation:
    record = code if isinstance(code, Code) else code_from_live(code)
    mode = compiled_as(record) if name is None else EXEC
    if mode == EVAL:
        shown = _as_expression(record, Options(indentation, temporary_prefix), verify)
        if shown is not None:
            return shown
        mode = EXEC
    job = _Job(record, Options(indentation, temporary_prefix), name, rung, mode)
    defaults = _NO_DEFAULTS if function is None else literal_defaults(function)
    job.defaults = defaults
    if job.kind in (COMPREHENSION, LAMBDA, TYPE_PARAMETERS):
        shown = _as_written(job, verify)
        if shown is not None:
            return shown
        job = _Job(record, Options(indentation, temporary_prefix), job.name, rung)
        job.defaults, job.is_renamed = defaults, True
    if len(record.bytecode) < _LONG:
        return job.run(verify)
    return without_collection(lambda: job.run(verify))


def decompile_frame(
    code: types.CodeType, name: str, facts: Facts, spelled: Mapping[str, str], filename: str
) -> Tuple[Decompilation, Optional[types.CodeType]]:
    """The source of a function that a code generator made, called `name`, and what can run of it.

    `facts` are what is known about its globals, `spelled` the names to write otherwise. The code
    is the one that was proven; there is none where so far only the text is.
    """
    record = code_from_live(code)
    options = Options()
    options.facts, options.spelled = facts, spelled
    job = _Job(record, options, name, ladder.STRUCTURED)
    job.rungs[record] = ladder.READABLE
    job.filename = filename
    result = job.run(verify=True)
    return result, job.running if result.verdict != UNVERIFIED else None


def _as_expression(record: Code, options: Options, verify: bool) -> Optional[Decompilation]:
    """What returns its value, as a lambda does, though it stands in no function."""
    body = copy.copy(record)
    body.flags |= _CO_OPTIMIZED
    try:
        return _Job(body, options, None, ladder.STRUCTURED, EVAL).run(verify)
    except DecompilationError:
        return None


def _as_written(job: _Job, verify: bool) -> Optional[Decompilation]:
    """What has no text of its own as it was written.

    A comprehension over something that only its surroundings know; type parameters with what
    they are the parameters of; a lambda, if there is nothing but an expression in it.
    """
    try:
        result = job.run(verify)
    except DecompilationError:
        return None
    if verify and result.verdict == UNVERIFIED and job.kind == COMPREHENSION:
        return None
    return result


def decompile_module(
    code: AnyCode,
    indentation: int = 4,
    temporary_prefix: str = "__temp_",
    verify: bool = True,
    rung: str = ladder.STRUCTURED,
) -> Decompilation:
    """The source of a whole module."""
    return _decompile(code, indentation, temporary_prefix, None, verify, rung)


def decompile_code(
    code: AnyCode,
    indentation: int = 4,
    temporary_prefix: str = "__temp_",
    name: Optional[str] = None,
    verify: bool = True,
    rung: str = ladder.STRUCTURED,
    function: Optional[types.FunctionType] = None,
) -> Decompilation:
    """The source of a function, class body or lambda; `name` is what to call it.

    The defaults of `function` are shown in the signature where their values have a literal.
    """
    return _decompile(code, indentation, temporary_prefix, name, verify, rung, function)
