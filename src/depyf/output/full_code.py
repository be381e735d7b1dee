"""`full_code_for_<function>_<n>.py`: the whole story of one function, top to bottom.

Guards, transformed code and a dispatcher that does what Dynamo does, for the function and for
each of its continuations, then the original. The file imports, and its dispatcher can be called.
"""

from __future__ import annotations

from typing import Dict, List, Optional

from depyf.session.continuations import without_prefix
from depyf.session.model import Frame

from .full_code_top import share_states, top
from .guard_text import guard_function
from .names import GraphFiles
from .original import has_defaults, original_text
from .own_names import OwnNames
from .signature import Signature, alone, function_in, signature_of, with_globals
from .story import NOT_SEEN, Entry, Function, Story
from .transformed import label, without_label
from .valid_python import as_comment, as_python, indented, one_line, why_not_python

_WIDTH = 100


def full_code(story: Story, graph_files: GraphFiles) -> str:
    """The text of the file. Nothing in it depends on anything but the story."""
    text = _FullCode(story, graph_files, doubtful=False).text()
    if why_not_python(text) is None:
        return text
    return as_python(_FullCode(story, graph_files, doubtful=True).text())


class _FullCode:
    """`doubtful` guards are looked at one by one, which takes its time and is rarely needed."""

    def __init__(self, story: Story, graph_files: GraphFiles, doubtful: bool) -> None:
        self.story = story
        self.doubtful = doubtful
        self.graph_files = graph_files
        self.names: Dict[int, str] = {}
        for function in story.functions:
            self.names[id(function)] = self._free_name(function)
        called = [name for function in story.functions for name in function.called_as]
        self.own = OwnNames(story.functions, [*self.names.values(), *called])

    def _free_name(self, function: Function) -> str:
        """The name of the dispatcher: as the transformed code, or the user, calls it."""
        name = function.called_as[0] if function.called_as else function.identifier
        while name in self.names.values():
            name += "_"
        return name

    def text(self) -> str:
        sections = [self._function(function) for function in self.story.functions]
        root = self.story.root
        if not root.is_continuation:
            original = self._original(root)
            last = [_banner(f"The original of {root.qualname}"), "", *original]
            sections.append([*last, *self._defaults(root, original)])
        body, states = share_states("\n\n\n".join("\n".join(one) for one in sections), self.own)
        return f"{top(self.story, body, states, self.graph_files, self.own)}\n\n\n{body}\n"

    # --- one function ------------------------------------------------------------------------

    def _function(self, function: Function) -> List[str]:
        lines = [_banner(_headline(function)), ""]
        if function.is_continuation:
            lines += [*self._original(function), "", ""]
        for entry in function.entries:
            lines += [*self._entry(function, entry), "", ""]
        lines += self._dispatcher(function)
        return lines

    def _entry(self, function: Function, entry: Entry) -> List[str]:
        frame = entry.frame
        guard = _guard_name(entry, function)
        about = f"# Entry {entry.number}, compile id {frame.compile_id}, in {entry.file}"
        files = [file for number in frame.graphs for file in self.graph_files.of_graph(number)]
        lines = [about]
        if files:
            lines.append(f"# Graphs: {', '.join(files)}")
        conditions = guard_function(guard, frame, function.qualname, self.doubtful)
        lines += [self.own.in_guard(conditions), "", ""]
        if not frame.swapped:
            lines.append(label(frame))
        return [*lines, _module_level(entry, self.own)]

    def _dispatcher(self, function: Function) -> List[str]:
        name = self.names[id(function)]
        signature = _signature(function)
        aliases = [f"{alias} = {name}" for alias in function.called_as[1:]]
        if signature is None:
            return [
                f"{name} = {self.own.of('not_here')}('{name}: its parameters are not known')",
                *aliases,
            ]
        body = self._choice(function, signature)
        prefix = "async def" if signature.is_async else "def"
        free = function.free_variables
        if function.is_continuation and free:
            rest = self.own.of("rest")
            lines = [f"def {name}(__cells):", *indented(_made_from_cells(free, self.own))]
            lines += indented([f"{prefix} {rest}({signature.declared}):", *indented(body), ""])
            lines.append(f"    return {rest}")
        else:
            lines = [f"{prefix} {name}({signature.declared}):", *indented(body)]
        return lines + (["", "", *aliases] if aliases else [])

    def _choice(self, function: Function, signature: Signature) -> List[str]:
        """What Dynamo does on a call: the first entry whose guards hold, else the original."""
        found = [*signature.names, *function.free_variables]
        local = ", ".join(f"{one!r}: {one}" for one in dict.fromkeys(found) if one.isidentifier())
        scope = f"{self.own.of('L')}, {self.own.of('G')}"
        body = [f"{self.own.of('L')} = {{{local}}}"] if function.entries else []
        for entry in function.in_order_of_trial():
            body += [
                f"if {_guard_name(entry, function)}({scope}):",
                f"    return {_awaited(signature)}{_code_name(entry)}({signature.passed})",
            ]
        body += [f"# {one}" for one in self._remarks(function)]
        original = f"{self._original_name(function)}({signature.passed})"
        return [*body, f"return {_awaited(signature)}{original}"]

    def _remarks(self, function: Function) -> List[str]:
        remarks = [
            f"Entry {entry.number} is no longer in torch's cache."
            for entry in function.no_longer_tried()
        ]
        if not function.entries and all(one.outcome == "not run" for one in function.others):
            return [f"{NOT_SEEN.capitalize()}. Python does this:"]
        remarks += [_told(frame) for frame in function.others if frame.outcome != "not run"]
        if not function.entries:
            return [*remarks, "Python does this:"]
        given_up = any(frame.outcome == "skipped" for frame in function.others)
        then = "Dynamo compiles no more of it" if given_up else "Dynamo would compile a new one"
        return [*remarks, f"No entry fits: {then}. Python does this:"]

    # --- originals ---------------------------------------------------------------------------

    def _original_name(self, function: Function) -> str:
        same = [one for one in self.story.functions if one.identifier == function.identifier]
        place = [id(one) for one in same].index(id(function))
        number = f"_{place}" if place else ""
        if function.is_continuation:
            return f"__rest_of_{without_prefix(function.identifier)}{number}"
        return f"__original_{function.identifier}{number}"

    def _original(self, function: Function) -> List[str]:
        name, not_here = self._original_name(function), self.own.of("not_here")
        texts = [frame.original for frame in function.frames if frame.original is not None]
        if not texts:
            return [f"{name} = {not_here}({f'the source of {function.qualname}'!r})"]
        said = [f"# {function.file}:{function.line}"] if not function.is_continuation else []
        if said and "source" not in texts[0].notes:
            said.append(
                "# Made from the bytecode, which knows neither default values nor decorators."
            )
        return [*said, original_text(texts[0].source, name, not_here)]

    def _defaults(self, function: Function, original: List[str]) -> List[str]:
        """Transformed code has no default values: a call of the dispatcher needs those."""
        if _signature(function) is None or not has_defaults("\n".join(original)):
            return []
        taken = f"{self.names[id(function)]}, {self._original_name(function)}"
        return ["", "", f"{self.own.of('take_defaults')}({taken})"]


