"""A measured ratio and the bar it is held against."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    what: str
    ratio: float
    bar: float
    remark: str = ""
    at_least: bool = False

    @property
    def fits(self) -> bool:
        return self.ratio >= self.bar if self.at_least else self.ratio <= self.bar

    def __str__(self) -> str:
        mark = "ok  " if self.fits else "MISS"
        limit = f"at {'least' if self.at_least else 'most'} {self.bar:g}"
        return f"{mark}  {self.what:44} {self.ratio:8.2f}  ({limit})  {self.remark}"
