"""Live torch: without it there is nothing to run in these tests.

They know functions by their qualified names, which code objects have from Python 3.11 on.
"""

from __future__ import annotations

import importlib.util
import sys

if importlib.util.find_spec("torch") is None or sys.version_info < (3, 11):
    # A conftest cannot be skipped, what it stands beside can.
    collect_ignore_glob = ["test_*.py"]
