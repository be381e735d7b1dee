"""Live torch: without it there is nothing to run in these tests."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("torch") is None:
    # A conftest cannot be skipped, what it stands beside can.
    collect_ignore_glob = ["test_*.py"]
