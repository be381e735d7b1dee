"""Compiles decompiled text and puts back what no text can say.

Objects without a literal become constants again, and names that are no identifiers get their
spelling back. In the text both are ordinary names, so nothing about them is folded away by the
compiler: a lookup of such a name is overwritten in the finished bytecode.
"""

from __future__ import annotations

import ast
import opcode
import sys
import types
from typing import Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple, Union

from depyf.decompile.decode.modes import EXEC, SINGLE
from depyf.decompile.decode.outside import CellOf

from .cell_order import cells_by_place

_LOADS = (opcode.opmap["LOAD_GLOBAL"], opcode.opmap["LOAD_NAME"])
# What `a[b]` compiles to: 3.14 has no instruction of its own for it.
_SUBSCRIPT = opcode.opmap["BINARY_SUBSCR" if sys.version_info < (3, 14) else "BINARY_OP"]
_MAKE_FUNCTION = opcode.opmap["MAKE_FUNCTION"]
_LOAD_CONST, _NOP = opcode.opmap["LOAD_CONST"], opcode.opmap["NOP"]
_STORE_NAME = opcode.opmap["STORE_NAME"]
_JUMP_FORWARD, _EXTENDED_ARG = opcode.opmap["JUMP_FORWARD"], opcode.opmap["EXTENDED_ARG"]
_CACHE = opcode.opmap.get("CACHE", -1)
# 3.13 reads a cell as it reads a local.
_LOAD_CELL = opcode.opmap["LOAD_CLOSURE" if sys.version_info < (3, 13) else "LOAD_FAST"]
_CO_OPTIMIZED = 1
_GLOBAL_SHIFT = 1 if sys.version_info >= (3, 11) else 0
# Where instructions have caches, a lookup leaves so many units that a jump beats doing nothing.
_WORTH_A_JUMP = 4 if _CACHE >= 0 else 1000


Tree = Union[ast.Module, ast.Expression, ast.Interactive]


