"""Names of artifacts, told from the functions that would say them, which are never called."""

from __future__ import annotations

import pytest

from depyf.torch_capture import artifact_names
from depyf.torch_capture.artifact_names import UNKNOWN, Text, name_of

SUFFIX = "miss"


def _in_a_closure(name: str) -> object:
    return lambda: {"name": name, "encoding": "string"}


FORMS = [
    (lambda: {"name": "plain", "encoding": "string"}, Text("plain", True)),
    (lambda: {"name": "plain", "encoding": "json"}, Text("plain", True)),
    (lambda: {"encoding": "string", "name": "behind"}, Text("behind", True)),
    (lambda: {"kind": "no name", "encoding": "string"}, UNKNOWN),
    (lambda: {"name": "alone"}, Text("alone", True)),
    (lambda: {"name": 3, "encoding": "string"}, UNKNOWN),
    (lambda: {"name": "same", "encoding": "same"}, Text("same", True)),
    (_in_a_closure("inside"), Text("inside", True)),
    (lambda: {"name": SUFFIX, "encoding": "string"}, UNKNOWN),
    (lambda: {"name": SUFFIX + "_end", "encoding": "string"}, Text("_end", False)),
    (dict, UNKNOWN),
]


@pytest.mark.parametrize(("describe", "expected"), FORMS)
def test_name(describe: object, expected: Text) -> None:
    assert name_of(describe) == expected


@pytest.mark.parametrize(("describe", "expected"), FORMS)
def test_the_short_way_says_the_same(
    describe: object, expected: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifact_names, "_is_usual", lambda code: False)
    assert name_of(describe) == expected


def test_the_usual_form_is_not_read_instruction_by_instruction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(artifact_names, "_read", lambda describe: UNKNOWN)
    assert name_of(FORMS[0][0]) == Text("plain", True)
