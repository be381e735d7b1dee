"""Adds up what the corpus workers report about one Python version."""

from __future__ import annotations

from typing import Any

HEADER = (
    "python  modules  compile   codes    exact   equiv  unverif  exact %  proven %"
    "  temps %  flags %  dispatch %   cpu s  wall s"
)
# A word in a note, and the rung of the ladder that it stands for.
RUNGS = ("temporar", "flag", "dispatch")
NOTHING = "no source"


class Totals:
    """Counts, and everything that is not exact under a name that survives edits elsewhere."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.modules: list[str] = []
        self.compiled = 0
        self.verdicts = {"exact": 0, "equivalent": 0, "unverified": 0}
        self.rungs = dict.fromkeys(RUNGS, 0)
        self.failing: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self.cpu_seconds = 0.0
        self.wall_seconds = 0.0

    @property
    def seen(self) -> int:
        return len(self.modules)

    @property
    def codes(self) -> int:
        return sum(self.verdicts.values())

    def add(self, report: dict[str, Any]) -> None:
        module = report["module"]
        self.modules.append(module)
        self.cpu_seconds += report["seconds"]
        self.compiled += report["compiles"]
        if report["error"]:
            self._fail(f"{module}::", NOTHING, report["error"])
        counts: dict[str, int] = {}
        for qualname, line, verdict, reason, notes in report["parts"]:
            counts[qualname] = counts.get(qualname, 0) + 1
            self.verdicts[verdict] += 1
            for rung in RUNGS:
                self.rungs[rung] += any(rung in note.lower() for note in notes)
            if verdict != "exact":
                number = f"#{counts[qualname]}" if counts[qualname] > 1 else ""
                why = "; ".join(filter(None, (reason, *notes)))
                self._fail(f"{module}::{qualname}{number}", verdict, f"line {line}: {why}")

    def _fail(self, key: str, verdict: str, reason: str) -> None:
        self.failing[key] = verdict
        self.reasons[key] = reason

    def failure_lines(self) -> list[str]:
        return [
            f"{self.version}  {verdict:10}  {key}  {self.reasons[key]}"
            for key, verdict in sorted(self.failing.items())
        ]

    def row(self) -> str:
        exact, equivalent = self.verdicts["exact"], self.verdicts["equivalent"]
        return (
            f"{self.version:6}  {self.seen:7}  {self.compiled:7}  {self.codes:6}"
            f"  {exact:7}  {equivalent:6}  {self.verdicts['unverified']:7}"
            f"  {self._share(exact):7.2f}  {self._share(exact + equivalent):8.2f}"
            f"  {self._share(self.rungs['temporar']):7.2f}  {self._share(self.rungs['flag']):7.2f}"
            f"  {self._share(self.rungs['dispatch']):10.2f}"
            f"  {self.cpu_seconds:6.1f}  {self.wall_seconds:6.1f}"
        )

    def _share(self, count: int) -> float:
        return 100.0 * count / self.codes if self.codes else 0.0
