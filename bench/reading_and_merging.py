#!/usr/bin/env python3
"""Measures reading a large recording and merging many, and how both grow with the size.

Makes synthetic data in a temporary folder and runs the release build on it. Prints a table;
--write-docs puts it into docs/benchmarks.md.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.document import write_section
from harness.machine import ROOT, describe_machine
from harness.measure import CommandError, Cost, run

PROGRAMS = ROOT / "build" / "release" / "bin"

MEGABYTE = 1e6
NODES = 100_000
SAMPLES = 10_000_000
RANKS = 10_000
REPEATS = 3
# A rank as real ones are: few places have most of the samples, and 40 % of all values are not zero.
RANK_SHAPE = {
    "nodes": 5000,
    "metrics": 6,
    "zipf-samples": 60_000,
    "samples": 1000,
    "compressed": "true",
}
# One core per process, whatever their number.
TOGETHER = ["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "core"]


@dataclass
class Case:
    """One command on one input: `amount` of `unit` tells what a growing cost is divided by."""

    what: str
    command: list[str]
    amount: int
    unit: str
    most_seconds: float | None = None
    most_bytes: float | None = None
    output: Path | None = None
    most_output: float | None = None
    costs: list[Cost] = field(default_factory=list)
    output_size: int = 0

    @property
    def best(self) -> Cost:
        """The least disturbed run; memory is the most that any run took."""
        return Cost(
            min(cost.wall for cost in self.costs),
            min(cost.cpu for cost in self.costs),
            max(cost.peak for cost in self.costs),
        )

    def exceeds_target(self, factor: float = 1) -> bool:
        too_slow = self.most_seconds and self.best.wall > factor * self.most_seconds
        too_large = self.most_bytes and self.best.peak > factor * self.most_bytes
        too_long = self.most_output and self.output_size > factor * self.most_output
        return bool(too_slow or too_large or too_long)


def make_run(directory: Path, **shape: object) -> Path:
    options = [f"--{name}={value}" for name, value in shape.items()]
    subprocess.run([PROGRAMS / "make_recordings", directory, *options], check=True)
    return directory


def recording_in(directory: Path) -> Path:
    return next(directory.glob("raw/*/*.pyr"))


# ---- the cases


def reading_cases(folder: Path, scale: int) -> list[Case]:
    """Samples and nodes in hundredths: once without more nodes, as those outgrow the caches."""
    loads, reports = [], []
    for sample_parts, node_parts in ((1, 1), (10, 10), (100, 10), (100, 100)):
        samples, nodes = SAMPLES // scale * sample_parts // 100, NODES // scale * node_parts // 100
        directory = make_run(folder / f"{samples}-{nodes}", samples=samples, nodes=nodes)
        what = f"{samples:,} samples, {nodes:,} nodes"
        load = [str(PROGRAMS / "load_benchmark"), str(recording_in(directory))]
        loads.append(Case(f"load {what}", load, samples, "sample"))
        report = [str(PROGRAMS / "pyrometer"), "report", "--processes", str(directory)]
        reports.append(Case(f"report on {what}", report, samples, "sample"))
    if scale == 1:
        for case in (loads[-1], reports[-1]):
            case.most_seconds, case.most_bytes = 2, 500 * MEGABYTE
    return [*loads, *reports]


def merging_cases(folder: Path, scale: int) -> list[Case]:
    """Runs of 1 to 10,000 ranks, and what is asked of the files they were merged into."""
    merges, answers = [], []
    program = str(PROGRAMS / "pyrometer")
    for ranks in [10**power for power in range(5) if 10**power <= RANKS // scale]:
        directory = make_run(folder / f"ranks-{ranks}", ranks=ranks, **RANK_SHAPE)
        merged = folder / f"ranks-{ranks}.pyro"
        what = f"{ranks:,} {'file' if ranks == 1 else 'files'}"
        merge = [program, "merge", str(directory), "-o", str(merged)]
        merges.append(Case(f"merge {what}", merge, ranks, "file", output=merged))
        for question in ("report", "ranks"):
            ask = [program, question, str(merged)]
            answers.append(Case(f"{question} on {what} merged", ask, ranks, "file"))
    if scale == 1:
        merges[-1].most_seconds, merges[-1].most_bytes = 30, 300 * MEGABYTE
        merges[-1].most_output = 200 * MEGABYTE
        for answer in answers[-2:]:
            answer.most_seconds = 0.5
    together = [
        Case(
            f"merge {merges[-1].amount:,} files, mpirun -n {processes}",
            [*TOGETHER, "-n", str(processes), *merges[-1].command],
            merges[-1].amount,
            "file",
        )
        for processes in (1, 2)
        if shutil.which(TOGETHER[0])
    ]
    return [*merges, *together, *answers]


def measure(cases: list[Case], repeats: int) -> None:
    """Repeats in turn, so that a disturbance does not hit all runs of one case."""
    for _ in range(repeats):
        for case in cases:
            try:
                cost, _ = run(case.command)
            except CommandError as error:
                raise SystemExit(f"{' '.join(case.command)} failed: {error}") from None
            case.costs.append(cost)
            case.output_size = case.output.stat().st_size if case.output else 0


# ---- the results


def format_target(case: Case) -> str:
    limits = []
    if case.most_seconds:
        limits.append(f"{case.most_seconds:g} s")
    if case.most_bytes:
        limits.append(f"{case.most_bytes / MEGABYTE:.0f} MB")
    if case.most_output:
        limits.append(f"file of {case.most_output / MEGABYTE:.0f} MB")
    if not limits:
        return ""
    return f"{', '.join(limits)}: {'missed' if case.exceeds_target() else 'met'}"


def format_each(case: Case) -> str:
    each = case.best.wall / case.amount
    return (
        f"{each * 1e9:,.0f} ns/{case.unit}" if each < 1e-6 else f"{each * 1e3:.2f} ms/{case.unit}"
    )


def make_table(cases: list[Case]) -> str:
    rows = [
        "| what | wall | CPU | peak memory | output | wall per unit | target |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for case in cases:
        best = case.best
        output = f"{case.output_size / MEGABYTE:.1f} MB" if case.output_size else ""
        rows.append(
            f"| {case.what} | {best.wall:.3f} s | {best.cpu:.3f} s | {best.peak / MEGABYTE:.0f} MB "
            f"| {output} | {format_each(case)} | {format_target(case)} |"
        )
    return "\n".join(rows)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data, once")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument(
        "--check", type=float, metavar="FACTOR", help="fail when a target is missed by more"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    scale = 10 if options.quick else 1
    machine = describe_machine()
    folder = Path(tempfile.mkdtemp(prefix="pyrometer-bench-"))
    cases: list[Case] = []
    try:
        groups: list[Callable[[Path, int], list[Case]]] = [reading_cases, merging_cases]
        for make_cases in groups:
            group = make_cases(folder, scale)
            measure(group, 1 if options.quick else REPEATS)
            cases += group
    finally:
        shutil.rmtree(folder)
    repeats = "One run each" if options.quick else f"The best of {REPEATS} runs, in turn"
    text = f"{machine}. {repeats}.\n\n{make_table(cases)}"
    print(text)
    if options.write_docs:
        write_section("reading-and-merging", text)
    missed = [case.what for case in cases if case.exceeds_target(options.check or 1)]
    if options.check and missed:
        print(f"More than {options.check:g} times the target: {', '.join(missed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
