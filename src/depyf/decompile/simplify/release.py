"""Lets go of values where the frame does, so that the text keeps nothing alive that it gave up.

A frame moves a value from the stack into a call; in a text a variable refers to it until the call
is over. So what a variable holds, and the frame does not at a call, is deleted before that call;
if the call gets it inside a list, which it may empty, the list is made first. A list is all that a
continuation gets from Dynamo, and it empties that list for the same reason.
"""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.simplify.rebuild import LEAVE, defined_name, written_inside
from depyf.decompile.simplify.values import Constant, Effect, Item, Result, Value, Variable, meant

Effects = List[Effect]
# An effect and which of its results; of items of a sequence: the sequence and the index.
Key = Tuple[str, int, int]

_LOOKUPS = frozenset(("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_DEREF"))
# Displays whose items live as long as they do.
_FIXED = frozenset(("BUILD_TUPLE", "BUILD_SLICE"))


class Releaser:
    """Looks at effects that were written once, on trial, and says where variables are too long."""

    def __init__(
        self, parents: Sequence[Tuple[Effects, Optional[Effects]]], scratch: FrozenSet[str]
    ) -> None:
        # Lists of effects, each with the one that always comes before it.
        self.lists = [effects for effects, _parent in parents]
        self.parents = {id(effects): parent for effects, parent in parents}
        self.scratch = scratch

    def improve(self, own_names: Set[str]) -> bool:
        """Shorten what lives too long at the first call where something does."""
        self.own_names = own_names
        self._find_users()
        for effects in self.lists:
            for place, event in enumerate(effects):
                if event.held is not None and self._improve_at(effects, place, event):
                    return True
        return False

    # --- what is held, and by whom -------------------------------------------------------------

    def _find_users(self) -> None:
        self.place = {id(e): (effects, i) for effects in self.lists for i, e in enumerate(effects)}
        self.users: Dict[Tuple[int, int], Effects] = {}
        self.deleted: Dict[Tuple[int, int], Effects] = {}
        self.items: Dict[int, Set[int]] = {}
        for effects in self.lists:
            for effect in effects:
                found = self.deleted if effect.op.name == "DELETE_FAST" else self.users
                for value in map(meant, effect.operands):
                    if isinstance(value, Item):
                        if effect.op.name != LEAVE:
                            # Only tested, it may stay as well.
                            self.items.setdefault(id(value.sequence.effect), set()).add(value.index)
                        value = value.sequence
                    if isinstance(value, Result):
                        found.setdefault((id(value.effect), value.index), []).append(effect)
                if effect.item is not None:
                    self.items.setdefault(id(effect.item.sequence.effect), set()).add(
                        effect.item.index
                    )

    def _improve_at(self, effects: Effects, place: int, event: Effect) -> bool:
        kept = _keys([*(event.held or ()), *event.operands])
        names = {value.name for value in event.held or () if isinstance(value, Variable)}
        before = self._way_to(effects)
        long: List[Result] = []
        for made in [*(e for each in before for e in each), *effects[:place]]:
            for index, name in made.variables.items():
                value = Result(made, index)
                if name in names or self._is_kept(value, kept):
                    continue
                if self._lies_there(value, name, event):
                    long.append(value)
        renamed = False
        for value in long:
            if value.effect.variables[value.index] not in self.own_names | self.scratch:
                # The frame has something else under that name by now.
                value.effect.wanted.pop(value.index, None)
                renamed = True
        if long and not renamed:
            self._release(effects, event, long)
        return bool(long)

    def _is_kept(self, value: Result, kept: Set[Key]) -> bool:
        """Whether the frame holds the value as well, or all that is in it."""
        if _key(value) in kept or self._is_lasting(value.effect):
            return True
        users = self.users.get((id(value.effect), value.index))
        if users and all(user.op.name == LEAVE for user in users):
            # The truth of a tensor is that of a single number: it may stay.
            return True
        read = self.items.get(id(value.effect))
        return bool(read) and all(("item", id(value.effect), i) in kept for i in read or ())

    def _is_lasting(self, effect: Effect) -> bool:
        """Whether others hold the value anyway: functions that are looked up to be called."""
        if effect.op.name == "TEST_NONE" or defined_name(effect) is not None:
            return True
        root, depth = effect, 0
        while root.op.name in ("LOAD_ATTR", "LOAD_METHOD"):
            value = meant(root.operands[0])
            if not isinstance(value, Result):
                return False
            root, depth = value.effect, depth + 1
        if root.op.name != "LOAD_GLOBAL":
            return False
        is_module = root.op.arg == "torch" or root.op.arg.startswith("__import_")
        return (depth < 2 or is_module) and all(_is_called(effect, use) for use in effect.uses)

    def _lies_there(self, value: Result, name: str, event: Effect) -> bool:
        """Whether a variable still holds the value at a call, and nobody reads it afterwards."""
        effects, place = self.place[id(event)]
        way = {id(each): len(each) for each in self._way_to(effects)}
        way[id(effects)] = place
        key = (id(value.effect), value.index)
        for gone in self.deleted.get(key, ()):
            where, at = self.place[id(gone)]
            if at < way.get(id(where), 0):
                return False
        for user in self.users.get(key, ()):
            where, at = self.place[id(_written_in(user))]
            if where is effects and at > place:
                return False
            if where is not effects and any(each is effects for each in self._way_to(where)):
                return False
        mine = self._order(value.effect)
        for each in [*self._way_to(effects), effects]:
            for other in each[: way[id(each)]]:
                if name in other.variables.values() and self._order(other) > mine:
                    return False
        return True

    def _order(self, effect: Effect) -> Tuple[int, int]:
        effects, place = self.place[id(effect)]
        return len(self._way_to(effects)), place

    def _way_to(self, effects: Effects) -> List[Effects]:
        found: List[Effects] = []
        parent = self.parents.get(id(effects))
        while parent is not None:
            found.insert(0, parent)
            parent = self.parents.get(id(parent))
        return found

    # --- letting go ----------------------------------------------------------------------------

    def _release(self, effects: Effects, event: Effect, values: List[Result]) -> None:
        keys = {(id(value.effect), value.index) for value in values}
        made_first: Effects = []
        for i, value in enumerate(event.operands):
            value = meant(value)
            if isinstance(value, Item) and _place_of(value.sequence) in keys:
                made_first.append(_read_item(value, event.op))
                event.operands[i] = Result(made_first[-1])
            elif isinstance(value, Result) and written_inside(value.effect):
                if any(_place_of(leaf) in keys for leaf in _leaves(value)):
                    value.effect.builds = False
                    made_first.append(value.effect)
        for made in made_first:
            if any(each is made for each in effects):
                _remove(effects, made)
        at = self._last_place(effects, event, keys, made_first)
        deletions = [
            Effect(Op.of("DELETE_FAST", "", event.op.offset, None), [v], 0) for v in values
        ]
        parent = self.parents[id(effects)]
        if not at and not made_first and parent is not None and not _ends_in_branch(parent):
            # The copies of a `finally` body are told by their operations, which begin here.
            effects, at = parent, len(parent)
        effects[at:at] = [*made_first, *deletions]

    def _last_place(
        self, effects: Effects, event: Effect, keys: Set[Tuple[int, int]], made_first: Effects
    ) -> int:
        """Right before the call and what is looked up for it, but behind everything needed."""
        needed = {id(_effect_of(leaf)) for made in made_first for leaf in _leaves(Result(made))}
        for key in keys:
            needed.add(key[0])
            needed.update(id(_written_in(user)) for user in self.users.get(key, ()))
        at = _index(effects, event)
        while at and id(effects[at - 1]) not in needed:
            effect = effects[at - 1]
            if effect.op.name not in _LOOKUPS and not written_inside(effect):
                break
            at -= 1
        return at


