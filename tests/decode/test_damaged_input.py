"""Damaged bytes give a plain error: never another exception, a hang, or gigabytes."""

from __future__ import annotations

import dis
import importlib.util
import marshal
import random
import struct
import sys

import pytest

from depyf.decompile.decode.code import Code, code_from_live
from depyf.decompile.decode.locations import line_ranges, read_positions
from depyf.decompile.decode.marshal_reader import MarshalReader
from depyf.decompile.decode.normalise import normalise
from depyf.decompile.decode.pyc import read_pyc
from depyf.decompile.decode.raw import read_exception_table, read_instructions
from depyf.decompile.decode.tables import SUPPORTED_VERSIONS, table_for
from depyf.decompile.pipeline import decompile_code
from depyf.decompile.result import UNVERIFIED
from depyf.errors import DecompilationError

HEADER = importlib.util.MAGIC_NUMBER + bytes(12)


def code_of(version, bytecode=b"", linetable=b"", exceptiontable=b""):
    return Code(
        version, 0, 0, 0, 1, 0, bytecode, (), (), (), (), (), "f.py", "f", "f", 1, linetable,
        exceptiontable,
    )  # fmt: skip


def read_everything(code):
    """Reads all that can be read; only our own error may come out of each part."""
    for read in (read_instructions, read_exception_table, line_ranges, read_positions):
        try:
            read(code)
        except DecompilationError as error:
            assert str(error)
    for const in code.consts:
        if isinstance(const, Code):
            read_everything(const)


def marshalled(data, version=(3, 14)):
    return MarshalReader(data, version).read()


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_random_bytes_as_code(version):
    chance = random.Random(8)
    for _ in range(600):
        parts = [bytes(chance.choices(range(256), k=chance.randrange(40))) for _ in range(3)]
        read_everything(code_of(version, *parts))


def test_random_damage_of_a_pyc(records):
    chance = random.Random(14)
    pyc = min((pyc for _, pyc, _, _ in records), key=len)
    for _ in range(400):
        damaged = bytearray(pyc)
        for _ in range(chance.randrange(1, 6)):
            damaged[chance.randrange(16, len(damaged))] = chance.randrange(256)
        try:
            code = read_pyc(bytes(damaged))
        except DecompilationError:
            continue
        read_everything(code)


def test_every_truncation_of_a_pyc():
    code = compile("def f(a):\n    return [a, 'text', 1.5, 2**70, {1, 2}]\n", "f.py", "exec")
    pyc = HEADER + marshal.dumps(code)
    for size in range(len(pyc)):
        with pytest.raises(DecompilationError):
            read_pyc(pyc[:size])
    assert read_pyc(pyc).bytecode == code.co_code


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "it is not a .pyc file"),
        (b"plain text, no bytecode", "it is not a .pyc file"),
        (HEADER[:10], "it ends inside its header"),
        (HEADER[:4] + b"\xff" * 12, "its header is damaged"),
        (HEADER + b"N", "it holds no code"),
        (
            struct.pack("<H", 3394) + b"\r\n",
            "Python 3.7 in some.pyc: the supported versions are 3.8 to 3.14",
        ),
        (struct.pack("<H", 62211) + b"\r\n", "Python 2.7 in some.pyc: the supported versions are"),
        (struct.pack("<H", 3655) + b"\r\n", "Python 3.15 in some.pyc: the supported versions are"),
        (struct.pack("<H", 9999) + b"\r\n", "unknown magic number 9999"),
        (struct.pack("<H", 3500) + b"\r\n", "a pre-release of Python 3.12 wrote it"),
    ],
)
def test_files_that_are_no_readable_pyc(data, reason):
    with pytest.raises(DecompilationError) as caught:
        read_pyc(data, "some.pyc")
    assert reason in str(caught.value) and "some.pyc" in str(caught.value)


@pytest.mark.parametrize(
    "data, reason",
    [
        (b")\x01" * 5000 + b"N", "nested too deeply"),
        (b"(\xff\xff\xff\x7f", "a size is damaged"),
        (b"(\xff\xff\xff\xff", "a size is damaged"),
        (b"s\xff\xff\xff\x7f", "a size is damaged"),
        (b"l\xff\xff\xff\x7f", "a size is damaged"),
        (b"l\x01\0\0\0\xff\xff", "out of range"),
        (b"u\x01\0\0\0\xff", "not valid UTF-8"),
        (b"f\x01x", "floating point number is damaged"),
        (b"r\0\0\0\0", "was not read yet"),
        (b"\xa9\x01r\0\0\0\0", "was not read yet"),
        (b"0", "an end mark stands"),
        (b")\x010", "an end mark stands"),
        (b"{N0", "an end mark stands"),
        (b">\x01\0\0\0[\0\0\0\0", "unhashable"),
        (b"?", "no known kind of object"),
        (b"c" + bytes(20) + b"N" * 8 + bytes(4) + b"N" * 2, "holds something else"),
    ],
)
def test_damaged_marshal_data(data, reason):
    with pytest.raises(DecompilationError) as caught:
        marshalled(data)
    assert reason in str(caught.value)


