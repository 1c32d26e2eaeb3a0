"""Named timers that stay in a program: regions and functions, their figures, and a summary.

    with timed_region("assembly"):
        ...

They cost some tens of nanoseconds, with or without a recording; in one, the regions appear on
its timeline.
"""

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyrometer._explicit_profiler import is_set
from pyrometer._native import load_timers
from pyrometer._printable import encodable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TextIO

    from pyrometer._agent import Region, mark, region_timings, reset_regions, timed_region
else:
    agent = load_timers()
    Region, timed_region, mark = agent.Region, agent.timed_region, agent.mark
    region_timings, reset_regions = agent.region_timings, agent.reset_regions

__all__ = [
    "Region",
    "Timing",
    "mark",
    "reset_timers",
    "summary",
    "timed_function",
    "timed_region",
    "timing",
    "timings",
]

PRINT_SUMMARY = "PYROMETER_PRINT_SUMMARY"
TITLES = ("count", "total", "self", "mean", "min", "max", "region")

F = TypeVar("F", bound="Callable[..., object]")


@dataclass(frozen=True, slots=True)
class Timing:
    """What was measured of one region, in seconds. `total` counts recursion once; `self` is
    without other regions inside; `min` and `max` are of one time."""

    count: int
    total: float
    self: float
    min: float
    max: float

    @property
    def mean(self) -> float:
        return self.total / self.count


@overload
def timed_function(function: F, /) -> F: ...
@overload
def timed_function(name: str | None = None, /) -> "Callable[[F], F]": ...
def timed_function(name: object = None, /) -> object:
    """Times a function under a name, or under its own where none is given."""
    if name is None or isinstance(name, str):
        return lambda function: timed_region(name or _name_of(function))(function)
    function: Any = name
    return timed_region(_name_of(function))(function)


def _name_of(function: object) -> str:
    inner = getattr(function, "__func__", function)
    return str(getattr(inner, "__qualname__", None) or type(inner).__qualname__)


def timings() -> dict[str, Timing]:
    """The figures of all regions that ended at least once."""
    return {name: Timing(*row) for name, row in region_timings().items()}


def timing(name: str, *, total: bool = True) -> float:
    """Seconds spent in a region, or their mean per call; 0.0 for one that never ended."""
    found = timings().get(name)
    if found is None:
        return 0.0
    return found.total if total else found.mean


def reset_timers() -> None:
    """All figures begin anew; regions that are open count from now on."""
    reset_regions()


def summary(file: "str | Path | TextIO | None" = None) -> None:
    """Prints a table of all regions, the longest first, to standard output, a path or a file. A
    path that ends in .csv gets the same as comma-separated values.
    """
    is_csv = isinstance(file, (str, os.PathLike)) and os.fspath(file).endswith(".csv")
    text = (csv_text if is_csv else summary_text)(timings())
    if file is None:
        sys.stdout.write(encodable(text, sys.stdout))
    elif isinstance(file, (str, os.PathLike)):
        # Any kind of path, and any kind of name.
        with open(file, "w", encoding="utf-8", errors="backslashreplace") as out:  # noqa: PTH123
            out.write(text)
    else:
        file.write(encodable(text, file))


def summary_text(rows: dict[str, Timing]) -> str:
    from pyrometer._output_name import find_rank
    from pyrometer._printable import printable

    rank = find_rank()
    heading = "Timers" if rank is None else f"Timers of rank {rank[0]}"
    if not rows:
        return f"{heading}: no region ended.\n"
    lines = [f"{heading}, in seconds", _row(*TITLES)]
    for name, row in _longest_first(rows):
        figures = (row.total, row.self, row.mean, row.min, row.max)
        cells = (f"{figure:.6f}" for figure in figures)
        lines.append(_row(f"{row.count:,}", *cells, printable(name)))
    return "\n".join(lines) + "\n"


def csv_text(rows: dict[str, Timing]) -> str:
    """With a line of titles, in seconds."""
    import csv
    import io

    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(TITLES)
    for name, row in _longest_first(rows):
        out.writerow((row.count, row.total, row.self, row.mean, row.min, row.max, name))
    return text.getvalue()


def _longest_first(rows: dict[str, Timing]) -> list[tuple[str, Timing]]:
    return sorted(rows.items(), key=lambda item: -item[1].total)


def _row(count: str, *cells: str) -> str:
    *figures, name = cells
    return f"{count:>12}" + "".join(f"{figure:>14}" for figure in figures) + f"  {name}"


def _print_at_exit() -> None:
    """A process that was forked off has its parent's figures and does not repeat them."""
    import atexit

    owner = os.getpid()

    def say() -> None:
        if os.getpid() == owner and sys.stderr is not None:
            summary(sys.stderr)

    atexit.register(say)


if is_set(PRINT_SUMMARY):
    _print_at_exit()
