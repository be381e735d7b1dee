"""Where the text says what could not be proven."""

from __future__ import annotations

from depyf.decompile.decode.code import Code, code_from_live
from depyf.decompile.emit.labels import attach

TEXT = """\
x = 1


@cached
def outer(a):
    def helper():
        return 0
    if a:
        return helper()
"""


def codes() -> tuple[Code, Code]:
    module = code_from_live(compile(TEXT, "text.py", "exec"))
    (outer,) = [const for const in module.consts if isinstance(const, Code)]
    return module, outer


def test_a_label_stands_above_the_function_that_is_not_proven() -> None:
    module, outer = codes()
    labelled, lines = attach(TEXT, [(1, module, 0), (9, outer, 8)], module, {outer: "it differs"})
    assert labelled.splitlines()[:6] == [
        "# depyf: unverified: not proven to do what the bytecode does: outer",
        "x = 1",
        "",
        "",
        "# depyf: unverified: outer: it differs",
        "@cached",
    ]
    assert lines == [(2, module, 0), (11, outer, 8)]


def test_text_that_does_not_compile_is_labelled_as_a_whole() -> None:
    module, _outer = codes()
    labelled, _lines = attach("x = = 1\n", [], module, {module: "no Python"})
    assert labelled == "# depyf: unverified: no Python\nx = = 1\n"
