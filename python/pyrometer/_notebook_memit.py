"""%memit: the peak of memory while a statement runs, as memory_profiler's magic."""

import gc
from dataclasses import dataclass
from typing import Any

from pyrometer._memory_usage import memory_usage
from pyrometer._notebook_options import Options
from pyrometer._notebook_statement import Statement

OPTIONS = Options("memit", "r:t:i:coq")


@dataclass(frozen=True)
class MemitResult:
    """What `%memit -o` returns; memory in MiB."""

    mem_usage: list[float]
    baseline: float
    repeat: int
    timeout: int | None
    interval: float
    include_children: bool

    def __str__(self) -> str:
        peak = max(self.mem_usage)
        return f"peak memory: {peak:.2f} MiB, increment: {peak - self.baseline:.2f} MiB"

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        printer.text(f"<MemitResult : {self}>")


def memit(shell: Any, line: str, cell: str | None) -> MemitResult | None:
    """Measures the peak of memory while a statement runs.

        %memit [-r R] [-t T] [-i I] [-c] [-o] [-q] STATEMENT

        %%memit [options] [SETUP]
        statements…

    In a cell, what stands on the first line runs before, without being measured.

    -r R  run it R times and take the largest peak
    -t T  accepted, as memory_profiler's, and as there without effect on a statement
    -i I  look every I seconds (0.1); what is over sooner is looked at more often
    -c    add the memory of child processes
    -o    return a MemitResult
    -q    show nothing
    """
    __tracebackhide__ = True
    given, text = OPTIONS.parse(line)
    repeat = given.number("r", int, 1)
    timeout = given.number("t", int, 0) or None
    interval = given.number("i", float, 0.1)
    include_children = "c" in given
    measured = Statement(shell, text if cell is None else cell)
    code = measured.code()
    gc.collect()  # so that little else comes and goes meanwhile
    if cell is not None:
        Statement(shell, text).run()
    baseline = memory_usage()[0]
    peaks = [
        memory_usage(
            (exec, (code, *measured.names)),
            timeout=timeout,
            interval=interval,
            max_usage=True,
            include_children=include_children,
        )
        for _ in range(repeat)
    ]
    result = MemitResult(peaks, baseline, repeat, timeout, interval, include_children)
    if "q" not in given:
        print(result)
    return result if "o" in given else None
