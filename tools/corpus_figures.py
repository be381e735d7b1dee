"""The figures of the last whole run of `make corpus`, kept for the tables of the README."""

from __future__ import annotations

import json
from typing import Dict

from corpus_totals import Totals
from interpreters import ROOT, VERSIONS

FIGURES = ROOT / "tests" / "corpus" / "figures.json"
Figures = Dict[str, Dict[str, int]]


def read_figures() -> Figures:
    found: Figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def keep_figures(runs: list[Totals]) -> None:
    """Versions that were not run this time keep what is known of them."""
    figures = read_figures()
    for totals in runs:
        figures[totals.version] = {
            "modules": totals.seen,
            "compiled": totals.compiled,
            "codes": totals.codes,
            **totals.verdicts,
        }
    ordered = {version: figures[version] for version in VERSIONS if version in figures}
    FIGURES.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
