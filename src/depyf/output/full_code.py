"""`full_code_for_<function>_<n>.py`: the whole story of one function, top to bottom.

Guards, transformed code and a dispatcher that does what Dynamo does, for the function and for
each of its continuations, then the original. The file imports, and its dispatcher can be called.
"""

from __future__ import annotations

import ast
import re
from pprint import pformat
from typing import Dict, List, Optional, Tuple

from depyf import guard_checks

from .guard_text import guard_function
from .names import GraphFiles
from .original import original_text
from .signature import Signature, alone, function_in, signature_of, with_globals
from .story import RESUME_PREFIX, Entry, Function, Story
from .transformed import label, without_label
from .valid_python import as_comment, as_python, indented, one_line

_WIDTH = 100
_GRAPH_NAME = re.compile(r"\b__compiled_fn_(\d+)\b")

# The decompiler's names for objects that have no literal, and for cells.
_NAMELESS = re.compile(r"\b__(?:cell|const|code_of)_\w+")
_NAMELESS_SAID = "an object that only the running code holds"

READING = '''"""{title}

How to read this file: a call of {name} enters its dispatcher, the function of that name.
The dispatcher tries the compiled entries one after the other. A guard function says whether an
entry fits the arguments; the transformed code beside it is what runs then. __compiled_fn_<k> is a
compiled graph: its files are named __compiled_fn_<k>.*.py. Where Dynamo could not go on (a graph
break), the transformed code calls a continuation, the rest of the function from that line on. It
is compiled like a function of its own and has a section below. The original comes last.
"""'''


def full_code(story: Story, graph_files: GraphFiles) -> str:
    """The text of the file. Nothing in it depends on anything but the story."""
    return _FullCode(story, graph_files).text()


