"""Torch's tree of guards as a flat list: each leaf with a Python expression for what it checks.

Torch keeps guards in a tree in C++. A node is reached from its parent by an accessor (an attribute,
an item, ...), a leaf checks what its node reached. The expression is built from the accessors, not
from torch's name of the source: the two may differ, and the accessors are what torch runs.
"""

from __future__ import annotations

import ast
import re
import types
from dataclasses import dataclass
from functools import lru_cache
from inspect import getattr_static
from typing import Callable, Dict, List, Optional, Protocol, Sequence, Tuple

from depyf.session.clean import UUID

from .importable import loaded, path_to


class Leaf(Protocol):
    def verbose_code_parts(self) -> Sequence[str]: ...


class Accessor(Protocol):
    def repr(self) -> str: ...


class Manager(Protocol):
    def get_leaf_guards(self) -> Sequence[Leaf]: ...
    def get_accessors(self) -> Sequence[Accessor]: ...
    def get_child_managers(self) -> Sequence[Manager]: ...
    def get_source(self) -> str: ...


@dataclass
class Reached:
    """A place in the tree. `python` is None where no expression leads to it.

    `known` holds the object itself when it could be followed from the globals without running
    any code of the user's; `path` is where it can be imported from.
    """

    python: Optional[str]
    source: str = ""
    kind: Optional[type] = None
    known: Tuple[object, ...] = ()
    path: str = ""


@dataclass
class Found:
    """A leaf and where it is; `others` are the further places of one that compares several."""

    leaf: Leaf
    at: Reached
    others: Tuple[Reached, ...] = ()

    @property
    def name(self) -> str:
        return type(self.leaf).__name__

    @property
    def parts(self) -> Tuple[str, ...]:
        return tuple(self.leaf.verbose_code_parts())


@dataclass
class DictShape:
    """What a node for a dictionary in order checks by itself: its type, and a length it hides."""

    at: Reached


def leaves_of(root: Manager, names: Dict[str, object]) -> List[object]:
    """Every `Found` leaf and `DictShape`, each once; `names` are the globals."""
    tree = _Tree(names)
    tree.walk(root, Reached("L"))
    return tree.places


Pairs = Dict[int, Tuple[Optional[Manager], Optional[Manager]]]


class _Tree:
    def __init__(self, names: Dict[str, object]) -> None:
        self.names = names
        self.places: List[object] = []
        self.found: Dict[int, Found] = {}

    def walk(self, manager: Manager, at: Reached) -> None:
        for leaf in manager.get_leaf_guards():
            self._add(leaf, at)
        for accessor, child in zip(manager.get_accessors(), manager.get_child_managers()):
            self.walk(child, _step(at, accessor.repr(), child, self.names))
        pairs = getattr(manager, "get_key_value_managers", None)
        if pairs is not None:
            self._walk_items(pairs(), at)

    def _add(self, leaf: Leaf, at: Reached) -> None:
        known = self.found.get(id(leaf))
        if known is not None:
            # Torch hangs a guard that compares several values under each of them.
            known.others += (at,)
        else:
            self.found[id(leaf)] = Found(leaf, at)
            self.places.append(self.found[id(leaf)])

    def _walk_items(self, pairs: Pairs, at: Reached) -> None:
        self.places.append(DictShape(at))
        for index in sorted(pairs):
            for helper, manager in zip(("key_at", "value_at"), pairs[index]):
                if manager is not None:
                    python = at.python and f"{helper}({at.python}, {index})"
                    self.walk(manager, _place(python or None, manager))


def _place(python: Optional[str], manager: Manager) -> Reached:
    kind = getattr(manager, "get_type_of_guarded_value", lambda: None)()
    return Reached(python, manager.get_source(), kind if isinstance(kind, type) else None)


# --- accessors --------------------------------------------------------------------------------

# ListGetItemGuardAccessor(0), GetAttrGuardAccessor(abs), GlobalsGuardAccessor
_ACCESSOR = re.compile(r"(\w+?)(?:Guard)?Accessor(?:\((.*)\))?$", re.DOTALL)
_FRAME_LOCAL = re.compile(r"key=(.*), framelocals_idx=-?\d+$", re.DOTALL)
_GENERATED = re.compile(rf"\d{{9,}}|(?<=_){UUID}")

Write = Callable[[str, str], Optional[str]]


def _step(at: Reached, accessor: str, child: Manager, names: Dict[str, object]) -> Reached:
    match = _ACCESSOR.match(accessor)
    place = _place(None, child)
    if match is None or at.python is None:
        return place
    kind, argument = match.group(1), match.group(2) or ""
    if kind == "DictGetItem":
        argument = _quoted(argument, place.source)
        place.python = _dict_item(at, argument) or _as_named(place.source)
    elif kind in _WRITTEN:
        place.python = _WRITTEN[kind](at.python, argument)
    elif kind == "PythonLambda":
        module = _module_of(place.source)
        if module:
            return _imported(module, place)
        place.python = _computed(at, place.source)
    if kind == "Globals":
        place.known = (names,)
    else:
        _follow(at, kind, argument, place)
    return place


def _quoted(key: str, source: str) -> str:
    """Torch 2.5 writes the key `n` where later ones write `'n'`; the source tells them apart."""
    return repr(key) if key and source.endswith((f"[{key!r}]", f".{key}")) else key


