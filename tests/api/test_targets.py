"""Everything that carries bytecode is found, and what carries none is told in a plain sentence."""

from __future__ import annotations

import functools
import json
import os
import py_compile
import re
import sys
import types
from pathlib import Path
from typing import Any, Callable

import pytest

from depyf.decompile.targets import find_target
from depyf.errors import DecompilationError


def plain(x: int = 1) -> int:
    return x


def generator():
    yield sys._getframe()


async def coroutine() -> None:
    return None


async def async_generator():
    yield 1


class Kept:
    def method(self) -> int:
        return 1

    @classmethod
    def on_class(cls) -> int:
        return 2

    @staticmethod
    def static() -> int:
        return 3

    @property
    def prop(self) -> int:
        return 4

    def __call__(self) -> int:
        return 5

    part = functools.partialmethod(method)
    cached = functools.cached_property(method)


def awaited() -> Any:
    made = coroutine()
    made.close()
    return made


def traceback() -> types.TracebackType:
    try:
        raise ValueError
    except ValueError as error:
        assert error.__traceback__ is not None
        return error.__traceback__


CASES: list[tuple[Callable[[], object], str]] = [
    (lambda: plain, "plain"),
    (lambda: plain.__code__, "plain"),
    (lambda: Kept().method, "method"),
    (lambda: Kept.on_class, "on_class"),
    (lambda: vars(Kept)["on_class"], "on_class"),
    (lambda: vars(Kept)["static"], "static"),
    (lambda: vars(Kept)["prop"], "prop"),
    (lambda: vars(Kept)["part"], "method"),
    (lambda: vars(Kept)["cached"], "method"),
    (Kept, "__call__"),
    (lambda: functools.partial(plain, 3), "plain"),
    (lambda: functools.partial(functools.partial(Kept().method)), "method"),
    (lambda: functools.lru_cache(maxsize=None)(plain), "plain"),
    (lambda: functools.singledispatch(plain), "wrapper"),
    (lambda: generator(), "generator"),
    (awaited, "coroutine"),
    (lambda: async_generator(), "async_generator"),
    (lambda: next(generator()), "generator"),
    (traceback, "traceback"),
]


@pytest.mark.parametrize(("make", "name"), CASES)
def test_finds_the_code(make: Callable[[], object], name: str) -> None:
    code = find_target(make()).code
    assert isinstance(code, types.CodeType)
    assert code.co_name == name


def test_a_function_brings_itself() -> None:
    assert find_target(plain).function is plain


def test_modules_and_files(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text("x = 1\n")
    compiled = py_compile.compile(str(path), cfile=str(tmp_path / "made.pyc"), doraise=True)
    for obj in (json, path, str(path), compiled, Path(str(compiled))):
        target = find_target(obj)
        assert target.is_module and target.code is not None


WITHOUT = [len, 3, None, "".join, [].append, object(), sys, functools.partial(len), print]


@pytest.mark.parametrize("obj", WITHOUT, ids=lambda obj: repr(obj).partition(" at 0x")[0])
def test_what_has_no_bytecode(obj: object) -> None:
    with pytest.raises(TypeError, match="no bytecode") as caught:
        find_target(obj)
    assert re.fullmatch(r"[A-Z].*\.", str(caught.value))


def test_a_wrapper_around_itself_ends() -> None:
    class Loop:
        pass

    loop = Loop()
    loop.__wrapped__ = loop  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="around itself"):
        find_target(loop)


def test_files_that_are_not_there_or_not_readable(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^There is no file '.*missing.pyc'\.$"):
        find_target(str(tmp_path / "missing.pyc"))
    with pytest.raises(FileNotFoundError, match="There is no file 'json'; to decompile a module"):
        find_target("json")
    with pytest.raises(OSError):
        find_target(tmp_path)
    bad = tmp_path / "bad.py"
    bad.write_text("def (:\n")
    with pytest.raises(DecompilationError, match="cannot compile"):
        find_target(bad)
    bad_pyc = tmp_path / "bad.pyc"
    bad_pyc.write_bytes(os.urandom(64))
    with pytest.raises(DecompilationError):
        find_target(bad_pyc)
