"""Exception handlers -> regions: what a `try` or `with` protects becomes a TRY block's subtree.

The compiler copies a `finally` body, and the call of `__exit__`, into every way out of a region.
Both are matched against the handler on the graph, in lockstep, and taken out; then every block
gets its context (the regions it lies in), and a TRY block stands where a region is entered.
"""

from __future__ import annotations

from typing import Collection, Dict, List, Optional, Sequence, Set, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, TRY, Block, Graph, forget_dead, prune
from depyf.decompile.structure.copies import Cursor, Irregular, Match, Mismatch, match_copy
from depyf.decompile.structure.leaving_finally import is_finally
from depyf.decompile.structure.region_ends import (
    behind_jumps,
    join_return,
    lines_of,
    puts_value_below,
    return_from_handlers,
    returns_a_value,
)
from depyf.decompile.structure.returns import has_no_return, join_copied_bodies
from depyf.decompile.structure.with_exits import (
    find_suppressed,
    is_quiet_return,
    match_exit_call,
    reachable_without_handlers,
    returns_quietly,
    same_return,
    written_returns,
)


class Part:
    """One half of a region: what it protects, or what handles its exceptions."""

    __slots__ = ("region", "is_handler")

    def __init__(self, region: Region, is_handler: bool) -> None:
        self.region = region
        self.is_handler = is_handler


class Region:
    """One `try` or `with`: `entry` is its TRY block, `kind` what its handler does.

    Kinds: "except", "star", "finally", "with", "async with".
    """

    __slots__ = (
        "kind",
        "handler",
        "entry",
        "protected",
        "handling",
        "body_blocks",
        "suppressed",
    )

    def __init__(self, kind: str, handler: Block) -> None:
        self.kind = kind
        self.handler = handler
        self.entry: Optional[Block] = None
        self.protected = Part(self, False)
        self.handling = Part(self, True)
        self.body_blocks: List[Block] = []
        # Where control goes on after __exit__ swallowed an exception.
        self.suppressed: Optional[Block] = None

    def dissolve(self) -> None:
        """Only kind and handler are needed any more (see `Graph.dissolve`)."""
        del self.protected, self.handling, self.entry, self.body_blocks

    def body_reaches(self, target: Block) -> bool:
        return any(self.protected in pred.context for pred in target.preds)

    def handler_reaches(self, target: Block) -> bool:
        return any(self.handling in pred.context for pred in target.preds)


_STATEMENT = frozenset(
    (
        "POP_TOP",
        "STORE_FAST",
        "STORE_NAME",
        "STORE_GLOBAL",
        "STORE_DEREF",
        "STORE_ATTR",
        "STORE_SUBSCR",
    )
)


def classify(handler: Block) -> str:
    """What kind of statement has this handler."""
    ops = [op for op in handler.ops if op.name != "PUSH_EXC_INFO"]
    if ops and ops[0].name == "WITH_EXCEPT_START":
        return "async with" if len(ops) > 1 and ops[1].name == "AWAIT" else "with"
    if ops and ops[0].name == "POP_TOP":
        return "except"
    block = handler
    before = ""
    for _step in range(50):
        for op in block.ops:
            if op.name == "EXC_MATCH":
                return "except"
            if op.name == "EXC_GROUP_MATCH":
                return "star"
            # `except (a := b())` stores a copy; `a = b = c` has one store more than copies.
            if op.name in _STATEMENT and before != "COPY":
                return "finally"
            before = op.name
        if block.kind == EXIT or not block.succs:
            return "finally"
        block = block.succs[-1] if block.kind == BRANCH else block.succs[0]
    return "finally"


