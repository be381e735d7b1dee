"""The ratchet: per Python version, the code objects known not to be exact. It may only shrink."""

from __future__ import annotations

import json
from pathlib import Path

from corpus_totals import Totals

# From bad to good; nothing may move to the left.
RANKS = ("no source", "unverified", "equivalent", "exact")


class Ratchet:
    """`{version: {"module.py::qualified.name": verdict}}`; of the others, this much is expected."""

    def __init__(self, known: dict[str, dict[str, str]], expected: str = "exact") -> None:
        self.known = known
        self.expected = expected

    @classmethod
    def read(cls, path: Path) -> Ratchet:
        return cls(json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.known, indent=1, sort_keys=True, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")

    def compare(self, totals: Totals) -> tuple[dict[str, str], list[str]]:
        """What is worse than allowed, and the entries that are better by now."""
        allowed = self.known.get(totals.version, {})
        worse = {
            key: verdict
            for key, verdict in totals.failing.items()
            if RANKS.index(verdict) < RANKS.index(allowed.get(key, self.expected))
        }
        return worse, self._improved(totals)

    def _improved(self, totals: Totals) -> list[str]:
        """Only of the modules that were looked at."""
        looked_at = set(totals.modules)
        return [
            key
            for key, allowed in self.known.get(totals.version, {}).items()
            if key.split("::")[0] in looked_at
            and RANKS.index(totals.failing.get(key, "exact")) > RANKS.index(allowed)
        ]

    def update(self, totals: Totals, grow: bool) -> None:
        entries = self.known.setdefault(totals.version, {})
        for key in self._improved(totals):
            del entries[key]
            if key in totals.failing:
                entries[key] = totals.failing[key]
        if grow:
            entries.update(totals.failing)
