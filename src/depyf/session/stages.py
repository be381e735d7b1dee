"""Which records of the trace are texts of a graph, and under which name they are filed."""

from __future__ import annotations

import re
from typing import Dict, Tuple

FORWARD, BACKWARD = "forward", "backward"

# Kind of record -> kind of stage, direction. "?" is decided by the text.
STAGE_OF: Dict[str, Tuple[str, str]] = {
    "dynamo_output_graph": ("Captured_Graph", ""),
    "compiled_autograd_graph": ("Compiled_autograd_graph", BACKWARD),
    "aot_joint_graph": ("Joint_graph", ""),
    "aot_forward_graph": ("Forward_graph", FORWARD),
    "aot_inference_graph": ("Forward_graph", FORWARD),
    "aot_backward_graph": ("Backward_graph", BACKWARD),
    "inductor_post_grad_graph": ("AFTER_POST_GRAD", "?"),
    # What torch 2.8 calls it, where it does not come from a cache.
    "after_post_grad_graph": ("AFTER_POST_GRAD", "?"),
    "inductor_output_code": ("kernel", "?"),
}

# Titles that frameworks and torch itself give to lazy_format_graph_code, for a torch without a
# trace; any other title names its own stage.
STAGE_OF_TITLE: Dict[str, Tuple[str, str]] = {
    "captured graph": ("Captured_Graph", ""),
    "joint graph": ("Joint_graph", ""),
    "forward graph": ("Forward_graph", FORWARD),
    "inference graph": ("Forward_graph", FORWARD),
    "backward graph": ("Backward_graph", BACKWARD),
    "after post grad": ("AFTER_POST_GRAD", "?"),
    "compiled autograd graph": ("Compiled_autograd_graph", BACKWARD),
}

# Torch shows these for its own developers; each repeats a graph that has a stage.
_REPEATED = ("pre insert_deferred_runtime_asserts", "tensorify_python_scalars", "before pre grad")

# What tells a backward text: Inductor's header, or an argument that AOTAutograd named.
_AOT_ID = re.compile(r"# AOT ID: \['\d+_(\w+?)(?:_\d+)?'\]")
_TANGENT = re.compile(r"\btangents_\d+\b")
_NUMBER = re.compile(r"\s+\d+$")


def direction_of(text: str) -> str:
    aot_id = _AOT_ID.search(text)
    if aot_id:
        return BACKWARD if aot_id[1] == "backward" else FORWARD
    return BACKWARD if _TANGENT.search(text) else FORWARD


def stage_of_title(title: str) -> Tuple[str, str]:
    return STAGE_OF_TITLE.get(_without_number(title).lower()) or (title.strip(" ="), "")


def is_traced_title(title: str) -> bool:
    """The trace, where there is one, has a record of the same graph."""
    return _without_number(title).lower() in STAGE_OF_TITLE


def is_repetition(title: str) -> bool:
    return title.strip(" =").lower().startswith(_REPEATED)


def _without_number(title: str) -> str:
    """AOTAutograd adds a number of its own: `Forward graph 3`."""
    return _NUMBER.sub("", title.strip(" ="))
