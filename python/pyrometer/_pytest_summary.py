"""The section "pyrometer" at the end of pytest's output."""

import shlex
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyrometer._executable import PACKAGE
from pyrometer._profile_query import Document, LoadError, ask
from pyrometer._pytest_artifacts import write_artifacts

MOST_TESTS = 5
MOST_ROWS = 3  # of one test
MOST_FUNCTIONS = 10
LEAST_SHARE = 0.01
LEAST_SECONDS = 0.005  # between two samples: one met in less may be its neighbour's
WIDEST_NAME = 40
ALL_TESTS = "pytest call"  # the region that each test's own function is in

NO_FILE = "~"  # of built-in functions, as pstats has it
OWN_BUILT_INS = "<built-in method pyrometer."

Row = dict[str, Any]


class Summary:
    def __init__(self, options: Namespace, run: Path, here: Path) -> None:
        self._options = options
        self._run = run
        self._here = here
        # Counted calls are those of the whole session, not of moments.
        self._has_moments = options.pyrometer_engine != "exact"

    def lines(self, seconds: dict[str, float]) -> Iterator[str]:
        """Of the tests that took so many."""
        if not seconds:
            yield "no test ran"
            return
        try:
            whole = self._ask(f"--region={ALL_TESTS}") if self._has_moments else self._ask()
        except LoadError as error:
            yield f"{error}"
            return
        yield from self._hottest_functions(whole)
        yield "slowest tests"
        slowest = sorted(seconds, key=lambda test: -seconds[test])[:MOST_TESTS]
        for test in slowest:
            yield f"  {show_seconds(seconds[test]):>8}  {test}"
            if self._has_moments and seconds[test] >= LEAST_SECONDS:
                yield from self._details(test)
        if self._options.pyrometer_per_test:
            folder = self._here / self._options.pyrometer_dir / "per-test"
            yield f"{shorten(folder, self._here)}: " + write_artifacts(
                self._run, folder, sorted(seconds), self._options.pyrometer_format
            )
        yield from self._next(len(whole["processes"]), slowest[0])

    def _ask(self, *words: str) -> Document:
        return ask("report", [str(self._run)], *words)

    def _hottest_functions(self, report: Document) -> Iterator[str]:
        yield f"hottest functions in {'tests' if self._has_moments else 'the session'}"
        whole = report["totals"]["self"]
        rows = _hottest(report["functions"], report)[:MOST_FUNCTIONS]
        for row, name in zip(rows, self._names(rows), strict=True):
            yield f"  {_time(row):>8}  {row['self'] / whole:4.0%}  {name}"

    def _details(self, test: str) -> Iterator[str]:
        """Nothing of tests that ended before a sample was taken."""
        try:
            report = self._ask(f"--region={test}", "--lines")
        except LoadError:
            return
        rows = _hottest(report["functions"], report)[:MOST_ROWS]
        for row, name in zip(rows, self._names(rows), strict=True):
            yield f"{'':10}  {_time(row):>8}  {name}"
        for row in _hottest(_whole_lines(report), report)[:MOST_ROWS]:
            yield f"{'':10}  {_time(row):>8}  line {self._place(row)}  {row['source']}".rstrip()

    def _next(self, processes: int, slowest: str) -> Iterator[str]:
        run = shorten(self._run, self._here)
        yield f"recorded in {run}   {processes} process{'es' if processes != 1 else ''}"
        run = shlex.quote(run)
        yield f"next: pyrometer view {run}"
        if self._has_moments:
            yield f"      pyrometer report {run} --region {shlex.quote(slowest)}"

    def _names(self, rows: list[Row]) -> list[str]:
        """And their places, below each other."""
        names = [row["qualified_name"] or row["name"] for row in rows]
        width = min(max(map(len, names), default=0), WIDEST_NAME)
        places = [self._place(row) if row["file"] else "" for row in rows]
        return [
            f"{name:<{width}}  {place}".rstrip() for name, place in zip(names, places, strict=True)
        ]

    def _place(self, row: Row) -> str:
        is_near = Path(row["file"]).is_relative_to(self._here)
        file = shorten(Path(row["file"]), self._here) if is_near else row["module_file"]
        if file == NO_FILE:
            return ""
        return f"{file}:{row['line']}" if row["line"] else file


def shorten(path: Path, here: Path) -> str:
    """As seen from the folder that pytest was started in."""
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def show_seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _hottest(rows: list[Row], report: Document) -> list[Row]:
    """By what they took themselves, without what is ours."""
    least = max(1, report["totals"]["self"] * LEAST_SHARE)
    rows = [row for row in rows if row["self"] >= least and not _is_ours(row)]
    return sorted(rows, key=lambda row: -row["self"])


def _is_ours(row: Row) -> bool:
    is_built_in = str(row.get("name", "")).startswith(OWN_BUILT_INS)
    return is_built_in or Path(row["file"]).is_relative_to(PACKAGE)


def _whole_lines(report: Document) -> list[Row]:
    """Functions that share a line are one, and files have short names as those of functions do."""
    short = {row["file"]: row["module_file"] for row in report["functions"]}
    lines: dict[tuple[str, int], Row] = {}
    for row in report["lines"]:
        place = row["file"], row["line"]
        before = lines.get(place, {"self": 0})
        file = short.get(row["file"], row["file"])
        lines[place] = row | {"module_file": file, "self": before["self"] + row["self"]}
    return list(lines.values())


def _time(row: Row) -> str:
    return show_seconds(row["self"] / 1e9)