def test_references_cannot_expand_without_end():
    # Each tuple holds the one before it twice: 60 of them stand for 2**60 items.
    data = b"(" + struct.pack("<i", 61) + b"\xa9\x00"
    for level in range(60):
        data += b"\xa9\x02" + (b"r" + struct.pack("<i", level)) * 2
    with pytest.raises(DecompilationError, match="absurd number"):
        marshalled(data)


def test_values_of_every_kind():
    values = [0, -(2**15), 2**62, -(2**15000), 1.5, 2j, b"b", "é\ud800", "a", (), {1: [2]}, {3}]
    values += [frozenset({4}), None, True, ..., StopIteration]
    for format_version in range(5):
        assert marshalled(marshal.dumps(values, format_version)) == values
    assert marshalled(b":NNi\x02\0\0\0") == slice(None, None, 2)
    with pytest.raises(DecompilationError, match=r"only from Python 3\.14 on"):
        marshalled(b":NNN", (3, 13))


def test_bytecode_that_makes_no_sense():
    jump_out = bytes([110, 200])  # JUMP_FORWARD in 3.8
    for bytecode, reason in [
        (b"\x09", "length is odd"),
        (jump_out, "where no instruction starts"),
        (bytes([144, 1]), "ends in the middle of an instruction"),
        (bytes([144, 1] * 4 + [9, 0]), "more than 32 bits"),
    ]:
        with pytest.raises(DecompilationError) as caught:
            read_instructions(code_of((3, 8), bytecode))
        assert reason in str(caught.value) and "f at offset" in str(caught.value)


@pytest.mark.parametrize("opname", ["UNPACK_SEQUENCE", "UNPACK_EX", "MATCH_CLASS"])
@pytest.mark.parametrize("version", SUPPORTED_VERSIONS, ids="{0[0]}.{0[1]}".format)
def test_counts_that_no_stack_has_room_for(version, opname):
    opnames = table_for(version).opnames
    if opname not in opnames:
        pytest.skip("came with match")
    prefix = bytes([opnames.index("EXTENDED_ARG"), 0x7F]) * 3
    nothing = bytes([opnames.index("NOP"), 0]) * 10
    code = code_of(version, prefix + bytes([opnames.index(opname), 0]) + nothing)
    with pytest.raises(DecompilationError, match="than its stack has room for"):
        normalise(code)


needs_311 = pytest.mark.skipif(sys.version_info < (3, 11), reason="made of bytecode of 3.11")


@needs_311
def test_a_pattern_of_absurd_length_is_not_written_out():
    known = {}
    exec("def function(x):\n match x:\n  case [_, _, _]:\n   return x", known)
    code = known["function"].__code__
    consts = tuple(30_000_000 if const == 3 else const for const in code.co_consts)
    assert consts != code.co_consts
    result = decompile_code(code.replace(co_consts=consts))
    assert len(result.source) < 5_000 and "30000000" in result.source


@needs_311
def test_tuples_that_double_are_not_compared_for_ever():
    def function(x):
        return x

    code = function.__code__
    (load,) = [one.offset for one in dis.get_instructions(code) if one.opname == "LOAD_FAST"]
    double = bytes([dis.opmap["COPY"], 1, dis.opmap["BUILD_TUPLE"], 2])
    changed = code.co_code[: load + 2] + double * 60 + code.co_code[load + 2 :]
    result = decompile_code(code.replace(co_code=changed, co_stacksize=9))
    assert result.verdict == UNVERIFIED and len(result.source) < 5_000


@pytest.mark.skipif("BEFORE_WITH" not in dis.opmap, reason="`with` is spelled otherwise")
@needs_311
def test_the_handler_of_a_with_that_is_not_there():
    def function(x):
        with x:
            print(x)

    code = function.__code__
    (enter,) = [one.offset for one in dis.get_instructions(code) if one.opname == "BEFORE_WITH"]
    copied = bytes([dis.opmap["COPY"], 1])
    changed = code.co_code[:enter] + copied + code.co_code[enter + 2 :]
    assert "dispatch loop" in decompile_code(code.replace(co_code=changed)).notes


def test_code_without_instructions():
    for version in SUPPORTED_VERSIONS:
        assert read_instructions(code_of(version)) == []


def test_nested_code_becomes_code():
    code = code_from_live(compile("def f():\n    return lambda: 1\n", "f.py", "exec"))
    outer = next(const for const in code.consts if isinstance(const, Code))
    inner = next(const for const in outer.consts if isinstance(const, Code))
    assert (outer.name, inner.name) == ("f", "<lambda>")
    assert inner.live is not None
