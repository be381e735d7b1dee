"""Random expressions, biased to what makes control flow: and/or/not, comparisons, ternaries.

Every builder takes a place and how deep it may still nest, and returns text that can stand
anywhere an operand can. Values are small numbers or traced objects, so most expressions succeed.
"""

from __future__ import annotations

from .context import Place

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "is", "is not")
ARITHMETIC = ("+", "-", "&", "|", "^", "%", "//", "/")
WITH_SMALL_RIGHT = ("*", "<<", ">>", "@")
CONSTANTS = (
    "0", "1", "2", "-1", "3", "255", "256", "10 ** 12", "1.5", "-0.0", "1e400", "2j", "True",
    "False", "None", "'x'", "b'y'", "...", "'it\\'s \"q\"\\n'", "1_000_003", "''", "'\\u00e9'",
    "'\\ud800'", "(1, 'a', None)", "-7.25", "0.0",
)  # fmt: skip


def expression(place: Place, depth: int = 3) -> str:
    if depth <= 0 or place.flip(0.12):
        return leaf(place)
    return place.choose(EXPRESSIONS)(place, depth - 1)


def condition(place: Place, depth: int = 3) -> str:
    """An expression as it stands in `if`: without parentheses where none are needed."""
    text = place.choose(CONDITIONS)(place, depth - 1)
    return text[1:-1] if is_wrapped(text) and ":=" not in text else text


def is_wrapped(text: str) -> bool:
    """Whether the outer parentheses belong together and hold no tuple or generator."""
    if not text.startswith("(") or not text.endswith(")") or " for " in text or "'" in text:
        return False
    level = 0
    for index, letter in enumerate(text):
        level += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if level == 0 and index < len(text) - 1:
            return False
        if (level == 1 and letter == ",") or text[index : index + 6] == "(yield":
            return False
    return True


def leaf(place: Place) -> str:
    roll = place.number(10)
    if roll < 4:
        return event(place)
    if roll < 7:
        return place.readable()
    if roll < 9:
        return place.pick(("0", "1", "2", "3"))
    return "(%s)" % place.pick(CONSTANTS) if place.flip(0.4) else "o(%d)" % place.event()


def event(place: Place) -> str:
    return "t(%d)" % place.event()


def small(place: Place) -> str:
    """A number that keeps products and shifts small."""
    return event(place) if place.flip() else place.pick(("0", "1", "2", "3"))


def _binary(place: Place, depth: int) -> str:
    left = expression(place, depth)
    if place.flip(0.25):
        return "(%s %s %s)" % (left, place.pick(WITH_SMALL_RIGHT), small(place))
    if place.flip(0.06):
        return "(%s ** 2)" % event(place)
    return "(%s %s %s)" % (left, place.pick(ARITHMETIC), expression(place, depth))


def _unary(place: Place, depth: int) -> str:
    return "(%s%s)" % (place.pick(("-", "~", "+", "not ")), expression(place, depth))


def _boolean(place: Place, depth: int) -> str:
    operator = place.pick((" and ", " or "))
    count = place.pick((2, 2, 2, 3, 4))
    return "(%s)" % operator.join(_operand(place, depth) for _ in range(count))


def _operand(place: Place, depth: int) -> str:
    return place.choose(CONDITIONS)(place, depth - 1) if depth > 0 else leaf(place)


def _negation(place: Place, depth: int) -> str:
    return "(not %s)" % _operand(place, depth)


def _comparison(place: Place, depth: int) -> str:
    if place.flip(0.2):
        return _membership(place, depth)
    right = place.pick(("None", expression(place, depth), leaf(place)))
    if right == "None":
        return "(%s %s None)" % (expression(place, depth), place.pick(("is", "is not")))
    # `x is 1` warns, and what it says is up to the implementation.
    operator = place.pick(COMPARISONS[:6])
    return "(%s %s %s)" % (expression(place, depth), operator, right)


def _membership(place: Place, depth: int) -> str:
    holder = place.pick(("(1, 2)", "[1, 2]", "{1, 2}", "o(%d)" % place.event(), "seq(8, 2)"))
    return "(%s %s %s)" % (expression(place, depth), place.pick(("in", "not in")), holder)


def _chain(place: Place, depth: int) -> str:
    parts = [leaf(place)]
    for _ in range(place.pick((2, 2, 3))):
        parts += [place.pick(COMPARISONS[:6]), _operand(place, min(depth, 1))]
    return "(%s)" % " ".join(parts)


