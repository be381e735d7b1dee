"""Code objects that no compiler made, in the interpreter that runs this file.

Prints a JSON list of what was not proven, or could not be compiled back.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "src"))

from depyf import Decompiler
from depyf.decompile.api import examine

MARK = 1234567
SLICES = (slice(1, 2), (slice(1, 2), 3), (5, (slice(None, 2), 3)))
# Each has a constant in a place where only some of the above can be written.
PLACES = """
def f(a, b): return a(MARK)
def f(a, b): return a[MARK]
def f(a, b): a[MARK] += b(1)
def f(a, b): return a[MARK, b(1)]
def f(a, b): return (MARK, b(1))
def f(a, b): x = MARK; return x
def f(a, b): return MARK if a else b
def f(a, b): return b(x=MARK, *a)
def f(a, b): return [MARK, b]
def f(a, b): return a[MARK if b else 0]
def f(a, b): return a[b or MARK]
def f(a, b): return a[b(0):2, MARK, :]
def f(a, b): return MARK + a, a == MARK, (yield MARK)
def f(a, b): del a[MARK]
def f(a, b): return f"{MARK!r}{a}"
def f(a, b): return lambda x=MARK: x
"""
# Other forms of names, digits, keywords, and a name that a class would change.
NAMES = ("x\u00b2", "\ufb01", "\u00aa", "e\u0301", "if", "1", "", "__debug__", "__\ufb01")
NAMED = """
def f(a):
    local = a.fi
    class C:
        def method(self): return local, everywhere, self.attribute
    return local + everywhere, C, a
"""


def replaced(code, old, new):
    """The code, and all in it, with another constant or name."""
    consts = [
        replaced(each, old, new) if hasattr(each, "co_code") else _swapped(each, old, new)
        for each in code.co_consts
    ]
    changes = {"co_consts": tuple(consts)}
    for field in ("co_names", "co_varnames", "co_cellvars", "co_freevars"):
        changes[field] = tuple(_swapped(each, old, new) for each in getattr(code, field))
    return code.replace(**changes)


def _swapped(value, old, new):
    if type(value) is tuple:
        return tuple(_swapped(each, old, new) for each in value)
    return new if type(value) is type(old) and value == old else value


def function(text):
    space = {}
    exec(text, space)
    return space["f"].__code__


def cases():
    for line in PLACES.strip().splitlines():
        made = function(line.replace("MARK", str(MARK)))
        for value in SLICES:
            yield f"{line}: {value}", replaced(made, MARK, value)
    for place in ("local", "everywhere", "attribute"):
        for name in NAMES:
            yield ascii(f"{place}: {name}"), replaced(function(NAMED), place, name)
    # Defaults among the constants.
    made = function("def f(): \n def g(a=1, b=1234567): return a\n return g")
    for value in (object(), [1], (2, object()), frozenset((1, 2)), (frozenset((1,)),)):
        yield f"default {type(value)}", replaced(made, MARK, value)
    if sys.version_info >= (3, 12):
        # `{1:2}` would be a dict.
        made = function("def f(a): return a in {1, 2}")
        yield "set", replaced(made, frozenset((1, 2)), frozenset((slice(1, 2),)))
    # Statements in a lambda.
    made = function("def f(a):\n for x in a:\n  a(x)")
    for name in ("<lambda>", "if", "\ufb01", ""):
        yield ascii(name), made.replace(co_name=name)


class Outer:
    class Inner:
        def method(self):
            return 1


def main():
    if sys.version_info >= (3, 14):
        # Its argument is called `.format`.
        space = {}
        exec("type A[T] = list[T]", space)
        compile(examine(space["A"].evaluate_value).source, "<alias>", "exec")
    # Before 3.11 code does not know which class it is in.
    parts = [str(part) for part in examine(Outer).parts[1:]]
    failed = [] if parts == [str(part) for part in examine(Outer.Inner).parts] else [parts]
    failed += [] if len(parts) == 2 else [parts]
    for title, code in cases():
        try:
            result = examine(code)
            if result.verdict == "unverified":
                failed.append(f"{title}: {result.source}")
            Decompiler.decompile_and_compile_like(code, code)
        except Exception as error:
            failed.append(f"{title}: {error!r}")
    print(json.dumps(failed))


if __name__ == "__main__":
    main()
