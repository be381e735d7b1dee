"""Data goes one way: every folder may import only from the folders that its row names."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Iterator

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"

# Room -> the rooms it may import from, itself aside. The pipeline alone knows all stages.
STAGES = ("decode", "flow", "simplify", "expr", "structure", "emit", "verify")
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "files": set(),
    "forks": set(),
    "garbage": set(),
    "decode": {"errors"},
    "flow": {"errors", "decode"},
    "simplify": {"errors", "decode", "flow"},
    "expr": {"errors", "decode", "flow", "simplify"},
    "structure": {"errors", "decode", "flow", "expr"},
    "emit": {"errors", "decode", "flow", "expr", "structure"},
    "verify": {"errors"},
    "result": {"errors"},
    "pipeline": {"errors", "garbage", "result", *STAGES},
    "api": {"errors", "files", "result", "pipeline", "decode", "simplify", "api"},
    "session": {"errors"},
    "guard_checks": set(),
    "live": {"guard_checks"},
    "output": {"errors", "files", "session", "guard_checks"},
    "torch_capture": {
        "errors",
        "files",
        "forks",
        "garbage",
        "session",
        "guard_checks",
        "output",
        "api",
        "pipeline",
        "result",
    },
    "debugger": {"session", "output", "torch_capture"},
    "cli": {
        "errors",
        "files",
        "forks",
        "result",
        "api",
        "decode",
        "package",
        "session",
        "output",
        "debugger",
    },
    "package": {"errors", "api", "package", "cli", "torch_capture", "debugger", "optimization"},
    "optimization": {"errors"},
}
API_MODULES = {"api", "targets", "classes", "recompile", "same_but_for_cells", "frames"}
PIPELINE_MODULES = {
    "pipeline", "ladder", "proof", "restore", "surroundings", "closing", "fitting", "cell_order",
}  # fmt: skip


def room_of(module: str) -> str:
    """`depyf.decompile.flow.blocks` lies in `flow`; the public front of decompiling is `api`."""
    parts = module.split(".")[1:]
    if parts[:1] == ["decompile"] and len(parts) > 1:
        if parts[1] in API_MODULES:
            return "api"
        return "pipeline" if parts[1] in PIPELINE_MODULES else parts[1]
    if not parts or parts[0] in ("decompile", "decompiler", "__main__"):
        return "package"
    return parts[0]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports_of(module: str, path: Path) -> Iterator[str]:
    """Every module imported anywhere in the file, under its full name."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    known = {name for name, _ in modules()}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in known else base


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_imports_follow_the_arrows(module: str, path: Path) -> None:
    room = room_of(module)
    assert room in ALLOWED, f"{module} lies in a room that has no row here"
    for imported in imports_of(module, path):
        if imported.split(".")[0] == "depyf":
            target = room_of(imported)
            assert target == room or target in ALLOWED[room], f"{module} imports {imported}"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="needs sys.stdlib_module_names")
def test_only_the_standard_library_is_imported() -> None:
    for module, path in modules():
        for imported in imports_of(module, path):
            top = imported.split(".")[0]
            known = top == "depyf" or top in sys.stdlib_module_names
            # Torch is known to one folder, and to what guard functions call when they run.
            known |= top == "torch" and room_of(module) in ("torch_capture", "guard_checks")
            assert known, f"{module} imports {imported}"


def test_only_decode_knows_python_versions() -> None:
    """Past decode, nothing asks which Python it is about; verify compares as the host compiles."""
    for module, path in modules():
        if room_of(module) in ("flow", "structure", "expr", "emit"):
            assert "version_info" not in path.read_text(encoding="utf-8"), module
