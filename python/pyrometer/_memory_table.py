"""memory_profiler's table of the lines of functions, to the byte."""

import inspect
import linecache
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias

from pyrometer._memory_lines import Lines
from pyrometer._printable import encodable
from pyrometer._process_memory import MIB

# Increment, memory, occurrences, in MiB: the order of memory_profiler.
Figures: TypeAlias = tuple[float, float, int]
TEMPLATE = "{0:>6} {1:>12} {2:>12}  {3:>10}   {4:<}"
HEADER = TEMPLATE.format("Line #", "Mem usage", "Increment", "Occurrences", "Line Contents")


class CodeMap:
    """The measured lines of functions that were called."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._codes: list[CodeType] = []

    def add(self, code: CodeType) -> None:
        if not any(known is code for known in self._codes):
            self._codes.append(code)
            _lines_of(code)  # now, as the program may change the directory

    def __iter__(self) -> Iterator[CodeType]:
        return iter(self._codes)

    def __getitem__(self, code: CodeType) -> dict[int, Figures]:
        """The figures of the lines that ran."""
        return {
            line: (row.increment / MIB, row.memory / MIB, row.occurrences)
            for line, row in self._lines.rows(code).items()
        }

    def values(self) -> Iterator[dict[int, Figures]]:
        return (self[code] for code in self._codes)

    def items(self) -> Iterator[tuple[str, Iterable[tuple[int, Figures | None]]]]:
        """The file, and all lines of the function in order: no mapping's items, but those of
        memory_profiler.
        """
        for code, figures in zip(self._codes, self.values(), strict=True):
            if figures:
                yield code.co_filename, [(line, figures.get(line)) for line in _lines_of(code)]


@lru_cache(None)
def _lines_of(code: CodeType) -> range:
    try:
        source, first = inspect.getsourcelines(code)
    except (OSError, TypeError):  # no source: the lines of its instructions
        lines = [line for _, _, line in code.co_lines() if line]
        return range(min(lines), max(lines) + 1)
    return range(first, first + len(source))


def show_results(profiler: Any, stream: Any = None, precision: int = 1) -> None:
    """Row by row, as streams may look at each."""
    out = sys.stdout if stream is None else stream
    for filename, lines in profiler.code_map.items():
        out.write(encodable(f"Filename: {filename}\n\n", out))
        out.write(HEADER + "\n")
        out.write("=" * len(HEADER) + "\n")
        for line, figures in lines:
            source = linecache.getline(filename, line) or "\n"
            cells: tuple[str, str, int | str] = ("", "", "")
            if figures:
                increment, memory, occurrences = figures
                cells = (_in_mib(memory, precision), _in_mib(increment, precision), occurrences)
            out.write(encodable(TEMPLATE.format(line, *cells, source), out))
        out.write("\n\n")


def _in_mib(value: float, precision: int) -> str:
    return f"{value:{precision + 4}.{precision}f} MiB"
