"""Writes depyf/decompile/decode/tables/v3_*.py from each interpreter's own opcode modules.

Run it without arguments to regenerate the tables of every interpreter found. With `--print` it
prints the table of the interpreter that runs it, which is how it asks the others.
"""

from __future__ import annotations

import dis
import opcode
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "src" / "depyf" / "decompile" / "decode" / "tables"
HEADER = '"""Opcodes of Python %d.%d, written by tools/generate_opcode_tables.py: do not edit."""\n'
NEVER_STORED = ("ENTER_EXECUTOR", "RESERVED")


def opcode_names():
    """Names by number. What only the running interpreter writes over its own code is left out:
    specialised and instrumented variants never show in `co_code` or in a .pyc file."""
    names = ["<%d>" % number for number in range(256)]
    for name, number in opcode.opmap.items():
        if number < 256 and not name.startswith("INSTRUMENTED_") and name not in NEVER_STORED:
            names[number] = name
    return tuple(names)


def cache_counts():
    """Code units of inline cache behind each opcode; from 3.13 on they are kept by name."""
    entries = getattr(opcode, "_inline_cache_entries", [])
    if isinstance(entries, dict):
        return tuple(entries.get(name, 0) for name in opcode_names())
    return tuple((list(entries) + [0] * 256)[:256])


def is_backward(op):
    ask = getattr(dis, "_is_backward_jump", None)
    return ask(op) if ask else "JUMP_BACKWARD" in opcode.opname[op]


def jumps():
    named = {op for op, name in enumerate(opcode_names()) if not name.startswith("<")}
    relative = [op for op in opcode.hasjrel if op in named]
    return {
        "FORWARD_JUMPS": tuple(sorted(op for op in relative if not is_backward(op))),
        "BACKWARD_JUMPS": tuple(sorted(op for op in relative if is_backward(op))),
        "ABSOLUTE_JUMPS": tuple(sorted(op for op in opcode.hasjabs if op in named)),
    }


def argument_names():
    """What small integer arguments stand for, as far as this version has them."""
    constants = getattr(opcode, "_common_constants", ())
    methods = getattr(opcode, "_special_method_names", ())
    return {
        "COMPARE_OPS": tuple(opcode.cmp_op),
        "BINARY_OPS": tuple(tuple(pair) for pair in getattr(opcode, "_nb_ops", ())),
        "INTRINSICS_1": tuple(getattr(opcode, "_intrinsic_1_descs", ())),
        "INTRINSICS_2": tuple(getattr(opcode, "_intrinsic_2_descs", ())),
        "COMMON_CONSTANTS": tuple(constant.__name__ for constant in constants),
        "SPECIAL_METHODS": tuple(methods),
    }


def render_value(value):
    if not isinstance(value, tuple):
        return repr(value)
    if not value:
        return "()"
    lines = [render_item(item) + "," for item in value]
    if not isinstance(value[0], tuple):
        lines = textwrap.wrap(" ".join(lines), 94, break_long_words=False, break_on_hyphens=False)
    return "(\n" + "".join("    %s\n" % line for line in lines) + ")"


def render_item(item):
    if isinstance(item, tuple):
        return "(%s)" % ", ".join(render_item(part) for part in item)
    return '"%s"' % item if isinstance(item, str) else repr(item)


def render_table():
    """The text of this interpreter's table module."""
    table = {
        "HAVE_ARGUMENT": opcode.HAVE_ARGUMENT,
        "OPNAMES": opcode_names(),
        "CACHES": cache_counts(),
    }
    table.update(jumps())
    table.update(argument_names())
    annotations = {
        "HAVE_ARGUMENT": "int",
        "OPNAMES": "Tuple[str, ...]",
        "BINARY_OPS": "Tuple[Tuple[str, str], ...]",
        "CACHES": "Tuple[int, ...]",
        "FORWARD_JUMPS": "Tuple[int, ...]",
        "BACKWARD_JUMPS": "Tuple[int, ...]",
        "ABSOLUTE_JUMPS": "Tuple[int, ...]",
    }
    rows = [
        "%s: %s = %s\n" % (name, annotations.get(name, "Tuple[str, ...]"), render_value(value))
        for name, value in table.items()
    ]
    return HEADER % sys.version_info[:2] + "from typing import Tuple\n\n" + "\n".join(rows)


def ask_interpreter(command):
    """The table module's text, as the interpreter behind a command renders it."""
    done = subprocess.run([*command, __file__, "--print"], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8")


def regenerate():
    # Imported here: the module is for the interpreter that starts the others.
    from interpreters import find_interpreters, missing_versions

    found = find_interpreters()
    for interpreter in found:
        path = TABLES / ("v%s.py" % interpreter.version.replace(".", "_"))
        path.write_text(ask_interpreter(interpreter.command), encoding="utf-8")
        print("wrote the table of Python %s" % interpreter.version)
    for version in missing_versions(found):
        print("Python %s was not found: its table stays as it is" % version)


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        sys.stdout.write(render_table())
    else:
        regenerate()