def _as_named(source: str) -> Optional[str]:
    """Torch's name for a place, where it can be evaluated: L['d'][torch.float32]."""
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return source if names <= {"L", "G", "torch"} else None


# Nearly all: to compile one, as `ast` does, takes fifty times as long.
_SIMPLE_LITERAL = re.compile(r"0|-?[1-9]\d{0,30}|'\w*'", re.ASCII)


@lru_cache(maxsize=4096)
def _literal(text: str) -> bool:
    """Asked about the same few texts again and again; each answer costs a dozen objects."""
    if _SIMPLE_LITERAL.fullmatch(text):
        return True
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _item(base: str, argument: str) -> Optional[str]:
    return f"{base}[{argument}]" if _literal(argument) else None


def _frame_local(base: str, argument: str) -> Optional[str]:
    match = _FRAME_LOCAL.match(argument)
    return _item(base, match.group(1)) if match else None


def _attribute(base: str, name: str) -> str:
    return f"{base}.{name}" if name.isidentifier() else f"getattr({base}, {name!r})"


def _global(name: str) -> str:
    """Some names torch makes up from addresses, or at random: __optimizer_140714127539792_c10."""
    if _GENERATED.search(name):
        return f"generated_global(G, {_GENERATED.sub('*', name)})"
    return f"G[{name}]"


def _dict_item(at: Reached, argument: str) -> Optional[str]:
    if not _literal(argument) or at.python is None:
        return None
    if at.python == "G":
        return _global(argument)
    # A plain dictionary has no surprises; others may have __missing__ or override.
    plain = at.kind is dict or at.python in ("L", "G") or at.python.endswith(".__dict__")
    return f"{at.python}[{argument}]" if plain else f"item({at.python}, {argument})"


_WRITTEN: Dict[str, Write] = {
    "FrameLocals": _frame_local,
    "Globals": lambda base, _: "G",
    "GetAttr": _attribute,
    "GenericGetAttr": lambda base, name: f"object.__getattribute__({base}, {name!r})",
    "GetGenericDict": lambda base, _: f"{base}.__dict__",
    "Type": lambda base, _: f"type({base})",
    "TypeDict": lambda base, _: f"{base}.__dict__",
    "TypeMRO": lambda base, _: f"{base}.__mro__",
    "ListGetItem": _item,
    "TupleGetItem": _item,
    "GetItem": _item,
    "SetGetItem": lambda base, index: _item(f"list({base})", index),
    "TupleIteratorGetItem": lambda base, index: f"tuple_iterator_item({base}, {index})",
    "Closure": lambda base, _: f"{base}.__closure__",
    "Code": lambda base, _: f"{base}.__code__",
    "FuncDefaults": lambda base, _: f"{base}.__defaults__",
    "FuncKwDefaults": lambda base, _: f"{base}.__kwdefaults__",
    "Grad": lambda base, _: f"{base}.grad",
    "WeakRefCall": lambda base, _: f"{base}()",
    "CallFunctionNoArgs": lambda base, _: f"{base}()",
    "GlobalWeakRef": lambda base, name: f"{_global(repr(name))}()",
}


# What torch computes from a value in Python is only known by torch's name for the result.
_COMPUTED: List[Tuple[str, str]] = [
    ("___from_numpy({})", "from_numpy({})"),
    ("___as_tensor({})", "from_float({})"),
    ("torch._as_tensor_fullprec({})", "from_float({})"),
    ("{}.__tensor_flatten__()[0]", "{}.__tensor_flatten__()[0]"),
    ("{}.item()", "{}.item()"),
    ("int({})", "int({})"),
    ("___namedtuple_fields({})", "{}._fields"),
]


def _computed(at: Reached, source: str) -> Optional[str]:
    for torchs, ours in _COMPUTED:
        if source == torchs.format(at.source):
            return ours.format(at.python)
    return None


_IMPORT = re.compile(r"__import__\('([\w.]+)'\)")


def _module_of(source: str) -> str:
    match = _IMPORT.fullmatch(source)
    return match.group(1) if match else ""


def _imported(module: str, place: Reached) -> Reached:
    """Some guards of torch.cond, vmap and the like start at a module, not at the arguments."""
    place.python = module if module == "torch" else f"imported({module!r})"
    found = loaded(module)
    place.known, place.path = ((found,), module) if found is not None else ((), "")
    return place


# --- following objects ------------------------------------------------------------------------


def _follow(at: Reached, kind: str, argument: str, place: Reached) -> None:
    """Find the object behind a place, as long as that runs nothing of the user's."""
    if kind == "Type" and at.kind is not None:
        place.known, place.path = (at.kind,), path_to(at.kind) or ""
    if not at.known:
        return
    base = at.known[0]
    try:
        if kind == "DictGetItem" and type(base) is dict:
            place.known = (base[ast.literal_eval(argument)],)
        elif kind == "GetAttr" and isinstance(base, (types.ModuleType, type)):
            place.known = (getattr_static(base, argument),)
            place.path = f"{path_of(at)}.{argument}" if path_of(at) else ""
        elif kind == "Code" and isinstance(base, types.FunctionType):
            place.known = (base.__code__,)
            place.path = f"{at.path or path_to(base) or ''}.__code__"
    except (KeyError, AttributeError, ValueError, SyntaxError):
        return


def path_of(at: Reached) -> str:
    """Where the object of this place can be imported from, if it is a module or a class."""
    if at.path or not at.known:
        return at.path
    return path_to(at.known[0]) or ""
