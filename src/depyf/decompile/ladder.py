"""The ways to turn one code object into statements, prettiest first.

Structured statements come first; what they cannot express, or what the proof rejects, falls to
the dispatch loop, which takes any control flow.
"""

from __future__ import annotations

from typing import Callable, Dict, Union

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.normalise import normalise
from depyf.decompile.decode.ops import Program
from depyf.decompile.decode.outside import name_bare_values, name_hidden_globals
from depyf.decompile.emit.tidy import tidy
from depyf.decompile.emit.unbound import declare_unbound
from depyf.decompile.expr import (  # noqa: F401  (they register rules)
    calls,
    collections,
    generics,
    imports,
    shuffles,
    stores,
)
from depyf.decompile.expr.evaluator import CannotEvaluate, NotAnExpression
from depyf.decompile.expr.scope import COMPREHENSION, Scope
from depyf.decompile.expr.statements import Body
from depyf.decompile.flow.graph import Graph, build_graph
from depyf.decompile.flow.iterators import mark_iterator_pops
from depyf.decompile.simplify.frame import simplify
from depyf.decompile.structure.conditions import Folder
from depyf.decompile.structure.copies import Irregular
from depyf.decompile.structure.dispatch import dispatch_statements
from depyf.decompile.structure.groups import restore_groups
from depyf.decompile.structure.jumps import split_breaks, thread_jumps
from depyf.decompile.structure.loops import restore_loop_tests
from depyf.decompile.structure.matching import find_matches
from depyf.decompile.structure.regions import find_regions
from depyf.decompile.structure.returns import share_copied_ends, share_returns
from depyf.decompile.structure.tails import (
    join_straight_ends,
    share_handler_ends,
    share_kept_values,
    share_last_statements,
    share_tails,
)
from depyf.decompile.structure.tree_nodes import Unstructured
from depyf.decompile.structure.tree_ways import build_tree
from depyf.decompile.structure.walk import Walker
from depyf.errors import DepyfError

Source = Union[Code, Program]
Rung = Callable[[Source, Scope], Body]

# What a rung raises when the code object is not for it.
NotThisWay = (CannotEvaluate, NotAnExpression, Unstructured, Irregular)


_OF_LOCALS = frozenset(("LOAD_FAST", "STORE_FAST", "DELETE_FAST"))


def _program(source: Source, scope: Scope) -> Program:
    if isinstance(source, Program):
        return source
    program = normalise(source)
    if scope.options.facts is not None:
        name_bare_values(program)
        name_hidden_globals(program)
    return program


def readable(source: Source, scope: Scope) -> Body:
    """The same, of a frame whose values are followed through the containers it packs them in."""
    program = _program(source, scope)
    graph = build_graph(program)
    facts = scope.options.facts
    if facts is None or not simplify(graph, facts, lambda: scope.temporary().text):
        raise CannotEvaluate("the frame cannot be simplified")
    return _statements(graph, program, scope)


def structured(source: Source, scope: Scope) -> Body:
    """if, while, for, try, with and match, as a person would write them."""
    program = _program(source, scope)
    try:
        return _statements(build_graph(program), program, scope)
    except Unstructured:
        if program.kinds.isdisjoint(("BEFORE_WITH", "BEFORE_ASYNC_WITH")):
            raise
    scope.start_over()
    program = _program(source, scope)
    return _statements(build_graph(program), program, scope, cold_returns=True)


def _statements(graph: Graph, program: Program, scope: Scope, cold_returns: bool = False) -> Body:
    if "INLINED_COMPREHENSION" in program.kinds:
        scope.keep_locals({op.arg for op in graph.live_ops if op.name in _OF_LOCALS})
    if not graph.entry.succs and graph.entry.handler is None:
        # One block: nothing to structure.
        return finish(Walker(program, scope).function([graph.entry]), graph, scope)
    mark_iterator_pops(graph)
    split_breaks(graph)
    restore_groups(graph)
    regions = find_regions(graph, cold_returns)
    find_matches(graph, scope)
    _share_ends(graph)
    share_kept_values(graph)
    blocks = share_handler_ends(graph, thread_jumps(graph))
    if share_kept_values(graph):
        blocks = graph.blocks()
    folder = Folder(graph, scope)
    folder.run(blocks)
    restore_loop_tests(graph)
    nest = scope.kind == COMPREHENSION
    tree = build_tree(graph, folder.pure, nest, () if nest else folder.behind_exits)
    graph.dissolve()
    for region in regions:
        region.dissolve()
    return finish(Walker(program, scope).function(tree), graph, scope)


_SHARE_ENDS = (
    join_straight_ends,
    share_copied_ends,
    share_tails,
    share_last_statements,
    share_returns,
)


def _share_ends(graph: Graph) -> None:
    """Join again what the compiler copied at the ends of a function."""
    ends = graph.ends()
    for share in _SHARE_ENDS:
        if len(ends) > 1 and share(graph, ends):
            ends = graph.ends()


def dispatched(source: Source, scope: Scope) -> Body:
    """A loop over numbered states: ugly, and right for every graph."""
    graph = build_graph(_program(source, scope), as_covered=True)
    return finish(dispatch_statements(graph, scope), graph, scope)


def finish(body: Body, graph: Graph, scope: Scope) -> Body:
    return declare_unbound(tidy(body, scope), graph, scope)


READABLE, STRUCTURED, DISPATCH = "readable", "structured", "dispatch"
RUNGS: Dict[str, Rung] = {READABLE: readable, STRUCTURED: structured, DISPATCH: dispatched}
# Where a code object goes that a rung, or the proof of its text, did not take.
NEXT: Dict[str, str] = {READABLE: STRUCTURED, STRUCTURED: DISPATCH}


def attempt(rung: str, source: Source, scope: Scope) -> Body:
    """The body by one way, or one of `NotThisWay`."""
    try:
        return RUNGS[rung](source, scope)
    except DepyfError:
        # The bytecode itself cannot be read, or not in this way.
        raise
    except Exception as error:
        # Bytecode that no compiler made breaks any assumption; constants have code of their own.
        raise CannotEvaluate(f"{type(error).__name__}: {error}") from error
