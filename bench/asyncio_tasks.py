#!/usr/bin/env python3
"""Measures what recording costs a program with very many tasks of asyncio.

bench/programs/asyncio_tasks.py runs with every Python, alone and under `pyrometer run`; the least
CPU time of all rounds counts, that of the recorder's threads included. Prints a table; --write-docs
puts it into docs/benchmarks.md, --check fails where a promise is missed.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.interpreters import version_of
from harness.machine import ROOT, describe_machine
from harness.promises import Benchmark, run

PROGRAM = ROOT / "bench" / "programs" / "asyncio_tasks.py"
PYROMETER = ROOT / "build" / "release" / "bin" / "pyrometer"
DEFAULT_PYTHONS = "3.11,3.12,3.13,3.14,3.15"

# The most that recording may add, in per cent; the machine's noise is about as much.
MOST_ADDED = 5.0


@dataclass
class Row:
    python: str
    program: str
    alone: float
    recorded: float

    def added(self) -> float:
        return 100 * (self.recorded / self.alone - 1)

    def is_kept(self) -> bool:
        return self.added() <= MOST_ADDED


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    del version
    with tempfile.TemporaryDirectory() as folder:
        recorder = [PYROMETER, "run", "--quiet", "-o", f"{folder}/run", "--python", python]
        alone, recorded = (
            json.loads(
                subprocess.run(
                    [*command, PROGRAM, str(rounds)], stdout=subprocess.PIPE, check=True
                ).stdout
            )
            for command in ([python], recorder)
        )
    full = version_of(python, parts=3)
    return [Row(full, name, alone[name], recorded[name]) for name in alone]


def make_table(rows: Sequence[Row]) -> str:
    lines = [
        f"{describe_machine()}. At most {MOST_ADDED:g} % is promised.",
        "",
        "| 10,000 tasks that | Python | alone | recorded | adds | promise |",
        "|---|---|---:|---:|---:|---|",
    ]
    lines += [
        f"| {row.program} | {row.python} | {row.alone:.2f} s | {row.recorded:.2f} s "
        f"| {row.added():.1f} % | {'kept' if row.is_kept() else 'missed'} |"
        for row in rows
    ]
    return "\n".join(lines)


BENCHMARK = Benchmark(
    description=__doc__ or "",
    pythons=DEFAULT_PYTHONS,
    section="asyncio-tasks",
    measure=measure,
    make_table=make_table,
)

if __name__ == "__main__":
    sys.exit(run(BENCHMARK))