def _ternary(place: Place, depth: int) -> str:
    parts = (expression(place, depth), _operand(place, depth), expression(place, depth))
    return "(%s if %s else %s)" % parts


def _walrus(place: Place, depth: int) -> str:
    return "(%s := %s)" % (place.variable(), expression(place, depth))


def _call(place: Place, depth: int) -> str:
    callee = place.pick(("call", "o(%d)" % place.event(), "%s.m" % "o(3)", "call"))
    return "%s(%s)" % (callee, arguments(place, depth))


def arguments(place: Place, depth: int) -> str:
    given = [expression(place, depth) for _ in range(place.number(3))]
    if place.flip(0.2):
        given.append("*%s" % _sequence(place, 0))
        if place.flip(0.4):
            given.append(expression(place, 0))
    if place.flip(0.3):
        given.append("k=%s" % expression(place, depth))
    if place.flip(0.15):
        given.append("**{'m': %s}" % expression(place, 0))
        if place.flip(0.4):
            given.append("n=%s" % expression(place, 0))
    return ", ".join(given)


def _attribute(place: Place, depth: int) -> str:
    return "o(%d).%s" % (place.event(), place.pick(("x", "y", "x.y", "_p")))


def _subscript(place: Place, depth: int) -> str:
    return "o(%d)[%s]" % (place.event(), index(place, depth))


def index(place: Place, depth: int) -> str:
    roll = place.number(8)
    bound = [expression(place, min(depth, 1)) if place.flip(0.7) else "" for _ in range(3)]
    if roll == 0:
        return ":".join(bound)
    if roll == 1:
        return ":".join(bound[:2])
    if roll == 2:
        return "%s, %s:%s" % (expression(place, 0), bound[0], bound[1])
    if roll == 3:
        return place.pick((":", "'k'", "-1", "1:2", "..."))
    return expression(place, depth)


def _sequence(place: Place, depth: int) -> str:
    roll = place.number(4)
    if roll == 0:
        return "seq(%d, %d)" % (place.event(), place.number(4))
    if roll == 1:
        return "(%s, %s)" % (expression(place, depth), expression(place, depth))
    if roll == 2 and depth > 0:
        return _comprehension(place, depth)
    return "it(%d)" % place.event()


def _display(place: Place, depth: int) -> str:
    items = [expression(place, depth) for _ in range(place.number(4))]
    if place.flip(0.3):
        items.insert(place.number(len(items) + 1), "*%s" % _sequence(place, 0))
    if place.flip():
        return "call([%s])" % ", ".join(items)
    return "call((%s,))" % ", ".join(items) if items else "call(())"


def _mapping(place: Place, depth: int) -> str:
    items = ["%r: %s" % (place.pick("klm"), expression(place, depth)) for _ in range(2)]
    if place.flip(0.3):
        items.insert(place.number(3), "**{'z': %s}" % expression(place, 0))
    if place.flip(0.3):
        items = ["*{%s}" % small(place), small(place), "1"]
    return "call({%s})" % ", ".join(items)


def _comprehension(place: Place, depth: int) -> str:
    """Of any kind, with one to three `for`s, conditions, and other comprehensions inside."""
    names = tuple(place.fresh("v") for _ in range(place.pick((1, 1, 1, 2, 2, 3))))
    inner = _inside_comprehension(place, names)
    clauses = [
        _clause(place if i == 0 else inner, inner, names, i, depth) for i in range(len(names))
    ]
    if any("(yield" in clause for clause in clauses):
        return leaf(place)
    if _may_walrus(place) and place.flip(0.15):
        clauses.append("if (%s := %s)" % (place.variable(), event(inner)))
    tail = " ".join(clauses)
    result = expression(inner, min(depth, 2))
    forms = ["[%s %s]" % (result, tail), "{%s: %s %s}" % (small(inner), result, tail)]
    # A set holds numbers only, and a generator expression must be consumed at once.
    forms += ["{%s %s}" % (small(inner), tail)]
    if "await" not in result + tail and "async" not in tail:
        forms += ["[*(%s %s)]" % (result, tail), "any(%s %s)" % (result, tail)]
    return "call(%s)" % place.pick(forms)


def _inside_comprehension(place: Place, names: tuple) -> Place:
    # Old versions allow `await` in an outermost comprehension only: no place inside one has it.
    outer = place.outer + (place.variables if place.is_function else ())
    kept = place.variables if place.kind != "class" else ()
    return place.inside(
        variables=names + kept if place.flip() else names,
        outer=outer,
        walrus=False,
        suspending=False,
    )


