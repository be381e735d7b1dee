"""f-strings (and t-strings): text parts and replacement fields -> one literal.

Before 3.12 a field may contain neither a backslash nor the quotes around the string, so the
quotes are chosen by what the fields contain.
"""

from __future__ import annotations

import re
from typing import List, Optional, Sequence, Tuple

from depyf.decompile.expr.nodes import ATOM, LAMBDA, PRODUCT, Expr, at, chosen, is_constant

_CONVERSIONS = {0: "", 1: "!s", 2: "!r", 3: "!a"}
_QUOTES = ("'", '"', "'''", '"""')


def field(value: Expr, conversion: int, spec: Optional[Expr], nesting: bool) -> Optional[Expr]:
    """`{value!r:spec}`: an f-string with one field, or a part of a longer one.

    `nesting` tells whether fields may hold any string, as from 3.12 on.
    """
    # Before 3.12 the text of a field has to stand on one line.
    text = value.text
    if "\n" in text:
        text = " ".join([part.strip() for part in text.split("\n")])
    if value.kind in ("lambda", "tuple", "yield") or value.level < 2:
        text = f"({text})"
    if text[0] == "{":
        text = " " + text
    if text[-1] == "}":
        text += " "
    inner = f"{{{text}{_CONVERSIONS[conversion]}"
    if spec is None:
        pieces: Sequence[object] = (inner + "}",)
    else:
        spec_parts = _spec_parts(spec)
        if spec_parts is None:
            return None
        pieces = (inner + ":", *spec_parts, "}")
    parts = (value, conversion, spec)
    expr = _literal("f", list(pieces), "field", parts, nesting)
    if expr is None:
        expr = formatted([Expr("", ATOM, "field", (*parts, None))])
        if expr is not None:
            expr.kind, expr.parts = "field", (*parts, None)
    return expr


def _spec_parts(spec: Expr) -> Optional[List[object]]:
    """Text pieces as bytes-like wrappers (`_Text`), code pieces as str."""
    if spec.kind == "const" and type(spec.parts) is str:
        return [_Text(spec.parts)]
    if spec.kind == "field" or spec.kind == "fstring":
        return None if spec.parts[-1] is None else list(spec.parts[-1])
    return None


