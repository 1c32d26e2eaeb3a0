"""@pytest.mark.limit_memory and limit_leaks: tests that fail when they hold or keep too much."""

import gc
import re
from abc import ABC, abstractmethod
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pyrometer._memory_size import parse_size
from pyrometer._memory_window import StackFrame, WindowFigures, begin_window, end_window
from pyrometer._pytest_places import OwnPlaces

NAMES = ("limit_memory", "limit_leaks")


class Stack(NamedTuple):
    """What a filter_fn is given: who leaked, the innermost frame first."""

    frames: tuple[StackFrame, ...]


class MemoryLimits:
    """Looks at what happens inside a test's own function, without its fixtures."""

    def __init__(self, root: Path) -> None:
        self._places = OwnPlaces(root)

    # The innermost wrapper, so that others' memory is not the test's.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        marks = [mark for mark in map(item.get_closest_marker, NAMES) if mark is not None]
        if not marks:
            return (yield)
        limits = [_read(mark) for mark in marks]
        for _ in range(max(limit.warmups for limit in limits)):
            item.runtest()
        if not begin_window(all(limit.current_thread_only for limit in limits)):
            return (yield)
        try:
            result = yield
            if any(mark.name == "limit_leaks" for mark in marks):
                gc.collect()
        finally:
            figures = end_window()
        if figures is not None:
            self._check(limits, figures)
        return result

    def _check(self, limits: "list[Limit]", figures: WindowFigures) -> None:
        broken = [text for limit in limits if (text := limit.complaint(figures, self._places))]
        if broken:
            pytest.fail("\n".join(broken), pytrace=False)


class Limit(ABC):
    def __init__(self, size: object, *, current_thread_only: bool = False) -> None:
        self.bytes = parse_size(size)
        self.shown = f'"{size}"' if isinstance(size, str) else str(size)
        self.current_thread_only = current_thread_only
        self.warmups = 0

    @abstractmethod
    def complaint(self, figures: WindowFigures, places: OwnPlaces) -> str | None:
        """Which lines broke it; None: it holds."""


class PeakLimit(Limit):
    def complaint(self, figures: WindowFigures, places: OwnPlaces) -> str | None:
        if figures.peak <= self.bytes:
            return None
        return places.peak_text(figures, f"limit_memory({self.shown})")


class LeakLimit(Limit):
    def __init__(self, size: object, *, warmups: int = 0, filter_fn: Any = None, **more: Any):
        super().__init__(size, **more)
        if not isinstance(warmups, int) or warmups < 0:
            raise ValueError(f"warmups={warmups!r} is not a number of times")
        self.warmups = warmups
        self._filter = filter_fn

    def complaint(self, figures: WindowFigures, places: OwnPlaces) -> str | None:
        leaks = [
            place
            for place in figures.places
            if place.live > self.bytes
            and (self._filter is None or self._filter(Stack(place.frames)))
        ]
        return places.leak_text(leaks, f"limit_leaks({self.shown})") if leaks else None


def _read(mark: pytest.Mark) -> Limit:
    if not mark.args and "size" not in mark.kwargs:
        return pytest.fail(
            f'@pytest.mark.{mark.name} needs a size: @pytest.mark.{mark.name}("24 MB").',
            pytrace=False,
        )
    kind = PeakLimit if mark.name == "limit_memory" else LeakLimit
    try:
        return kind(*mark.args, **mark.kwargs)
    except (TypeError, ValueError) as error:
        words = re.sub(r"^\w+\.__init__\(\) ", "", str(error))
    # Outside of the handler, or the report had both exceptions.
    return pytest.fail(f"@pytest.mark.{mark.name}: {words}.", pytrace=False)
