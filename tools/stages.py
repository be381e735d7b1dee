"""Shows a function at every stage of the decompiler: operations, graph, regions, folded, tree.

Example: python tools/stages.py examples/total.py:total          all stages
         python tools/stages.py examples/total.py:total regions  one of them, as Markdown
"""

from __future__ import annotations

import runpy
import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

from interpreters import ROOT

sys.path.insert(0, str(ROOT / "src"))

from depyf.decompile import ladder
from depyf.decompile.api import examine
from depyf.decompile.decode.ops import Program
from depyf.decompile.flow.graph import Block, Graph
from depyf.decompile.structure.tree_nodes import IfTree, Jump, LoopTree, Tree, TryTree

Shown = Dict[str, str]


def stages_of(function: Callable[..., object]) -> Shown:
    """The text of every stage, by its name. The passes of the ladder are watched at their ends."""
    shown: Shown = {}

    def watch(name: str, stage: str, show: Callable[..., str]) -> None:
        inner = getattr(ladder, name)

        def watched(*arguments: Any, **options: Any) -> Any:
            result = inner(*arguments, **options)
            shown.setdefault(stage, show(*arguments, result))
            return result

        setattr(ladder, name, watched)

    watch("normalise", "operations", lambda code, program: operations(program))
    watch("build_graph", "graph", lambda program, graph: blocks(graph, ["handler"]))
    watch("thread_jumps", "regions", lambda graph, _: blocks(graph, ["context"]))
    watch("restore_loop_tests", "folded", lambda graph, _: blocks(graph, ["context"]))
    watch("build_tree", "tree", lambda *given: "\n".join(nodes(given[-1])))
    result = examine(function)
    shown["text"] = result.source.rstrip()
    shown["map"] = "\n".join(map(str, result.line_map))
    shown["verdict"] = "\n".join(map(repr, result.parts))
    return shown


def operations(program: Program) -> str:
    """In three columns."""
    lines = [f"{number:2} {op!r}" for number, op in enumerate(program.ops)]
    height = -(-len(lines) // 3)
    columns = [lines[start : start + height] for start in range(0, len(lines), height)]
    rows = zip_longest(*columns, fillvalue="")
    return "\n".join("".join(cell.ljust(32) for cell in row).rstrip() for row in rows)


def blocks(graph: Graph, extra: list[str]) -> str:
    rows = [["block", "kind", "to", *extra, "operations"]]
    for block in sorted(reached(graph.entry), key=lambda one: (one.index, one.kind != "try")):
        to = " ".join(label(succ) for succ in block.succs)
        facts = [handler_of(block) if fact == "handler" else context_of(block) for fact in extra]
        ops = "; ".join(repr(op).partition(" !")[0].partition(" ->")[0] for op in block.ops)
        rows.append([label(block), block.kind, to, *facts, shortened(ops)])
    return aligned(rows)


def reached(entry: Block) -> list[Block]:
    found, waiting = {id(entry): entry}, [entry]
    while waiting:
        block = waiting.pop()
        for succ in [*block.succs, *([block.handler] if block.handler else [])]:
            if id(succ) not in found:
                found[id(succ)] = succ
                waiting.append(succ)
    return list(found.values())


def label(block: Block) -> str:
    return "TRY" if block.kind == "try" else str(block.index)


def handler_of(block: Block) -> str:
    return "" if block.handler is None else label(block.handler)


def context_of(block: Block) -> str:
    halves = [("handler" if part.is_handler else "body", part.region.kind) for part in parts(block)]
    return ", ".join(f"{half} of {kind}" for half, kind in halves)


def parts(block: Block) -> Any:
    return block.context


def shortened(text: str, width: int = 110) -> str:
    return text if len(text) <= width else text[: width - 4].rpartition(";")[0] + "; ..."


def aligned(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )


def nodes(tree: Tree, depth: int = 0) -> Iterator[str]:
    margin = "  " * depth
    for node in tree:
        if isinstance(node, Jump):
            yield margin + node.word
        elif isinstance(node, IfTree):
            for number, (block, negated, body) in enumerate(node.clauses):
                word = "elif" if number else "if"
                yield f"{margin}{word} {'not ' * negated}block {label(block)}"
                yield from nodes(body, depth + 1)
            yield from titled("else", node.orelse, depth)
        elif isinstance(node, LoopTree):
            yield f"{margin}{node.kind} block {label(node.header)}"
            yield from nodes(node.body, depth + 1)
            yield from titled("else", node.orelse, depth)
        elif isinstance(node, TryTree):
            yield f"{margin}try ({node.region.kind})"
            yield from nodes(node.body, depth + 1)
            yield from titled("handler", node.handler, depth)
            yield from titled("else", node.orelse, depth)
        else:
            yield f"{margin}block {label(node)}"


def titled(title: str, tree: Tree, depth: int) -> Iterator[str]:
    if tree:
        yield "  " * depth + title
        yield from nodes(tree, depth + 1)


def main() -> int:
    path, _, name = sys.argv[1].partition(":")
    shown = stages_of(runpy.run_path(str(ROOT / path if not Path(path).exists() else path))[name])
    if len(sys.argv) > 2:
        print(f"\n```text\n{shown[sys.argv[2]]}\n```\n")
    else:
        print("\n\n".join(f"--- {stage}\n{text}" for stage, text in shown.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
