#!/usr/bin/env python3
"""Measures what named timers cost: a region entered and left, with and without a recording.

bench/programs/regions.py runs with every Python, alone and under `pyrometer run`; the least thread
CPU time of all rounds counts. Prints a table; --write-docs puts it into docs/benchmarks.md, --check
fails where a promise is missed.
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

PROGRAM = ROOT / "bench" / "programs" / "regions.py"
PYROMETER = ROOT / "build" / "release" / "bin" / "pyrometer"
DEFAULT_PYTHONS = "3.11,3.12,3.13,3.14,3.15"

# The most that entering and leaving a region may take, in nanoseconds.
MOST_ALONE = 100.0
MOST_RECORDED = 200.0


@dataclass
class Row:
    python: str
    program: str
    alone: float
    recorded: float

    def is_kept(self) -> bool:
        return self.alone <= MOST_ALONE and self.recorded <= MOST_RECORDED


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    del version
    program = [PROGRAM, ROOT / "python", str(rounds)]
    with tempfile.TemporaryDirectory() as folder:
        recorder = [PYROMETER, "run", "--quiet", "-o", f"{folder}/run", "--python", python]
        alone, recorded = (
            json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            for command in ([python, *program], [*recorder, *program])
        )
    full = version_of(python, parts=3)
    return [Row(full, name, alone[name], recorded[name]) for name in alone]


def make_table(rows: Sequence[Row]) -> str:
    lines = [
        f"{describe_machine()}. At most {MOST_ALONE:g} ns and {MOST_RECORDED:g} ns are promised.",
        "",
        "| program | Python | adds, each | recorded | promises |",
        "|---|---|---:|---:|---|",
    ]
    lines += [
        f"| `{row.program}` | {row.python} | {row.alone:.0f} ns | {row.recorded:.0f} ns "
        f"| {'kept' if row.is_kept() else 'missed'} |"
        for row in rows
    ]
    return "\n".join(lines)


BENCHMARK = Benchmark(
    description=__doc__ or "",
    pythons=DEFAULT_PYTHONS,
    section="regions",
    measure=measure,
    make_table=make_table,
)

if __name__ == "__main__":
    sys.exit(run(BENCHMARK))
