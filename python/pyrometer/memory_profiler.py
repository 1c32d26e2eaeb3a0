"""memory_profiler with another word: the same table, options and functions.

    python -m pyrometer.memory_profiler [--precision N] [-o FILE] … SCRIPT | MODULE ARGUMENTS…

    from pyrometer.memory_profiler import profile, memory_usage, LogFile

In a program that the command runs, lines are measured by exact counters of what their thread
allocates and frees. Elsewhere the resident set is read at events of the interpreter that only
decorated functions cause (from 3.12 on). Each call is measured by itself: recursion, threads,
generators and coroutines do not spoil each other's figures. psutil is not needed.
"""

import builtins
import sys
import warnings
from collections.abc import Callable
from functools import partial
from types import CodeType, FunctionType
from typing import Any, Self

from pyrometer._context_wrappers import can_be_wrapped, wrap
from pyrometer._counted_lines import CountedLines, counted_reader, find_counters
from pyrometer._line_targets import find_functions
from pyrometer._memory_limit import MemoryLimit
from pyrometer._memory_lines import LineMemory, Lines, Reading
from pyrometer._memory_log import LogFile
from pyrometer._memory_table import CodeMap, show_results
from pyrometer._memory_usage import memory_usage
from pyrometer._process_memory import own_reader
from pyrometer._time_stamper import TimeStamper

__all__ = ["LineProfiler", "LogFile", "TimeStamper", "memory_usage", "profile", "show_results"]


class LineProfiler:
    """Measures the lines of the functions it decorates; they stay the functions they are.

    Those of add_function() are measured between enable() and disable(), or inside `with`.
    """

    measures_memory = True

    def __init__(
        self,
        include_children: bool = False,
        backend: str | None = None,
        max_mem: float | None = None,
    ) -> None:
        read = own_reader(backend, include_children)
        counters = None if backend or include_children else find_counters()
        self._lines: Lines = CountedLines(counters) if counters else LineMemory(_twice(read))
        self._limit = None if max_mem is None else MemoryLimit(max_mem, read)
        self._is_enabled = False
        self._has_decorated = False
        self.code_map = CodeMap(self._lines)
        self.enable_count = 0

    def __call__(self, func: Any = None, precision: int = 1) -> Any:  # noqa: ARG002
        if func is None:
            return self
        self.add_function(func)
        self._has_decorated = True
        self.enable()
        return func

    def add_function(self, func: Any) -> None:
        for function in functions_of(func):
            code = self._lines.add(function)
            self.code_map.add(code)
            if self._limit:
                self._limit.add(code)

    def runctx(
        self,
        cmd: str | CodeType,
        globals: dict[str, Any],  # noqa: A002  as memory_profiler calls them
        locals: Any,  # noqa: A002
    ) -> Self:
        with self:
            exec(cmd, globals, locals)
        return self

    def enable(self) -> None:
        if not self._is_enabled and not self._limit:
            self._is_enabled = True
            self._lines.start()

    def disable(self) -> None:
        if self._is_enabled:
            self._is_enabled = False
            self._lines.stop()

    def enable_by_count(self) -> None:
        self.enable()
        self.enable_count += 1

    def disable_by_count(self) -> None:
        self.enable_count = max(self.enable_count - 1, 0)
        if self.enable_count == 0 and not self._has_decorated:
            self.disable()

    def __enter__(self) -> Self:
        self.enable_by_count()
        return self

    def __exit__(self, *exception: object) -> None:
        self.disable_by_count()


class MeasuredCall:
    """One call of a function, whose table is printed when it ends."""

    def __init__(
        self, functions: list[FunctionType], stream: Any, precision: int, backend: str | None
    ) -> None:
        self._lines = LineMemory(_line_reader(backend), below=sys._getframe(1))  # noqa: SLF001
        self._stream = stream
        self._precision = precision
        self.code_map = CodeMap(self._lines)
        for function in functions:
            self.code_map.add(self._lines.add(function))

    def __enter__(self) -> None:
        self._lines.start()

    def __exit__(self, *exception: object) -> None:
        self._lines.stop()
        show_results(self, self._stream, self._precision)


def profile(
    func: Any = None, stream: Any = None, precision: int = 1, backend: str | None = None
) -> Any:
    """A decorator: after each call, the memory of each of its lines is printed."""
    if func is None:
        return partial(profile, stream=stream, precision=precision, backend=backend)
    active = getattr(builtins, "profile", None)
    if isinstance(active, TimeStamper):  # mprof runs the program
        return active(func)
    functions = functions_of(func)
    if not functions:
        return func
    own_reader(backend)  # a wrong name is an error here, not at the first call
    return wrap(func, partial(MeasuredCall, functions, stream, precision, backend))


def functions_of(func: Any) -> list[FunctionType]:
    """Those that run when it is called; none, with a warning, of what has no Python code."""
    functions = []
    if can_be_wrapped(func):
        functions = find_functions(func)
    if not functions:
        warnings.warn(f"{func!r} has no lines of Python to measure", stacklevel=3)
    return functions


def _line_reader(backend: str | None) -> Callable[[], Reading]:
    counters = None if backend else find_counters()
    return counted_reader(counters) if counters else _twice(own_reader(backend))


def _twice(read: Callable[[], int]) -> Callable[[], Reading]:
    """Of readers that know the process only."""

    def read_twice() -> Reading:
        value = read()
        return value, value

    return read_twice


if __name__ == "__main__":
    from pyrometer._memory_program import main

    sys.exit(main())
