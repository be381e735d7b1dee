"""Runs one block symbolically: operations in, effects in order out.

The rules are a table by operation. What only moves values about leaves nothing behind; what the
table does not name is `CannotSimplify`, and the frame stays as it is.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.simplify.values import (
    NULL,
    UNBOUND,
    Constant,
    Effect,
    Facts,
    Fresh,
    Global,
    Item,
    Null,
    Result,
    Silent,
    State,
    Unbound,
    Value,
    Variable,
    meant,
)


class CannotSimplify(Exception):
    """The frame does something that this pass has no rule for."""


Rule = Callable[["Runner", Op], None]
RULES: Dict[str, Rule] = {}

# Operations whose operands are their pops and whose results are their pushes, in order.
_REGULAR = frozenset(
    "LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLOSURE LOAD_ATTR LOAD_COMMON LOAD_ASSERTION_ERROR "
    "STORE_ATTR STORE_GLOBAL STORE_DEREF ENTER DELETE_ATTR DELETE_GLOBAL DELETE_DEREF "
    "UNARY BINARY INPLACE BUILD_MAP BUILD_CONST_KEY_MAP BUILD_SET "
    "BUILD_STRING FORMAT CONVERT MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE INTRINSIC_1 "
    "IMPORT_NAME GET_ITER UNPACK_EX RETURN RAISE".split()
)

_CALLS = frozenset(("CALL", "CALL_EX"))


def rule(*names: str) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


def has_rule(op: Op) -> bool:
    return op.name in RULES or op.name in _REGULAR


class Runner:
    """One block being run: the state it is in, and the effects so far."""

    __slots__ = ("state", "facts", "effects", "may_forget")

    def __init__(self, state: State, facts: Facts, may_forget: Callable[[Op], bool]) -> None:
        self.state = state
        self.facts = facts
        self.effects: List[Effect] = []
        # Whether a result need not be given up where the frame does (see `frame`).
        self.may_forget = may_forget

    def run(self, ops: List[Op]) -> None:
        for op in ops:
            known = RULES.get(op.name)
            if known is not None:
                known(self, op)
            elif op.name in _REGULAR:
                pops, pushes = stack_effect(op)
                self.add(op, self.take(pops), pushes)
            else:
                raise CannotSimplify(f"{op.name} at offset {op.offset}")

    # --- the stack ---------------------------------------------------------------------------

    def take(self, count: int) -> List[Value]:
        stack = self.state.stack
        if count > len(stack):
            raise CannotSimplify("the stack runs empty")
        if count == 1:
            return [meant(stack.pop())]
        taken = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return [meant(value) for value in taken]

    def push(self, value: Value) -> None:
        self.state.stack.append(value)

    # --- effects -----------------------------------------------------------------------------

    def add(self, op: Op, operands: List[Value], results: int) -> Effect:
        """An effect that everything before it precedes; its results go on the stack."""
        effect = Effect(op, [self.operand(value) for value in operands], results)
        self.effects.append(effect)
        if op.name in _CALLS:
            effect.held = self.state.everything()
        for index in range(results):
            self.push(Result(effect, index))
        return effect

    def operand(self, value: Value) -> Value:
        """A value that an effect gets hold of: it is built if it was not."""
        value = meant(value)
        if isinstance(value, Fresh):
            items = [self.operand(item) for item in value.items]
            op = Op.of(f"BUILD_{value.kind.upper()}", len(items), -1, None)
            effect = Effect(op, items, 1, builds=True)
            self.effects.append(effect)
            value.built = Result(effect)
            return value.built
        if isinstance(value, (Silent, Unbound)):
            raise CannotSimplify("a value that is nothing to anyone is used")
        return value

    def keep(self, value: Value, op: Op) -> None:
        """Read an item or a local now: what it is read from is about to go."""
        if isinstance(value, Item):
            subscript = Op.of("SUBSCR", None, op.offset, op.line)
            effect = Effect(subscript, [value.sequence, Constant(value.index)], 1)
            effect.item = Item(value.sequence, value.index)
            value.moved = Result(effect)
            self._add_early(effect, effect.item)
        else:
            assert isinstance(value, Variable)
            effect = Effect(Op.of("LOAD_FAST", value.name, op.offset, op.line), [], 1)
            value.moved = Result(effect)
            self.effects.append(effect)

    def _add_early(self, effect: Effect, item: Item) -> None:
        """Read an item where its sequence was made, which needs no name then; in their order."""
        place = len(self.effects)
        while place and self.effects[place - 1] is not item.sequence.effect:
            place -= 1
        if not place:
            place = len(self.effects)
        for other in self.effects[place:]:
            if other.item is None or other.item.index > item.index:
                break
            place += 1
        self.effects.insert(place, effect)


# --- values that are only moved ---------------------------------------------------------------


@rule("LOAD_CONST", "LOAD_OBJECT")
def _load_constant(run: Runner, op: Op) -> None:
    bare_code = op.name == "LOAD_OBJECT" and isinstance(op.arg, Code) and op.arg.live is not None
    run.push(_constant(op.arg.live if bare_code else op.arg))


def _constant(value: Any) -> Value:
    # Constant tuples and slices may be taken apart like those made here.
    if type(value) is tuple:
        return Fresh("tuple", [_constant(item) for item in value])
    if type(value) is slice:
        return Fresh("slice", [Constant(part) for part in (value.start, value.stop, value.step)])
    return Constant(value)


@rule("PUSH_NULL")
def _push_null(run: Runner, op: Op) -> None:
    run.push(NULL)


@rule("LOAD_FAST")
def _load_local(run: Runner, op: Op) -> None:
    value = run.state.locals.get(op.arg, UNBOUND)
    if isinstance(value, Unbound):
        raise CannotSimplify(f"{op.arg} is read before it is bound")
    run.push(value)


@rule("STORE_FAST")
def _store_local(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    if isinstance(value, Result):
        value.effect.wanted.setdefault(value.index, op.arg)
    run.state.locals[op.arg] = value


@rule("DELETE_FAST")
def _delete_local(run: Runner, op: Op) -> None:
    value = meant(run.state.locals.get(op.arg, UNBOUND))
    if isinstance(value, Unbound):
        raise CannotSimplify(f"{op.arg} is deleted before it is bound")
    run.state.locals[op.arg] = UNBOUND
    if isinstance(value, (Constant, Global, Fresh, Item, Silent, Null)):
        return
    if isinstance(value, Variable) and value.name != op.arg:
        # Another name for an argument that stays.
        return
    if isinstance(value, Result) and op.arg in run.facts.scratch and run.may_forget(op):
        return
    for other in run.state.everything():
        if other is value and isinstance(value, Variable):
            run.keep(value, op)
        elif isinstance(other, Item) and _reads_from(other, value):
            run.keep(other, op)
    if isinstance(value, Result):
        # Of the code generator's own locals only those are deleted that are there in the end.
        forced = op.arg not in run.facts.scratch
        run.effects.append(Effect(op, [value], 0, builds=forced))
    else:
        run.effects.append(Effect(op, [], 0))


def _reads_from(item: Item, value: Value) -> bool:
    return isinstance(value, Result) and item.sequence.effect is value.effect


@rule("POP_TOP")
def _pop(run: Runner, op: Op) -> None:
    run.take(1)


@rule("COPY")
def _copy(run: Runner, op: Op) -> None:
    if op.arg > len(run.state.stack):
        raise CannotSimplify("the stack runs empty")
    run.push(run.state.stack[-op.arg])


@rule("SWAP")
def _swap(run: Runner, op: Op) -> None:
    stack = run.state.stack
    if op.arg > len(stack):
        raise CannotSimplify("the stack runs empty")
    stack[-1], stack[-op.arg] = stack[-op.arg], stack[-1]


@rule("ROT")
def _rotate(run: Runner, op: Op) -> None:
    stack = run.state.stack
    if op.arg > len(stack):
        raise CannotSimplify("the stack runs empty")
    stack.insert(len(stack) - op.arg, stack.pop())


@rule("TEST_NONE")
def _test_none(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    if isinstance(value, Constant):
        run.push(Constant(value.value is None))
    else:
        run.add(op, [value], 1)


@rule("COMPARE")
def _compare(run: Runner, op: Op) -> None:
    one, other = run.take(2)
    if op.arg in ("is", "is not") and _is_none(one) and _is_none(other):
        run.push(Constant(op.arg == "is"))
    else:
        run.add(op, [one, other], 1)


def _is_none(value: Value) -> bool:
    return isinstance(value, Constant) and value.value is None


# --- lists, tuples, slices --------------------------------------------------------------------


@rule("BUILD_LIST", "BUILD_TUPLE")
def _build(run: Runner, op: Op) -> None:
    kind = "list" if op.name == "BUILD_LIST" else "tuple"
    run.push(Fresh(kind, run.take(op.arg)))


@rule("BUILD_SLICE")
def _build_slice(run: Runner, op: Op) -> None:
    run.push(Fresh("slice", run.take(op.arg)))


@rule("BUILD_UNPACK")
def _build_unpacked(run: Runner, op: Op) -> None:
    kind, count, _with_call = op.arg
    parts = run.take(count)
    known = [items_of(part) for part in parts]
    if kind not in ("list", "tuple") or any(items is None for items in known):
        run.add(op, parts, 1)
    else:
        run.push(Fresh(kind, [item for items in known if items is not None for item in items]))


def items_of(value: Value) -> Optional[List[Value]]:
    """The items of a list or tuple that is known."""
    if isinstance(value, Fresh) and value.kind in ("list", "tuple"):
        return value.items
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, Fresh) and value.kind == "list"


def _index(value: Value) -> Any:
    """A constant number or a slice of constant numbers; None for anything else."""
    if isinstance(value, Constant):
        return value.value if type(value.value) is int else None
    if not isinstance(value, Fresh) or value.kind != "slice":
        return None
    bounds = [item.value for item in value.items if isinstance(item, Constant)]
    plain = all(bound is None or type(bound) is int for bound in bounds)
    if len(bounds) != len(value.items) or not plain or bounds[2:] not in ([], [None], [1]):
        return None
    return slice(*bounds[:2])


@rule("LIST_APPEND", "LIST_EXTEND")
def _extend(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    container = meant(run.state.stack[-op.arg])
    more: Optional[List[Value]] = [value] if op.name == "LIST_APPEND" else items_of(value)
    if isinstance(container, Fresh) and container.kind == "list" and more is not None:
        container.items.extend(more)
    else:
        _change(run, op, container, [value])


@rule("DICT_UPDATE", "DICT_MERGE", "SET_UPDATE", "SET_ADD", "MAP_ADD")
def _add_to(run: Runner, op: Op) -> None:
    values = run.take(2 if op.name == "MAP_ADD" else 1)
    _change(run, op, meant(run.state.stack[-op.arg]), values)


def _change(run: Runner, op: Op, container: Value, values: List[Value]) -> None:
    """An effect that changes a container on the stack and leaves it there."""
    place = len(run.state.stack) - op.arg
    changing = Op.of(op.name, 1, op.offset, op.line)
    effect = Effect(changing, [run.operand(value) for value in (container, *values)], 1)
    run.effects.append(effect)
    changed = Result(effect)
    if isinstance(container, Fresh):
        container.built = changed
    run.state.stack[place] = changed


@rule("LIST_TO_TUPLE")
def _to_tuple(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    items = items_of(value)
    if items is None:
        run.add(op, [value], 1)
    else:
        run.push(Fresh("tuple", list(items)))


@rule("SLICE")
def _slice(run: Runner, op: Op) -> None:
    container, start, stop = run.take(3)
    run.state.stack += [container, Fresh("slice", [start, stop])]
    _subscript(run, Op.of("SUBSCR", None, op.offset, op.line))


@rule("STORE_SLICE")
def _store_slice(run: Runner, op: Op) -> None:
    value, container, start, stop = run.take(4)
    run.state.stack += [value, container, Fresh("slice", [start, stop])]
    _store_item(run, Op.of("STORE_SUBSCR", None, op.offset, op.line))


@rule("SUBSCR")
def _subscript(run: Runner, op: Op) -> None:
    container, key = run.take(2)
    items, index = items_of(container), _index(key)
    if items is not None and isinstance(index, slice):
        assert isinstance(container, Fresh)
        run.push(Fresh(container.kind, items[index]))
    elif items is not None and index is not None and -len(items) <= index < len(items):
        run.push(items[index])
    elif isinstance(container, Result) and type(index) is int and _is_sequence(run, container):
        run.push(Item(container, index))
    else:
        run.add(op, [container, key], 1)


def _is_sequence(run: Runner, value: Result) -> bool:
    """Whether the value came from a function that returns plain tuples and lists."""
    effect = value.effect
    if effect.op.name != "CALL":
        return False
    function = effect.operands[0]
    return isinstance(function, Global) and function.op.arg in run.facts.sequences


@rule("STORE_SUBSCR")
def _store_item(run: Runner, op: Op) -> None:
    value, container, key = run.take(3)
    items, index = items_of(container), _index(key)
    if items is not None and index is not None and _is_list(container):
        new = items_of(value)
        if isinstance(index, slice) and new is not None:
            items[index] = list(new)
            return
        if type(index) is int and -len(items) <= index < len(items):
            items[index] = value
            return
    run.add(op, [value, container, key], 0)


@rule("DELETE_SUBSCR")
def _delete_item(run: Runner, op: Op) -> None:
    container, key = run.take(2)
    items, index = items_of(container), _index(key)
    if items is not None and index is not None and _is_list(container):
        if isinstance(index, slice) or -len(items) <= index < len(items):
            del items[index]
            return
    run.add(op, [container, key], 0)


@rule("UNPACK")
def _unpack(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    items = items_of(value)
    if items is not None and len(items) == op.arg:
        run.state.stack.extend(reversed(items))
        return
    effect = Effect(op, [run.operand(value)], op.arg)
    run.effects.append(effect)
    # The first item comes to lie on top.
    for index in reversed(range(op.arg)):
        run.push(Result(effect, index))
