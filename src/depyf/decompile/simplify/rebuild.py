"""Effects back to operations: an expression where order allows it, a variable where it does not.

An effect stays unassigned while it is the tail of what was evaluated: if the operands of the next
effect are exactly that tail, they are written inside it. Everything else gets a variable, under
the name that the frame itself used for it if that is free.
"""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.simplify.values import (
    Constant,
    Effect,
    Global,
    Item,
    Null,
    Result,
    Value,
    Variable,
    meant,
)

# Effects of this pass's own: leave the operands on the stack; store them under names at once.
LEAVE, ASSIGN = "leave", "assign"
# What these leave can only be assigned.
_TARGETS_ONLY = frozenset(("UNPACK", "UNPACK_EX"))
# Of a code object: its locals are no dictionary, as those of a class body are.
_CO_OPTIMIZED = 0x01


def leaves(values: Sequence[Value]) -> Iterator[Value]:
    """The values that operands are made of, in the order of evaluation."""
    for value in values:
        value = meant(value)
        yield value.sequence if isinstance(value, Item) else value


def count_uses(blocks: Sequence[List[Effect]]) -> None:
    """Tell every effect who uses its results; a deletion is no use."""
    for effects in blocks:
        for effect in effects:
            effect.block = effects
            effect.uses = []
            effect.variables = {}
    for effects in blocks:
        for effect in effects:
            if effect.op.name == "DELETE_FAST" and not effect.builds:
                continue
            for value in effect.operands:
                value = meant(value)
                if isinstance(value, Item):
                    # Read from a variable, so that the sequence has a name in the text.
                    value.sequence.effect.uses += [effect, effect]
                elif isinstance(value, Result):
                    value.effect.uses.append(effect)


def forget_uses(blocks: Sequence[List[Effect]]) -> None:
    """Effects that know each other in a circle would stay until the next collection."""
    for effects in blocks:
        for effect in effects:
            effect.block = None
            effect.uses.clear()


def _is_single_use(effect: Effect) -> bool:
    return (
        effect.results == 1
        and len(effect.uses) == 1
        and effect.uses[0].block is effect.block
        and effect.op.name not in _TARGETS_ONLY
        and defined_name(effect) is None
    )


def defined_name(effect: Effect) -> Optional[str]:
    """The name of a function that only a `def` can make."""
    if effect.op.name != "MAKE_FUNCTION":
        return None
    _flags, has_name = effect.op.arg
    code = meant(effect.operands[-2 if has_name else -1])
    if not isinstance(code, Constant) or not isinstance(code.value, Code):
        return None
    is_def = code.value.name.isidentifier() and code.value.flags & _CO_OPTIMIZED
    return code.value.name if is_def else None


def written_inside(effect: Effect) -> bool:
    """Whether the effect is a display that appears where it is used."""
    return effect.builds and _is_single_use(effect)


class Names:
    """Chooses variables: the frame's own name for a value if no other value needs it later."""

    def __init__(self, blocks: Sequence[List[Effect]], new_name: Callable[[], str]) -> None:
        self.new_name = new_name
        self.place = {id(e): i for i, e in enumerate(e for effects in blocks for e in effects)}
        # The effects that read what a name holds, and who has put it there by then.
        self.readers: Dict[str, List[int]] = {}
        self.stored: Dict[str, Tuple[int, Effect]] = {}
        self.overwritten: Dict[str, List[int]] = {}
        for effects in blocks:
            for effect in effects:
                self._note_names(effect)

    def _note_names(self, effect: Effect) -> None:
        place = self.place[id(effect)]
        for name in effect.reads:
            self.readers.setdefault(name, []).append(place)
        for name in effect.writes:
            self.overwritten.setdefault(name, []).append(place)
        for value in leaves(effect.operands):
            if isinstance(value, Variable):
                self.readers.setdefault(value.name, []).append(place)
        if effect.op.name == ASSIGN:
            for name, value in zip(effect.op.arg, effect.operands):
                value = meant(value)
                if isinstance(value, Result):
                    self.stored[name] = (place, value.effect)

    def choose(self, effect: Effect, index: int) -> str:
        wanted = effect.wanted.get(index) or defined_name(effect)
        if wanted is None or not self._is_free(wanted, effect):
            wanted = self.new_name()
        places = self.readers.setdefault(wanted, [])
        places += [self.place[id(user)] for user in effect.uses]
        return wanted

    def _is_free(self, name: str, effect: Effect) -> bool:
        first, stored_by = self.place[id(effect)], self.stored.get(name)
        last = max([self.place[id(user)] for user in effect.uses], default=first)
        if any(first < place < last for place in self.overwritten.get(name, ())):
            return False
        for place in self.readers.get(name, ()):
            own = stored_by is not None and stored_by[1] is effect and place > stored_by[0]
            if place > first and not own:
                return False
        return True


def _method_lookup(call: Effect) -> Optional[Effect]:
    """The lookup that is a part of the call: both are written as a call of a method.

    The copies of a `finally` body are told by their operations, also where this pass cannot go.
    """
    function = meant(call.operands[0]) if call.op.name == "CALL" else None
    if not isinstance(function, Result) or function.effect.variables:
        return None
    return function.effect if function.effect.op.name in ("LOAD_ATTR", "LOAD_METHOD") else None


def _is_tail(tail: List[Effect], effects: List[Effect]) -> bool:
    return not tail or effects[-len(tail) :] == tail


