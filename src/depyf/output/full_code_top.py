"""The top of a `full_code_*` file: how to read it, and what the code below it needs."""

from __future__ import annotations

import ast
import re
from pprint import pformat
from typing import Dict, List, Set, Tuple

from depyf import guard_checks
from depyf.session.model import CodeText

from .names import GraphFiles
from .own_names import FROM_LIVE, OwnNames
from .story import NOT_SEEN, Story

_WIDTH = 100
_GRAPH_NAME = re.compile(r"\b__compiled_fn_(\d+)\b")
# The names under which transformed code finds modules: __import_torch_dot_nn
_MODULE_NAME = re.compile(r"(?<!['\"\w])__import_\w+")
# Under which it finds the builtins.
_BUILTINS_NAME = re.compile(r"\b__builtins_dict__\w*")
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


def top(story: Story, body: str, states: List[str], graph_files: GraphFiles, own: OwnNames) -> str:
    root = story.root
    title = f"{root.qualname} ({root.file}:{root.line}), as torch.compile runs it."
    title = title.replace("\\", "\\\\").replace('"', '\\"')
    variables, module = own.of("G"), own.of("module_called")
    needed = [
        "# The globals of the function, when its module is loaded in this process; else what its",
        "# text tells. Below stand copies of them, as they are when this file is imported.",
        f"{variables} = {own.of('globals_of')}({root.file!r}, globals())",
        *(f"{name} = {module}({name!r}, {variables})" for name in _found(_MODULE_NAME, body)),
        *(f"{name} = vars(builtins)" for name in _found(_BUILTINS_NAME, body)),
        *_hidden_globals(story, own),
        *_graphs(body, graph_files, own),
        *_absent(story, body, own),
        *states,
    ]
    imports = _imports(body + "\n".join(needed), own)
    lines = [READING.format(title=title, name=root.identifier), ""]
    lines += ["from __future__ import annotations", "", *imports, "", *needed]
    return "\n".join(lines)


def _found(pattern: re.Pattern[str], body: str) -> List[str]:
    return sorted(set(pattern.findall(body)))


def _graphs(body: str, graph_files: GraphFiles, own: OwnNames) -> List[str]:
    lines = []
    graph, variables = own.of("graph"), own.of("G")
    for number in sorted({int(one) for one in _GRAPH_NAME.findall(body)}):
        files = graph_files.of_graph(number)
        file = next((one for one in files if ".Captured_Graph." in one), "")
        name = f"__compiled_fn_{number}"
        lines.append(f"{name} = {graph}({name!r}, {variables}, __file__, {file!r})")
    return lines


def _absent(story: Story, body: str, own: OwnNames) -> List[str]:
    """What only the running function has: its free variables, cells, nameless constants."""
    said = {
        name: f"the variable {name} of the function around {function.qualname}"
        for function in reversed(story.functions)
        for name in function.free_variables
    }
    said.update(dict.fromkeys(_found(_NAMELESS, body), _NAMELESS_SAID))
    said.update({name: f"the continuation {name}: {NOT_SEEN}" for name in story.unreached})
    not_here = own.of("not_here")
    absent = {name: f"{not_here}({what!r})" for name, what in said.items()}
    for name, texts in _expressions(story).items():
        if name in absent and len(texts) == 1:
            absent[name] = f"{texts[0]} if torch else {not_here}({texts[0]!r})"
        elif name in absent:
            absent[name] = f"{not_here}({', or '.join(texts) + ', by the entry'!r})"
    return [f"{name} = {value}" for name, value in absent.items()]


def _hidden_globals(story: Story, own: OwnNames) -> List[str]:
    found = {name: raw for text in _texts(story) for name, raw in text.hidden_globals.items()}
    called, variables = own.of("global_called"), own.of("G")
    return [f"{name} = {called}({raw!r}, {variables})" for name, raw in sorted(found.items())]


def _texts(story: Story) -> List[CodeText]:
    texts = [entry.frame.transformed for one in story.functions for entry in one.entries]
    return [text for text in texts if text is not None]


def _expressions(story: Story) -> Dict[str, List[str]]:
    """Names for objects without a literal, with all that they stand for in the entries."""
    found: Dict[str, List[str]] = {}
    for text in _texts(story):
        for name, expression in text.constants.items():
            known = found.setdefault(name, [])
            if expression not in known:
                known.append(expression)
    return found


_STATE = re.compile(r"global_state_is\(\s*(\{.*\}),?\s*\)(?=\)*$)", re.MULTILINE)


def share_states(body: str, own: OwnNames) -> Tuple[str, List[str]]:
    """Every guard asks for the same long state: it gets a name, and stands on top once."""
    found = list(dict.fromkeys(_STATE.findall(body)))
    names = {state: own.of(f"GLOBAL_STATE_{number}") for number, state in enumerate(found)}
    shared = _STATE.sub(lambda match: f"global_state_is({names[match.group(1)]})", body)
    lines = []
    for state in found:
        written = pformat(ast.literal_eval(state), width=_WIDTH, compact=True)
        lines.append(f"{names[state]} = {written}")
    return shared, lines


def _imports(text: str, own: OwnNames) -> List[str]:
    words: Set[str] = set(re.findall(r"\w+", text))
    needed = [f"import {name}" for name in ("builtins", "math") if name in words]
    lines = [*needed, ""] if needed else []
    if "torch" in words:
        lines += ["try:", "    import torch", "except ImportError:"]
        lines += ["    torch = None  # the file can still be read and imported", ""]
    for module, names in (("guard_checks", guard_checks.__all__), ("live", FROM_LIVE)):
        needed = [_imported(name, own.of(name)) for name in names if own.of(name) in words]
        lines += _import_from(f"depyf.{module}", needed)
    return lines


def _imported(name: str, called: str) -> str:
    return name if called == name else f"{name} as {called}"


def _import_from(module: str, names: List[str]) -> List[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return [line] if names else []
    return [f"from {module} import (", *(f"    {name}," for name in names), ")"]
