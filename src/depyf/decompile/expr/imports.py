"""Rules for imports: names come in one by one, the statement is written when all are bound."""

from __future__ import annotations

from typing import Any, List

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.nodes import Expr


class ImportInfo:
    """`import module`, or `from module import names` as its names come in."""

    __slots__ = ("module", "level", "fromlist", "names", "owner")

    def __init__(self, module: str, level: int, fromlist: Any) -> None:
        self.module = module
        self.level = level
        self.fromlist = fromlist
        self.names: List[str] = []


@rule("IMPORT_NAME")
def _import_name(ev: Evaluator, op: Op) -> None:
    level, fromlist = ev.pop_many(2)
    if level.kind != "const" or fromlist.kind != "const" or type(level.parts) is not int:
        ev.fail(op, "the level or the names of an import are no constants")
    info = ImportInfo(op.arg, level.parts, fromlist.parts)
    ev.stack.append(Expr("<import>", nodes.ATOM, "import", info, True))


@rule("IMPORT_FROM")
def _import_from(ev: Evaluator, op: Op) -> None:
    source = ev.stack[-1]
    if source.kind not in ("import", "import from"):
        ev.fail(op, "there is no import")
    info = source.parts if source.kind == "import" else source.parts[0]
    ev.stack.append(Expr("<import from>", nodes.ATOM, "import from", (info, op.arg), True))


def bind_import(ev: Evaluator, op: Op, value: Expr) -> None:
    name = ev.scope.name(op.arg)
    if value.kind == "import":
        info = value.parts
        top = info.module.partition(".")[0]
        if info.fromlist:
            ev.fail(op, "an import with names is stored as a whole")
        if top == op.arg or ev.scope.name(top) == name:
            ev.emit("import", f"import {info.module}", op)
        else:
            ev.emit("import", f"import {info.module} as {name}", op)
        return
    info, attribute = value.parts
    if info.fromlist:
        source = ev.scope.name(attribute)
        info.names.append(source if source == name else f"{source} as {name}")
    else:
        ev.emit("import", f"import {info.module} as {name}", op)


# Nobody writes so many dots; damaged bytecode may ask for billions of them.
_MOST_LEVELS = 1000


def _source(ev: Evaluator, op: Op, info: ImportInfo) -> str:
    if info.level > _MOST_LEVELS:
        ev.fail(op, f"an import from {info.level} packages up")
    return "." * info.level + info.module


def finish_import(ev: Evaluator, op: Op, value: Expr) -> None:
    info = value.parts
    if not info.fromlist:
        # `import a.b as c` fetches b from a and drops a.
        return
    if not info.names:
        ev.fail(op, "an import without a name")
    ev.emit("import", f"from {_source(ev, op, info)} import {', '.join(info.names)}", op)


@rule("IMPORT_STAR")
def _import_star(ev: Evaluator, op: Op) -> None:
    info = ev.pop().parts
    ev.emit("import", f"from {_source(ev, op, info)} import *", op)
