"""Our readers say of real code what each interpreter says of its own."""

from __future__ import annotations

from code_descriptions import MODULES, describe_ours, first_difference

from depyf.decompile.decode.pyc import read_pyc, version_of_pyc


def test_live_code_reads_as_dis_does(records):
    assert len(records) == len(MODULES) + 1 > 40
    assert {name: difference for name, _, _, difference in records if difference} == {}


def test_pyc_of_every_version_reads_on_this_python(records):
    for name, pyc, theirs, _ in records:
        assert first_difference(describe_ours(read_pyc(pyc)), theirs, name) == ""


def test_magic_number_names_the_version(python, records):
    version, _ = python
    assert {"%d.%d" % version_of_pyc(pyc) for _, pyc, _, _ in records} == {version}
