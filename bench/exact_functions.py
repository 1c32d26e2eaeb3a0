#!/usr/bin/env python3
"""Measures what counting every call costs: pyrometer.cprofile beside cProfile.

bench/programs/exact_calls.py runs with every Python; within one process all settings take turns
and the least thread CPU time of each counts. Prints a table; --write-docs puts it into
docs/benchmarks.md, --check fails where a promise is missed.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.document import write_section
from harness.environments import InstallError, make_environment
from harness.interpreters import find_pythons, version_of
from harness.machine import ROOT, describe_machine

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

    def is_kept(self, suffix: str = "") -> bool:
        promise = self.promise(suffix)
        return promise is None or self.ratio(suffix) >= promise


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure(version: str, python: Path, rounds: int) -> list[Row]:
    try:
        folder = make_environment("plain", python, ["numpy"], say)
        python = folder / "bin" / "python"
    except InstallError as error:
        say(f"Python {version} without numpy: {error}")
    command = [python, PROGRAM, ROOT / "python", str(rounds)]
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
            verdict = "met" if row.is_kept(suffix) else "missed"
            shown = f"{row.ratio(suffix):.2f}" if row.ratio(suffix) < 100 else "> 100"
            cells += [shown, "" if promise is None else f"{promise:g}: {verdict}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=DEFAULT_PYTHONS, help=f"({DEFAULT_PYTHONS})")
    parser.add_argument("--rounds", type=int, default=25, help="(25)")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument("--check", action="store_true", help="fail when a promise is missed")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    rows: list[Row] = []
    for version, python in find_pythons(options.python.split(",")).items():
        say(f"Python {version}")
        rows += measure(version, python, options.rounds)
    rows.sort(key=lambda row: row.program)
    table = make_table(rows)
    print(table)
    if options.write_docs:
        write_section("exact", table)
    kept = all(row.is_kept() and row.is_kept(", Python only") for row in rows)
    return 1 if options.check and not kept else 0


if __name__ == "__main__":
    sys.exit(main())
