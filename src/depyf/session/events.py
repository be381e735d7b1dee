"""What was heard while torch compiled, in the order it was heard: the input of the builder.

Events are plain and go to JSON and back, so a recorded list of them replays without torch.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Dict, Iterable, List

from .json import read


@dataclass
class Event:
    """`kind` is the trace's own name for a record, or of an artifact; ours begin with "depyf_".

    `compile_id` is torch's, "" where nothing was being compiled; `data` is what came with the
    record, as JSON; `text` its payload.
    """

    kind: str
    compile_id: str = ""
    attempt: int = 0
    data: Dict[str, object] = field(default_factory=dict)
    text: str = ""


def events_to_json(events: Iterable[Event]) -> str:
    return json.dumps([dataclasses.asdict(event) for event in events], indent=1) + "\n"


def events_from_json(text: str) -> List[Event]:
    return [read(Event, plain) for plain in json.loads(text)]
