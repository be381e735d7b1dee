"""Annotations kept as text, with tuples of constants in them."""

from __future__ import annotations

x: Callable[..., None] = 1


def f(
    a: Callable[..., None],
    b: Tuple[1, ...],
    c: Foo[..., 2, "x"] = 3,
    d: Foo[-1, 2e400] = 4,
    *args: [(1, 2)],
    e: Foo[(1, (2, ...))] = (),
    é: é[("é", ...)] = 5,
    g: Literal["a", "b"] = 6,
    h: x[(1, 2)][3, 4] = 7,
    i: (1, ...) = 8,
    j: Foo[Ellipsis, y] = 9,
) -> Tuple[int, ...]:
    return a


print(__annotations__, f(1, 2))
for name, text in f.__annotations__.items():
    print(name, text)