def _read_item(item: Item, near: Op) -> Effect:
    read = Op.of("SUBSCR", None, near.offset, near.line)
    effect = Effect(read, [item.sequence, Constant(item.index)], 1)
    effect.item = item
    return effect


def _made(value: Value) -> Optional[Result]:
    """The result that a value is, or is an item of."""
    value = meant(value)
    if isinstance(value, Item):
        value = value.sequence
    return value if isinstance(value, Result) else None


def _effect_of(value: Value) -> Optional[Effect]:
    made = _made(value)
    return None if made is None else made.effect


def _place_of(value: Value) -> Optional[Tuple[int, int]]:
    made = _made(value)
    return None if made is None else (id(made.effect), made.index)


def _leaves(display: Result) -> List[Value]:
    """What a display is made of, and the displays that are written inside it."""
    found: List[Value] = []
    for value in map(meant, display.effect.operands):
        if isinstance(value, Result) and written_inside(value.effect):
            found += _leaves(value)
        else:
            found.append(value)
    return found


def _written_in(effect: Effect) -> Effect:
    """The effect that a display is written in."""
    while written_inside(effect):
        effect = effect.uses[0]
    return effect


def _is_called(function: Effect, user: Effect) -> bool:
    first = meant(user.operands[0]) if user.operands else None
    mentioned = sum(_effect_of(value) is function for value in user.operands)
    is_call = user.op.name in ("CALL", "CALL_EX", "LOAD_ATTR", "LOAD_METHOD")
    return is_call and mentioned == 1 and isinstance(first, Result) and first.effect is function


def _key(value: Value) -> Optional[Key]:
    value = meant(value)
    if isinstance(value, Result) and value.effect.item is not None:
        value = value.effect.item
        return ("item", id(value.sequence.effect), value.index)
    if isinstance(value, Item):
        return ("item", id(value.sequence.effect), value.index)
    return ("result", id(value.effect), value.index) if isinstance(value, Result) else None


def _keys(values: Sequence[Value]) -> Set[Key]:
    """What certainly lives as long as these do."""
    found: Set[Key] = set()
    work = list(values)
    while work:
        value = meant(work.pop())
        key = _key(value)
        if key is not None and key not in found:
            found.add(key)
            if isinstance(value, Result) and value.effect.op.name in _FIXED:
                work += value.effect.operands
    return found


def _ends_in_branch(effects: Effects) -> bool:
    return bool(effects) and effects[-1].op.name == LEAVE


def _index(effects: Effects, effect: Effect) -> int:
    return next(i for i, each in enumerate(effects) if each is effect)


def _remove(effects: Effects, effect: Effect) -> None:
    del effects[_index(effects, effect)]
