"""A leaf of torch's guards as a Python condition that answers the same.

One small function for each kind of leaf. What a leaf compares with stands in torch's text; a text
that is not understood to the letter gives no condition, and torch itself is asked instead.
"""

from __future__ import annotations

import ast
import json
import re
from functools import lru_cache
from typing import Callable, Dict, List, Optional

from .guard_tree import Found, Reached
from .importable import by_identity, loaded, path_to

# (the leaf, one part of torch's text without the comment) -> condition
Rule = Callable[[Found, str], Optional[str]]

_IDENTITY = re.compile(r"_{2,3}check_(?:obj|type)_id\(.*, (\d+)\)(.*)$", re.DOTALL)
_TENSOR = re.compile(
    r"check_tensor\(.*, (?P<kind>\w+), DispatchKeySet\((?P<keys>[^)]*)\), (?P<dtype>torch\.\w+), "
    r"device=(?P<device>\w+), requires_grad=(?P<grad>\w+), "
    r"size=(?P<size>\[[^\]]*\]), stride=(?P<stride>\[[^\]]*\])\)$",
    re.DOTALL,
)
_GLOBAL_STATE = re.compile(r"___check_global_state\(\) against (\{.*\})$", re.DOTALL)
_LENGTH = re.compile(r"len\(.*\) == (\d+)$", re.DOTALL)
_ABSENT = re.compile(r"hasattr\(.*, ('\w+')\) == False$", re.DOTALL)
_COUNT = re.compile(r"\) == (\d+)$")
_NO_ATTRIBUTE = re.compile(r"not hasattr\(.*, ('\w+')\)$", re.DOTALL)
_DEVICE = re.compile(r"(?<![\w.])device\(")
_NOT_FINITE = re.compile(r"(?<![\w.'\"-])(-?)(inf|nan)\b(?!['\"])")
# Of these the text is what it says: nothing in it has to be looked up or spelled otherwise.
_PLAIN_VALUE = re.compile(r"0|-?[1-9]\d{0,30}|'\w*'|True|False|None", re.ASCII)
_SHAPE = re.compile(r"[\[\]\d, None-]*")
_TENSOR_CLASSES = {"Tensor": "torch.Tensor", "Parameter": "torch.nn.parameter.Parameter"}
_DIRECT_TYPES = frozenset(_TENSOR_CLASSES.values())
_BUILTINS = frozenset(
    "True False None abs all any bool complex dict float frozenset getattr hasattr int isinstance "
    "len list max min round set str sum tuple type".split()
)
_KNOWN_NAMES = _BUILTINS | {"L", "G", "torch", "math"}


def condition(found: Found, part: str) -> Optional[str]:
    """None when only torch can answer; `part` is one of its texts, without the comment."""
    rule = _RULES.get(found.name)
    return rule(found, part) if rule is not None else None


def named(path: str) -> str:
    """A name that cannot come to mean something else is written as it is."""
    if path.startswith("builtins.") and path.count(".") == 1:
        return path[len("builtins.") :]
    if path == "torch.nn.parameter.Parameter":
        return "torch.nn.Parameter"
    return path if path in _DIRECT_TYPES else f"imported({path!r})"


def type_condition(at: Reached) -> Optional[str]:
    path = path_to(at.kind) if at.kind is not None else None
    return f"type({at.python}) is {named(path)}" if path and at.python else None


# --- values -----------------------------------------------------------------------------------


# The same few values stand in thousands of guards.
@lru_cache(maxsize=1024)
def value_text(text: str) -> Optional[str]:
    """What torch printed as a value, as an expression for that very value."""
    if _PLAIN_VALUE.fullmatch(text):
        return text
    text = _DEVICE.sub("torch.device(", text)
    text = _NOT_FINITE.sub(r"float('\1\2')", text)
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return text if all(_is_value(node) for node in ast.walk(tree)) else None


_VALUE_NODES = (
    ast.Expression, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.USub,
    ast.UAdd, ast.BinOp, ast.Add, ast.Sub, ast.Load, ast.keyword,
)  # fmt: skip
_MAKERS = {"torch.device", "torch.Size", "float", "frozenset", "set", "range", "slice"}