class Writer:
    """The operations of one block."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.ops: List[Op] = []
        # Effects that are to be written inside a later one, in order.
        self.pending: List[Effect] = []

    def write(self, effects: Sequence[Effect]) -> List[Op]:
        for effect in effects:
            if written_inside(effect):
                continue
            if self._is_needless(effect):
                continue
            self._settle(effect)
            if _is_single_use(effect):
                self.pending.append(effect)
            else:
                self._spill_all()
                self._statement(effect)
        self._spill_all()
        return self.ops

    def _is_needless(self, effect: Effect) -> bool:
        """Whether an effect lets go of a value that has no variable."""
        if effect.op.name != "DELETE_FAST" or not effect.operands or effect.builds:
            return False
        value = effect.operands[0]
        return isinstance(value, Result) and value.index not in value.effect.variables

    def _settle(self, effect: Effect) -> None:
        """Decide which of the pending effects are written inside this one."""
        inside = list(self._inside(effect.operands))
        spilled = 0
        while not _is_tail([e for e in inside if e in self.pending[spilled:]], self.pending):
            # Something does not fit: the first of them gets a variable.
            spilled += 1
        self._spill(spilled)
        kept = [each for each in inside if each in self.pending]
        del self.pending[len(self.pending) - len(kept) :]

    def _inside(self, operands: Sequence[Value]) -> Iterator[Effect]:
        for value in operands:
            value = meant(value)
            if isinstance(value, Result) and not value.effect.variables:
                if written_inside(value.effect):
                    yield from self._inside(value.effect.operands)
                else:
                    yield value.effect

    def _spill(self, count: int) -> None:
        for effect in self.pending[:count]:
            self._statement(effect)
        del self.pending[:count]

    def _spill_all(self) -> None:
        self._spill(len(self.pending))

    def _statement(self, effect: Effect) -> None:
        if effect.op.name == "DELETE_FAST" and effect.operands:
            self._delete(effect)
            return
        self._push(effect)
        op = effect.op
        for index in range(effect.results):
            if effect.uses or index in effect.wanted:
                name = effect.variables[index] = self.names.choose(effect, index)
                self._emit("STORE_FAST", name, op)
            else:
                self._emit("POP_TOP", None, op)

    def _delete(self, effect: Effect) -> None:
        value = effect.operands[0]
        assert isinstance(value, Result)
        name = value.effect.variables.get(value.index)
        if name is not None:
            self._emit("DELETE_FAST", name, effect.op)

    def _push(self, effect: Effect) -> None:
        op = effect.op
        if op.name == ASSIGN:
            self._assign(effect)
            return
        lookup = _method_lookup(effect)
        if lookup is not None:
            self._call_method(effect, lookup)
            return
        for value in effect.operands:
            self._push_value(meant(value), op)
        if op.name != LEAVE:
            self._emit("LOAD_ATTR" if op.name == "LOAD_METHOD" else op.name, op.arg, op)

    def _call_method(self, call: Effect, lookup: Effect) -> None:
        self._push_value(meant(lookup.operands[0]), lookup.op)
        self._emit("LOAD_METHOD", lookup.op.arg, lookup.op)
        for value in call.operands[1:]:
            self._push_value(meant(value), call.op)
        count, _slots, keywords = call.op.arg
        self._emit("CALL", (count, 2, keywords), call.op)

    def _assign(self, effect: Effect) -> None:
        """Store values under names, all at once if one of the names is read for another."""
        pairs = [
            (name, value)
            for name, value in zip(effect.op.arg, effect.operands)
            if self._place_of(value) != name
        ]
        names = {name for name, _value in pairs}
        if any(self._place_of(value) in names for _name, value in pairs):
            for _name, value in pairs:
                self._push_value(meant(value), effect.op)
            for name, _value in reversed(pairs):
                self._emit("STORE_FAST", name, effect.op)
            return
        for name, value in pairs:
            self._push_value(meant(value), effect.op)
            self._emit("STORE_FAST", name, effect.op)

    def _place_of(self, value: Value) -> Optional[str]:
        """The local that a value is read from."""
        value = meant(value)
        if isinstance(value, Item):
            value = value.sequence
        if isinstance(value, Variable):
            return value.name
        if isinstance(value, Result):
            return value.effect.variables.get(value.index)
        return None

    def _push_value(self, value: Value, near: Op) -> None:
        if isinstance(value, Constant):
            self._emit("LOAD_CONST", value.value, near)
        elif isinstance(value, Global):
            self._emit("LOAD_GLOBAL", value.op.arg, value.op)
        elif isinstance(value, Variable):
            self._emit("LOAD_FAST", value.name, near)
        elif isinstance(value, Null):
            self._emit("PUSH_NULL", None, near)
        elif isinstance(value, Item):
            self._push_value(value.sequence, near)
            self._emit("LOAD_CONST", value.index, near)
            self._emit("SUBSCR", None, near)
        else:
            assert isinstance(value, Result)
            name = value.effect.variables.get(value.index)
            if name is not None:
                self._emit("LOAD_FAST", name, near)
            else:
                self._push(value.effect)

    def _emit(self, name: str, arg: object, near: Op) -> None:
        # Lines tell what a person wrote together; those of generated code tell nothing.
        self.ops.append(Op.of(name, arg, near.offset, None))
