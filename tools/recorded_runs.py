"""Runs two code objects on objects that record everything done to them, and compares the records.

A second opinion for the equivalence checker that shares nothing with it: arguments and globals are
recorders whose answers (truth, items, exceptions) come from a seed. Equivalent programs leave the
same record for every seed; a difference is a proof that they are not. Agreement proves nothing.
"""

from __future__ import annotations

import builtins
import os
import random
import signal
import sys
import types
from typing import Any, Dict, List, Optional

LONGEST_RECORD = 400
SECONDS = 4
REAL_BUILTINS = (
    "len range isinstance issubclass str int float list dict tuple set frozenset bool bytes "
    "enumerate zip type object super __build_class__ locals"
).split()


class Enough(BaseException):
    """The record is long enough; loops must come to an end."""


class Chosen(Exception):
    """What recorders raise."""


class Run:
    """One run: the record, and the source of all answers."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.record: List[Any] = []
        self.recorders = 0
        self.misfortune = self.chance.choice([0.0, 0.0, 0.03, 0.1, 0.3])

    def note(self, *what: Any) -> None:
        self.record.append(what)
        if len(self.record) > LONGEST_RECORD:
            raise Enough()

    def new(self) -> Any:
        self.recorders += 1
        return Recorder(self, self.recorders)

    def asked(self, *what: Any) -> Any:
        """Records something that was done, which may fail, and gives a new recorder."""
        self.note(*what)
        self.perhaps_fail()
        return self.new()

    def perhaps_fail(self) -> None:
        if self.chance.random() < self.misfortune:
            kind = self.chance.choice([Chosen, ValueError, KeyError, AttributeError, TypeError,
                                       OSError, StopIteration, IndexError])  # fmt: skip
            raise kind(f"chosen {len(self.record)}")

    def told(self, value: Any) -> Any:
        """A value in the record: recorders by number, containers by what they hold."""
        if type(value) is Recorder:
            return ("recorder", object.__getattribute__(value, "_number"))
        if type(value) in (tuple, list):
            return (type(value).__name__, [self.told(item) for item in value])
        if type(value) is dict:
            return ("dict", [(self.told(k), self.told(v)) for k, v in value.items()])
        if isinstance(value, types.FunctionType):
            closure = value.__closure__ or ()
            return ("function", value.__code__.co_code, self.told(value.__defaults__),
                    [self._cell(cell) for cell in closure])  # fmt: skip
        if isinstance(value, types.CellType):
            return ("cell", self._cell(value))
        if isinstance(value, BaseException):
            return _told_exception(value)
        if isinstance(value, (int, float, complex, str, bytes, type(None), slice)):
            return (type(value).__name__, repr(value))
        return type(value).__name__

    def _cell(self, cell: Any) -> Any:
        try:
            contents = cell.cell_contents
        except ValueError:
            return "empty"
        return self.told(contents) if type(contents) is Recorder else type(contents).__name__


def _told_exception(error: BaseException) -> Any:
    chosen = isinstance(error, (Chosen, NameError)) or "chosen" in str(error.args)[:12]
    context = type(error.__context__).__name__
    return (type(error).__name__, str(error) if chosen else "", context)


class Recorder:
    """Does anything, and records it."""

    def __init__(self, run: Run, number: int) -> None:
        object.__setattr__(self, "_run", run)
        object.__setattr__(self, "_number", number)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            return object.__getattribute__(self, name)
        run, number = _parts(self)
        return run.asked("attribute", number, name)

    def __setattr__(self, name: str, value: Any) -> None:
        run, number = _parts(self)
        run.asked("set attribute", number, name, run.told(value))

    def __delattr__(self, name: str) -> None:
        run, number = _parts(self)
        run.asked("delete attribute", number, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        run, number = _parts(self)
        told = run.told(args), run.told(kwargs)
        for value in args:
            # What is handed over may be changed by who gets it.
            if type(value) is list and run.chance.random() < 0.3:
                value.append(run.new())
            if isinstance(value, types.FunctionType) and run.chance.random() < 0.3:
                _call_quietly(run, value)
        return run.asked("call", number, told, _handled())

    def __bool__(self) -> bool:
        run, number = _parts(self)
        run.asked("truth", number)
        return run.chance.random() < 0.5

    def __contains__(self, item: Any) -> bool:
        run, number = _parts(self)
        run.asked("contains", number, run.told(item))
        return run.chance.random() < 0.5

    def __len__(self) -> int:
        run, number = _parts(self)
        run.asked("length", number)
        return run.chance.randrange(4)

    def __index__(self) -> int:
        run, number = _parts(self)
        run.asked("index", number)
        return run.chance.randrange(4)

    def __hash__(self) -> int:
        run, number = _parts(self)
        run.note("hash", number)
        return number

    def __next__(self) -> Any:
        run, number = _parts(self)
        run.asked("next", number)
        if run.chance.random() < 0.4:
            raise StopIteration
        return run.new()

    def __iter__(self) -> Any:
        run, number = _parts(self)
        run.asked("iter", number)
        if run.chance.random() < 0.5:
            return iter([run.new() for _ in range(run.chance.randrange(4))])
        return run.new()

    def __enter__(self) -> Any:
        run, number = _parts(self)
        return run.asked("enter", number)

    def __exit__(self, *error: Any) -> Any:
        run, number = _parts(self)
        run.asked("exit", number, run.told(error[1]))
        return run.chance.random() < 0.5

    def __format__(self, spec: str) -> str:
        run, number = _parts(self)
        run.asked("format", number, spec)
        return f"<{number}>"

    def __str__(self) -> str:
        run, number = _parts(self)
        run.asked("str", number)
        return f"<{number}>"

    __repr__ = __str__

    def __await__(self) -> Any:
        run, number = _parts(self)
        run.asked("await", number)
        yield run.new()
        return run.new()

    def __aiter__(self) -> Any:
        run, number = _parts(self)
        run.asked("aiter", number)
        return run.new()

    def __anext__(self) -> Any:
        run, number = _parts(self)
        run.asked("anext", number)
        if run.chance.random() < 0.4:
            raise StopAsyncIteration
        return run.new()

    def __aenter__(self) -> Any:
        run, number = _parts(self)
        return run.asked("aenter", number)

    def __aexit__(self, *error: Any) -> Any:
        run, number = _parts(self)
        return run.asked("aexit", number, run.told(error[1]))


def _parts(recorder: Recorder) -> Any:
    read = object.__getattribute__
    return read(recorder, "_run"), read(recorder, "_number")


def _handled() -> Any:
    error = sys.exc_info()[1]
    return None if error is None else _told_exception(error)


def _call_quietly(run: Run, function: types.FunctionType) -> None:
    """A function that was handed over may be called, and change the variables it closes over."""
    count = function.__code__.co_argcount
    try:
        function(*[run.new() for _ in range(count)])
    except Exception as error:
        run.note("called back and failed", run.told(error))


def _add_operator(name: str) -> None:
    def operator(self: Recorder, *others: Any) -> Any:
        run, number = _parts(self)
        return run.asked(name, number, *[run.told(other) for other in others])

    setattr(Recorder, f"__{name}__", operator)


for _name in (
    "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul radd rsub rmul rtruediv "
    "rfloordiv rmod rpow rlshift rrshift rand ror rxor rmatmul iadd isub imul itruediv ifloordiv "
    "imod ipow ilshift irshift iand ior ixor imatmul neg pos invert eq ne lt le gt ge getitem "
    "setitem delitem"
).split():
    _add_operator(_name)


class Names(dict):
    """Globals and class namespaces that know every name and record what happens."""

    def __init__(self, run: Run, kind: str) -> None:
        super().__init__()
        self.run, self.kind = run, kind

    def __getitem__(self, name: str) -> Any:
        self.run.note(self.kind, "get", name)
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        if self.kind == "locals" or self.run.chance.random() < self.run.misfortune / 2:
            raise KeyError(name)
        real = getattr(builtins, name, None)
        is_error = isinstance(real, type) and issubclass(real, BaseException)
        return real if is_error or name in REAL_BUILTINS else self.run.new()

    def __setitem__(self, name: str, value: Any) -> None:
        self.run.note(self.kind, "set", name, self.run.told(value))
        dict.__setitem__(self, name, value)

    def __delitem__(self, name: str) -> None:
        self.run.note(self.kind, "delete", name)
        dict.__delitem__(self, name)


def record_of(code: types.CodeType, seed: int) -> List[Any]:
    """What one run leaves behind, its end included."""
    run = Run(seed)
    names = Names(run, "globals")
    real = {"__import__": lambda *a, **k: run.asked("import", run.told(a[0]), run.told(a[3:])),
            "__build_class__": builtins.__build_class__}  # fmt: skip
    dict.__setitem__(names, "__builtins__", real)
    dict.__setitem__(names, "__name__", "recorded")
    try:
        result = _run(code, run, names)
        run.note("returned", run.told(result))
    except Enough:
        run.record.append("enough")
    except BaseException as error:
        run.record.append(("raised", run.told(error)))
    return run.record


def _run(code: types.CodeType, run: Run, names: Dict[str, Any]) -> Any:
    if not code.co_flags & 0x1:
        return exec(code, names, Names(run, "locals"))
    cells = tuple(types.CellType(run.new()) for _ in code.co_freevars)
    function = types.FunctionType(code, names, code.co_name, None, cells)
    arguments = [run.new() for _ in range(code.co_argcount)]
    keywords = {name: run.new() for name in
                code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]}  # fmt: skip
    if code.co_flags & 0x8:
        keywords["more"] = run.new()
    result = function(*arguments, *([run.new()] if code.co_flags & 0x4 else []), **keywords)
    if code.co_flags & 0x2A0:
        result = _drive(run, result, bool(code.co_flags & 0x200))
    run.note("cells", [run._cell(cell) for cell in cells])
    return result


def _drive(run: Run, generator: Any, is_async: bool) -> Any:
    if is_async:
        generator = _all_of(run, generator)
    value = None
    for _ in range(30):
        try:
            if value is not None and run.chance.random() < 0.2:
                answer = generator.throw(Chosen("chosen to throw"))
            else:
                answer = generator.send(value)
        except StopIteration as stop:
            return stop.value
        run.note("yielded", run.told(answer))
        value = run.new()
    return None


async def _all_of(run: Run, generator: Any) -> None:
    async for value in generator:
        run.note("yielded", run.told(value))


def difference(one: types.CodeType, other: types.CodeType, seeds: range) -> Optional[str]:
    """As `difference_here`, in a process of its own: mutated bytecode may crash or never end."""
    if sys.platform in ("emscripten", "wasi", "win32"):
        return None
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.close(2)  # mutated programs have much to complain about
        os.write(writer, (difference_here(one, other, seeds) or "").encode("utf-8", "replace"))
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as answer:
        told = answer.read()
    _, status = os.waitpid(child, 0)
    killer = status & 127
    if killer and killer != signal.SIGALRM:
        return f"a run was ended by signal {killer}"
    return told or None


def difference_here(one: types.CodeType, other: types.CodeType, seeds: range) -> Optional[str]:
    """The first disagreement that some seed brings out, told in words; None if there is none."""
    for seed in seeds:
        first, second = record_of(one, seed), record_of(other, seed)
        if first != second:
            for i, (mine, theirs) in enumerate(zip(first, second)):
                if mine != theirs:
                    return f"seed {seed}, step {i}: {mine} against {theirs}"
            return f"seed {seed}: records of {len(first)} and {len(second)} steps"
    return None
