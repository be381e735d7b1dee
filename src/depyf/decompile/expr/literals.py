"""Constants as source text that compiles back to the very same constant, type and sign included."""

from __future__ import annotations

import types
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from depyf.decompile.decode.slices import holds_slice
from depyf.decompile.expr.nodes import ATOM, SUM, TUPLE, UNARY, Expr

# Longer integers hit the interpreter's limit for decimal conversion; hexadecimal has none.
_DECIMAL_BITS = 12_000


def constant(value: Any) -> Optional[Expr]:
    """The literal of `value`, or None when Python has none for it."""
    maker = _MAKERS.get(type(value))
    if maker is None:
        return None
    return maker(value)


def _plain(value: Any) -> Expr:
    return Expr(repr(value), ATOM, "const", value, True)


def _string(value: str) -> Expr:
    return Expr(repr(value), ATOM, "const", value, True)


def _integer(value: int) -> Expr:
    text = repr(value) if value.bit_length() < _DECIMAL_BITS else hex(value)
    return Expr(text, ATOM if value >= 0 else UNARY, "const", value, True)


def float_text(value: float) -> str:
    if value != value:
        return "(1e999 - 1e999)"
    return repr(value).replace("inf", "1e999")


def _float(value: float) -> Expr:
    text = float_text(value)
    return Expr(text, UNARY if text[0] == "-" else ATOM, "const", value, True)


def _complex(value: complex) -> Optional[Expr]:
    real, imag = value.real, value.imag
    real_negative, imag_negative = _negative(real), _negative(imag)
    if imag != imag and real != real:
        return Expr("(1e999 - 1e999) * 1j", TUPLE, "const", value, True)
    if imag != imag or (real == imag == 0 and real_negative != imag_negative):
        # Arithmetic before 3.14 loses a lonely minus before a zero; NaN spreads to the real part.
        return None
    imag_text = repr(complex(0, abs(imag))).replace("inf", "1e999")
    if real == 0 and not real_negative and not imag_negative:
        return Expr(imag_text, ATOM, "const", value, True)
    if real == 0 and real_negative:
        # -(0 - 1j) is -0+1j: the sign of a zero survives only a negation.
        text = f"-{imag_text}" if imag_negative else f"-(0.0 - {imag_text})"
        return Expr(text, UNARY, "const", value, True)
    if imag == 0 and imag_negative:
        return Expr(f"-({float_text(-real)} + {imag_text})", UNARY, "const", value, True)
    sign = "-" if imag_negative else "+"
    return Expr(f"{float_text(real)} {sign} {imag_text}", SUM, "const", value, True)


def _negative(value: float) -> bool:
    return value < 0 or (value == 0 and repr(value)[0] == "-")


def _tuple(value: Any) -> Optional[Expr]:
    items = [constant(item) for item in value]
    # `({1, 2},)` would hold a set.
    if any(item is None or item.kind == "frozenset" for item in items):
        return None
    texts = [
        f"({item.text})" if item.level == TUPLE and item.kind != "slice" else item.text
        for item in items
        if item
    ]
    if not texts:
        return Expr("()", ATOM, "const", value, True)
    return Expr(", ".join(texts) + ("," if len(texts) == 1 else ""), TUPLE, "const", value, True)


def _frozenset(value: Any) -> Optional[Expr]:
    items = [constant(item) for item in value]
    # `{1:2}` would be a dict.
    if not items or None in items or any(map(holds_slice, value)):
        return None
    texts = sorted(f"({item.text})" if item.level == TUPLE else item.text for item in items if item)
    return Expr("{" + ", ".join(texts) + "}", ATOM, "frozenset", value, True)


def _slice(value: Any) -> Optional[Expr]:
    parts = [constant(part) for part in (value.start, value.stop, value.step)]
    if any(part is None for part in parts):
        return None
    texts = ["" if part.parts is None else part.text for part in parts if part]
    if value.step is None:
        texts.pop()
    return Expr(":".join(texts), TUPLE, "slice", tuple(parts), True)


_MAKERS: Dict[type, Callable[[Any], Optional[Expr]]] = {
    str: _string,
    bytes: _plain,
    int: _integer,
    bool: _plain,
    float: _float,
    complex: _complex,
    type(None): _plain,
    type(Ellipsis): lambda value: Expr("...", ATOM, "const", value, True),
    tuple: _tuple,
    frozenset: _frozenset,
    slice: _slice,
}


# Types whose literal, evaluated anywhere, gives the value again; `{1}` would be no frozenset.
_ANYWHERE = (str, bytes, int, bool, float, complex, type(None), type(Ellipsis))


# Of a value that is only mentioned in a comment.
_LONGEST_MENTION = 40


class Defaults(NamedTuple):
    """The defaults of a live function that can be shown, and a mention of each of the others."""

    positional: List[Expr]
    keyword_only: List[Tuple[str, Expr]]
    left_out: List[str]


def literal_defaults(function: types.FunctionType) -> Defaults:
    """What of a live function's defaults has a literal.

    A parameter without a default cannot follow one that has one: what stands before a value
    without a literal is left out as well.
    """
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    # From the end, because either of them may be longer.
    shown = [(name, _default(value)) for name, value in zip(names[::-1], values[::-1])][::-1]
    gaps = [place for place, (_, text) in enumerate(shown, 1) if text is None]
    first = gaps[-1] if gaps else 0
    pairs = [(name, _default(value)) for name, value in (function.__kwdefaults__ or {}).items()]
    return Defaults(
        [text for _, text in shown[first:] if text is not None],
        [(name, text) for name, text in pairs if text is not None],
        [_mention(*pair) for pair in [*shown[:first], *(one for one in pairs if one[1] is None)]],
    )


def _mention(name: str, value: Optional[Expr]) -> str:
    if value is None:
        return f"{name} (has no literal)"
    is_short = len(value.text) <= _LONGEST_MENTION and value.text.isprintable()
    return f"{name}={value.text}" if is_short else name


def _default(value: object) -> Optional[Expr]:
    return constant(value) if _is_literal(value) else None


def _is_literal(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_literal, value))
    return type(value) in _ANYWHERE