def _told(frame: Frame) -> str:
    """An attempt that led to no entry."""
    known = f"Compile id {frame.compile_id} {frame.outcome}"
    said = known if frame.compile_id else frame.outcome.capitalize()
    return f"{said}: {one_line(frame.reason)}" if frame.reason else said


def _headline(function: Function) -> str:
    if not function.is_continuation:
        return f"{function.qualname}, {function.file}:{function.line}"
    names = ", ".join(function.called_as)
    return f"The rest of it, called as {names or 'unknown'}: {function.name}"


def _banner(text: str) -> str:
    text = f"# --- {one_line(text)} "
    return text + "-" * max(3, _WIDTH - len(text))


def _guard_name(entry: Entry, function: Function) -> str:
    return f"__guard_{entry.number}_for_{function.identifier}"


def _code_name(entry: Entry) -> str:
    text = entry.frame.transformed
    function = function_in(text.source) if text else None
    return function.name if function else f"__transformed_code_{entry.number}"


def _module_level(entry: Entry, own: OwnNames) -> str:
    """The transformed code where its free variables are names of the module."""
    text = entry.frame.transformed
    assert text is not None
    source = text.source.strip("\n")
    source = source if entry.frame.swapped else without_label(source)
    if function_in(source) is None:
        said = "the code of this entry: its text is no Python"
        return f"{as_comment(source)}\n{_code_name(entry)} = {own.of('not_here')}({said!r})"
    return as_python(with_globals(alone(source)))


def _signature(function: Function) -> Optional[Signature]:
    texts = [entry.frame.transformed for entry in function.entries]
    texts += [frame.original for frame in function.frames]
    found = (signature_of(text.source) for text in texts if text is not None)
    return next((one for one in found if one is not None), None)


def _made_from_cells(names: List[str], own: OwnNames) -> List[str]:
    return [
        "# Dynamo hands over the cells of these variables, and calls what it gets.",
        f"global {', '.join(names)}",
        f"{', '.join(names)}, = {own.of('contents_of')}(__cells)",
        "",
    ]


def _awaited(signature: Signature) -> str:
    return "await " if signature.is_async else ""
