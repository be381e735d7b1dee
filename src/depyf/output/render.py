"""From a session to files: relative path -> content. Same session, same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, Iterable, List

from depyf.session.model import Frame, Session

from .full_code import full_code
from .graphs import stage_text
from .index import INDEX, index
from .names import GraphFiles, Numbered, full_code_file, transformed_files
from .story import NOT_SEEN, Function, Story, function_called, functions_of, stories_of
from .transformed import links_of, transformed_text
from .valid_python import as_python


def render(session: Session, taken: Iterable[str] = (), with_times: bool = False) -> Dict[str, str]:
    """Every file of the folder. `taken` are names in it that belong to someone else.

    Without times, which the index has on request, they are the same in every run.
    """
    numbered = Numbered(taken)
    transformed = transformed_files(session, numbered)
    session = _with_files(session, transformed)
    graph_files = GraphFiles(session.graphs, numbered)
    functions = functions_of(session, transformed)
    stories = {full_code_file(one.root.name, numbered): one for one in stories_of(functions)}
    files = {name: full_code(story, graph_files) for name, story in stories.items()}
    files.update(_transformed(functions, graph_files, stories))
    for graph in session.graphs:
        for stage in graph.stages:
            name = graph_files.of_stage(stage)
            files[name] = stage_text(graph, stage, graph_files, session.frames)
    files[INDEX] = index(session, functions, stories, graph_files, with_times)
    return {name: _readable(name, text) for name, text in files.items()}


def _readable(name: str, text: str) -> str:
    """Nothing that an editor, or Python, refuses to open."""
    text = text.replace("\0", "\\0")
    return as_python(text) if name.startswith("__transformed_") else text


def _with_files(session: Session, transformed: Dict[int, str]) -> Session:
    frames = [
        replace(frame, transformed_file=transformed.get(place, ""))
        for place, frame in enumerate(session.frames)
    ]
    return replace(session, frames=frames)


def _transformed(
    functions: List[Function], graph_files: GraphFiles, stories: Dict[str, Story]
) -> Dict[str, str]:
    files = {}
    for function in functions:
        for entry in function.entries:
            story = next((name for name, one in stories.items() if function in one.functions), "")
            graphs = [f for number in entry.frame.graphs for f in graph_files.of_graph(number)]
            links = links_of(graphs, _continuations(entry.frame, functions), story)
            files[entry.file] = transformed_text(entry.frame, links)
    return files


def _continuations(frame: Frame, functions: List[Function]) -> List[str]:
    sentences = []
    for name in frame.resumes:
        function = function_called(name, functions)
        found = [entry.file for entry in function.entries] if function else []
        if found:
            sentences.append(f"{name} goes on in: {', '.join(found)}")
        else:
            sentences.append(f"{name}: {_why_not(function.others if function else [])}")
    return sentences


def _why_not(frames: List[Frame]) -> str:
    """Of a continuation without compiled code."""
    reasons = [f"{frame.outcome}, {frame.reason}" for frame in frames if frame.reason]
    return "; ".join(dict.fromkeys(reasons)) or NOT_SEEN
