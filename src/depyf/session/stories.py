"""The files to start reading in a folder, as its README lists them: other programs' may lie there.

In the order in which the functions were compiled.
"""

from __future__ import annotations

import os
import re
from typing import List

README = "README.md"
_LISTED = re.compile(r"^- `(full_code_for_.*?)`", re.M)


def stories_in(folder: str) -> List[str]:
    try:
        with open(os.path.join(folder, README), encoding="utf-8") as file:
            return _LISTED.findall(file.read())
    except OSError:
        # It could not be written, which has been told.
        return []
