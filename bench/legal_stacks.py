#!/usr/bin/env python3
"""Looks for impossible stacks among ten million samples of every Python version.

Runs tests/programs/legal_stacks.py at a high rate, again and again until there are enough
samples, and checks every call path with the checker of the tests, on all cores. Takes about a
minute and core per million samples; --samples takes less. The interpreters come from
PYROMETER_TEST_PYTHONS, or from --python.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from harness.document import write_section  # noqa: E402
from harness.interpreters import version_of  # noqa: E402
from interpreters import find_pythons  # noqa: E402
from running import PROGRAMS, Recorder  # noqa: E402
from stack_checker import StackChecker  # noqa: E402

PROGRAM = PROGRAMS / "legal_stacks.py"
SAMPLES = 10_000_000
RATE = 20_000
SECONDS_PER_RUN = 15  # of CPU in each of four threads: some 1.2 million samples
THREADS = 4


@dataclass
class Outcome:
    python: str
    samples: int = 0
    rejected: int = 0
    lost: int = 0
    runs: int = 0
    seconds: float = 0
    illegal: dict[str, int] = field(default_factory=dict)


def search(executable: Path, python: Path, wanted: int) -> Outcome:
    """Records until there are as many samples as wanted."""
    outcome = Outcome(version_of(python, parts=3))
    checker = StackChecker(PROGRAM)
    began = time.monotonic()
    while outcome.samples < wanted:
        left = (wanted - outcome.samples) / RATE / THREADS
        seconds = max(1.0, min(SECONDS_PER_RUN, left * 1.05))
        with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as folder:
            recorder = Recorder(executable, python, Path(folder))
            recorded = recorder.record(
                PROGRAM,
                f"{seconds:g}",
                options=["-q", "--rate", RATE, "--clock", "perf"],
                timeout=3600,
            )
            if recorded.result.returncode != 0:
                raise SystemExit(f"{python}: the program failed{recorded.complaint}")
            verdict = checker.check(recorded.profile())
            taken = recorded.sum_of("sampler.samples")
            if taken == 0:
                raise SystemExit(f"{python}: nothing was sampled{recorded.complaint}")
            outcome.samples += taken
            outcome.rejected += recorded.sum_of("sampler.rejected")
            outcome.lost += recorded.sum_of("sampler.lost")
        outcome.runs += 1
        for fault, value in verdict.illegal.items():
            if fault not in outcome.illegal:
                print(f"{outcome.python}: {fault}", file=sys.stderr)
            outcome.illegal[fault] = outcome.illegal.get(fault, 0) + value
        print(
            f"{outcome.python}: {outcome.samples:,} of {wanted:,} samples, "
            f"{len(outcome.illegal)} impossible stacks",
            file=sys.stderr,
        )
    outcome.seconds = time.monotonic() - began
    return outcome


def make_table(outcomes: list[Outcome]) -> str:
    rows = [
        "| Python | samples | rejected | lost | impossible stacks | time |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    rows += [
        f"| {each.python} | {each.samples:,} | {each.rejected:,} | {each.lost:,} "
        f"| {len(each.illegal):,} | {each.seconds / 60:.0f} min |"
        for each in outcomes
    ]
    return "\n".join(rows)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    default = ROOT / "build" / "release" / "bin" / "pyrometer"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="per version")
    parser.add_argument("--python", type=Path, action="append", help="may be repeated")
    parser.add_argument("--executable", type=Path, default=default)
    parser.add_argument("--write-docs", action="store_true", help="into docs/benchmarks.md")
    parser.add_argument("--json", action="store_true", help="instead of a table")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        searches = [
            pool.submit(search, options.executable, python, options.samples)
            for python in options.python or find_pythons().values()
        ]
        outcomes = [each.result() for each in searches]
    if options.write_docs:
        write_section("legal-stacks", make_table(outcomes))
    if options.json:
        print(json.dumps([vars(each) for each in outcomes], indent=1))
    else:
        print(make_table(outcomes))
    return 1 if any(outcome.illegal for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
