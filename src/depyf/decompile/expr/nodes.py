"""Expressions. A node knows its text from the moment it is made, built from its operands' texts
(a display, which may still grow, when it is asked for it).

So nothing ever recurses over an expression, however deep, and printing costs one string
operation per node. `kind` and `parts` keep the structure for those who must look inside.
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence, Tuple

# How tightly an expression binds; an operand that binds less tightly than its place wants is
# put in parentheses.
YIELD, TUPLE, LAMBDA, TERNARY, OR, AND, NOT, COMPARE = range(8)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, POWER, AWAIT, ATOM = range(8, 18)

BINARY_LEVELS = {
    "|": BIT_OR,
    "^": BIT_XOR,
    "&": BIT_AND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
    "@": PRODUCT,
    "**": POWER,
}


class Expr:
    """`stable` tells that evaluating it later, or twice, gives the same and has no effect."""

    __slots__ = ("text", "level", "kind", "parts", "stable")

    def __init__(
        self, text: str, level: int, kind: str = "", parts: Any = None, stable: bool = False
    ) -> None:
        self.text = text
        self.level = level
        self.kind = kind
        self.parts = parts
        self.stable = stable

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text}>"


def at(expr: Expr, level: int) -> str:
    """The text of `expr` where something that binds at least at `level` must stand."""
    if expr.level >= level:
        return expr.text
    return f"({expr.text})"


def name(text: str, kind: str, stable: bool = False) -> Expr:
    return Expr(text, ATOM, kind, text, stable)


def marker(kind: str, parts: Any = None) -> Expr:
    """A value on the stack that belongs to a statement: an iterator, an exception, NULL."""
    return Expr(f"<{kind}>", ATOM, kind, parts, True)


def unary(symbol: str, operand: Expr) -> Expr:
    level = NOT if symbol.startswith("not ") else UNARY
    return Expr(symbol + at(operand, level), level, "unary", (symbol, operand))


def binary(symbol: str, left: Expr, right: Expr) -> Expr:
    level = BINARY_LEVELS[symbol]
    if symbol == "**":
        # Binds tighter than a sign on its left, less tightly than one on its right. A negative
        # number is a sign and a number.
        base = at(left, AWAIT)
        if left.kind == "const" and base[0] == "-":
            base = f"({base})"
        return Expr(f"{base} ** {at(right, UNARY)}", level, "binary")
    return Expr(f"{at(left, level)} {symbol} {at(right, level + 1)}", level, "binary")


def compare(left: Expr, rest: Sequence[Tuple[str, Expr]], can_negate: bool = False) -> Expr:
    """A comparison; `can_negate` where even `not a in b` compiles to a test of `a in b`."""
    tail = " ".join([f"{symbol} {at(right, BIT_OR)}" for symbol, right in rest])
    return Expr(f"{at(left, BIT_OR)} {tail}", COMPARE, "compare", (left, list(rest), can_negate))


def boolean(word: str, left: Expr, right: Expr) -> Expr:
    level = AND if word == "and" else OR
    # `a and (b and c)` tests in the same order as `a and b and c`, and so compiles the same.
    text = f"{_operand(left, level)} {word} {_operand(right, level)}"
    return Expr(text, level, "boolean", (word, left, right))


def grouped(expr: Expr, on_its_own_line: bool) -> Expr:
    """A boolean expression whose value was finished on its own, as if in parentheses.

    Where the compiler takes shortcuts within a line, it must have stood on a line of its own.
    """
    if expr.kind != "boolean":
        return expr
    return Expr(expr.text, expr.level, "own line" if on_its_own_line else "grouped", expr.parts)


_OWN_GROUPS = frozenset(("own line", "grouped"))


def _operand(expr: Expr, level: int) -> str:
    if expr.kind == "own line":
        return f"(\n    {expr.text})"
    if expr.kind == "grouped" and expr.level == level:
        return f"({expr.text})"
    return at(expr, level)


def ternary(test: Expr, if_true: Expr, if_false: Expr) -> Expr:
    text = f"{at(if_true, OR)} if {at(test, OR)} else {at(if_false, LAMBDA)}"
    return Expr(text, TERNARY, "ternary")


def chosen(value: Expr) -> Expr:
    """A constant that no compiler takes for one while it computes with constants."""
    return Expr(f"{at(value, OR)} if True else None", TERNARY, "ternary")


def kept(value: Expr) -> Expr:
    """A constant that decides what stands beside it, and that no compiler drops: `1 or None`."""
    word = "or" if value.parts else "and"
    return grouped(boolean(word, value, name("None", "const")), False)


def is_none(operand: Expr) -> Expr:
    return Expr(f"{at(operand, BIT_OR)} is None", COMPARE, "is none", operand)


def negate(test: Expr) -> Expr:
    """`not test`, as a condition."""
    if test.kind == "is none":
        return Expr(f"{at(test.parts, BIT_OR)} is not None", COMPARE, "is not none", test)
    if test.kind == "is not none":
        negated: Expr = test.parts
        return negated
    if test.kind == "negation":
        original: Expr = test.parts
        return original
    return _turned(test) or _not(test)


# So many operands, and so many expressions inside each other, are negated one by one.
_MOST_TURNED = 8


def _turned(test: Expr, inside: int = 0) -> Optional[Expr]:
    """`not (a is None or b)` as `a is not None and not b`, which compiles to the same tests."""
    if test.kind != "boolean" or inside > _MOST_TURNED:
        return None
    word = test.parts[0]
    operands: List[Expr] = []
    work = [test]
    while work:
        each = work.pop()
        if each.kind == "boolean" and each.parts[0] == word:
            work += (each.parts[2], each.parts[1])
        elif each.kind in _OWN_GROUPS or not can_negate(each):
            return None
        else:
            operands.append(each)
        if len(operands) > _MOST_TURNED:
            return None
    turned = [
        negate(each) if each.kind != "boolean" else _turned(each, inside + 1) or _not(each)
        for each in operands
    ]
    # `not a and not b` is said more often than `not (a or b)`; of other kinds that is not so.
    is_pair = word == "or" and len(turned) == 2
    if not is_pair and all(each.kind == "negation" for each in turned):
        return None
    first, *others = turned
    for other in others:
        first = boolean("or" if word == "and" else "and", first, other)
    return first


def _not(test: Expr) -> Expr:
    return Expr("not " + at(test, NOT), NOT, "negation", test)


def can_negate(test: Expr) -> bool:
    """Whether `not test` compiles to the same test with its branches swapped.

    Compilers before 3.14 turn `not a in b` into `a not in b`, which is another instruction.
    """
    if test.kind == "compare":
        _left, rest, can_negate = test.parts
        return can_negate or len(rest) > 1 or rest[0][0] not in ("in", "not in", "is", "is not")
    return True


def attribute(owner: Expr, attr: str) -> Expr:
    text = owner.text
    if owner.level < ATOM or (owner.kind == "const" and type(owner.parts) is int):
        text = f"({text})"
    return Expr(f"{text}.{attr}", ATOM, "attr", (owner, attr))


def subscript(owner: Expr, index: Expr, bare_stars: bool) -> Expr:
    text = index_text(index) if bare_stars else no_bare_stars(index, index_text(index))
    return Expr(f"{at(owner, ATOM)}[{text}]", ATOM, "subscr", (owner, index))


# What the items of several sequences were put into.
STARRED_TUPLES = frozenset(("spread tuple", "starred tuple"))


def no_bare_stars(expr: Expr, text: str) -> str:
    """The text of an expression where some grammar wants tuples with stars in parentheses."""
    return f"({text})" if expr.kind in STARRED_TUPLES else text


def index_text(index: Expr) -> str:
    if index.kind in STARRED_TUPLES:
        return _bare_items(index.parts)
    if index.kind != "tuple":
        return at(index, TUPLE)
    if not index.parts or any(item.kind == "star" for item in index.parts):
        return f"({index.text})"
    return _bare_items(index.parts)


def _bare_items(items: Sequence[Expr]) -> str:
    """The items of a tuple that stands alone in brackets, where they may be slices."""
    texts = [item.text if item.kind in ("slice", "star") else at(item, LAMBDA) for item in items]
    return ", ".join(texts) + ("," if len(texts) == 1 else "")


def slice_of(parts: Sequence[Expr]) -> Expr:
    # A step of None is there because somebody wrote it.
    texts = [
        "" if part.kind == "const" and part.parts is None and place < 2 else at(part, LAMBDA)
        for place, part in enumerate(parts)
    ]
    # It cannot have a temporary: `:` alone is no expression.
    stable = all(part.kind == "const" for part in parts)
    return Expr(":".join(texts), TUPLE, "slice", tuple(parts), stable)


# Displays of so many items that take more characters than a line has are written in several.
_MANY, _LONG = 4, 100


def star(value: Expr) -> Expr:
    return Expr("*" + at(value, BIT_OR), TUPLE, "star", value)


def tuple_of(items: List[Expr]) -> Expr:
    texts = [at(item, LAMBDA) if item.kind != "star" else item.text for item in items]
    if not texts:
        return Expr("()", ATOM, "tuple", items)
    return Expr(", ".join(texts) + ("," if len(texts) == 1 else ""), TUPLE, "tuple", items)


class Display(Expr):
    """A list, set or dict display: large ones are built item by item.

    So its text is made when somebody asks for it, and a display and those that grew out of it
    share one list of items, of which each knows how many are its own.
    """

    __slots__ = ("items", "count", "write")

    def __init__(self, kind: str, items: List[Any], write: Callable[[List[Any]], str]) -> None:
        # `text` and `parts` stay unset until they are asked for.
        self.level = ATOM
        self.kind = kind
        self.stable = False
        self.items = items
        self.count = len(items)
        self.write = write

    def __getattr__(self, name: str) -> Any:
        if name == "parts":
            self.parts = self.items[: self.count]
            return self.parts
        if name == "text":
            self.text = self.write(self.items[: self.count])
            return self.text
        raise AttributeError(name)

    def grown(self, items: List[Any]) -> Display:
        """The display with these items behind its own."""
        shared = self.items
        if len(shared) != self.count:
            # On another path it has grown otherwise.
            shared = shared[: self.count]
        shared.extend(items)
        return Display(self.kind, shared, self.write)


def is_constant(item: Expr) -> bool:
    return item.kind == "const" or (item.kind == "tuple" and all(map(is_constant, item.parts)))


def loose_tuple_of(items: List[Expr]) -> Expr:
    """`(1 or a, 2)`: one was chosen too late for the compiler to make one constant of them all."""
    return tuple_of([*items[:-1], chosen(items[-1])])


def list_of(items: List[Expr]) -> Display:
    return Display("list", items, _list_text)


def _list_text(items: List[Expr]) -> str:
    return _display("[", _item_texts(items), "]")


def set_of(items: List[Expr]) -> Display:
    return Display("set", items, _set_text)


def _set_text(items: List[Expr]) -> str:
    # There is no empty set display; `{*()}` makes one without calling anything by name.
    return _display("{", _item_texts(items) or ["*()"], "}")


def loose_list_of(items: List[Expr]) -> Display:
    """Of constants that were put in one by one."""
    return Display("list", items, _loose_list_text)


def _loose_list_text(items: List[Expr]) -> str:
    if all(map(is_constant, items)):
        items = [*items[:-1], chosen(items[-1])]
    return _list_text(items)


def loose_set_of(items: List[Expr]) -> Display:
    return Display("set", items, _loose_set_text)


def _loose_set_text(items: List[Expr]) -> str:
    if all(map(is_constant, items)):
        # A display of constants would be made from a frozenset, which has an order of its own.
        items = [star(tuple_of(items))]
    return _set_text(items)


def items_text(items: Sequence[Expr]) -> str:
    return ", ".join(_item_texts(items))


def _item_texts(items: Sequence[Expr]) -> List[str]:
    return [item.text if item.kind == "star" else at(item, LAMBDA) for item in items]


def _display(opening: str, texts: List[str], closing: str) -> str:
    """Items between brackets, on lines of their own where one line would be long.

    The compilers of 3.8 and 3.9 do not optimise code with a line of very many instructions.
    """
    if len(texts) < _MANY or sum(map(len, texts)) + 2 * len(texts) <= _LONG:
        return f"{opening}{', '.join(texts)}{closing}"
    inner = ",\n".join(texts).replace("\n", "\n    ")
    return f"{opening}\n    {inner},\n{closing}"


def dict_of(items: List[Tuple[Any, Expr]]) -> Display:
    """Items are (key, value), or (None, mapping) for `**mapping`."""
    return Display("dict", items, _dict_text)


def _dict_text(items: List[Tuple[Any, Expr]]) -> str:
    texts = [
        f"**{at(value, BIT_OR)}" if key is None else f"{at(key, LAMBDA)}: {at(value, LAMBDA)}"
        for key, value in items
    ]
    return _display("{", texts, "}")


def call(function: Expr, arguments: List[str]) -> Expr:
    callee = function.text if function.level >= ATOM else f"({function.text})"
    return Expr(f"{callee}({', '.join(arguments)})", ATOM, "call", function)
