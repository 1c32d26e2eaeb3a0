"""What a LineProfiler has measured: line_profiler's LineStats."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, Self

from pyrometer._line_config import Given
from pyrometer._line_text import Writable, show_text
from pyrometer._lprof import Timings, read_lprof, write_lprof

PathLike = str | os.PathLike[str]


class StatsLike(Protocol):
    timings: Timings
    unit: float


class LineStats:
    """LineStats(timings, unit)

    `timings` has the rows (line, hits, time) of each (file, first line, name); times are whole
    numbers of `unit` seconds.
    """

    def __init__(self, timings: Timings, unit: float) -> None:
        self.timings = timings
        self.unit = unit

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.timings}, {self.unit:.2G})"

    def __eq__(self, other: object) -> bool:
        if not hasattr(other, "timings") or not hasattr(other, "unit"):
            return NotImplemented
        return bool(self.timings == other.timings and self.unit == other.unit)

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __add__(self, other: StatsLike) -> Self:
        return self.from_stats_objects(self, other)

    def __iadd__(self, other: StatsLike) -> Self:
        self.timings, self.unit = _sum([self, other])
        return self

    def print(
        self,
        stream: Writable | None = None,
        output_unit: float | None = None,
        stripzeros: bool = False,
        details: bool = True,
        summarize: bool = False,
        sort: bool = False,
        rich: bool = False,
        *,
        config: Given = None,
    ) -> None:
        """Writes the tables, to standard output unless told otherwise."""
        show_text(
            self.timings,
            self.unit,
            output_unit=output_unit,
            stream=stream,
            stripzeros=stripzeros,
            details=details,
            summarize=summarize,
            sort=sort,
            rich=rich,
            config=config,
        )

    def to_file(self, filename: PathLike) -> None:
        """Writes the file that line_profiler loads too."""
        write_lprof(Path(filename), self.timings, self.unit)

    @classmethod
    def from_files(cls, file: PathLike, /, *files: PathLike) -> Self:
        """The sum of files, which are read without unpickling anything."""
        return cls.from_stats_objects(*(cls(*read_lprof(Path(each))) for each in (file, *files)))

    @classmethod
    def from_stats_objects(cls, stats: StatsLike, /, *more_stats: StatsLike) -> Self:
        return cls(*_sum([stats, *more_stats]))


def _sum(parts: Iterable[StatsLike]) -> tuple[Timings, float]:
    """In the largest unit, from small units to large ones, so that little is lost."""
    ordered = sorted(parts, key=lambda part: part.unit)
    if len(ordered) == 1:
        return {label: list(rows) for label, rows in ordered[0].timings.items()}, ordered[0].unit
    unit = ordered[-1].unit
    totals: dict[tuple[str, int, str], dict[int, tuple[int, float]]] = {}
    for part in ordered:
        scale = part.unit / unit
        for label, rows in part.timings.items():
            lines = totals.setdefault(label, {})
            for line, hits, time in rows:
                other_hits, other_time = lines.get(line, (0, 0))
                lines[line] = (hits + other_hits, other_time + scale * time)
    timings = {
        label: [(line, hits, round(time)) for line, (hits, time) in sorted(lines.items())]
        for label, lines in totals.items()
    }
    return timings, unit


load_stats = LineStats.from_files
