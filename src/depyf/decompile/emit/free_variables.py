"""Keeps a type parameter that a function mentions and never uses.

The annotation of a local makes the parameter a free variable although no instruction touches it.
Other variables would be declared nonlocal, which type parameters cannot be.
"""

from __future__ import annotations

from depyf.decompile.expr import nodes
from depyf.decompile.expr.scope import CLASS, TYPE_PARAMETERS, Scope
from depyf.decompile.expr.statements import If, Stmt


def is_type_parameter(name: str, scope: Scope) -> bool:
    parent = scope.parent
    while parent is not None:
        if parent.kind != CLASS and name in parent.local_names:
            return parent.kind == TYPE_PARAMETERS
        parent = parent.parent
    return False


def mention(name: str, scope: Scope) -> Stmt:
    """A statement that does nothing and reads `name`, as far as the compiler's scopes know."""
    text = scope.name(name)
    if scope.code.varnames and scope.code.version < (3, 14):
        return Stmt("annotated", f"{scope.name(scope.code.varnames[-1])}: {text}")
    return If([(nodes.name("0", "const"), [Stmt("expression", text)])], [])
