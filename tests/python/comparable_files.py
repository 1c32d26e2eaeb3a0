"""Small files of line_profiler and cProfile with figures that a test chooses."""

import marshal
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

# By file, first line and name: line -> (hits, nanoseconds).
Lines = dict[tuple[str, int, str], dict[int, tuple[int, int]]]
# By file, line and name: calls, own seconds, seconds with callees.
Functions = dict[tuple[str, int, str], tuple[int, float, float]]

MODULE = "line_profiler._line_profiler"


class LineStats:
    """Stands for line_profiler's class, which a file names."""

    def __init__(self, timings: Any, unit: float) -> None:
        self.timings = timings
        self.unit = unit


LineStats.__module__ = MODULE


@contextmanager
def stand_in() -> Iterator[None]:
    names = ("line_profiler", MODULE)
    before = {name: sys.modules.get(name) for name in names}
    for name in names:
        sys.modules[name] = ModuleType(name)
    sys.modules[MODULE].LineStats = LineStats  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def write_lprof(path: Path, functions: Lines) -> Path:
    timings = {
        place: [(number, hits, time) for number, (hits, time) in lines.items()]
        for place, lines in functions.items()
    }
    with stand_in(), path.open("wb") as file:
        pickle.dump(LineStats(timings, 1e-9), file, 4)
    return path


def write_prof(path: Path, functions: Functions) -> Path:
    stats = {
        place: (calls, calls, own, total, {}) for place, (calls, own, total) in functions.items()
    }
    path.write_bytes(marshal.dumps(stats))
    return path


def write_sampled_prof(path: Path, functions: Functions) -> Path:
    """As Python 3.15 writes its samples: in the place of calls stand the samples."""
    stats: dict[Any, Any] = {
        place: (samples, samples, own, total, {})
        for place, (samples, own, total) in functions.items()
    }
    stats[("__sampled__",)] = True
    path.write_bytes(marshal.dumps(stats))
    return path
