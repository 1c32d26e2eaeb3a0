#!/usr/bin/env python3
"""Measures what counting every call costs: pyrometer.cprofile beside cProfile.

bench/programs/exact_calls.py runs with every Python; within one process all settings take turns
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

PROGRAM = ROOT / "bench" / "programs" / "exact_calls.py"
DEFAULT_PYTHONS = "3.11,3.13,3.14,3.15"

# The least that cProfile's overhead must be, in times of ours.
PROMISES = {
    "recursion": {"3.11": 1.4, "later": 2.0},
    "builtin_loop": {"3.11": 1.7, "later": 2.0},
    "small_arrays": {"3.11": 2.2, "later": 2.5},
}
PYTHON_ONLY = {"3.11": 4.0, "later": 3.0}  # on the recursion


@dataclass
class Row:
    python: str
    program: str
    times: dict[str, int]

    def slowdown(self, setting: str) -> float:
        return self.times[setting] / self.times["plain"]

    def ratio(self, suffix: str = "") -> float:
        plain = self.times["plain"]
        ours = max(1, self.times[f"pyrometer{suffix}"] - plain)
        return (self.times["cProfile"] - plain) / ours

    def promise(self, suffix: str = "") -> float | None:
        promised = PROMISES.get(self.program)
        if suffix:
            promised = PYTHON_ONLY if self.program == "recursion" else None
        if promised is None:
            return None
        return promised["3.11" if self.python.startswith("3.11.") else "later"]

    def keeps(self, suffix: str) -> bool:
        promise = self.promise(suffix)
        return promise is None or self.ratio(suffix) >= promise

    def is_kept(self) -> bool:
        return self.keeps("") and self.keeps(", Python only")


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    try:
        folder = make_environment("plain", python, ["numpy"], say)
        python = folder / "bin" / "python"
    except InstallError as error:
        say(f"Python {version} without numpy: {error}")
    command: list[str | Path] = [python, PROGRAM, ROOT / "python", str(rounds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    full = version_of(python, parts=3)
    return [Row(full, program, times) for program, times in json.loads(done.stdout).items()]


def make_table(rows: Sequence[Row]) -> str:
    lines = [
        f"{describe_machine()}.",
        "",
        "| program | Python | cProfile | pyrometer | overhead, cProfile / ours | promised "
        "| Python functions only | promised |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    only = ", Python only"
    for row in rows:
        cells = [row.program, row.python]
        cells += [f"{row.slowdown(name):.2f} x" for name in ("cProfile", "pyrometer")]
        for suffix in ("", only):
            promise = row.promise(suffix)
            verdict = "met" if row.keeps(suffix) else "missed"
            shown = f"{row.ratio(suffix):.2f}" if row.ratio(suffix) < 100 else "> 100"
            cells += [shown, "" if promise is None else f"{promise:g}: {verdict}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


BENCHMARK = Benchmark(
    description=__doc__ or "",
    pythons=DEFAULT_PYTHONS,
    section="exact",
    measure=measure,
    make_table=make_table,
)

if __name__ == "__main__":
    sys.exit(run(BENCHMARK))
