"""Everything through the dispatch loop, in the interpreter that runs this file.

Prints one JSON object: check -> what went wrong. Jumps into the middle of loops and of `try`
bodies are made by editing bytecode, then the edited function and its decompiled self are run.
"""

from __future__ import annotations

import dis
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any, Callable

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent / "src"), str(TESTS)]

from fuzz import differential  # noqa: E402
from fuzz.programs import generate  # noqa: E402
from sample_worker import applies, headers, output_of  # noqa: E402

from depyf.decompile.pipeline import decompile_code, decompile_module  # noqa: E402

VERSION = sys.version_info[:2]
PROGRAMS = 40
# It prints `locals()`, where the state is one of them.
SHOWS_LOCALS = {"if_nested.py"}


def by_dispatch(code: types.CodeType, _source: str = "") -> Any:
    result = decompile_module(code, rung="dispatch", verify=False)
    return result.source, [(str(part.verdict), part.notes) for part in result.parts]


def check_samples() -> list[str]:
    wrong = []
    for path in sorted((TESTS / "samples").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not applies(headers(source)) or path.name in SHOWS_LOCALS:
            continue
        try:
            reason = difference(source, str(path))
        except Exception as error:
            reason = repr(error)
        if reason:
            wrong.append(f"{path.name}: {reason}")
    return wrong


def difference(source: str, path: str) -> str:
    code = compile(source, path, "exec", dont_inherit=True)
    text = by_dispatch(code)[0]
    again = compile(text, path, "exec", dont_inherit=True)
    printed = output_of(again)
    return "" if output_of(code) == printed else f"prints\n{printed}\n{text}"


def check_programs() -> list[str]:
    wrong = []
    for seed in range(PROGRAMS):
        source = generate(seed, sys.version_info)
        failure = differential.failure_of(source, seed, by_dispatch, differential.Tally())
        if failure is not None:
            wrong.append(f"seed {seed}: {failure.kind}: {failure.detail}")
    return wrong


# Edited bytecode.


def into_while(a: Any, n: int) -> list[str]:
    log = ["start"]
    if a:
        log.append("a")
    while n > 0:
        log.append("top")
        log.append("TARGET")
        n -= 1
    return log


def into_two_loops(a: Any, n: int) -> list[str]:
    log = []
    if a:
        log.append("a")
    while n > 0:
        n -= 1
        while n % 3:
            log.append("inner")
            log.append("TARGET")
            n -= 1
        log.append("outer")
    return log


def into_try(a: Any, n: int) -> list[str]:
    log = []
    if a:
        log.append("a")
    try:
        log.append("body")
        log.append("TARGET" + 1 // n * "!")
    except ZeroDivisionError as error:
        log.append(str(error))
    finally:
        log.append("finally")
    return log


def into_loop_with_try(a: Any, n: int) -> list[str]:
    log = []
    if a:
        log.append("a")
    while n > -3:
        log.append("top")
        n -= 1
        try:
            log.append(str(6 // n))
            log.append("TARGET")
            assert n != 2
        except (ZeroDivisionError, AssertionError):
            log.append("handled")
            continue
        log.append("bottom")
    return log


def is_conditional(instruction: dis.Instruction) -> bool:
    return instruction.opname.startswith("POP_JUMP") and "FALSE" in instruction.opname


def with_jump_to_target(function: Callable[..., Any]) -> types.CodeType:
    """The first conditional jump leads to the line of the word TARGET."""
    code = function.__code__
    instructions = list(dis.get_instructions(code))
    jump = next(each for each in instructions if is_conditional(each))
    word = next(each for each in instructions if "TARGET" in str(each.argval))
    starts = [offset for offset, _line in dis.findlinestarts(code) if offset <= word.offset]
    target = starts[-1]
    if VERSION < (3, 10):
        argument = target
    elif VERSION < (3, 11):
        argument = target // 2
    else:
        after = jump.offset + 2
        while code.co_code[after] == 0:
            after += 2
        argument = (target - after) // 2
    raw = bytearray(code.co_code)
    raw[jump.offset + 1] = argument
    return code.replace(co_code=bytes(raw))


def run(code: types.CodeType, *arguments: Any) -> Any:
    try:
        return types.FunctionType(code, globals())(*arguments)
    except Exception as error:
        return repr(error)


def check_edited() -> list[str]:
    functions = [into_while, into_two_loops]
    if VERSION >= (3, 11):
        # Before, a jump over SETUP_FINALLY leaves nothing for POP_BLOCK to pop.
        functions += [into_try, into_loop_with_try]
    wrong = []
    for function in functions:
        code = with_jump_to_target(function)
        result = decompile_code(code)
        namespace: dict[str, Any] = {}
        exec(compile(result.source, "<again>", "exec", dont_inherit=True), namespace)
        again = namespace[function.__name__].__code__
        for a in (True, False):
            for n in (0, 1, 2, 5, 7):
                found = run(again, a, n)
                if run(code, a, n) != found:
                    wrong.append(f"{function.__name__}({a}, {n}): {found}\n{result.source}")
    return wrong


CHECKS = {"samples": check_samples, "programs": check_programs, "edited": check_edited}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(3000)
    print(json.dumps({name: check() for name, check in CHECKS.items()}))
