"""The checked-in opcode tables are what each interpreter's own modules say today."""

from __future__ import annotations

import pytest
from generate_opcode_tables import TABLES, ask_interpreter

from depyf.decompile.decode.tables import (
    JUMP_ABSOLUTE,
    JUMP_BACKWARD,
    JUMP_FORWARD,
    NO_JUMP,
    SUPPORTED_VERSIONS,
    table_for,
)
from depyf.errors import DecompilationError


def test_regenerated_table_is_the_checked_in_one(python):
    version, command = python
    checked_in = TABLES / f"v{version.replace('.', '_')}.py"
    assert ask_interpreter(command) == checked_in.read_text(encoding="utf-8")


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_table_is_complete(version):
    table = table_for(version)
    assert len(table.opnames) == len(table.widths) == len(table.jump_kinds) == 256
    assert table.opnames[table.extended_arg] == "EXTENDED_ARG"
    assert table.jump_kinds[table.opnames.index("JUMP_FORWARD")] == JUMP_FORWARD
    assert table_for(version) is table


def test_jump_kinds_differ_between_versions():
    old, new = table_for((3, 10)), table_for((3, 11))
    assert old.jump_kinds[old.opnames.index("JUMP_ABSOLUTE")] == JUMP_ABSOLUTE
    assert new.jump_kinds[new.opnames.index("POP_JUMP_BACKWARD_IF_NONE")] == JUMP_BACKWARD
    assert new.jump_kinds[new.opnames.index("RETURN_VALUE")] == NO_JUMP


@pytest.mark.parametrize("version", [(2, 7), (3, 7), (3, 15)])
def test_unsupported_version_names_the_supported_ones(version):
    with pytest.raises(DecompilationError, match=r"the supported versions are 3\.8 to 3\.14"):
        table_for(version)