class _Regions:
    def __init__(self, graph: Graph, cold_returns: bool) -> None:
        self.graph = graph
        self.cold_returns = cold_returns
        self.has_no_return = has_no_return(graph)
        # What stands behind regions that control falls out of, where the bytecode tells.
        self.fallen: Set[Block] = set()
        # What stands behind `finally` bodies that never end, as if they did.
        self.dead_ends: Dict[Region, Block] = {}
        # Where control goes on behind copies.
        self.behind: Set[Block] = set()
        # Returns of `with` bodies that go on as the body's end does.
        self.written: Set[Block] = set()
        self.warm: Set[Block] = set()
        # Where the way out of a region is all that a line does.
        self.bare_places = dict(graph.program.bare_places)
        self.lines: Dict[Block, List[int]] = {}
        self.regions: Dict[Block, Region] = {}
        for handler in graph.handlers:
            self.regions[handler] = Region(classify(handler), handler)
        self.chains: Dict[Block, Tuple[Region, ...]] = {}
        # The blocks that each region protects; what is split off later hangs on them.
        self.members: Dict[Region, List[Block]] = {}
        for block in graph.blocks():
            for region in self.chain(block):
                self.members.setdefault(region, []).append(block)
        for region in self.regions.values():
            if region.kind == "except":
                ways_out = dict.fromkeys(target for _source, target in self.exits(region))
                if is_finally(region.handler, ways_out, graph.program):
                    region.kind = "finally"

    def chain(self, block: Block) -> Tuple[Region, ...]:
        """The regions whose bodies `block` lies in, outermost first."""
        handler = block.handler
        if handler is None:
            return ()
        known = self.chains.get(handler)
        if known is None:
            known = self.chains[handler] = self.find_chain(handler)
        return known

    def find_chain(self, handler: Optional[Block]) -> Tuple[Region, ...]:
        result: List[Region] = []
        while handler is not None:
            region = self.regions[handler]
            if region in result:
                raise Irregular("handlers protect each other")
            result.append(region)
            handler = handler.handler
        return tuple(reversed(result))

    def run(self) -> None:
        # Copies are found while all of them are still in place, and taken out inside first.
        ways_out = {region: self.ways_out(region) for region in self.regions.values()}
        depths = {region: len(self.chain(region.handler)) for region in ways_out}
        self.warm = reachable_without_handlers(self.graph.entry)
        for region in sorted(ways_out, key=lambda each: -depths[each]):
            if region.kind != "except" and region.kind != "star":
                self.take_out(region, ways_out[region])
        self.thread_ends()
        prune(self.graph)
        for region in self.regions.values():
            if region.kind in ("with", "async with"):
                self.find_suppressed(region)
        # From outside in: what one region takes in may belong further inside.
        for region in sorted(ways_out, key=depths.__getitem__):
            self.absorb_returns(region)
        _Contexts(self).run()

    def ways_out(self, region: Region) -> Dict[Block, Match]:
        """What stands on the ways out of a region, by the block that starts there."""
        found: Dict[Block, Match] = {}
        if region.kind in ("with", "async with"):
            for _source, target in self.exits(region):
                found[target] = match_exit_call(target)
        elif region.kind == "finally":
            for _source, target in self.exits(region):
                if target not in found:
                    found[target] = self.match_finally(region, target)
        return found

    def match_finally(self, region: Region, target: Block) -> Match:
        try:
            return match_copy(region.handler, target)
        except Mismatch as error:
            raise Irregular(f"a way out of `finally`: {error}") from error

    def take_out(self, region: Region, ways_out: Dict[Block, Match]) -> None:
        """Let every way out lead to what stands behind the copy on it."""
        behind: Dict[Block, Block] = {}
        for source, target in self.exits(region):
            match = ways_out.get(target)
            if match is None:
                raise Irregular("a way out of a region that was not there before")
            if target not in behind:
                behind[target] = self.continuation(region, target, match)
            after = behind[target]
            if target.index in self.graph.program.falls:
                self.fallen.add(behind_jumps(after))
            if self.bare_places and not self.has_no_return:
                self.place_return(source, target, behind_jumps(after))
            source.redirect(target, after)
            if source.kind == BRANCH:
                # A copy between a test and its other outcome belongs to a jump of its own.
                source.jumps = {**source.jumps, after: target.index}
        if region.kind in ("with", "async with"):
            program = self.graph.program
            falls = program.falls if program.code.version == (3, 8) else None
            acting = {call: behind_jumps(after) for call, after in behind.items()}
            self.written |= written_returns(acting, falls, self.warm, self.cold_returns)
        self.behind.update(behind.values())

    def place_return(self, source: Block, way_out: Block, after: Block) -> None:
        """A `return` inside of what it leaves is all of its line: its instructions stand behind."""
        ops = self.graph.program.ops
        place = self.bare_places.get(ops[way_out.index].offset)
        if place is None or len(after.preds) > 1 or not way_out.ops:
            return
        if source.ops and source.ops[-1].line == way_out.ops[0].line:
            # `with a: pass`
            return
        if is_quiet_return(after):
            for op in after.ops:
                op.offset, op.line = place
            self.written.add(after)
        else:
            self.bare_places[ops[after.index].offset] = place

    def continuation(self, region: Region, target: Block, match: Match) -> Block:
        """Where control goes on behind a copy."""
        if not match.ends:
            # The body never ends: what follows it cannot be reached.
            outside = region.handler.handler
            if self.carries_value(region, target):
                return Block(target.index, [Op.of("RETURN", None, -1, None)], EXIT, outside)
            if region not in self.dead_ends:
                self.dead_ends[region] = Block(target.index, [], EXIT, outside)
            return self.dead_ends[region]
        first = match.ends[0].block_start()
        for other in match.ends[1:]:
            if other.block_start() is not first and not other.same_code(Cursor(first, 0)):
                raise Irregular("the copies of a `finally` body go on differently")
        if region not in self.chain(first):
            return first
        # The next round of a loop around the statement: it is left in between.
        outside = Block(first.index, [], JUMP, target.handler)
        outside.set_succs([first])
        return outside

    def carries_value(self, region: Region, target: Block) -> bool:
        """Whether a way out has a value to return on the stack, besides iterators.

        On 3.8 the value may have taken the place of an iterator.
        """
        moves = [target.ops[:2], *(pred.ops[-2:] for pred in target.preds)]
        if any(puts_value_below(ops) for ops in moves):
            return True
        handler = region.handler
        before = handler.depth - self.graph.program.handler_pushes.get(handler.index, 1)
        return target.depth - (target.nesting or 0) > before - (handler.nesting or 0)

    def thread_ends(self) -> None:
        """Ends of regions inside each other, each an empty block, become one edge.

        A jump back to the start of a region stays: it leaves the region in between.
        """
        for block in self.behind:
            target = behind_jumps(block)
            around, behind = self.chain(block), self.chain(target)
            if target is not block and around[: len(behind)] == behind:
                for pred in list(dict.fromkeys(block.preds)):
                    pred.redirect(block, target)
                    if block in pred.jumps:
                        pred.jumps = {**pred.jumps, target: pred.jumps[block]}
        if not self.has_no_return:
            for block in self.behind:
                join_return(block)

    def find_suppressed(self, region: Region) -> None:
        """Where a `with` goes on when __exit__ swallowed the exception: as after its body."""
        suppressed = region.suppressed = find_suppressed(
            region.handler, self.graph.program
        ).block_start()
        for source, target in self.exits(region):
            if target is suppressed or (target in self.written and not self.has_no_return):
                continue
            if Cursor(target, 0).same_code(Cursor(suppressed, 0)):
                source.redirect(target, suppressed)

    def exits(self, region: Region) -> List[Tuple[Block, Block]]:
        """Edges that leave what the region protects."""
        result: List[Tuple[Block, Block]] = []
        for block in self.members.get(region, ()):
            each: Optional[Block] = block
            while each is not None:
                for succ in dict.fromkeys(each.succs):
                    if region not in self.chain(succ):
                        result.append((each, succ))
                each = each.rest
        return result

    # return

    def absorb_returns(self, region: Region) -> None:
        """A `return` behind a region's end belongs to the statement that computed its value."""
        for source, target in self.exits(region):
            returned = returns_a_value(target)
            if returned is not None:
                inside = Block(target.index, [returned], EXIT, source.handler)
                source.redirect(target, inside)
                return_from_handlers(inside, self.graph.group_ends)
                continue
            if target.kind != EXIT or (target.ops and target.ops[-1].name != "RETURN"):
                continue
            if target.ops and self.belongs_inside(region, target):
                inside = Block(target.index, list(target.ops), EXIT, source.handler)
                source.redirect(target, inside)
                return_from_handlers(inside, self.graph.group_ends)

    def belongs_inside(self, region: Region, target: Block) -> bool:
        if "LOAD_CONST" not in {op.name for op in target.ops}:
            return returns_quietly(target)
        if self.has_no_return or target in self.fallen or not returns_quietly(target):
            return False
        if target in self.written:
            return True
        if region.suppressed is not None:
            return target is not region.suppressed and not same_return(target, region.suppressed)
        line: Optional[int] = target.ops[-1].line
        if region.handler not in self.lines:
            self.lines[region.handler] = lines_of(region.handler)
        lines = self.lines[region.handler]
        if line is None or not lines:
            return True
        # The compiler gives a return behind a copied `finally` body that body's line.
        return line <= max(lines) if region.kind == "finally" else line < min(lines)


