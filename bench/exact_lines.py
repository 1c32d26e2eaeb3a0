#!/usr/bin/env python3
"""Measures what exact lines cost: pyrometer.LineProfiler beside line_profiler.

bench/programs/exact_lines.py runs with every Python; within one process all settings take turns
and the least thread CPU time of each counts. Prints a table; --write-docs puts it into
docs/benchmarks.md, --check fails where a promise is missed.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.environments import InstallError, make_environment
from harness.interpreters import version_of
from harness.machine import ROOT, describe_machine
from harness.promises import Benchmark, run, say

PROGRAM = ROOT / "bench" / "programs" / "exact_lines.py"
DEFAULT_PYTHONS = "3.11,3.12,3.13,3.14,3.15"

# How many times less than line_profiler's our overhead must be.
RATIOS = {
    "inner loop, 5 lines": {"3.11": 13.0, "later": 20.0},
    "call of one line": {"3.11": 35.0, "later": 100.0},
}
# The most that a program may take, in times of its plain run.
SLOWDOWNS = {"inner loop, 5 lines": 2.0, "lines of a plain callee": 1.02}


@dataclass
class Row:
    python: str
    program: str
    peer: str  # its version; empty: there is none for this Python
    units: int
    times: dict[str, int]

    def slowdown(self, setting: str) -> float:
        return self.times[setting] / self.times["plain"]

    def overhead(self, setting: str) -> float:
        """Nanoseconds per line or call."""
        return (self.times[setting] - self.times["plain"]) / self.units

    def ratio(self) -> float | None:
        if not self.peer:
            return None
        return self.overhead("line_profiler") / max(0.01, self.overhead("pyrometer"))

    def promised_ratio(self) -> float | None:
        promised = RATIOS.get(self.program)
        if promised is None or not self.peer:
            return None
        return promised["3.11" if self.python.startswith("3.11.") else "later"]

    def keeps_ratio(self) -> bool:
        ratio, promise = self.ratio(), self.promised_ratio()
        return ratio is None or promise is None or ratio >= promise

    def keeps_slowdown(self) -> bool:
        return self.slowdown("pyrometer") <= SLOWDOWNS.get(self.program, float("inf"))

    def is_kept(self) -> bool:
        return self.keeps_ratio() and self.keeps_slowdown()


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    try:
        folder = make_environment("line_profiler", python, ["line_profiler>=4.2"], say)
        python = folder / "bin" / "python"
    except InstallError as error:
        say(f"Python {version} without line_profiler: {error}")
    command: list[str | Path] = [python, PROGRAM, ROOT / "python", str(rounds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    full = version_of(python, parts=3)
    answer = json.loads(done.stdout)
    return [
        Row(full, program, answer["line_profiler"], figures["units"], figures["times"])
        for program, figures in answer["programs"].items()
    ]


def verdict(promise: float | None, is_kept: bool, sign: str) -> str:
    return "" if promise is None else f"{sign} {promise:g}: {'met' if is_kept else 'missed'}"


def make_table(rows: Sequence[Row]) -> str:
    lines = [
        f"{describe_machine()}.",
        "",
        "| program | Python | line_profiler | adds, each | pyrometer | adds, each | promised "
        "| overhead, line_profiler / ours | promised |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [row.program, row.python]
        if row.peer:
            cells += [
                f"{row.peer}: {row.slowdown('line_profiler'):.1f} x",
                f"{row.overhead('line_profiler'):,.0f} ns",
            ]
        else:
            cells += ["none", ""]
        cells += [f"{row.slowdown('pyrometer'):.2f} x", f"{row.overhead('pyrometer'):.1f} ns"]
        cells.append(verdict(SLOWDOWNS.get(row.program), row.keeps_slowdown(), "at most"))
        ratio = row.ratio()
        cells.append("" if ratio is None else f"{ratio:,.0f}" if ratio < 10_000 else "> 10,000")
        cells.append(verdict(row.promised_ratio(), row.keeps_ratio(), "at least"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


BENCHMARK = Benchmark(
    description=__doc__ or "",
    pythons=DEFAULT_PYTHONS,
    section="exact-lines",
    measure=measure,
    make_table=make_table,
)

if __name__ == "__main__":
    sys.exit(run(BENCHMARK))
