"""Memory of every line from exact counters of what each thread allocates and frees.

They are there where the library before malloc is: in programs that our commands start.
"""

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from pyrometer._measured_functions import Measured, label_of, own_code
from pyrometer._memory_lines import LineRow, Reading
from pyrometer._native import loaded_agent
from pyrometer._process_memory import own_resident
from pyrometer._warning import warn

if TYPE_CHECKING:
    from pyrometer._agent import LineTimes


def find_counters() -> Any:
    """The agent, if it knows of every byte; else None."""
    agent = loaded_agent()
    return agent if agent is not None and agent.own_memory() is not None else None


def counted_reader(counters: Any) -> Callable[[], Reading]:
    beside = _beside_heap(counters)

    def read() -> Reading:
        heap, own = counters.own_memory()
        return beside + heap, own

    return read


def _beside_heap(counters: Any) -> int:
    """What is resident now beside what malloc gave: libraries, and the interpreter itself."""
    return own_resident() - int(counters.own_memory()[0])


class CountedLines:
    """In the place of LineMemory, at some nanoseconds a line: code that measures itself."""

    def __init__(self, counters: Any) -> None:
        counters.measure_memory()
        self._counters = counters
        self._times: LineTimes = counters.LineTimes(with_inner=True)
        self._measured = Measured(self._times)
        self._beside: int | None = None  # not started yet

    def add(self, function: FunctionType) -> CodeType:
        self._measured.add(function)
        self._warn()
        return own_code(function)

    def start(self) -> None:
        if self._beside is None:
            self._beside = _beside_heap(self._counters)
        self._measured.start()
        self._warn()

    def stop(self) -> None:
        self._measured.stop()

    def rows(self, code: CodeType) -> dict[int, LineRow]:
        """Levels are those of the process, as it was when we started and by what it got since."""
        found: dict[int, LineRow] = {}
        beside = self._beside or 0
        tables = [each for each in self._times.memory() if label_of(each[0]) == label_of(code)]
        for _, first_line, calls, level_of_first, level, rows in tables:
            if calls:
                # The first row shows what was there before, so that all rows add up.
                is_table = first_line == code.co_firstlineno
                before = beside + level_of_first if is_table else 0
                _add(found, first_line, LineRow(beside + level, before, calls))
            for line, hits, level_after, increment in rows:
                # None yet of a line that has not ended.
                after = max(level_after, level_of_first)
                _add(found, line, LineRow(beside + after, increment, hits))
        return found

    def _warn(self) -> None:
        while self._measured.refusals:
            warn(self._measured.refusals.pop(0))


def _add(rows: dict[int, LineRow], line: int, more: LineRow) -> None:
    known = rows.get(line, LineRow(0, 0, 0))
    rows[line] = LineRow(
        max(known.memory, more.memory),
        known.increment + more.increment,
        known.occurrences + more.occurrences,
    )