class _FullCode:
    def __init__(self, story: Story, graph_files: GraphFiles) -> None:
        self.story = story
        self.graph_files = graph_files
        self.names: Dict[int, str] = {}
        for function in story.functions:
            self.names[id(function)] = self._free_name(function)

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
            last = [_banner(f"The original of {root.qualname}"), "", *self._original(root)]
            sections.append(last)
        body, states = _share_states("\n\n\n".join("\n".join(one) for one in sections))
        return f"{self._top(body, states)}\n\n\n{body}\n"

    # --- the top -----------------------------------------------------------------------------

    def _top(self, body: str, states: List[str]) -> str:
        root = self.story.root
        title = f"{root.qualname} ({root.file}:{root.line}), as torch.compile runs it."
        title = title.replace("\\", "\\\\").replace('"', '\\"')
        lines = [READING.format(title=title, name=root.identifier), ""]
        lines += ["from __future__ import annotations", "", *_imports(body), ""]
        lines += [
            "# The globals of the function, when its module is loaded in this process; else empty.",
            f"G = globals_of({root.file!r}, globals())",
            *self._graphs(body),
            *self._absent(body),
            *self._unreached(),
            *states,
        ]
        return "\n".join(lines)

    def _graphs(self, body: str) -> List[str]:
        numbers = dict.fromkeys(int(match) for match in _GRAPH_NAME.findall(body))
        lines = []
        for number in sorted(numbers):
            files = self.graph_files.of_graph(number)
            file = next((one for one in files if ".Captured_Graph." in one), "")
            name = f"__compiled_fn_{number}"
            lines.append(f"{name} = graph({name!r}, G, __file__, {file!r})")
        return lines

    def _absent(self, body: str) -> List[str]:
        """What only the running function has: its free variables, cells, nameless constants."""
        lines = []
        for function in self.story.functions:
            for name in _free_variables(function):
                said = f"the variable {name} of the function around {function.qualname}"
                lines.append(f"{name} = not_here({said!r})")
        for name in sorted(set(_NAMELESS.findall(body))):
            lines.append(f"{name} = not_here({_NAMELESS_SAID!r})")
        return list(dict.fromkeys(lines))

    def _unreached(self) -> List[str]:
        said = "the continuation {}: it was never reached while depyf was watching"
        return [f"{name} = not_here({said.format(name)!r})" for name in self.story.unreached]

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
        lines += [guard_function(guard, frame, function.qualname), "", ""]
        if not frame.swapped:
            lines.append(label(frame))
        return [*lines, _module_level(entry)]

    def _dispatcher(self, function: Function) -> List[str]:
        name = self.names[id(function)]
        signature = _signature(function)
        aliases = [f"{alias} = {name}" for alias in function.called_as[1:]]
        if signature is None:
            return [f"{name} = not_here('{name}: its parameters are not known')", *aliases]
        body = self._choice(function, signature)
        prefix = "async def" if signature.is_async else "def"
        free = _free_variables(function)
        if function.is_continuation and free:
            lines = [f"def {name}(__cells):", *indented(_made_from_cells(free))]
            lines += indented([f"{prefix} rest({signature.declared}):", *indented(body), ""])
            lines.append("    return rest")
        else:
            lines = [f"{prefix} {name}({signature.declared}):", *indented(body)]
        return lines + (["", "", *aliases] if aliases else [])

    def _choice(self, function: Function, signature: Signature) -> List[str]:
        """What Dynamo does on a call: the first entry whose guards hold, else the original."""
        found = [*signature.names, *_free_variables(function)]
        local = ", ".join(f"{one!r}: {one}" for one in dict.fromkeys(found) if one.isidentifier())
        body = [f"L = {{{local}}}"] if function.entries else []
        for entry in function.in_order_of_trial():
            body += [
                f"if {_guard_name(entry, function)}(L, G):",
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
            return ["Never reached while depyf was watching, so not compiled. Python does this:"]
        for frame in function.others:
            reason = f": {one_line(frame.reason)}" if frame.reason else ""
            remarks.append(f"Compile id {frame.compile_id} {frame.outcome}{reason}")
        return [*remarks, "No entry fits: Dynamo would compile a new one. Python does this:"]

    # --- originals ---------------------------------------------------------------------------

    def _original_name(self, function: Function) -> str:
        same = [one for one in self.story.functions if one.identifier == function.identifier]
        place = [id(one) for one in same].index(id(function))
        number = f"_{place}" if place else ""
        if function.is_continuation:
            return f"__rest_of_{function.identifier.replace(RESUME_PREFIX, '', 1)}{number}"
        return f"__original_{function.identifier}{number}"

    def _original(self, function: Function) -> List[str]:
        name = self._original_name(function)
        texts = [frame.original for frame in function.frames if frame.original is not None]
        if not texts:
            return [f"{name} = not_here({f'the source of {function.qualname}'!r})"]
        said = [f"# {function.file}:{function.line}"] if not function.is_continuation else []
        return [*said, original_text(texts[0].source, name)]


_STATE = re.compile(r"global_state_is\(\s*(\{.*\}),?\s*\)$", re.MULTILINE)


def _share_states(body: str) -> Tuple[str, List[str]]:
    """Every guard asks for the same long state: it gets a name, and stands on top once."""
    found = list(dict.fromkeys(_STATE.findall(body)))
    names = {state: f"GLOBAL_STATE_{number}" for number, state in enumerate(found)}
    shared = _STATE.sub(lambda match: f"global_state_is({names[match.group(1)]})", body)
    lines = [
        f"{names[state]} = {pformat(ast.literal_eval(state), width=_WIDTH, compact=True)}"
        for state in found
    ]
    return shared, lines


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


def _module_level(entry: Entry) -> str:
    """The transformed code where its free variables are names of the module."""
    text = entry.frame.transformed
    assert text is not None
    source = text.source.strip("\n")
    source = source if entry.frame.swapped else without_label(source)
    if function_in(source) is None:
        missing = f"{_code_name(entry)} = not_here('the code of this entry: its text is no Python')"
        return f"{as_comment(source)}\n{missing}"
    return as_python(with_globals(alone(source)))


def _signature(function: Function) -> Optional[Signature]:
    texts = [entry.frame.transformed for entry in function.entries]
    texts += [frame.original for frame in function.frames]
    found = (signature_of(text.source) for text in texts if text is not None)
    return next((one for one in found if one is not None), None)


def _free_variables(function: Function) -> List[str]:
    return list(dict.fromkeys(name for one in function.frames for name in one.free_variables))


def _made_from_cells(names: List[str]) -> List[str]:
    return [
        "# Dynamo hands over the cells of these variables, and calls what it gets.",
        f"global {', '.join(names)}",
        f"{', '.join(names)}, = contents_of(__cells)",
        "",
    ]


def _awaited(signature: Signature) -> str:
    return "await " if signature.is_async else ""


def _module_called(name: str) -> str:
    return name[len("__import_") :].replace("_dot_", ".")


def _imports(body: str) -> List[str]:
    used = [name for name in guard_checks.__all__ if re.search(rf"\b{name}\b", body)]
    lines = ["import math", ""] if re.search(r"\bmath\.", body) else []
    # The names under which transformed code finds modules: __import_torch_dot_nn
    modules = sorted(set(re.findall(r"\b__import_\w+", body)))
    if modules or re.search(r"\btorch\.", body):
        lines += ["try:", "    import torch"]
        lines += [f"    import {_module_called(name)} as {name}" for name in modules]
        lines += ["except ImportError:"]
        lines += ["    torch = None  # the file can still be read and imported", ""]
    if used:
        listed = ", ".join(used)
        one = f"from depyf.guard_checks import {listed}"
        if len(one) > _WIDTH:
            one = "\n".join(
                ["from depyf.guard_checks import (", *(f"    {name}," for name in used), ")"]
            )
        lines.append(one)
    live = [name for name in ("contents_of", "globals_of", "graph", "not_here")
            if name != "contents_of" or "contents_of(" in body]  # fmt: skip
    return [*lines, f"from depyf.live import {', '.join(live)}"]
