"""Text that is the same in every run: no memory addresses, no random suffixes, no cache folders.

`clean` does it for every text that torch or the user's objects produced, `clean_condition` for
torch's conditions, `clean_names` for lines of the user's. What the user wrote stays as it is: a
number in a quoted line, a string that a guard compares with.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Callable, Dict, Iterable, List, Pattern, Sequence, Tuple

Rules = Sequence[Tuple[Pattern[str], str]]

_HEX = "[0-9a-f]"
UUID = rf"{_HEX}{{8}}[-_](?:{_HEX}{{4}}[-_]){{3}}{_HEX}{{12}}"

_NAMES: Rules = [
    # __compiled_fn_1_be35abb5_4fd8_45a4_bad2_a88f853de746, and the same with dashes
    (re.compile(rf"(__compiled_fn_\d+|__resume_at_\d+_\d+)_{UUID}"), r"\1"),
    # Modules that torch.fx makes up, numbered through the life of the process.
    (re.compile(r"<eval_with_key>\.\d+"), "<eval_with_key>"),
]
_ADDRESSES: Rules = [
    # <built-in method _view_func_unsafe of Tensor object at 0x7f151adab6b0>
    (re.compile(r" at 0x[0-9a-fA-F]+(?=\W|$)"), ""),
    # Any other address. Nine digits and more: a constant of 32 bits in a kernel is none.
    (re.compile(r"\b0x[0-9a-fA-F]{9,12}(?![0-9a-zA-Z])"), "<address>"),
    # Where the weights of a frozen model lay when Inductor wrote its code.
    (re.compile(rf"^(_frozen_param\d+ = None  # .*\)) {_HEX}{{6,}}$", re.M), r"\1"),
]
# Torch counts every change of any dictionary, and hashes settings that hold sets (2.2).
_COUNTS: Rules = [
    (re.compile(r"(___dict_version\(.*?\) == )\d+"), r"\1<version>"),
    (re.compile(rf"(___compile_config_hash\(\) == '){_HEX}{{32}}(?=')"), r"\1<id>"),
]
# Memory addresses as decimal numbers: names that torch made of them, and ids of objects. Numbers
# that something is compared with are the user's.
_NAMES_OF_IDS: Rules = [(re.compile(r"(?<=_)\d{12,}(?!\d)"), "<id>")]
_IDS: Rules = [(re.compile(r"(?<![\w.])(?<![=<>] )\d{12,}(?!\w)"), "<id>")]

# Nothing to do in a text without any of these: most of the thousands of texts in a session.
_MARKS = ("0x", "__compiled_fn_", "__resume_at_", "<eval_with_key>", "_frozen_param")
_COUNTED = re.compile(r"\d{12}|___dict_version|___compile_config_hash")

# "# File: app.py:3 in f, code: return x & 0xFFFFFFFFFFF" above the nodes of a graph.
_QUOTED_LINE = re.compile(r"(# File: .*, code: .*)")
# Not the apostrophe of "torch's".
_STRING = re.compile(
    r"((?<!\w)[a-zA-Z]{0,2}(?:"
    r"'''(?:[^\\]|\\.)*?'''|" r'"""(?:[^\\]|\\.)*?"""|'
    r"'(?:[^'\\\n]|\\.)*'|" r'"(?:[^"\\\n]|\\.)*"))',
    re.DOTALL,
)  # fmt: skip
# _TorchCompileWrapper(compiler='<app.Backend object at 0x7f151adab6b0>': torch's text, no string
# that anything is compared with.
_BACKEND = re.compile(rf"(?<=\(compiler=){_STRING.pattern}", re.DOTALL)
# == {<class 'list'>, <function f>}: torch shows a set in the order of addresses.
_SET_OF_OBJECTS = re.compile(r"(?:(?<=frozenset\(\{)|(?<=== \{))<[^<>{}]+>(?:, <[^<>{}]+>)+(?=\})")


def clean(text: str) -> str:
    return _sparing(_QUOTED_LINE, text, [*_NAMES, *_ADDRESSES], _NAMES) if _marked(text) else text


def clean_names(text: str) -> str:
    """Only the names that torch makes up: the rest of the text is the user's."""
    return _applied(_NAMES, text) if _marked(text) else text


def clean_code(text: str) -> str:
    """Python: what stands in its strings belongs to the program."""
    return _sparing(_STRING, text, [*_NAMES, *_ADDRESSES], _NAMES) if _marked(text) else text


def clean_condition(text: str) -> str:
    """Torch's wording of a guard, which also has ids of objects."""
    text = _without_ids(text)
    return _SET_OF_OBJECTS.sub(_sorted, text) if "{<" in text else text


def _sorted(members: re.Match[str]) -> str:
    return ", ".join(sorted(re.findall("<[^<>]+>", members[0])))


def _without_ids(text: str) -> str:
    if not _marked(text) and _COUNTED.search(text) is None:
        return text
    text = _BACKEND.sub(lambda match: _applied(_ADDRESSES, match[0]), _applied(_COUNTS, text))
    named = [*_NAMES, *_NAMES_OF_IDS]
    return _sparing(_STRING, text, [*named, *_ADDRESSES, *_IDS], named)


def _marked(text: str) -> bool:
    return any(mark in text for mark in _MARKS)


def _applied(rules: Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _sparing(spared: Pattern[str], text: str, rules: Rules, inside: Rules) -> str:
    """The rules for what `spared` does not match, and those `inside` for what it does."""
    pieces = spared.split(text)
    pieces[::2] = [_applied(rules, piece) for piece in pieces[::2]]
    pieces[1::2] = [_applied(inside, piece) for piece in pieces[1::2]]
    return "".join(pieces)


# --- whole sessions ---------------------------------------------------------------------------

Cleaner = Callable[[str], str]
# By what a field of the model is marked with.
_CLEANERS: Dict[str, Cleaner] = {"users": clean_names, "condition": clean_condition}
_LEFT_ALONE = ("varies", "exact")
_KNOWN_PARTS: Dict[type, List[Tuple[str, Cleaner]]] = {}


def _parts(kind: type) -> List[Tuple[str, Cleaner]]:
    known = _KNOWN_PARTS.get(kind)
    if known is None:
        parts = [
            one for one in dataclasses.fields(kind) if not any(map(one.metadata.get, _LEFT_ALONE))
        ]
        known = [(one.name, _cleaner(one.metadata)) for one in parts]
        _KNOWN_PARTS[kind] = known
    return known


def _cleaner(marks: Iterable[str]) -> Cleaner:
    return next((_CLEANERS[mark] for mark in marks if mark in _CLEANERS), clean)


def clean_fields(value: object) -> None:
    """Clean every text inside a tree of dataclasses, in place."""
    for name, cleaner in _parts(type(value)):
        held = getattr(value, name)
        if isinstance(held, str):
            cleaned = cleaner(held)
            if cleaned is not held:
                setattr(value, name, cleaned)
        elif held is not None:
            _clean_inside(held, cleaner)


def _clean_inside(held: object, cleaner: Cleaner) -> None:
    if dataclasses.is_dataclass(held):
        clean_fields(held)
    elif isinstance(held, list):
        for index, item in enumerate(held):
            if isinstance(item, str):
                held[index] = cleaner(item)
            else:
                _clean_inside(item, cleaner)
    elif isinstance(held, dict):
        for key, item in held.items():
            held[key] = cleaner(item) if isinstance(item, str) else item
