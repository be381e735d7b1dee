"""Code that has no source file, shown as source: what `make demo` prints."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import depyf


@dataclass
class Data:
    x: int
    y: float


def classify(values, limit=10):
    seen = {}
    for value in values:
        if value is None or value < 0:
            continue
        if value in seen:
            break
        try:
            seen[value] = "small" if value < limit else "large"
        except TypeError as error:
            raise ValueError(f"cannot keep {value!r}") from error
    else:
        return seen, True
    return seen, False


def show(title: str, obj: object) -> None:
    print(f"# --- {title}")
    print(depyf.decompile(obj))


def main() -> None:
    show("written by dataclasses, no source anywhere", Data.__init__)
    show("the comparison that goes with it", Data.__eq__)
    show("written by namedtuple", namedtuple("Point", "x y").__new__)
    show("loops, else, try, f-strings", classify)
    show("a lambda", lambda a, *rest, key=None: (a, *rest) if key is None else key(a))


if __name__ == "__main__":
    main()
