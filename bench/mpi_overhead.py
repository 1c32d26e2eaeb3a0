#!/usr/bin/env python3
"""Measures what timing MPI calls costs: loops of calls, plain and recorded in turn, by CPU time.

Prints a table; --write-docs puts it into docs/benchmarks.md, --check fails where a promise is
missed. Needs Open MPI or MPICH, or both.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.machine import ROOT, describe_machine
from harness.measure import CommandError
from harness.measure import run as run_command
from harness.promises import Benchmark, run, say
from harness.ratios import Ratio, bootstrap_median
from harness.rounds import clean_environment

PYROMETER = ROOT / "build" / "release" / "bin" / "pyrometer"
PRELOAD = ROOT / "build" / "release" / "libexec" / "pyrometer" / "_preload.so"
PROGRAM = ROOT / "bench" / "programs" / "mpi_loops.py"
MOST_PER_CALL = 150.0  # ns
MOST_OF_ALLREDUCE = 1.01
LAUNCHERS = {
    "Open MPI": ["mpirun.openmpi", "--bind-to", "none"],
    "MPICH": ["mpirun.mpich"],
}
FOLDERS = {"Open MPI": "openmpi", "MPICH": "mpich"}  # of mpi4py
OPEN_MPI_AS_ROOT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",  # or a core that is taken away costs a whole time slice
    "OMPI_MCA_btl_base_warn_component_unused": "0",
}


@dataclass(frozen=True)
class Loop:
    name: str
    words: tuple[str, ...]
    ranks: int
    is_promised_per_call: bool = False
    is_promised_as_share: bool = False


LOOPS = [
    Loop("MPI_Iprobe", ("probe",), 1, is_promised_per_call=True),
    Loop("MPI_Iprobe, 20 frames deep", ("deep-probe",), 1, is_promised_per_call=True),
    Loop("MPI_Sendrecv to itself, 8 B", ("self-send",), 1, is_promised_per_call=True),
    Loop("MPI_Allreduce, 8 B", ("allreduce", "8"), 2),
    Loop("MPI_Allreduce, 64 KB", ("allreduce", "65536"), 2),
    Loop("MPI_Allreduce, 1 MB", ("allreduce", "1048576"), 2, is_promised_as_share=True),
]


@dataclass
class Row:
    mpi: str
    python: str
    loop: Loop
    plain: list[float]  # ns per call, by round
    recorded: list[float]

    @property
    def program(self) -> str:
        return f"{self.mpi} {LOOPS.index(self.loop)}"

    @property
    def extra(self) -> Ratio:
        return bootstrap_median([b - a for a, b in zip(self.plain, self.recorded, strict=True)])

    @property
    def share(self) -> Ratio:
        return bootstrap_median([b / a for a, b in zip(self.plain, self.recorded, strict=True)])

    def is_kept(self) -> bool:
        """The whole interval must miss a promise before it counts as broken."""
        if self.loop.is_promised_per_call:
            return (self.extra.low or self.extra.median) <= MOST_PER_CALL
        if self.loop.is_promised_as_share:
            return (self.share.low or self.share.median) <= MOST_OF_ALLREDUCE
        return True

    def cells(self) -> list[str]:
        promise = ""
        if self.loop.is_promised_per_call:
            promise = f"{MOST_PER_CALL:g} ns: "
        elif self.loop.is_promised_as_share:
            promise = f"{MOST_OF_ALLREDUCE:g}: "
        if promise:
            promise += "met" if self.is_kept() else "missed"
        low, high = self.extra.low, self.extra.high
        interval = "" if low is None else f" [{low:.0f}, {high:.0f}]"
        return [
            f"{self.mpi}, Python {self.python}",
            self.loop.name,
            f"{statistics.median(self.plain):,.0f} ns",
            f"{self.extra.median:+.0f} ns{interval}",
            str(self.share),
            promise,
        ]


def mpi4py_folder(version: str, python: Path) -> Path:
    tool = [ROOT / "tools" / "unpack_mpi4py.sh", f"{version}={python}"]
    done = subprocess.run(tool, capture_output=True, text=True, check=True)
    return Path(done.stdout.partition("=")[2].strip())


def time_of_one_call(command: Sequence[str | Path], environment: Mapping[str, str]) -> float:
    _, said = run_command(command, environment=environment)
    found = re.search(r"^each ([\d.]+)$", said, re.MULTILINE)
    if found is None:
        raise CommandError("the program did not say what a call took")
    return float(found[1])


def measure_loop(
    mpi: str, loop: Loop, version: str, python: Path, mpi4py: Path, rounds: int
) -> Row:
    environment = {**clean_environment(), **OPEN_MPI_AS_ROOT, "PYTHONPATH": str(mpi4py)}
    launcher = [*LAUNCHERS[mpi], "-n", str(loop.ranks)]
    row = Row(mpi, version, loop, [], [])
    for number in range(rounds):
        with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as folder:
            recorder = [PYROMETER, "run", "-q", "-o", Path(folder) / "run", "--python", python]
            plain = [*launcher, python, PROGRAM, *loop.words]
            recorded = [*launcher, *recorder, PROGRAM, *loop.words]
            with_preload = {**environment, "LD_PRELOAD": str(PRELOAD)}
            if number % 2 == 0:
                row.plain.append(time_of_one_call(plain, environment))
                row.recorded.append(time_of_one_call(recorded, with_preload))
            else:
                row.recorded.append(time_of_one_call(recorded, with_preload))
                row.plain.append(time_of_one_call(plain, environment))
        times = f"{row.plain[-1]:.0f} ns, recorded {row.recorded[-1]:.0f} ns"
        say(f"{mpi}, {loop.name}, round {number + 1}: {times}")
    return row


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    mpi4py = mpi4py_folder(version, python)
    rows: list[Row] = []
    for mpi, launcher in LAUNCHERS.items():
        if shutil.which(launcher[0]) is None:
            say(f"there is no {launcher[0]}")
            continue
        folder = mpi4py / FOLDERS[mpi]
        rows += [measure_loop(mpi, loop, version, python, folder, rounds) for loop in LOOPS]
    return rows


def make_table(rows: Sequence[Row]) -> str:
    load = f"load average after the run {os.getloadavg()[0]:.1f}"
    lines = [
        f"{describe_machine()}; {load}; {len(rows[0].plain) if rows else 0} rounds.",
        "",
        "| | loop of | plain, CPU of one call | recorded | share | promised |",
        "|---|---|---:|---:|---:|---|",
    ]
    lines += ["| " + " | ".join(row.cells()) + " |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(run(Benchmark(__doc__ or "", "3.11", "mpi", measure, make_table)))
