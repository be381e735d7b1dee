"""Writes the decompiled source of standard-library modules into a folder.

Runs in the interpreter whose library it is. The folder, put in front of sys.path, then replaces
the modules. A package is written whole, with its data files copied.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def decompiled(path: str, rung: str) -> str:
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    if rung == "identity":
        return rewritten(path)
    from depyf.decompile.pipeline import decompile_module

    options = {} if rung == "auto" else {"rung": rung}
    return decompile_module(code, **options).source


def rewritten(path: str) -> str:
    """Stands in for the decompiler: the same program without its comments and layout."""
    import ast
    import tokenize

    with tokenize.open(path) as file:
        source = file.read()
    return ast.unparse(ast.parse(source)) if hasattr(ast, "unparse") else source


def stage(name: str, folder: str, rung: str) -> int:
    """Writes one module or package; returns how many files were decompiled."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise SystemExit(f"{name} is not a module in a source file")
    place = os.path.join(folder, *name.split("."))
    if spec.submodule_search_locations:
        return sum(
            _write(path, os.path.join(place, inner), rung)
            for path, inner in _files(os.path.dirname(spec.origin))
        )
    return _write(spec.origin, place + ".py", rung)


def _files(top: str) -> list:
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in ("__pycache__", "test", "tests")]
        for name in sorted(names):
            path = os.path.join(folder, name)
            found.append((path, os.path.relpath(path, top)))
    return found


def _write(path: str, target: str, rung: str) -> int:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not path.endswith(".py"):
        shutil.copy(path, target)
        return 0
    text = decompiled(path, rung)
    compile(text, target, "exec", dont_inherit=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)
    return 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--rung", default="auto", help="auto, dispatch, or identity")
    options = parser.parse_args()
    sys.path.insert(0, os.path.join(ROOT, "src"))
    files = sum(stage(name, options.folder, options.rung) for name in options.modules)
    print(files)


if __name__ == "__main__":
    main()
