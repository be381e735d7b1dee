"""Rules for tuples, lists, sets, dicts, slices and items.

A list, set or dict that the program has just built is known by its contents until an event gets
hold of it; reading and changing it before that is not observable. Keys are known only if they are
text: no other key can be compared or hashed without leave.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from .machine import Event, Machine, Side, Stop, rule
from .opcode_kinds import VERSION
from .values import Refused, Value, constructed

SUBSCRIPT_OPERATOR = 26  # BINARY_OP of 3.14 also reads items


def _taken(side: Side, count: int) -> List[Value]:
    base = len(side.stack) - count
    if base < 0:
        raise Refused("the stack runs empty")
    return side.stack[base:]


def _replace(machine: Machine, side: Side, count: int, *results: Value) -> None:
    base = len(side.stack) - count
    side.stack[base:] = results
    machine.step(side)


def new_object(machine: Machine, kind: str, contents: Sequence[Value]) -> Value:
    number = machine.values.number()
    machine.heap[number] = (kind, *contents)
    return ("ref", number)


def known_items(machine: Machine, value: Value) -> Optional[Tuple[Value, ...]]:
    """The items of a tuple or of a list that nobody else knows."""
    if value[0] == "tuple":
        return value[1:]
    if value[0] == "ref" and machine.heap[value[1]][0] == "list":
        return machine.heap[value[1]][1:]
    return None


def _is_private(machine: Machine, value: Value, kind: str) -> bool:
    return value[0] == "ref" and bool(machine.heap[value[1]][0] == kind)


@rule("BUILD_TUPLE")
def build_tuple(machine: Machine, side: Side, operand: int) -> None:
    _replace(machine, side, operand, constructed("tuple", _taken(side, operand)))


@rule("BUILD_LIST")
def build_list(machine: Machine, side: Side, operand: int) -> None:
    _replace(machine, side, operand, new_object(machine, "list", _taken(side, operand)))


# Constants that are hashed and compared without anybody's leave.
_HASHED = (int, bool, str, bytes, type(None))


def _are_hashed(machine: Machine, items: Sequence[Value]) -> bool:
    return all(_is_hashed(machine, item) for item in items)


def _is_hashed(machine: Machine, value: Value) -> bool:
    if value[0] == "tuple":
        return _are_hashed(machine, value[1:])
    return machine.values.plain(value, _HASHED)


@rule("BUILD_SET")
def build_set(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    items = _taken(side, operand)
    if not _are_hashed(machine, items):
        return machine.event(side, "BUILD_SET", operand, operand, 1)
    # In the order in which they are added, which a set can show.
    _replace(machine, side, operand, new_object(machine, "set", items))
    return None


@rule("BUILD_SLICE")
def build_slice(machine: Machine, side: Side, operand: int) -> None:
    parts = _taken(side, operand)
    if operand == 2:
        parts = [*parts, machine.values.constant(None)]
    if len(parts) != 3:
        raise Refused("a slice of unknown shape")
    _replace(machine, side, operand, constructed("slice", parts))


@rule("BUILD_MAP")
def build_map(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    return _build_dict(machine, side, 2 * operand, _taken(side, 2 * operand))


@rule("BUILD_CONST_KEY_MAP")
def build_map_of_names(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    taken = _taken(side, operand + 1)
    keys = taken[-1][1:] if taken[-1][0] == "tuple" else ()
    if len(keys) != operand:
        raise Refused("a dict whose keys are not known")
    contents = [part for pair in zip(keys, taken) for part in pair]
    return _build_dict(machine, side, operand + 1, contents)


def _build_dict(machine: Machine, side: Side, pops: int, contents: List[Value]) -> Optional[Stop]:
    keys = contents[::2]
    if not all(_is_text(machine, key) for key in keys) or len(set(keys)) != len(keys):
        return machine.event(side, "BUILD_MAP", len(keys), pops, 1, contents)
    _replace(machine, side, pops, new_object(machine, "dict", contents))
    return None


def _is_text(machine: Machine, key: Value) -> bool:
    return machine.values.plain(key, (str,))


def _container(side: Side, depth: int, above: int) -> Value:
    # The depth counts from below the values that the instruction takes.
    if depth < 1 or depth + above > len(side.stack):
        raise Refused("the stack runs empty")
    return side.stack[-(depth + above)]


def _addition(machine: Machine, side: Side, name: str, above: int, operand: int) -> Event:
    inputs = [_container(side, operand, above), *_taken(side, above)]
    return machine.event(side, name, None, above, 0, inputs)


# Methods of builtin types that do what an instruction does.
METHODS = frozenset({("list", "append"), ("list", "extend")})


def add_to_list(machine: Machine, container: Value, method: str, value: Value) -> bool:
    """Append a value or the items of one, if the list is private and the items are known."""
    items = (value,) if method == "append" else known_items(machine, value)
    if items is None or not _is_private(machine, container, "list"):
        return False
    machine.heap[container[1]] = (*machine.heap[container[1]], *items)
    return True


@rule("LIST_APPEND")
def list_append(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    return _add_item(machine, side, "append", operand)


@rule("LIST_EXTEND")
def list_extend(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    return _add_item(machine, side, "extend", operand)


def _add_item(machine: Machine, side: Side, method: str, operand: int) -> Optional[Stop]:
    if not add_to_list(machine, _container(side, operand, 1), method, side.stack[-1]):
        return _addition(machine, side, f"LIST_{method.upper()}", 1, operand)
    _replace(machine, side, 1)
    return None


@rule("SET_ADD")
def set_add(machine: Machine, side: Side, operand: int) -> Stop:
    return _addition(machine, side, "SET_ADD", 1, operand)


@rule("SET_UPDATE")
def set_update(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    container, items = _container(side, operand, 1), known_items(machine, side.stack[-1])
    known = items is not None and _are_hashed(machine, items)
    if items is None or not known or not _is_private(machine, container, "set"):
        return _addition(machine, side, "SET_UPDATE", 1, operand)
    machine.heap[container[1]] = (*machine.heap[container[1]], *items)
    _replace(machine, side, 1)
    return None


@rule("MAP_ADD")
def map_add(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    container = _container(side, operand, 2)
    key, value = _taken(side, 2)
    if not _is_private(machine, container, "dict") or not _is_text(machine, key):
        return _addition(machine, side, "MAP_ADD", 2, operand)
    _set_key(machine, container, key, value)
    _replace(machine, side, 2)
    return None


def _set_key(machine: Machine, container: Value, key: Value, value: Value) -> None:
    contents = list(machine.heap[container[1]])
    if key in contents[1::2]:
        contents[2 + 2 * contents[1::2].index(key)] = value
    else:
        contents += [key, value]
    machine.heap[container[1]] = tuple(contents)


@rule("DICT_UPDATE")
def dict_update(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    return _merge(machine, side, "DICT_UPDATE", operand)


@rule("DICT_MERGE")
def dict_merge(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    return _merge(machine, side, "DICT_MERGE", operand)


def _merge(machine: Machine, side: Side, name: str, operand: int) -> Optional[Stop]:
    container, other = _container(side, operand, 1), side.stack[-1]
    if _is_private(machine, container, "dict") and _is_private(machine, other, "dict"):
        mine, more = machine.heap[container[1]], machine.heap[other[1]][1:]
        # A key that is there twice is an error for DICT_MERGE.
        if not set(mine[1::2]) & set(more[::2]):
            machine.heap[container[1]] = (*mine, *more)
            _replace(machine, side, 1)
            return None
    inputs = [container, other]
    if name == "DICT_MERGE":
        # Its message names the function that is called, which stands below.
        inputs += _called_function(side, operand)
    return machine.event(side, name, None, 1, 0, inputs)


def _called_function(side: Side, operand: int) -> List[Value]:
    depth = operand + (3 if VERSION < (3, 13) else 4)
    function = side.stack[-depth] if depth <= len(side.stack) else None
    return [function[1] if function[0] in ("half0", "half1") else function] if function else []


@rule("LIST_TO_TUPLE")
def list_to_tuple(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    items = known_items(machine, _taken(side, 1)[0])
    if items is None:
        return machine.event(side, "LIST_TO_TUPLE", None, 1, 1)
    _replace(machine, side, 1, constructed("tuple", items))
    return None


@rule("UNPACK_SEQUENCE")
def unpack(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    items = known_items(machine, _taken(side, 1)[0])
    if items is None or len(items) != operand:
        return _unpack_event(machine, side, operand)
    _replace(machine, side, 1, *reversed(items))
    return None


def _unpacked(name: str, kind: str) -> None:
    """3.8 has instructions of their own for displays and arguments with stars in them."""

    def apply(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
        known = [known_items(machine, part) for part in _taken(side, operand)]
        if any(items is None for items in known):
            return machine.event(side, name, operand, operand, 1)
        every = [item for items in known if items is not None for item in items]
        made = (
            constructed("tuple", every) if kind == "tuple" else new_object(machine, "list", every)
        )
        _replace(machine, side, operand, made)
        return None

    rule(name)(apply)


_unpacked("BUILD_LIST_UNPACK", "list")
_unpacked("BUILD_TUPLE_UNPACK", "tuple")
_unpacked("BUILD_TUPLE_UNPACK_WITH_CALL", "tuple")


def _unpack_event(machine: Machine, side: Side, operand: int) -> Event:
    return machine.event(side, "UNPACK_SEQUENCE", operand, 1, operand)


# --- items ------------------------------------------------------------------------------------


def _index(machine: Machine, key: Value) -> Any:
    """A number or a slice of numbers as Python has it; None where it is not known."""
    values = machine.values
    if values.plain(key, (int,)):
        return values.object_of(key)
    if key[0] == "slice" and all(values.plain(p, (int, type(None))) for p in key[1:]):
        bounds = [values.object_of(part) for part in key[1:]]
        return slice(*bounds) if bounds[2] != 0 else None
    return None


def _known_item(machine: Machine, container: Value, key: Value) -> Optional[Value]:
    if _is_private(machine, container, "dict"):
        contents = machine.heap[container[1]]
        if _is_text(machine, key) and key in contents[1::2]:
            found: Value = contents[2 + 2 * contents[1::2].index(key)]
            return found
        return None
    items, index = known_items(machine, container), _index(machine, key)
    if container[0] == "sequence" and isinstance(index, int):
        return ("item", container, key)
    if items is None or index is None:
        return None
    if isinstance(index, slice):
        part = items[index]
        return ("tuple", *part) if container[0] == "tuple" else new_object(machine, "list", part)
    return items[index] if -len(items) <= index < len(items) else None


@rule("BINARY_SUBSCR")
def item(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    container, key = _taken(side, 2)
    found = _known_item(machine, container, key)
    if found is None:
        return machine.event(side, "item", None, 2, 1)
    _replace(machine, side, 2, found)
    return None


@rule("BINARY_SLICE")
def item_slice(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    container, start, stop = _taken(side, 3)
    key: Value = ("slice", start, stop, machine.values.constant(None))
    found = _known_item(machine, container, key)
    if found is None:
        return machine.event(side, "item", None, 3, 1, [container, key])
    _replace(machine, side, 3, found)
    return None


def _store(machine: Machine, side: Side, pops: int, value: Value, container: Value,
           key: Value) -> Optional[Stop]:  # fmt: skip
    if _is_private(machine, container, "dict") and _is_text(machine, key):
        _set_key(machine, container, key, value)
    elif not _store_in_list(machine, value, container, key):
        return machine.event(side, "store item", None, pops, 0, [value, container, key])
    _replace(machine, side, pops)
    return None


def _store_in_list(machine: Machine, value: Value, container: Value, key: Value) -> bool:
    index = _index(machine, key)
    if not _is_private(machine, container, "list") or index is None:
        return False
    items: List[Value] = list(machine.heap[container[1]][1:])
    if isinstance(index, slice):
        new = known_items(machine, value)
        if new is None or index.step not in (None, 1):
            return False
        items[index] = new
    elif -len(items) <= index < len(items):
        items[index] = value
    else:
        return False
    machine.heap[container[1]] = ("list", *items)
    return True


@rule("STORE_SUBSCR")
def store_item(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    value, container, key = _taken(side, 3)
    return _store(machine, side, 3, value, container, key)


@rule("STORE_SLICE")
def store_slice(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    value, container, start, stop = _taken(side, 4)
    key: Value = ("slice", start, stop, machine.values.constant(None))
    return _store(machine, side, 4, value, container, key)


@rule("DELETE_SUBSCR")
def delete_item(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    container, key = _taken(side, 2)
    index = _index(machine, key)
    if _is_private(machine, container, "list") and index is not None:
        items: List[Value] = list(machine.heap[container[1]][1:])
        if isinstance(index, slice) or -len(items) <= index < len(items):
            del items[index]
            machine.heap[container[1]] = ("list", *items)
            _replace(machine, side, 2)
            return None
    return machine.event(side, "DELETE_SUBSCR", None, 2, 0)
