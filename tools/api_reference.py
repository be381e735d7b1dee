"""Prints the reference of the public names, from their signatures and docstrings, as Markdown."""

from __future__ import annotations

import importlib
import inspect
from typing import Iterator

# What users may rely on: where it is imported from, and which names.
PUBLIC = {
    "depyf": "decompile Decompiler DecompilationError prepare_debug debug install uninstall",
    "depyf.decompile.api": "examine",
    "depyf.decompile.result": "Decompilation CodeVerdict",
    "depyf.errors": "DepyfError",
    "depyf.optimization": (
        "unguarded UnguardedError GuardViolation guard_costs GuardCosts GuardCost"
        " TorchCompileWrapperWithCustomDispatcher"
    ),
}
# What users are given and never make: how they are made is nobody's business.
GIVEN = frozenset("Decompilation CodeVerdict GuardCosts GuardCost".split())


def public_objects() -> Iterator[tuple[str, object]]:
    """Every public name with the module it is imported from, and what it is."""
    for module, names in PUBLIC.items():
        for name in names.split():
            yield f"{module}.{name}", getattr(importlib.import_module(module), name)


def members_of(cls: type) -> Iterator[tuple[str, object]]:
    """The public methods and properties that the class itself defines."""
    for name, value in vars(cls).items():
        function = value.__func__ if isinstance(value, staticmethod) else value
        if not name.startswith("_") and (inspect.isfunction(function) or _is_property(value)):
            yield name, function


def _is_property(value: object) -> bool:
    return isinstance(value, property)


def entry(title: str, obj: object, level: int) -> Iterator[str]:
    yield f"{'#' * level} `{title}`"
    if level == 2:
        yield f"`{import_of(title)}`"
    signature = signature_of(title, obj)
    if signature:
        yield f"```text\n{signature}\n```"
    doc = inspect.getdoc(obj)
    if doc:
        yield doc
    if inspect.isclass(obj):
        for name, member in members_of(obj):
            yield from entry(f"{title.rpartition('.')[2]}.{name}", member, level + 1)


def import_of(title: str) -> str:
    """The line that makes the name known. `depyf.decompile` is a function, no way to a module."""
    module, _, name = title.rpartition(".")
    return f"import {module}" if module == "depyf" else f"from {module} import {name}"


def signature_of(title: str, obj: object) -> str:
    """One parameter a line where one line is not enough."""
    if _is_property(obj) or not callable(obj):
        return ""
    if title.rpartition(".")[2] in GIVEN or "Error" in title or "Violation" in title:
        return ""
    signature = inspect.signature(obj)
    parameters = [_parameter(one) for one in signature.parameters.values() if one.name != "self"]
    arrow = "" if inspect.isclass(obj) else f" -> {signature.return_annotation}"
    line = f"{title}({', '.join(parameters)}){arrow}"
    if len(line) <= 90:
        return line
    inner = "".join(f"    {one},\n" for one in parameters)
    return f"{title}(\n{inner}){arrow}"


def _parameter(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{stars}{one.name}: {one.annotation}{default}"


def main() -> None:
    for title, obj in public_objects():
        print("\n\n".join(entry(title, obj, 2)) + "\n")


if __name__ == "__main__":
    main()