# What is left of a context, and the regions that are entered from there.
Way = Tuple[Tuple[Part, ...], List[Region]]


class _Contexts:
    """Walks the graph, inserts TRY blocks and gives every block its context."""

    def __init__(self, regions: _Regions) -> None:
        self.regions = regions
        self.graph = regions.graph
        self.contexts: Dict[Block, Tuple[Part, ...]] = {}
        # By the context that an edge leaves and the handler it leads under: where it leads.
        self.ways: Dict[Tuple[Tuple[Part, ...], Optional[Block]], Way] = {}
        self.work: List[Block] = []

    def run(self) -> None:
        entry = self.graph.entry
        if entry.handler is not None:
            start = Block(-1, [], JUMP, None)
            start.set_succs([entry])
            self.graph.entry = entry = start
        self.reach(entry, ())
        while self.work:
            block = self.work.pop()
            # What a TRY block protects was reached when the block was made.
            succs = block.succs[1:] if block.kind == TRY else block.succs
            for succ in list(dict.fromkeys(succs)):
                self.edge(block, succ)
        # From here on TRY blocks tell what leads to a handler.
        self.graph.handlers = []
        for block in self.contexts:
            block.handler = None
        forget_dead(self.contexts.keys())

    def reach(self, block: Block, context: Tuple[Part, ...]) -> None:
        known = self.contexts.get(block)
        if known is None:
            self.contexts[block] = context
            block.context = context
            self.work.append(block)
            for part in context:
                if not part.is_handler:
                    part.region.body_blocks.append(block)
        elif known != context:
            raise Irregular("a block lies in two contexts")

    def edge(self, block: Block, succ: Block) -> None:
        if succ.kind == TRY:
            return
        context = self.contexts[block]
        if block.ops and block.ops[-1].name == "POP_EXCEPT":
            handler = context[len(_without_handler(context))]
            may_return = not self.regions.has_no_return
            if may_return and handler.region.kind == "finally" and is_quiet_return(succ):
                # Only a `return` in the `finally` body ends its handler like this.
                block.ops.extend(succ.ops)
                block.kind = EXIT
                block.set_succs([])
                return
            context = _without_handler(context)
        key = context, succ.handler
        if key not in self.ways:
            self.ways[key] = self.way(context, succ)
        context, entered = self.ways[key]
        if not entered:
            self.reach(succ, context)
            return
        first = self.enter(entered, succ, context)
        block.redirect(succ, first)

    def way(self, context: Tuple[Part, ...], succ: Block) -> Way:
        wanted = self.regions.chain(succ)
        context = _left(context, wanted)
        inside = {part.region for part in context if not part.is_handler}
        return context, [region for region in wanted if region not in inside]

    def enter(self, entered: List[Region], succ: Block, context: Tuple[Part, ...]) -> Block:
        """TRY blocks for the regions that an edge enters, outermost first."""
        first: Optional[Block] = None
        previous: Optional[Block] = None
        for region in entered:
            block = region.entry
            if block is None:
                block = region.entry = self.open(region, succ, context)
            elif self.contexts[block] != context:
                raise Irregular("a region is entered from two contexts")
            if previous is not None and previous.succs[0] is not block:
                previous.redirect(previous.succs[0], block)
            first = first or block
            previous = block
            context = context + (region.protected,)
        assert first is not None and previous is not None
        if previous.succs[0] is not succ:
            raise Irregular("a region has two entries")
        self.reach(succ, context)
        return first

    def open(self, region: Region, succ: Block, context: Tuple[Part, ...]) -> Block:
        block = Block(succ.index, [], TRY, None)
        block.region, block.nesting = region, succ.nesting
        second = region.suppressed if region.suppressed is not None else region.handler
        block.set_succs([succ, second])
        self.contexts[block] = context
        block.context = context
        if region.suppressed is not None:
            self.work.append(block)
        else:
            self.reach(region.handler, context + (region.handling,))
        return block


def _without_handler(context: Tuple[Part, ...]) -> Tuple[Part, ...]:
    """The context behind POP_EXCEPT: the innermost handler is over."""
    for place in range(len(context) - 1, -1, -1):
        if context[place].is_handler:
            return context[:place]
    raise Irregular("an exception ends that was not handled")


def _left(context: Tuple[Part, ...], wanted: Sequence[Region]) -> Tuple[Part, ...]:
    while context and not context[-1].is_handler and context[-1].region not in wanted:
        context = context[:-1]
    return context


def find_regions(graph: Graph, cold_returns: bool) -> Collection[Region]:
    """Turn the handlers of `graph` into TRY blocks and contexts, or raise `Irregular`.

    `cold_returns` tells whether what handlers inside a `with` do as its end does is a `return`.
    """
    if not graph.handlers:
        return ()
    join_copied_bodies(graph)
    found = _Regions(graph, cold_returns)
    found.run()
    return found.regions.values()
