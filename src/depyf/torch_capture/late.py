"""What can only be known when a block is left: guards, places in torch's cache, originals.

Torch puts an entry into its cache after the hook has returned, moves entries about, and drops them.
So each time a block is left the cache is looked at again, and what is gone keeps its last answer.
"""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Dict, List, Optional, Tuple

from depyf.session.events import Event

from . import compat
from .guards import is_unguarded, remember_guards
from .hook import Resume, Resumes, Seen, dynamos_own, frame_of
from .originals import original_text


def look_again(seen: Seen, resumes: Resumes, folder: str) -> None:
    """Bring the facts of a frame up to date."""
    facts = seen.facts
    if "original" not in facts:
        facts["original"] = asdict(original_text(seen.original_copy))
    original = seen.original()
    if original is not None:
        # Functions that were compiled later may call the same continuation by a new name.
        facts["resumed_by"] = resumes.names_of(original)
    position, entry = _entry_of(seen)
    of_entry: Dict[str, object] = {"cache_position": position}
    if entry is not None:
        # Another capture may have put its own text in the place of ours.
        of_entry["swapped"] = compat.code_of_entry(entry) is seen.running() is not seen.made()
        of_entry["runs_from"] = _other_file(entry, seen, folder)
        if "guards" not in facts:
            read_guards_of(seen, entry, folder)
    facts.update(of_entry)


def read_guards_of(seen: Seen, entry: object, folder: str) -> None:
    # As they are: there may be thousands.
    guards = remember_guards(folder, str(seen.facts["transformed_file"]), entry)
    seen.facts.update(guards=guards, unguarded=not guards and is_unguarded(entry))


def _entry_of(seen: Seen) -> Tuple[Optional[int], Optional[object]]:
    """Where torch's cache holds what was made of the frame, and the entry; or nothing."""
    original, made = seen.original(), seen.made()
    if original is None or made is None:
        return None, None
    for position, entry in enumerate(compat.cache_entries(original)):
        code = compat.code_of_entry(entry)
        if code is not None and dynamos_own(code) is made:
            return position, entry
    return None, None


def _other_file(entry: object, seen: Seen, folder: str) -> str:
    """The file of another capture whose text runs; "" where torch's code does, or our text."""
    code = compat.code_of_entry(entry)
    if code is None or code is seen.made():
        return ""
    ours = os.path.join(folder, str(seen.facts["transformed_file"]))
    same = os.path.realpath(ours) == os.path.realpath(code.co_filename)
    return "" if same else code.co_filename


def not_compiled(resumes: Resumes) -> List[Event]:
    """Continuations of which no code came to the hook, those that torch started on in its order."""
    started = {id(code): place for place, code in enumerate(compat.compiled_codes())}
    found = [(started.get(id(one.code())), one) for one in resumes.not_reached()]
    found.sort(key=lambda each: len(started) if each[0] is None else each[0])
    return [_not_compiled(one, "not run" if place is None else "skipped") for place, one in found]


def _not_compiled(resume: Resume, outcome: str) -> Event:
    frame = frame_of(resume.copy, "")
    frame.outcome = outcome
    frame.resumed_by = list(resume.names)
    frame.original = original_text(resume.copy)
    return Event("depyf_not_compiled", data=asdict(frame))
