"""`__transformed_code_<n>_for_<function>.py`: what Dynamo made of one frame.

The running code may be compiled from this text, so the text comes first, untouched: line numbers
must agree. What to open next stands below it. Only a text that does not run gets a line on top.
"""

from __future__ import annotations

from typing import List, Sequence

from depyf.session.model import Frame

from .signature import with_globals
from .valid_python import as_python, one_line


def transformed_text(frame: Frame, links: Sequence[str] = ()) -> str:
    """The content of the file; `links` are sentences about the files to open next."""
    if frame.transformed is None:
        return f"# Torch gave no code for {one_line(frame.qualname)}.\n"
    source = with_globals(frame.transformed.source.rstrip("\n"))
    if not frame.swapped:
        source = label(frame) + "\n" + as_python(without_label(source))
    named = [f"{name} is {text}" for name, text in frame.transformed.constants.items()]
    for name, raw in frame.transformed.hidden_globals.items():
        named.append(f"{name} is the global {raw}, which a variable of the function hides")
    below = ["", "", *(f"# {one_line(link)}" for link in [_origin(frame), *named, *links])]
    return source + "\n" + "\n".join(below) + "\n"


def label(frame: Frame) -> str:
    """The first line of a text that is not what runs."""
    text = frame.transformed
    assert text is not None
    if frame.runs_from:
        return f"# The text of another capture runs, not this file: {one_line(frame.runs_from)}"
    if frame.compiled_before:
        why = "it was compiled before the capture began"
    elif text.verdict == "unverified":
        why = "this text is not proven to do the same"
    else:
        why = "this text was not put in its place"
    reason = f" ({one_line(text.reason)})" if text.reason else ""
    return f"# Torch's own code runs, not this file: {why}{reason}."


def without_label(source: str) -> str:
    """The decompiler's own line about its proof; `label` says the same, and what it means here."""
    first, _, rest = source.partition("\n")
    return rest if first.startswith("# depyf: unverified") and rest else source


def _origin(frame: Frame) -> str:
    proof = frame.transformed.verdict if frame.transformed else ""
    runs = "the running code is compiled from this file" if frame.swapped else "for reading only"
    where = f"{frame.qualname}, {frame.file}:{frame.line}, compile id {frame.compile_id}"
    return f"{where}; {proof}, {runs}"


def links_of(graph_files: List[str], resume_files: List[str], story: str) -> List[str]:
    """Where to go from a transformed code: its graphs, the continuations, the whole story."""
    links = []
    if graph_files:
        links.append("Graphs: " + ", ".join(graph_files))
    links += resume_files
    if story:
        links.append(f"The whole story, guards included: {story}")
    return links