def _is_value(node: ast.AST) -> bool:
    """Constants, displays of them, `torch.float32`, `torch.device(...)`."""
    if isinstance(node, ast.Call):
        return _dotted(node.func) in _MAKERS
    if isinstance(node, (ast.Attribute, ast.Name)):
        dotted = _dotted(node)
        return dotted == "torch" or dotted.startswith("torch.") or dotted in _MAKERS
    return isinstance(node, _VALUE_NODES)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def _after_source(found: Found, part: str, between: str) -> Optional[str]:
    prefix = found.at.source + between
    return part[len(prefix) :] if part.startswith(prefix) else None


def _equals(found: Found, part: str) -> Optional[str]:
    written = _after_source(found, part, " == ")
    if written is None:
        # Torch has two names for some places. What follows must be a whole value to count.
        written = part.rpartition(" == ")[2]
    value = value_text(written)
    if value is None:
        return None
    # The text of a subclass (of int, say) may read like a value of the class above it.
    if found.at.kind is not None and not _same_type(value, found.at.kind):
        return None
    return f"is_exactly({found.at.python}, {value})"


def _same_type(value: str, kind: type) -> bool:
    literal = _type_of_literal(value)
    return kind.__module__ in ("torch", "builtins") if literal is None else literal is kind


@lru_cache(maxsize=1024)
def _type_of_literal(value: str) -> Optional[type]:
    try:
        return type(ast.literal_eval(value))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


# --- identities -------------------------------------------------------------------------------


def _same_object(found: Found, part: str) -> Optional[str]:
    match = _IDENTITY.match(part)
    if match is None:
        return None
    number = int(match.group(1))
    objects = [one for one in found.at.known if id(one) == number]
    objects += by_identity(number, match.group(2))
    for one in objects:
        if one is None or one is Ellipsis or one is True or one is False:
            return f"{found.at.python} is {one!r}"
        path = path_to(one, found.at.path)
        if path:
            return f"{found.at.python} is {named(path)}"
    return None


def _same_type_as(found: Found, part: str) -> Optional[str]:
    match = _IDENTITY.match(part)
    if match is None or id(found.at.kind) != int(match.group(1)):
        return None
    return type_condition(found.at)


# --- tensors ----------------------------------------------------------------------------------


def _tensor(found: Found, part: str) -> Optional[str]:
    match = _TENSOR.match(part)
    if match is None:
        return None
    # Torch 2.5 and older do not say which class it is, only what it is called.
    kind = found.at.kind
    path = path_to(kind) if kind is not None else _TENSOR_CLASSES.get(match["kind"])
    if path is None:
        return None
    shape = match["size"] + match["stride"]
    if not _SHAPE.fullmatch(shape):
        return None
    return (
        f"tensor_matches({found.at.python}, {named(path)}, {match['dtype']}, "
        f"size={match['size']}, stride={match['stride']}, requires_grad={match['grad']}, "
        f"device={match['device']}, keys={match['keys']!r})"
    )


def _dimension_marks(found: Found, part: str) -> Optional[str]:
    match = _ABSENT.match(part)
    if match:
        return f"not hasattr({found.at.python}, {match.group(1)})"
    return _expression(found, part)


def _no_aliases(found: Found, part: str) -> Optional[str]:
    places = [found.at, *found.others]
    if any(one.python is None for one in places):
        return None
    return f"all_different({', '.join(one.python or '' for one in places)})"


def _aliases(found: Found, part: str) -> Optional[str]:
    places = [found.at, *found.others]
    if len(places) != 2 or any(one.python is None for one in places):
        return None
    return f"{places[0].python} is {places[1].python}"


# --- the state around the call ----------------------------------------------------------------


def _global_state(found: Found, part: str) -> Optional[str]:
    match = _GLOBAL_STATE.match(part)
    try:
        return f"global_state_is({json.loads(match.group(1))!r})" if match else None
    except ValueError:
        return None


def _default_device(found: Found, part: str) -> Optional[str]:
    prefix = "utils_device.CURRENT_DEVICE == "
    value = value_text(part[len(prefix) :]) if part.startswith(prefix) else None
    return f"default_device_is({value})" if value is not None else None


def _lambda(found: Found, part: str) -> Optional[str]:
    if part.endswith("top_saved_tensors_hooks ids == None"):
        return "saved_tensors_hooks_are_not_inlined()"
    return _expression(found, part)