def _clause(source: Place, inner: Place, names: tuple, position: int, depth: int) -> str:
    source = source.inside(walrus=False, suspending=False)
    target, width = names[position], 0
    if inner.flip(0.2):
        target, width = "(%s, _)" % target, 2
    if inner.flip(0.15) and not width:
        iterable = _sequence(source, min(depth - 1, 1))
    else:
        iterable = "it(%d%s)" % (source.event(), ", %d" % width if width else "")
    text = "for %s in %s" % (target, iterable)
    for _ in range(inner.pick((0, 0, 1, 1, 2))):
        text += " if %s" % _operand(inner, min(depth, 2))
    return text


def _async_comprehension(place: Place, depth: int) -> str:
    name = place.fresh("v")
    inner = place.inside(variables=(name,), walrus=False, suspending=False)
    parts = (expression(inner, 1), name, place.event(), _operand(inner, 1))
    forms = (
        "[%s async for %s in ait(%d) if %s]",
        "{t(0): %s async for %s in ait(%d) if %s}",
        "[await aw(5) for _ in it(2)] + [%s async for %s in ait(%d) if %s]",
    )
    return "call(%s)" % (place.pick(forms) % parts)


def _lambda(place: Place, depth: int) -> str:
    names = (place.fresh("p"), place.fresh("p"))
    outer = place.outer + (place.variables if place.is_function else ())
    inner = place.inside(
        kind="function",
        variables=names,
        outer=outer,
        suspending=False,
        walrus=place.walrus and place.is_function,
    )
    body = expression(inner, min(depth, 2))
    heads = ("%s, %s=t(4)", "%s, *%s", "%s, *, %s=1", "%s=2, **%s", "%s, /, %s=0")
    return "(lambda %s: %s)(%s)" % (place.pick(heads) % names, body, expression(place, 0))


def _fstring(place: Place, depth: int) -> str:
    value = leaf(place) if place.flip() else place.readable()
    if "'" in value or "\\" in value:
        value = "1"
    piece = place.pick(("{%s}", "{%s!r}", "{%s!s:>3}", "{%s:{t(6)}}", "a{{{%s!a}}}b", "{%s:=^9}"))
    return "call(f'<%s>%s')" % (piece % value, place.pick(("", "{t(1)}", "{a}")))


def _template(place: Place, depth: int) -> str:
    return "call(t'<{%s!r:>{t(1)}}>'.strings)" % place.variable()


def _yield(place: Place, depth: int) -> str:
    if place.kind == "generator" and place.flip(0.15):
        return "(yield from %s)" % _sequence(place, 0)
    return "(yield %s)" % expression(place, depth) if place.flip(0.8) else "(yield)"


def _await(place: Place, depth: int) -> str:
    return "(await aw(%d))" % place.event()


def _may_walrus(place: Place) -> bool:
    return place.walrus and place.kind != "class"


CONDITIONS = [
    ("comparison", 4, None, _comparison),
    ("chain", 2, None, _chain),
    ("boolean", 5, None, _boolean),
    ("not", 2, None, _negation),
    ("event", 3, None, lambda place, depth: event(place)),
    ("variable", 1, None, lambda place, depth: place.readable()),
    ("ternary", 1, None, _ternary),
    ("walrus", 0.7, _may_walrus, _walrus),
    ("await", 1, lambda place: place.is_async, _await),
    ("yield", 0.5, lambda place: place.may_yield, _yield),
    ("constant", 0.2, None, lambda place, depth: place.pick(("1", "0", "True", "None", "'x'"))),
]

EXPRESSIONS = [
    ("event", 5, None, lambda place, depth: event(place)),
    ("binary", 4, None, _binary),
    ("unary", 1, None, _unary),
    ("boolean", 4, None, _boolean),
    ("comparison", 2, None, _comparison),
    ("chain", 1, None, _chain),
    ("ternary", 3, None, _ternary),
    ("walrus", 1, _may_walrus, _walrus),
    ("call", 3, None, _call),
    ("attribute", 1, None, _attribute),
    ("subscript", 1.5, None, _subscript),
    ("display", 1.5, None, _display),
    ("mapping", 0.7, None, _mapping),
    ("comprehension", 1.5, None, _comprehension),
    ("asynccomp", 1.5, lambda place: place.is_async, _async_comprehension),
    ("lambda", 0.7, None, _lambda),
    ("fstring", 0.7, None, _fstring),
    ("tstring", 0.7, lambda place: place.version >= (3, 14), _template),
    ("yield", 2, lambda place: place.may_yield, _yield),
    ("await", 2.5, lambda place: place.is_async, _await),
]
