"""The command line of benchmarks that print one table and hold promises."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from harness.document import write_section
from harness.interpreters import find_pythons


class Row(Protocol):
    @property
    def program(self) -> str: ...
    def is_kept(self) -> bool: ...


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Benchmark(Generic[R]):
    description: str
    pythons: str  # by default
    section: str  # of docs/benchmarks.md
    measure: Callable[[str, Path, int], list[R]]  # version, interpreter, rounds
    make_table: Callable[[Sequence[R]], str]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(benchmark: Benchmark[R], arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=benchmark.description)
    parser.add_argument("--python", default=benchmark.pythons, help=f"({benchmark.pythons})")
    parser.add_argument("--rounds", type=int, default=25, help="(25)")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument("--check", action="store_true", help="fail when a promise is missed")
    options = parser.parse_args(arguments)
    rows: list[R] = []
    for version, python in find_pythons(options.python.split(",")).items():
        say(f"Python {version}")
        rows += benchmark.measure(version, python, options.rounds)
    rows.sort(key=lambda row: row.program)
    table = benchmark.make_table(rows)
    print(table)
    if options.write_docs:
        write_section(benchmark.section, table)
    return 1 if options.check and not all(row.is_kept() for row in rows) else 0