def _expression(found: Found, part: str) -> Optional[str]:
    """Torch's text where it is Python and every name in it is known to mean the same."""
    if found.at.source and found.at.python:
        part = part.replace(found.at.source, found.at.python)
    try:
        tree = ast.parse(part, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    named_here = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    names = {node.id for node in named_here if isinstance(node.ctx, ast.Load)}
    names -= {node.id for node in named_here if isinstance(node.ctx, ast.Store)}
    # A guard that mentions none of the arguments asks torch about torch.
    if not names & {"L", "G"} or not names <= _KNOWN_NAMES:
        return None
    # Torch may add a comment: "... == L['x'].size()[0] # (unknown var s52, ...)".
    return ast.get_source_segment(part, tree.body)


# --- containers -------------------------------------------------------------------------------


def _length(found: Found, part: str) -> Optional[str]:
    match = _LENGTH.match(part)
    if match:
        return f"len({found.at.python}) == {match.group(1)}"
    return f"len({found.at.python}) == 0" if part == f"not {found.at.source}" else None


def _dict_length(found: Found, part: str) -> Optional[str]:
    length = _length(found, part)
    return f"isinstance({found.at.python}, dict) and {length}" if length else None


_TRUSTED_CLASS = re.compile(r"<class '(torch\.[\w.]+|\w+)'>")


def _class_text(text: str) -> Optional[str]:
    """A class of Python's or torch's: of others, several may be printed alike."""
    match = _TRUSTED_CLASS.fullmatch(text)
    if match is None:
        return None
    path = match.group(1) if "." in match.group(1) else f"builtins.{match.group(1)}"
    return named(path) if isinstance(loaded(path), type) else None


def _contains(opening: str, closing: str) -> Rule:
    def rule(found: Found, part: str) -> Optional[str]:
        absent = part.startswith("not ")
        text = part[len("not ") :] if absent else part
        first, last = opening.format(found.at.source), closing.format(found.at.source)
        if not (text.startswith(first) and text.endswith(last)):
            return None
        written = text[len(first) : len(text) - len(last)]
        key = value_text(written) or _class_text(written)
        return f"{key} {'not ' if absent else ''}in {found.at.python}" if key else None

    return rule


def _no_attribute(found: Found, part: str) -> Optional[str]:
    match = _NO_ATTRIBUTE.match(part)
    return f"not hasattr({found.at.python}, {match.group(1)})" if match else None


def _tuple_iterator(found: Found, part: str) -> Optional[str]:
    match = _COUNT.search(part)
    if match is None or found.at.kind is not type(iter(())):
        return None
    kind = f"type({found.at.python}) is type(iter(()))"
    return f"{kind} and tuple_iterator_len({found.at.python}) == {match.group(1)}"


def _fixed(text: str) -> Rule:
    return lambda found, part: text.format(found.at.python)


_RULES: Dict[str, Rule] = {
    "TYPE_MATCH": _same_type_as,
    "ID_MATCH": _same_object,
    "EQUALS_MATCH": _equals,
    "TENSOR_MATCH": _tensor,
    "DIMENSION_DYNAMIC_MARKING_GUARD": _dimension_marks,
    "DYNAMIC_INDICES": _dimension_marks,
    "NO_TENSOR_ALIASING": _no_aliases,
    "OBJECT_ALIASING": _aliases,
    "TENSOR_ALIASING": _aliases,
    "GLOBAL_STATE": _global_state,
    "DEFAULT_DEVICE": _default_device,
    "LAMBDA_GUARD": _lambda,
    "SYMBOLIC_SHAPE_GUARD": _expression,
    "LENGTH_CHECK": _length,
    "DICT_LENGTH": _dict_length,
    "DICT_CONTAINS": _contains("___dict_contains(", ", {})"),
    "SET_CONTAINS": _contains("set.__contains__({}, ", ")"),
    "NO_HASATTR": _no_attribute,
    "TUPLE_ITERATOR_LEN": _tuple_iterator,
    "TRUE_MATCH": _fixed("{} is True"),
    "FALSE_MATCH": _fixed("{} is False"),
    "NONE_MATCH": _fixed("{} is None"),
    "NOT_NONE": _fixed("{} is not None"),
    "FLOAT_IS_NAN": _fixed("is_nan({}, float)"),
    "COMPLEX_IS_NAN": _fixed("is_nan({}, complex)"),
}


def kinds() -> List[str]:
    """The kinds of leaves that have a form in Python."""
    return sorted(_RULES)
