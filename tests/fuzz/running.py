"""Runs a random program and returns its log.

The module's code runs once; then each of its functions `f0`, `f1`, ... is called in several
rounds, each with a schedule of its own. Generators are sent to, thrown into and closed, coroutines
are driven by a loop of a few lines.
"""

from __future__ import annotations

import gc
import inspect
import sys
import types
from typing import Any

from .runtime import E1, E2, E3, Hang, World, describe, is_async_generator, stable

# How likely each event is to raise, round by round; the first sees the undisturbed path.
ROUNDS = (0.0, 0.08, 0.2, 0.05, 0.35)
STEPS = 10


def run_program(code: types.CodeType, seed: int) -> list[Any]:
    """Everything the program did, as nested lists of plain values."""
    collecting = gc.isenabled()
    gc.disable()  # a late finaliser would write into the log of another round
    # A generator that ignores being closed is reported here by the interpreter: not our business.
    hook, sys.unraisablehook = sys.unraisablehook, lambda _report: None
    try:
        return _run(code, seed)
    finally:
        sys.unraisablehook = hook
        if collecting:
            gc.enable()


def _run(code: types.CodeType, seed: int) -> list[Any]:
    world = World()
    namespace = world.namespace()
    story = [_round(world, seed, 0.0, lambda: exec(code, namespace))]
    story.append(sorted(name for name in namespace if name != "__builtins__"))
    for name in sorted(namespace):
        function = namespace[name]
        if name[0] == "f" and isinstance(function, types.FunctionType):
            story.append((name, _facts(function)))
            for index, raising in enumerate(ROUNDS):
                story.append(
                    _round(world, seed * 8 + index, raising, lambda f=function: _call(world, f))
                )
    return story


def _facts(function: types.FunctionType) -> Any:
    signature = stable([function.__defaults__, function.__kwdefaults__, function.__doc__])
    annotations = sorted(function.__annotations__) if sys.version_info < (3, 14) else []
    return signature, annotations, function.__qualname__, inspect.getfullargspec(function)[:3]


def _round(world: World, seed: int, raising: float, action: Any) -> Any:
    world.restart(seed, raising)
    log = world.log
    keep_alive: Any = None
    try:
        keep_alive = next(_isolated(action))
        log.append(("returned", stable(keep_alive)))
    except Hang:
        raise
    except BaseException as error:
        log.append(("raised", describe(error)))
    # Whatever is finalised from here on writes into a log that nobody reads.
    world.log = []
    del keep_alive
    return log


def _isolated(action: Any) -> Any:
    """Runs it with an exception state of its own, which generators have.

    Some versions compile a few programs to code that leaves a handled exception behind; the next
    round must not see it.
    """
    yield action()


def _call(world: World, function: types.FunctionType) -> Any:
    count = function.__code__.co_argcount
    result = function(*[(world.o(90), 2, 1, 3)[index % 4] for index in range(count)])
    if inspect.isgenerator(result) or inspect.iscoroutine(result):
        return _drive(world, result)
    if is_async_generator(result):
        return _drive_async(world, result)
    return result


def _drive(world: World, running: Any) -> Any:
    """Runs a generator or coroutine for a few steps, then closes it."""
    try:
        sent: Any = None
        for step in range(STEPS):
            world.mark("got", step, stable(_resume(world, running, sent, step)))
            sent = world.small(3)
    except StopIteration as stop:
        return ("finished", stop.value)
    finally:
        _close(world, running)
    return "stopped"


def _resume(world: World, running: Any, sent: Any, step: int) -> Any:
    choice = world.small(9) if step else 0
    if choice == 3:
        return running.throw((E1, E2, E3)[step % 3](step))
    return running.send(sent)


def _close(world: World, running: Any) -> None:
    for _ in range(4):
        try:
            running.close()
            return
        except RuntimeError as error:  # it yielded instead: ask again
            world.mark("close", describe(error))


def _drive_async(world: World, running: Any) -> Any:
    """The same for an async generator: each step is a coroutine of its own."""
    try:
        sent: Any = None
        for step in range(STEPS):
            world.mark("got", step, stable(_finish(_async_step(world, running, sent, step))))
            sent = world.small(3)
    except StopAsyncIteration:
        return "finished"
    finally:
        for _ in range(4):
            try:
                _finish(running.aclose())
                break
            except RuntimeError as error:
                world.mark("close", describe(error))
    return "stopped"


def _async_step(world: World, running: Any, sent: Any, step: int) -> Any:
    if step and world.small(9) == 3:
        return running.athrow((E1, E2, E3)[step % 3](step))
    return running.asend(sent)


def _finish(coroutine: Any) -> Any:
    waiting = coroutine.__await__()
    try:
        for _ in range(200):
            waiting.send(None)
    except StopIteration as stop:
        return stop.value
    raise Hang
