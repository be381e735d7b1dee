"""The fields of a marshalled code object, in each version's order, -> `Code`.

From 3.11 on all variables stand in one tuple with a byte of flags for each; here they become
the three tuples that `co_varnames`, `co_cellvars` and `co_freevars` show.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

from depyf.decompile.decode.code import Code, Version

_FIELDS_TO_3_10 = (
    "argcount",
    "posonlyargcount",
    "kwonlyargcount",
    "nlocals",
    "stacksize",
    "flags",
    "bytecode",
    "consts",
    "names",
    "varnames",
    "freevars",
    "cellvars",
    "filename",
    "name",
    "firstlineno",
    "linetable",
)

_FIELDS_FROM_3_11 = (
    "argcount",
    "posonlyargcount",
    "kwonlyargcount",
    "stacksize",
    "flags",
    "bytecode",
    "consts",
    "names",
    "localsplusnames",
    "localspluskinds",
    "filename",
    "name",
    "qualname",
    "firstlineno",
    "linetable",
    "exceptiontable",
)

NUMBER_FIELDS = frozenset(
    (
        "argcount",
        "posonlyargcount",
        "kwonlyargcount",
        "nlocals",
        "stacksize",
        "flags",
        "firstlineno",
    )
)

_NAMES_FIELDS = frozenset(("names", "varnames", "freevars", "cellvars", "localsplusnames"))

_TYPES: Dict[str, type] = {
    "bytecode": bytes,
    "consts": tuple,
    "localspluskinds": bytes,
    "filename": str,
    "name": str,
    "qualname": str,
    "linetable": bytes,
    "exceptiontable": bytes,
}

# Flags in localspluskinds.
_LOCAL, _CELL, _FREE = 0x20, 0x40, 0x80


def fields_of(version: Version) -> Tuple[str, ...]:
    """Names of a code object's fields in the order in which a version writes them."""
    return _FIELDS_FROM_3_11 if version >= (3, 11) else _FIELDS_TO_3_10


def code_from_fields(values: Sequence[Any], version: Version) -> Code:
    """The `Code` made of the values of `fields_of(version)`; `ValueError` if one does not fit."""
    fields = dict(zip(fields_of(version), values))
    for field, value in fields.items():
        if not _fits(field, value):
            raise ValueError(f"the field {field} of a code object holds something else")
    if version >= (3, 11):
        _split_variables(fields)
    else:
        del fields["nlocals"]
        fields["qualname"] = fields["name"]
    return Code(version=version, **fields)


def _fits(field: str, value: Any) -> bool:
    if field in _NAMES_FIELDS:
        return type(value) is tuple and all(type(name) is str for name in value)
    if field in NUMBER_FIELDS:
        return field == "flags" or value >= 0
    return type(value) is _TYPES[field]


def _split_variables(fields: Dict[str, Any]) -> None:
    names, kinds = fields.pop("localsplusnames"), fields.pop("localspluskinds")
    if len(names) != len(kinds):
        raise ValueError("a code object does not say which kind each of its variables is")
    fields["varnames"] = _names_of_kind(names, kinds, _LOCAL)
    fields["cellvars"] = _names_of_kind(names, kinds, _CELL)
    fields["freevars"] = _names_of_kind(names, kinds, _FREE)


def _names_of_kind(names: Sequence[str], kinds: bytes, wanted: int) -> Tuple[str, ...]:
    chosen: List[str] = [name for name, kind in zip(names, kinds) if kind & wanted]
    return tuple(chosen)
