"""Everything that carries bytecode is found, and what carries none is told in a plain sentence."""

from __future__ import annotations

import enum
import functools
import importlib.util
import json
import os
import py_compile
import re
import sys
import types
from pathlib import Path
from typing import Any, Callable
from unittest import mock

import pytest

import depyf
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


def test_a_metaclass_does_not_make_its_objects_callable() -> None:
    class Meta(type):
        def __call__(cls):
            return object.__new__(cls)

    class Thing(metaclass=Meta):
        pass

    for thing in (Thing(), enum.Enum("Kind", "A").A):
        with pytest.raises(TypeError, match="has no bytecode to decompile"):
            depyf.decompile(thing)


def test_a_property_that_can_only_be_set() -> None:
    assert depyf.decompile(property(None, lambda self, value: None)) == "lambda self, value: None\n"
    with pytest.raises(TypeError, match="has no bytecode to decompile"):
        depyf.decompile(property(None))


def test_what_an_object_says_about_its_class_is_not_believed() -> None:
    class Proxy:
        def __init__(self, wrapped):
            self.__wrapped__ = wrapped

        @property
        def __class__(self):
            return type(self.__wrapped__)

    class Liar:
        @property
        def __class__(self):
            raise RuntimeError

    for inside in (plain, Proxy, plain.__code__):
        assert depyf.decompile(Proxy(inside)) == depyf.decompile(inside)
    assert "def __call__" in depyf.decompile(mock.Mock(spec=plain))
    with pytest.raises(TypeError, match="The 'Liar' object has no bytecode to decompile"):
        depyf.decompile(Liar())


def test_modules_and_classes_with_odd_attributes() -> None:
    module = types.ModuleType("odd")
    module.__spec__, module.__file__ = 5, 7
    with pytest.raises(TypeError, match="The module 'odd' has no bytecode to decompile"):
        depyf.decompile(module)

    class Odd:
        __module__ = []

        def method(self):
            return 1

    assert "def method" in depyf.decompile(Odd)


def test_paths_that_name_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="'' is not the path of a file"):
        depyf.decompile("")
    deep = tmp_path / "deep.py"
    deep.write_text("x = " + "-" * 100_000 + "1")
    with pytest.raises(DecompilationError, match="cannot compile the source"):
        depyf.decompile(deep)


def test_what_to_pass_instead(tmp_path: Path) -> None:
    class Thing:
        def method(self):
            return 1

    with pytest.raises(TypeError, match=r"'Thing' object has no bytecode .*; its class has, pass"):
        depyf.decompile(Thing())
    with pytest.raises(TypeError, match=r"'int' object has no bytecode to decompile\.$"):
        depyf.decompile(3)
    with pytest.raises(IsADirectoryError, match="is a folder; name a file in it, or pass a module"):
        depyf.decompile(tmp_path)


def test_a_module_whose_source_has_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "mistaken.py").write_text("x = (")
    spec = importlib.util.spec_from_file_location("mistaken", tmp_path / "mistaken.py")
    assert spec is not None
    with pytest.raises(DecompilationError, match=r"cannot compile the source in .*mistaken.py"):
        depyf.decompile(importlib.util.module_from_spec(spec))


def test_a_loader_that_fails_in_its_own_way() -> None:
    class Loader:
        def get_code(self, name):
            raise RuntimeError("no code today")

    module = types.ModuleType("loaded")
    module.__spec__ = types.SimpleNamespace(loader=Loader(), name="loaded")
    with pytest.raises(DecompilationError, match="Cannot read the code of a module in loaded"):
        depyf.decompile(module)
