"""From a live class to its source.

A class keeps no code object. Its statement is cut out of the decompiled source of its module when
the module's code can be found and still holds the very methods of the class; otherwise the
class is put together again from its methods, and the text says so.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
from typing import Iterator, Tuple

from depyf.errors import DepyfError

from .pipeline import decompile_code, decompile_module
from .result import UNVERIFIED, CodeVerdict, Decompilation, LineMap
from .targets import NoBytecodeError, module_code

REBUILT = "# Put together from the methods: the class statement itself is not available."
ONLY_METHODS = "its statement is not available: of a class only the methods are known"
GENERIC_SCOPE = "<generic parameters of "
WRAPPERS: tuple[tuple[type, str, str], ...] = (
    (classmethod, "@classmethod", "__func__"),
    (staticmethod, "@staticmethod", "__func__"),
    (property, "@property", "fget"),
)


def decompile_class(
    cls: type, indentation: int, temporary_prefix: str, name: str | None
) -> Decompilation:
    """The source of a class; `TypeError` if nothing in it was written in Python."""
    module = _module_of(cls)
    bodies = _class_bodies(module, cls.__qualname__) if module is not None else []
    way = _way_to(cls, bodies)
    if module is not None and way is not None:
        whole = decompile_module(module, indentation, temporary_prefix)
        statement = _cut_class(whole, cls.__qualname__, *way, name)
        if statement is not None:
            return statement
    return _rebuild(cls, indentation, temporary_prefix, name, len(bodies) > 1)


# A way to a class statement: of how many definitions with each name on it, which one.
Places = Tuple[Tuple[int, int], ...]


def _module_of(cls: type) -> types.CodeType | None:
    name = cls.__module__
    module = sys.modules.get(name) if isinstance(name, str) else None
    if module is None:
        return None
    try:
        return module_code(module)
    except (DepyfError, OSError):
        return None


def _way_to(
    cls: type, bodies: list[tuple[Places, types.CodeType]]
) -> tuple[Places, types.CodeType] | None:
    """The way to the class that has the methods of the live class, and its body.

    The file may have changed since the import, and the methods may have been replaced. Where
    several classes have the name, nothing but methods tells which is meant.
    """
    fitting = [each for each in bodies if _has_methods_of(cls, each[1])]
    has_own = any(any(_own_codes(cls, body.co_filename)) for _places, body in bodies)
    return fitting[0] if len(fitting) == 1 and (has_own or len(bodies) == 1) else None


def _has_methods_of(cls: type, body: types.CodeType) -> bool:
    written = [const for const in body.co_consts if isinstance(const, types.CodeType)]
    return all(one in written for one in _own_codes(cls, body.co_filename))


def _own_codes(cls: type, filename: str) -> Iterator[types.CodeType]:
    """The code of the methods written in this file and class, with their decorators taken off."""
    for _name, _decorator, function in _functions(cls):
        code = inspect.unwrap(function).__code__
        at_home = function.__qualname__.startswith(cls.__qualname__ + ".")
        # What a decorator made, or `exec`, goes by another name or lies in another file.
        if at_home and code.co_filename == filename and code.co_name == function.__name__:
            yield code


def _class_bodies(code: types.CodeType, qualname: str) -> list[tuple[Places, types.CodeType]]:
    """Every code that goes by this name in a module, and the way to it."""
    found: list[tuple[Places, types.CodeType]] = [((), code)]
    for part in qualname.replace(".<locals>", "").split("."):
        found = [
            ((*places, (place, len(inside))), inner)
            for places, outer in found
            for inside in [_nested(outer, part)]
            for place, inner in enumerate(inside)
        ]
    return found


def _nested(code: types.CodeType, name: str) -> list[types.CodeType]:
    """The code of this name made in `code`, in the order of the source."""
    found: list[types.CodeType] = []
    for const in code.co_consts:
        if not isinstance(const, types.CodeType):
            continue
        if const.co_name == name:
            found.append(const)
        elif const.co_name == f"{GENERIC_SCOPE}{name}>":
            found += _nested(const, name)
    return found


def _cut_class(
    whole: Decompilation, qualname: str, places: Places, body: types.CodeType, name: str | None
) -> Decompilation | None:
    node = _class_node(whole.source, qualname, places)
    if node is None:
        return None
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    assert node.end_lineno is not None
    lines = whole.source.splitlines(keepends=True)[first - 1 : node.end_lineno]
    if name is not None:
        head = node.lineno - first
        lines[head] = lines[head].replace(f"class {node.name}", f"class {name}", 1)
    inside = _lines_inside_strings(node)
    text = "".join(
        line if first + index in inside else line[node.col_offset :]
        for index, line in enumerate(lines)
    )
    own = _codes_in(body)
    parts = [
        part for part in whole.parts if (part.qualname.rpartition(".")[2], part.firstlineno) in own
    ]
    line_map: LineMap = [
        (line - first + 1, inside, offset)
        for line, inside, offset in whole.line_map
        if first <= line <= node.end_lineno
    ]
    return Decompilation(text, parts, line_map, whole.constants, whole.renamed)


def _codes_in(body: types.CodeType) -> set[tuple[str, int]]:
    """Name and line of all code in a class: before 3.11 no code knows its qualified name."""
    work = [body]
    for code in work:
        work += [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return {(code.co_name.rpartition(".")[2], code.co_firstlineno) for code in work}


def _class_node(source: str, qualname: str, places: Places) -> ast.ClassDef | None:
    try:
        node: ast.AST = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for part, (place, count) in zip(qualname.replace(".<locals>", "").split("."), places):
        scopes = [one for one in _scopes_in(node) if one.name == part]
        if len(scopes) != count:
            return None
        node = scopes[place]
    return node if isinstance(node, ast.ClassDef) else None


def _scopes_in(
    node: ast.AST,
) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Definitions below `node`, in order, not looking into them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
        else:
            yield from _scopes_in(child)


def _lines_inside_strings(node: ast.AST) -> set[int]:
    """Lines that begin inside a string: their leading blanks belong to the value."""
    inside: set[int] = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and not isinstance(child.value, (str, bytes)):
            continue
        if isinstance(child, (ast.Constant, ast.JoinedStr)) and child.end_lineno is not None:
            inside.update(range(child.lineno + 1, child.end_lineno + 1))
    return inside


def _functions(cls: type) -> Iterator[tuple[str, str, types.FunctionType]]:
    """The attribute, the decorator and the function of every method."""
    for name, value in vars(cls).items():
        decorator = ""
        for kind, spelled, attribute in WRAPPERS:
            if isinstance(value, kind):
                decorator, value = spelled, getattr(value, attribute)
        if isinstance(value, types.FunctionType):
            yield name, decorator, value


def _rebuild(
    cls: type, indentation: int, temporary_prefix: str, name: str | None, ambiguous: bool
) -> Decompilation:
    """A class statement around the decompiled methods."""
    methods = [
        (
            decorator,
            decompile_code(
                function.__code__, indentation, temporary_prefix, name, function=function
            ),
        )
        for name, decorator, function in _functions(cls)
    ]
    if not methods and ambiguous:
        name = cls.__qualname__
        raise NoBytecodeError(f"Nothing tells which of several classes of its name {name!r} is.")
    if not methods:
        raise NoBytecodeError(f"The class {cls.__qualname__!r} has no bytecode to decompile.")
    margin = " " * indentation
    bases = ", ".join(base.__name__ for base in cls.__bases__ if base is not object)
    header = (
        f"class {name or cls.__name__}({bases}):" if bases else f"class {name or cls.__name__}:"
    )
    lines = [REBUILT, header]
    line_map: LineMap = []
    for decorator, method in methods:
        if len(lines) > 2:
            lines.append("")
        if decorator:
            lines.append(margin + decorator)
        above = len(lines)
        line_map += [(above + line, inside, offset) for line, inside, offset in method.line_map]
        lines.extend(_indented(method.source, margin))
    parts = [CodeVerdict(cls.__qualname__, 0, UNVERIFIED, ONLY_METHODS)]
    parts += [part for _, method in methods for part in method.parts]
    constants = {name: value for _, method in methods for name, value in method.constants.items()}
    renamed = {name: raw for _, method in methods for name, raw in method.renamed.items()}
    return Decompilation("\n".join(lines) + "\n", parts, line_map, constants, renamed)


def _indented(text: str, margin: str) -> list[str]:
    try:
        inside = _lines_inside_strings(ast.parse(text))
    except SyntaxError:
        inside = set()
    lines = text.rstrip("\n").split("\n")
    return [
        margin + line if line and number not in inside else line
        for number, line in enumerate(lines, 1)
    ]