class _Text:
    """Literal text of an f-string, to be escaped once the quotes are known."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value


def _literal(
    prefix: str, pieces: List[object], kind: str, parts: Tuple[object, ...], nesting: bool
) -> Optional[Expr]:
    code = "".join([piece for piece in pieces if isinstance(piece, str)])
    if "\\" in code and not nesting:
        return None
    text = "".join([piece.value for piece in pieces if isinstance(piece, _Text)])
    # Where no quote is escaped, the string may stand in a field of another one.
    for quote in sorted(_QUOTES, key=lambda quote: _is_escaped(text, quote)):
        if quote in code or (len(quote) == 3 and code.endswith(quote[0])):
            continue
        if len(quote) == 1 and "\n" in code:
            continue
        return _quoted(prefix, quote, pieces, kind, parts)
    return _quoted(prefix, "'", pieces, kind, parts) if nesting else None


def _quoted(
    prefix: str, quote: str, pieces: List[object], kind: str, parts: Tuple[object, ...]
) -> Expr:
    body = "".join(
        [
            _escape(piece.value, quote) if isinstance(piece, _Text) else str(piece)
            for piece in pieces
        ]
    )
    return Expr(f"{prefix}{quote}{body}{quote}", ATOM, kind, (*parts, pieces))


def _escape(text: str, quote: str) -> str:
    escaped = repr("\"'" + text)[1:-1]
    # repr with both quotes in it uses ' around and escapes it: undo that, then escape ours.
    escaped = escaped[3:].replace("\\'", "'")
    escaped = escaped.replace("{", "{{").replace("}", "}}")
    return escaped.replace(quote[0], "\\" + quote[0]) if _is_escaped(text, quote) else escaped


def _is_escaped(text: str, quote: str) -> bool:
    """Whether text between these quotes needs a backslash before some of its own."""
    return quote in text or (len(quote) == 3 and text.endswith(quote[0]))


def formatted(parts: Sequence[Expr]) -> Optional[Expr]:
    """The same by `%`, which newer compilers make an f-string of: for what no field may hold."""
    template, values = "", []
    for part in parts:
        if part.kind == "const" and type(part.parts) is str:
            template += part.parts.replace("%", "%%")
            continue
        size = _size(part.parts[2]) if part.kind == "field" and part.parts[1] else None
        if size is None:
            return None
        template += f"%{size}{_CONVERSIONS[part.parts[1]][1]}"
        values.append(part.parts[0])
    if values and all(map(is_constant, values)):
        # Of constants alone the compiler makes a tuple, and no f-string.
        values[-1] = chosen(values[-1])
    texts = ", ".join([at(value, LAMBDA) for value in values])
    tail = "," if len(values) == 1 else ""
    return Expr(f"{template!r} % ({texts}{tail})", PRODUCT, "fstring", (None,))


# What the compiler makes of `%5s`, `%-5s` and `%.5s`: `>` stands where there was no `-`.
_SIZE = re.compile(r"(>?)([1-9]\d?)(\.(?:0|[1-9]\d?))?|(\.(?:0|[1-9]\d?))")


def _size(spec: Optional[Expr]) -> Optional[str]:
    """A format specification as `%` has it; None for what it cannot say."""
    if spec is None:
        return ""
    found = _SIZE.fullmatch(spec.parts) if type(spec.parts) is str else None
    if found is None:
        return None
    right, width, digits, alone = found.groups()
    return alone or f"{'' if right else '-'}{width}{digits or ''}"


def joined(parts: Sequence[Expr], version: Tuple[int, int]) -> Optional[Expr]:
    """BUILD_STRING: constants and fields in a row."""
    pieces: List[object] = []
    for part in parts:
        if part.kind == "const" and type(part.parts) is str:
            pieces.append(_Text(part.parts))
        elif part.kind == "field":
            if part.parts[-1] is None:
                return formatted(parts)
            pieces.extend(part.parts[-1])
        else:
            return None
    literal = _literal("f", pieces, "fstring", (), version >= (3, 12))
    # Hardly anybody writes `!s` where `%s` stands for so many.
    if literal is None or (version >= (3, 11) and any(map(_is_str_field, parts))):
        by_percent = formatted(parts)
        if by_percent is not None and literal is not None:
            # A format specification holds the pieces, however they are written outside of it.
            by_percent.parts = literal.parts
        return by_percent or literal
    return literal


def _is_str_field(part: Expr) -> bool:
    return part.kind == "field" and _CONVERSIONS[part.parts[1]] == "!s"


def interpolation(written: str, conversion: int, spec: Optional[Expr]) -> Optional[Expr]:
    """A field of a t-string, which knows how its expression was written."""
    inner = f"{{{written}{_CONVERSIONS[conversion]}"
    if spec is None:
        return Expr(inner + "}", ATOM, "interpolation", [inner + "}"])
    spec_parts = _spec_parts(spec)
    if spec_parts is None:
        return None
    return Expr(inner, ATOM, "interpolation", [inner + ":", *spec_parts, "}"])


def template(strings: Sequence[str], fields: Sequence[Expr]) -> Optional[Expr]:
    """A t-string: one more text than fields, in turns."""
    if len(strings) != len(fields) + 1 or any(each.kind != "interpolation" for each in fields):
        return None
    pieces: List[object] = [_Text(strings[0])]
    for each, text in zip(fields, strings[1:]):
        pieces.extend(each.parts)
        pieces.append(_Text(text))
    return _literal("t", pieces, "tstring", (), True)


# What the compiler turns into an f-string when it stands before `% (…)`; no width of three digits.
_OPTIMISED = re.compile(r"(?:[^%]|%[-+ #0]*\d{0,2}(?:\.\d{0,2})?[sra]|%%)*")


def unoptimised_template(template: Expr) -> Expr:
    """A template that the compiler left alone was itself an f-string."""
    if "%" not in template.parts or not _OPTIMISED.fullmatch(template.parts):
        return template
    return _literal("f", [_Text(template.parts)], "fstring", (), True) or template
