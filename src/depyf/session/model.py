"""What torch.compile did, as plain values: frames, guards, graphs, breaks, recompilations, times.

Capture fills it, output renders it; between the two it goes through JSON without loss, so that
everything downstream runs and is tested without torch. Nothing in here holds a live object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional

# Marks a field that differs between two runs of one program; it is not written to JSON.
VARIES: Mapping[str, bool] = {"varies": True}
# Marks a text that must stay as it is to the letter: the running code was compiled from it.
EXACT: Mapping[str, bool] = {"exact": True}
# Marks a line of the user's: nothing in it is an address, whatever it looks like.
USERS: Mapping[str, bool] = {"users": True}
# Marks torch's conditions: ids of torch's, and strings of the user's that stay as they are.
CONDITION: Mapping[str, bool] = {"condition": True}


@dataclass
class Location:
    """A line of the user's program; `text` is that line of source when it could be read."""

    file: str
    line: int
    function: str = ""
    text: str = field(default="", metadata=USERS)


@dataclass
class Guard:
    """One condition under which a compiled entry may be used.

    `text` is torch's own wording. `python` is the same as an expression over `L` (locals), `G`
    (globals) and the names in `Frame.guard_helpers`; None where torch's text has no such form.
    """

    kind: str
    text: str = field(metadata=CONDITION)
    source: str = field(default="", metadata=CONDITION)
    python: Optional[str] = field(default=None, metadata=EXACT)
    cause: Optional[Location] = None


@dataclass
class CodeText:
    """Source of a code object and how far it is proven ("exact", "equivalent", "unverified").

    `constants` are expressions for names in it that stand for objects without a literal, as far
    as there are any; `hidden_globals` are names for globals that are called as it calls a variable.
    """

    name: str
    source: str = field(metadata=EXACT)
    verdict: str = "unverified"
    reason: str = ""
    notes: List[str] = field(default_factory=list)
    constants: Dict[str, str] = field(default_factory=dict, metadata=EXACT)
    hidden_globals: Dict[str, str] = field(default_factory=dict, metadata=EXACT)


@dataclass
class Frame:
    """One compilation of one function, or of the rest of one after a graph break.

    `compile_id` is torch's ("0/0", "1/0_1"); the same function compiled again is another frame.
    `graphs` are numbers of `Graph.number`; `resumes` the names of the continuations it calls, and
    `resumed_by` their side of it: the names under which others call this one (a function compiled
    again calls the same continuation under a new name).
    """

    compile_id: str
    name: str
    qualname: str
    file: str
    line: int
    # Or "skipped", "failed", "exported", "ahead of time", "not run" (a continuation never reached).
    outcome: str = "compiled"
    reason: str = ""
    attempts: int = 1
    stack: List[Location] = field(default_factory=list)
    original: Optional[CodeText] = None
    transformed: Optional[CodeText] = None
    swapped: bool = False  # the running code is the one compiled from `transformed`
    # The file of another capture that the running code is compiled from, if it is.
    runs_from: str = ""
    # Where the text is written, relative to the folder: capture names it, as the running code
    # carries that name; empty until there is one.
    transformed_file: str = ""
    guards: List[Guard] = field(default_factory=list)
    # Torch checks nothing: all guards were left out. Else no guards means that they were not read.
    unguarded: bool = False
    graphs: List[int] = field(default_factory=list)
    resumes: List[str] = field(default_factory=list)
    resumed_by: List[str] = field(default_factory=list)
    free_variables: List[str] = field(default_factory=list)
    # Where torch's cache of this function holds the entry; it tries 0 first. None: no longer.
    cache_position: Optional[int] = None
    seconds: Optional[float] = field(default=None, metadata=VARIES)
    # Of a frame beyond the recompile limit: the guards, in torch's words, that made it one more.
    failures: List[str] = field(default_factory=list, metadata=CONDITION)
    # Compiled before the capture began: only what torch's cache still holds is known.
    compiled_before: bool = False


@dataclass
class Stage:
    """One text that a graph went through.

    `kind` is the middle of the file name ("Captured_Graph", "Forward_graph", "kernel", ...);
    `direction` is "forward", "backward" or "" where it makes no difference.
    """

    kind: str
    text: str
    direction: str = ""
    # Of the file that runs, where torch wrote one (Inductor's output code); the folder of
    # Inductor's cache is written as $TORCHINDUCTOR_CACHE_DIR, which torch sets.
    source_file: str = ""


@dataclass
class Graph:
    """One `__compiled_fn_<number>` and everything that was made of it."""

    number: int
    compile_id: str
    stages: List[Stage] = field(default_factory=list)
    caches: Dict[str, str] = field(default_factory=dict)  # "aot" or "inductor" -> "hit"/"miss"/...
    missing: List[str] = field(default_factory=list)  # stages that torch did not give, with cause


@dataclass
class GraphBreak:
    compile_id: str
    reason: str
    explanation: str = ""
    hints: List[str] = field(default_factory=list)
    location: Optional[Location] = None
    details: str = ""
    url: str = ""


@dataclass
class Recompilation:
    """Why an existing entry could not be used: the guards that failed, in torch's words."""

    compile_id: str
    function: str
    location: Optional[Location] = None
    failures: List[str] = field(default_factory=list, metadata=CONDITION)


@dataclass
class Session:
    """Everything that was seen between entering and leaving `prepare_debug`."""

    torch: str = ""
    python: str = ""
    frames: List[Frame] = field(default_factory=list)
    graphs: List[Graph] = field(default_factory=list)
    breaks: List[GraphBreak] = field(default_factory=list)
    recompilations: List[Recompilation] = field(default_factory=list)
    # What went wrong inside depyf (never in the program), and what this torch cannot give.
    problems: List[str] = field(default_factory=list)
    unavailable: List[str] = field(default_factory=list)
