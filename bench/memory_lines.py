#!/usr/bin/env python3
"""Measures what the memory of each line costs: `pyrometer run --memory --lines` and
`python -m pyrometer.memory_profiler` beside memory_profiler.

bench/programs/memory_lines.py runs with every Python, plain and under each of them in turn; the
least thread CPU time of a line counts. Prints a table; --write-docs puts it into
docs/benchmarks.md, --check fails where a promise is missed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.environments import InstallError, make_environment
from harness.interpreters import version_of
from harness.machine import ROOT, describe_machine
from harness.promises import Benchmark, run, say

PROGRAM = ROOT / "bench" / "programs" / "memory_lines.py"
EXECUTABLE = ROOT / "build" / "release" / "bin" / "pyrometer"
DEFAULT_PYTHONS = "3.11,3.14"
PACKAGES = ["memory_profiler==0.61.0", "setuptools<81"]  # which has distutils
PROMISE = 150.0  # ns that a line may take more, measured by us
PROCESSES = 3  # of each setting, in turn
TURNS = {"memory_profiler": "200"}  # of the loop; it would take hours
SETTINGS: dict[str, list[str]] = {
    "plain": ["{python}", "{program}"],
    "run --memory --lines": [
        str(EXECUTABLE), "run", "-q", "--memory", "--lines", "-o", "{folder}/run",
        "--python", "{python}", "{program}",
    ],
    "pyrometer.memory_profiler": [
        "{python}", "-m", "pyrometer.memory_profiler", "-o", "{folder}/table", "{program}",
    ],
    "memory_profiler": [
        "{python}", "-m", "memory_profiler", "-o", "{folder}/table", "{program}",
    ],
}  # fmt: skip
OURS = ("run --memory --lines", "pyrometer.memory_profiler")


@dataclass
class Row:
    python: str
    program: str
    times: dict[str, float]  # of a line, in nanoseconds, by setting

    def added(self, setting: str) -> float:
        return self.times[setting] - self.times["plain"]

    def is_kept(self) -> bool:
        return all(self.added(setting) < PROMISE for setting in OURS)


def measure_once(setting: str, python: Path, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        places = {"python": str(python), "program": str(PROGRAM), "folder": folder}
        command = [word.format(**places) for word in SETTINGS[setting]]
        arguments = [TURNS.get(setting, "20000"), str(rounds if setting not in TURNS else 1)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        done = subprocess.run(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=folder,
            env=environment,
        )
    times: dict[str, float] = json.loads(done.stdout.splitlines()[0])
    return times


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    settings = list(SETTINGS)
    try:
        python = make_environment("memory_profiler", python, PACKAGES, say) / "bin" / "python"
    except InstallError as error:
        say(f"Python {version} without memory_profiler: {error}")
        settings.remove("memory_profiler")
    least: dict[str, dict[str, float]] = {}
    for _ in range(PROCESSES):
        for setting in settings:
            for program, time in measure_once(setting, python, rounds).items():
                times = least.setdefault(program, {})
                times[setting] = min(time, times.get(setting, time))
    full = version_of(python, parts=3)
    return [Row(full, program, times) for program, times in least.items()]


def make_table(rows: Sequence[Row]) -> str:
    names = list(SETTINGS)[1:]
    lines = [
        f"{describe_machine()}.",
        "",
        f"| lines of | Python | plain | {' adds | '.join(names)} adds | promised |",
        f"|---|---|{'---:|' * (len(names) + 2)}",
    ]
    for row in rows:
        cells = [row.program, row.python, f"{row.times['plain']:.0f} ns"]
        cells += [f"{row.added(name):,.0f} ns" if name in row.times else "" for name in names]
        cells.append(f"below {PROMISE:.0f} ns: {'met' if row.is_kept() else 'missed'}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


BENCHMARK = Benchmark(
    description=__doc__ or "",
    pythons=DEFAULT_PYTHONS,
    section="memory-lines",
    measure=measure,
    make_table=make_table,
)

if __name__ == "__main__":
    sys.exit(run(BENCHMARK))
