"""Random functions and classes: signatures, closures, decorators, how a nested one is used."""

from __future__ import annotations

from . import statements
from .context import NAMES, Place
from .expressions import expression

KINDS = ("function", "function", "function", "generator", "generator", "coroutine", "asyncgen")
SIGNATURES = (
    "a, b", "a, b=1", "a, b, c, d", "a, *b", "a, /, b", "a, b=2, *, c=3", "a, b: int, c=t(1)",
    "a, *b, c=None, **d", "a, **b", "", "a, b=t(2), /, c=(1, 2), *, d: 'str' = 1",
)  # fmt: skip
TYPE_PARAMETERS = ("[T, *U]", "[T: int]", "[T: (int, str), **P]")
# What must follow the definition of a nested function so that it runs: by kind, then by where.
USES = {
    "function": ("t({n}, {g}({v}))", "a = {g}({v})", "{g}({v})"),
    "generator": ("for b in {g}({v}):\n    t({n}, b)", "t({n}, *{g}({v}))", "a = [*{g}({v})]"),
    "coroutine": ("await {g}({v})", "a = await {g}({v})"),
    "asyncgen": ("async for b in {g}({v}):\n    t({n}, b)", "call([v async for v in {g}({v})])"),
}


def top_function(place: Place, name: str) -> list:
    kind = place.pick(KINDS)
    return _function(place, name, kind, place.pick(SIGNATURES), [])


def nested_function(place: Place) -> list:
    name = place.fresh("g")
    kind = place.pick(KINDS if place.is_async else KINDS[:5])
    lines = _function(place, name, kind, "p=%s, *q" % expression(place, 1), ["p"])
    if place.flip(0.9):
        given = expression(place.inside(walrus=False), 1)  # it may stand in a comprehension
        use = place.pick(USES[kind]).format(n=place.event(), g=name, v=given)
        lines += use.split("\n")
    return lines


def _function(place: Place, name: str, kind: str, signature: str, parameters: list) -> list:
    nonlocals, local = _variables(place)
    inner = Place(place.shared).inside(
        kind=kind,
        nesting=place.nesting + 1,
        depth=place.depth + 1,
        variables=tuple(parameters) + local + nonlocals,
        nonlocals=nonlocals,
        outer=_closure(place),
    )
    made = statements.block(inner) + statements.block(inner)
    lines = _prologue(place, inner, nonlocals, local, signature, made)
    lines += made + _epilogue(inner, kind, made)
    decorator = ["@deco(%d)" % place.event()] if place.flip(0.08) else []
    prefix = "async def" if kind in ("coroutine", "asyncgen") else "def"
    returned = " -> %s" % place.pick(("int", "None")) if place.flip(0.1) else ""
    brackets = place.pick(TYPE_PARAMETERS) if place.version >= (3, 12) and place.flip(0.06) else ""
    head = "%s %s%s(%s)%s:" % (prefix, name, brackets, signature, returned)
    return decorator + [head] + statements.indent(lines)


def _variables(place: Place) -> tuple:
    """Which variables of the enclosing function the new one rebinds, and its own."""
    if not place.is_function or place.flip(0.6):
        return (), NAMES
    shared = tuple(name for name in NAMES if place.flip(0.5) and name in place.variables)
    return shared, tuple(name for name in NAMES if name not in shared)


def _closure(place: Place) -> tuple:
    return place.outer + place.variables if place.is_function else place.outer


def _prologue(
    place: Place, inner: Place, nonlocals: tuple, local: tuple, signature: str, made: list
) -> list:
    lines = (
        ["'''What it does, or\n    so it says.'''".replace("\n", "\\n")] if place.flip(0.08) else []
    )
    if nonlocals:
        lines.append("nonlocal " + ", ".join(nonlocals))
    if inner.nesting == 1:
        lines.append("global G")
    given = {word.strip("*").split("=")[0].split(":")[0].strip() for word in signature.split(",")}
    unset = [name for name in local if name not in given]
    if unset:
        value = place.pick(("0", "1", "t(1)", "o(1)"))
        # Bound on some paths only: reading it must fail in the same way.
        maybe = "if t(2): " if place.flip(0.1) else ""
        lines.append("%s%s = %s" % (maybe, " = ".join(unset), value))
    return lines


def _epilogue(inner: Place, kind: str, made: list) -> list:
    lines: list = []
    if kind in ("generator", "asyncgen"):
        lines.append("yield %s" % inner.variable())
    if kind != "asyncgen" and inner.flip(0.6):
        lines.append("return (%s, %s)" % (inner.variable(), inner.variable()))
    elif inner.flip(0.5):
        lines.append("t(%d, %s)" % (inner.event(), inner.variable()))
    return lines


def nested_class(place: Place) -> list:
    name = place.fresh("C")
    outer = _closure(place)
    attributes = Place(place.shared).inside(
        kind="class", nesting=place.nesting + 1, depth=place.depth + 2, outer=outer
    )
    lines = ["a = b = c = d = %s" % expression(place.inside(suspending=False, walrus=False), 1)]
    lines += statements.block(attributes)
    method = _function(attributes, "m", "function", "self, p=1", ["p"])
    lines += method
    if place.flip(0.5):
        lines += ["def n(self):", "    return super().__init__(), __class__.a"]
    decorator = ["@deco(%d)" % place.event()] if place.flip(0.15) else []
    brackets = "[T]" if place.version >= (3, 12) and place.flip(0.1) else ""
    bases = place.pick(("", "(E)", "(E, metaclass=type)", "(*[E])", "(**{'metaclass': type})"))
    head = "class %s%s%s:" % (name, brackets, bases)
    use = "t(%d, %s().m())" % (place.event(), name)
    if lines[-1].startswith("    return super") and place.flip():
        use = "t(%d, %s().n())" % (place.event(), name)
    alias = (
        ["type A%s = %s" % (name, "int | str")]
        if place.version >= (3, 12) and place.flip(0.2)
        else []
    )
    return decorator + [head] + statements.indent(lines) + alias + [use]
