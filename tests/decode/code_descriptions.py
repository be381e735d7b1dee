"""A code object as plain data, told once by the interpreter itself and once by our reader.

Run as a script in any Python, it compiles a sample of the standard library and writes, for each
module, the .pyc bytes, what `dis` says of them, and where our reader of live code disagrees.
"""

from __future__ import annotations

import dis
import importlib.util
import marshal
import pickle
import sys

MODULES = """
argparse ast asyncio.base_events asyncio.tasks bdb calendar cmd collections configparser
contextlib copy csv dataclasses difflib doctest email.message enum fractions functools heapq
html.parser http.client inspect json.decoder logging pickle platform pprint random shutil
statistics subprocess tarfile tempfile textwrap tokenize threading traceback typing
urllib.parse weakref
""".split()

# What the modules lack: constants of every kind, prefixed arguments, long jumps, odd variables.
ODDITIES = (
    """
import sys
VALUES = (0, -1, 2**31 - 1, 2**31, -2**31 - 1, 2**63, -2**200, 1.5, -0.0, 1e400, 2j, -0j, b"x\\xff")
TEXTS = ("plain", "é", "\\ud800", "日本", "x" * 300, "é" * 300, ..., None, True, (1, (2, (3, ()))))
def cells(first, second=1, /, third=2, *rest, key, other=3, **more):
    inner = first
    def closure():
        nonlocal inner, third
        inner += third
        return lambda: (inner, rest, __class__) if key else more
    return closure, {n: [m + inner for m in range(n)] for n in rest if n in {1, 2, "a"}}
async def waits(things):
    async with things as thing, thing:
        async for item in thing:
            try:
                yield await item
            except (TypeError, KeyError):
                continue
            finally:
                print(item[1:2], item[::], item[None:-1])
"""
    + "def many(a):\n    while a:\n"
    + "".join("        a.n%d = %d.5, a.n%d\n" % (n, n, n + 1) for n in range(700))
    + "        if a.stop: break\n    else:\n        return a\n    return None\n"
)


def samples():
    """(name, module code) of everything that is compared."""
    yield "oddities", compile(ODDITIES, "oddities.py", "exec", dont_inherit=True)
    for name in MODULES:
        source = importlib.util.find_spec(name).loader.get_source(name)
        yield name, compile(source, name + ".py", "exec", dont_inherit=True)


def describe_const(const, describe):
    if hasattr(const, "co_consts") or hasattr(const, "bytecode"):
        return describe(const)
    if isinstance(const, tuple):
        return ("tuple", [describe_const(item, describe) for item in const])
    if isinstance(const, frozenset):
        return ("frozenset", sorted(map(repr, const)))
    return (type(const).__name__, repr(const))


def describe_live(code):
    """What the running Python says about its own code object."""
    version = sys.version_info[:2]
    fields = "argcount posonlyargcount kwonlyargcount stacksize flags names varnames freevars"
    told = {name: getattr(code, "co_" + name) for name in fields.split()}
    for name in "cellvars filename name firstlineno".split():
        told[name] = getattr(code, "co_" + name)
    told["bytecode"] = code.co_code
    told["qualname"] = code.co_qualname if version >= (3, 11) else code.co_name
    told["linetable"] = code.co_linetable if version >= (3, 10) else code.co_lnotab
    told["exceptiontable"] = code.co_exceptiontable if version >= (3, 11) else b""
    told["consts"] = [describe_const(const, describe_live) for const in code.co_consts]
    told["instructions"] = live_instructions(code, live_lines(code))
    told["positions"], told["handlers"] = [], []
    if version >= (3, 11):
        told["positions"] = list(code.co_positions())
        told["handlers"] = [
            (entry.start, entry.end, entry.target, entry.depth, entry.lasti)
            for entry in dis._parse_exception_table(code)
        ]
    return told


def live_lines(code):
    """The line of each offset; `dis` itself shows only where lines start."""
    size = len(code.co_code)
    if hasattr(code, "co_lines"):
        ranges = list(code.co_lines())
    else:
        starts = list(dis.findlinestarts(code))
        ends = [start for start, _ in starts[1:]] + [size]
        ranges = [(start, end, line) for (start, line), end in zip(starts, ends)]
    return {offset: line for start, end, line in ranges for offset in range(start, end, 2)}


def live_instructions(code, lines):
    told, prefix = [], None
    for instruction in dis.get_instructions(code):
        if prefix is None:
            prefix = instruction.offset
        if instruction.opname == "EXTENDED_ARG":
            continue
        jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
        target = instruction.argval if jumps else -1
        told.append((prefix, instruction.opname, instruction.arg or 0, target, lines.get(prefix)))
        prefix = None
    return told


def describe_ours(code):
    """The same from a `Code`, by our own readers."""
    from depyf.decompile.decode.locations import read_positions
    from depyf.decompile.decode.raw import read_exception_table, read_instructions
    from depyf.decompile.decode.tables import table_for

    beside = ("version", "live", "parameter_count")
    told = {name: getattr(code, name) for name in code.__slots__ if name not in beside}
    told["consts"] = [describe_const(const, describe_ours) for const in code.consts]
    opnames = table_for(code.version).opnames
    told["instructions"] = [
        (offset, opnames[opcode], arg, target, line)
        for offset, opcode, arg, target, line in read_instructions(code)
    ]
    told["positions"] = read_positions(code)
    told["handlers"] = read_exception_table(code)
    return told


def first_difference(ours, theirs, path=""):
    """Where two descriptions part, in words; empty when they agree."""
    if ours == theirs:
        return ""
    if type(ours) is type(theirs) is dict and set(ours) == set(theirs):
        inside = ((ours[name], theirs[name], path + "." + name) for name in ours)
    elif type(ours) is type(theirs) in (list, tuple) and len(ours) == len(theirs):
        inside = ((a, b, "%s[%d]" % (path, i)) for i, (a, b) in enumerate(zip(ours, theirs)))
    else:
        return "%s: %.200r, not %.200r" % (path, ours, theirs)
    return next(filter(None, (first_difference(*pair) for pair in inside)), "")


def main(output):
    from depyf.decompile.decode.code import code_from_live

    records = []
    for name, code in samples():
        pyc = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
        theirs = describe_live(code)
        live_difference = first_difference(describe_ours(code_from_live(code)), theirs)
        records.append((name, pyc, theirs, live_difference))
    with open(output, "wb") as file:
        pickle.dump(records, file, 4)


if __name__ == "__main__":
    main(sys.argv[1])