def compile_restored(
    text: str,
    filename: str,
    flags: int,
    constants: Mapping[str, object],
    renamed: Mapping[str, str],
    mode: str = EXEC,
) -> types.CodeType:
    """Compile the text; `constants` and `renamed` say what its placeholders stand for."""
    if not constants and mode == EXEC:
        compiled: types.CodeType = compile(text, filename, mode, flags, dont_inherit=True)
        return _restored(compiled, {}, renamed) if renamed else compiled
    # At a prompt one line may hold several statements; the text has a line for each.
    parsed_as = EXEC if mode == SINGLE else mode
    tree = compile(text, filename, parsed_as, flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    if mode == SINGLE:
        tree = ast.Interactive(tree.body)
    return compile_tree(tree, filename, flags, constants, renamed, mode)


def compile_tree(
    tree: Tree,
    filename: str,
    flags: int,
    constants: Mapping[str, object],
    renamed: Mapping[str, str],
    mode: str = EXEC,
) -> types.CodeType:
    """The same from a syntax tree, which is changed on the way."""
    marks = {name: f"depyf_constant_{number}_" for number, name in enumerate(constants)}
    if marks:
        _NamesToLookups(marks).visit(tree)
    compiled: types.CodeType = compile(tree, filename, mode, flags, dont_inherit=True)
    return _restored(compiled, {marks[name]: value for name, value in constants.items()}, renamed)


class _NamesToLookups(ast.NodeTransformer):
    """A placeholder becomes `mark[mark]`, which leaves room in the bytecode for any constant."""

    def __init__(self, marks: Mapping[str, str]) -> None:
        self.marks = marks

    def visit_Name(self, node: ast.Name) -> ast.expr:
        mark = self.marks.get(node.id)
        if mark is None:
            return node
        lookup = ast.parse(f"{mark}[{mark}]", mode="eval").body
        for each in ast.walk(lookup):
            ast.copy_location(each, node)
        return lookup


def _restored(
    code: types.CodeType, objects: Mapping[str, object], renamed: Mapping[str, str]
) -> types.CodeType:
    """The code, and all code inside, with its objects and names."""
    consts: List[object] = [
        _restored(const, objects, renamed) if isinstance(const, types.CodeType) else const
        for const in code.co_consts
    ]
    changes: Dict[str, object] = {}
    if not objects.keys().isdisjoint(code.co_names):
        changes["co_code"] = _with_objects(code, objects, consts)
    changes["co_consts"] = tuple(consts)
    if renamed:
        for field in ("co_names", "co_varnames", "co_cellvars", "co_freevars"):
            changes[field] = tuple([renamed.get(name, name) for name in getattr(code, field)])
        changes["co_name"] = renamed.get(code.co_name, code.co_name)
        if hasattr(code, "co_qualname"):
            path = code.co_qualname.split(".")
            changes["co_qualname"] = ".".join([renamed.get(name, name) for name in path])
    return code.replace(**changes)  # type: ignore[arg-type]


class _Step(NamedTuple):
    """One instruction with its prefixes and caches."""

    start: int
    end: int
    opcode: int
    argument: int


def _steps(raw: bytes) -> Iterator[_Step]:
    start = argument = offset = 0
    while offset < len(raw):
        code = raw[offset]
        argument = argument << 8 | raw[offset + 1]
        offset += 2
        if code == _EXTENDED_ARG:
            continue
        while offset < len(raw) and raw[offset] == _CACHE:
            offset += 2
        yield _Step(start, offset, code, argument)
        start, argument = offset, 0


def _with_objects(
    code: types.CodeType, objects: Mapping[str, object], consts: List[object]
) -> bytes:
    """Bytecode in which every lookup of a mark loads the object, which is added to `consts`."""
    raw = bytearray(code.co_code)
    steps = list(_steps(code.co_code))
    for first, second, last in zip(steps, steps[1:], steps[2:]):
        mark = _loaded_name(code, first)
        if mark in objects and last.opcode == _SUBSCRIPT and _loaded_name(code, second) == mark:
            load = _null_before(first) + _load_object(code, objects[mark], consts)
            raw[first.start : last.end] = _filled(load, last.end - first.start)
    return bytes(raw)


def _null_before(load: _Step) -> bytes:
    """The NULL of a call that 3.11 and 3.12 push together with the global behind it."""
    if load.opcode == opcode.opmap["LOAD_GLOBAL"] and _GLOBAL_SHIFT and load.argument & 1:
        return bytes((opcode.opmap["PUSH_NULL"], 0))
    return b""


def _loaded_name(code: types.CodeType, step: _Step) -> str:
    if step.opcode not in _LOADS:
        return ""
    is_global = step.opcode == opcode.opmap["LOAD_GLOBAL"]
    return code.co_names[step.argument >> _GLOBAL_SHIFT if is_global else step.argument]


def _place_of(value: object, consts: List[object]) -> int:
    for place, const in enumerate(consts):
        if const is value:
            return place
    consts.append(value)
    return len(consts) - 1


def _load_object(code: types.CodeType, value: object, consts: List[object]) -> bytes:
    if isinstance(value, CellOf):
        return _load(_LOAD_CELL, cells_by_place(code).index(value.name))
    return _load(_LOAD_CONST, _place_of(value, consts))


def _load(operation: int, place: int) -> bytes:
    prefixes = [(place >> shift) & 255 for shift in (16, 8) if place >> shift]
    made = b"".join(bytes((_EXTENDED_ARG, prefix)) for prefix in prefixes)
    return made + bytes((operation, place & 255))


def _filled(load: bytes, size: int) -> bytes:
    rest = (size - len(load)) // 2
    if rest >= _WORTH_A_JUMP:
        load += bytes((_JUMP_FORWARD, rest - 1))
        rest -= 1
    return load + bytes((_NOP, 0)) * rest


# --- names of functions -----------------------------------------------------------------------


def with_name(code: types.CodeType, old: str, new: str, name: str) -> types.CodeType:
    """The code under another name; the qualified names inside it begin with `new`, not `old`."""
    return _requalified(code, f"{old}.", f"{new}.").replace(co_name=name)


def qualified_name(code: types.CodeType) -> str:
    """The qualified name; before 3.11 as far as the functions inside tell it."""
    known = getattr(code, "co_qualname", None)
    if isinstance(known, str):
        return known
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            tail = f"{code.co_name}.<locals>.{const.co_name}"
            for text in code.co_consts:
                if type(text) is str and text.endswith(tail):
                    return text[: len(text) - len(tail)] + code.co_name
    return code.co_name


def _requalified(code: types.CodeType, old: str, new: str) -> types.CodeType:
    changes: Dict[str, object] = {}
    names = _places_of_names(code)
    consts = tuple(
        [
            _requalified_constant(const, old, new, place in names)
            for place, const in enumerate(code.co_consts)
        ]
    )
    if any(one is not other for one, other in zip(consts, code.co_consts)):
        changes["co_consts"] = consts
    qualname = getattr(code, "co_qualname", "")
    if qualname.startswith(old):
        changes["co_qualname"] = new + qualname[len(old) :]
    # Code that was put back as a constant stays the very object it is.
    return code.replace(**changes) if changes else code  # type: ignore[arg-type]


def _requalified_constant(const: object, old: str, new: str, is_name: bool) -> object:
    if isinstance(const, types.CodeType):
        return _requalified(const, old, new)
    if is_name and type(const) is str and const.startswith(old):
        return new + const[len(old) :]
    return const


def _places_of_names(code: types.CodeType) -> Set[int]:
    """Which constants are qualified names: that of a class body, before 3.11 those of functions."""
    places = {place for place, _name in _name_constants(code)}
    if not code.co_flags & _CO_OPTIMIZED and "__qualname__" in code.co_names:
        steps = list(_steps(code.co_code))
        for load, store in zip(steps, steps[1:]):
            if load.opcode == _LOAD_CONST and store.opcode == _STORE_NAME:
                if code.co_names[store.argument] == "__qualname__":
                    places.add(load.argument)
    return places


# --- functions inside -------------------------------------------------------------------------


def has_code_inside(code: types.CodeType) -> bool:
    return any(isinstance(const, types.CodeType) for const in code.co_consts)


def with_names_inside(made: types.CodeType, original: types.CodeType) -> types.CodeType:
    """What is inside gets the qualified names that it has in the original, and what is in that.

    A code generator may call them anything, and a continuation holds those of the function that
    it continues; a `def` has only one choice.
    """
    consts = list(made.co_consts)
    for place, twin in _twins(made, original):
        consts[place] = _named_as(made.co_consts[place], twin)
    return made.replace(co_consts=_with_name_constants(made, original, consts))


def _named_as(code: types.CodeType, twin: types.CodeType) -> types.CodeType:
    """What surrounds it is called otherwise: so is all inside, generic functions and classes too.

    Where the code generator has made up the last part of the name, only that of the code is known.
    """
    old, new = _surroundings(code), _surroundings(twin)
    known = getattr(twin, "co_qualname", None)
    if old and new is not None:
        code = _requalified(code, old, new)
    elif known is not None:
        code = code.replace(co_qualname=known)
    # Before 3.11 what is inside may tell of other surroundings than the code itself.
    return with_names_inside(code, twin) if known is None else code


def _surroundings(code: types.CodeType) -> Optional[str]:
    """The qualified name up to the plain one; "" also where it is not known, before 3.11."""
    whole = _inner_name(code)
    return whole[: -len(code.co_name)] if whole.endswith(code.co_name) else None


def _inner_name(code: types.CodeType) -> str:
    """The qualified name; before 3.11 a class has it as a constant."""
    if code.co_flags & _CO_OPTIMIZED or hasattr(code, "co_qualname"):
        return qualified_name(code)
    texts = [const for const in code.co_consts if type(const) is str]
    named = [text for text in texts if text.split(".")[-1] == code.co_name]
    return named[0] if named else code.co_name


def with_code_inside(made: types.CodeType, original: types.CodeType) -> types.CodeType:
    """The functions inside are those of the original, the very same code objects."""
    consts = list(made.co_consts)
    for place, twin in _twins(made, original):
        consts[place] = twin
    return made.replace(co_consts=_with_name_constants(made, original, consts))


def _twins(made: types.CodeType, original: types.CodeType) -> Iterator[Tuple[int, types.CodeType]]:
    """Places of code among the constants, with the original's code of the same name."""
    own = {id(const) for const in made.co_consts}
    # What was put back as a constant is in its place already.
    waiting = [
        const
        for const in original.co_consts
        if isinstance(const, types.CodeType) and id(const) not in own
    ]
    put_back = {id(const) for const in original.co_consts}
    for place, const in enumerate(made.co_consts):
        if isinstance(const, types.CodeType) and id(const) not in put_back:
            named = [each for each in waiting if each.co_name == const.co_name]
            # Lambdas are all called the same, and may come in another order.
            alike = [each for each in named if each.co_code == const.co_code]
            same = [each for each in alike if _same_words(each, const)]
            for twin in (same or alike or named)[:1]:
                waiting = [each for each in waiting if each is not twin]
                yield place, twin


def _same_words(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects go by the same names and plain constants."""
    plain = [
        [const for const in code.co_consts if type(const) in (str, int, float, bytes)]
        for code in (one, other)
    ]
    return plain[0] == plain[1] and one.co_names == other.co_names


def _with_name_constants(
    made: types.CodeType, original: types.CodeType, consts: List[object]
) -> Tuple[object, ...]:
    """Before 3.11 a qualified name is a constant: LOAD_CONST code; LOAD_CONST name."""
    wanted = list(_name_constants(original))
    for place, name in _name_constants(made):
        twin = next((each for each in wanted if each[1] == name), None)
        if twin is not None:
            wanted.remove(twin)
            consts[place] = original.co_consts[twin[0]]
    return tuple(consts)


def _name_constants(code: types.CodeType) -> Iterator[Tuple[int, str]]:
    """The place of each qualified name, with the plain name of its function."""
    if sys.version_info >= (3, 11):
        return
    steps = list(_steps(code.co_code))
    for load, name, make in zip(steps, steps[1:], steps[2:]):
        if make.opcode == _MAKE_FUNCTION and load.opcode == name.opcode == _LOAD_CONST:
            inner = code.co_consts[load.argument]
            if isinstance(inner, types.CodeType):
                yield name.argument, inner.co_name
