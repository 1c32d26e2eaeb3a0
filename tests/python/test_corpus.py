"""Every profile of tests/corpus loads, and says what the tool that made it says."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import pytest
from conftest import Run
from corpus import CORPUS, Entry, read_entries

# Formats whose tables are lines of functions; all others have functions with own values.
LINE_FORMATS = ("lprof", "line_profiler_text")
MEMORY_FORMATS = ("memory_profiler_text", "mprof")

# Our names for what the tools measure, where they differ.
METRICS = {
    "time": ("wall", "cpu"),
    "allocated": ("allocated", "live"),
    "samples": ("samples",),
    "TIME": ("wall",),  # TAU
    "ns": ("wall",),  # pyprof2calltree
    "Ticks": ("wall",),  # yappi
}
LARGEST_FOLDER = 3_000_000
LARGEST_FILE = 60_000

ReportOf = Callable[[Entry], dict[str, Any]]

ENTRIES = read_entries()
FUNCTION_ENTRIES = [e for e in ENTRIES if e.format not in (*LINE_FORMATS, *MEMORY_FORMATS)]


def name_of(entry: Entry) -> str:
    return entry.file


def all_of(entries: list[Entry]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", entries, ids=name_of)


def read_report(pyrometer: Run, path: Path, *words: object) -> dict[str, Any]:
    result = pyrometer("report", path, "--json", "--threads", *words)
    assert result.returncode == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.fixture(scope="session")
def report_of(pyrometer: Run) -> ReportOf:
    """On the metric that the truth is about; read once for all tests of a file."""
    reports: dict[str, dict[str, Any]] = {}

    def read(entry: Entry) -> dict[str, Any]:
        if entry.file not in reports:
            reports[entry.file] = report_on_truth(pyrometer, entry)
        return reports[entry.file]

    return read


def report_on_truth(pyrometer: Run, entry: Entry) -> dict[str, Any]:
    report = read_report(pyrometer, entry.path)
    wanted = entry.truth["metric"]
    ours = [metric["name"] for metric in report["metrics"]]
    for name in (wanted, *METRICS.get(wanted, ())):
        if name in ours:
            same = name == report["metric"]
            return report if same else read_report(pyrometer, entry.path, "-m", name)
    pytest.fail(f"none of the metrics {ours} is {wanted}")


def test_corpus_is_large_enough() -> None:
    """A hundred files of twelve formats, by the tools themselves."""
    formats = Counter(entry.format for entry in ENTRIES if entry.tool != "by hand")
    assert sum(formats.values()) >= 100
    assert len(formats) >= 12, formats


def test_every_file_is_small_and_listed() -> None:
    formats = {entry.format for entry in ENTRIES}
    files = [path for name in formats for path in (CORPUS / name).rglob("*") if path.is_file()]
    listed = [entry.path for entry in ENTRIES]
    unlisted = [f for f in files if not any(f == path or path in f.parents for path in listed)]
    assert unlisted == []
    assert all(path.exists() for path in listed)
    sizes = [path.stat().st_size for path in files]
    assert max(sizes) <= LARGEST_FILE
    assert sum(sizes) <= LARGEST_FOLDER


@all_of(FUNCTION_ENTRIES)
def test_functions_are_those_of_the_tool(entry: Entry, report_of: ReportOf) -> None:
    report = report_of(entry)
    truth = entry.truth
    assert entry.is_close(report["totals"]["self"], truth["total"])
    functions = [function for function in report["functions"] if not is_place(function)]
    if "functions" in truth:
        # Others have several metrics, and functions that have values of another one only.
        has_one_metric = entry.format == "pstats"
        counted = [each for each in functions if has_one_metric or each["total"]]
        assert len(counted) == truth["functions"]
    for count in ("calls", "primitive_calls"):
        if count in truth and not report["sampled"]:
            assert report["totals"][count] == truth[count]
    for key in ("threads", "processes"):
        if key in truth:
            assert len([each for each in report[key] if each["value"]]) == truth[key], key
    for expected in truth["top"]:
        check_function(entry, functions, expected)


def is_place(function: dict[str, Any]) -> bool:
    """Labels and "?" are ours, for what belongs to no function."""
    return function["kind"] == "label" or function["name"] == "?"


def check_function(entry: Entry, functions: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    named = [function for function in functions if is_same_function(function, expected)]
    # A file without functions' files may seem to call another of the same name.
    found = [function for function in named if function["self"]]
    assert len(found) == 1, (expected, named)
    for key in ("self", "total"):
        if key in expected:
            assert entry.is_close(found[0][key], expected[key]), (key, expected, found)
    for key in ("calls", "primitive_calls"):
        if key in expected and found[0][key]:
            assert found[0][key] == expected[key], (key, expected, found)


def is_same_function(function: dict[str, Any], expected: dict[str, Any]) -> bool:
    if expected["name"] not in (function["name"], function["qualified_name"]):
        return False
    if expected.get("line", function["line"]) != function["line"]:
        return False
    file, ours = PurePath(expected.get("file") or ""), PurePath(function["file"])
    return file.name == "" or file == ours or file.parts[-2:] == ours.parts[-2:]


@all_of(read_entries(*LINE_FORMATS))
def test_lines_are_those_of_the_tool(entry: Entry, pyrometer: Run) -> None:
    result = pyrometer("lines", entry.path, "--json")
    assert result.returncode == 0, result.stderr
    functions = [each for each in json.loads(result.stdout)["functions"] if hits_of(each)]
    truth = entry.truth
    assert entry.is_close(sum(function["time_ns"] for function in functions), truth["total"])
    assert sum(map(hits_of, functions)) == truth["hits"]
    assert len(functions) == truth["functions"]
    assert sum(map(lines_hit, functions)) == truth["lines"]
    for expected in truth["top"]:
        found = [
            function
            for function in functions
            if function["name"] in (expected["name"], expected["name"].split(".")[-1])
            and function["first_line"] == expected["line"]
        ]
        assert len(found) == 1, expected
        assert entry.is_close(found[0]["time_ns"], expected["total"])
        assert hits_of(found[0]) == expected["hits"]
        assert lines_hit(found[0]) == expected["lines"]


def hits_of(function: dict[str, Any]) -> int:
    return sum(line.get("hits", 0) for line in function["lines"])


def lines_hit(function: dict[str, Any]) -> int:
    return len([line for line in function["lines"] if line.get("hits", 0)])


@all_of(read_entries("memory_profiler_text"))
def test_memory_of_lines_is_that_of_the_tool(entry: Entry, pyrometer: Run) -> None:
    result = pyrometer("lines", entry.path, "--json")
    assert result.returncode == 0, result.stderr
    functions = json.loads(result.stdout)["functions"]
    truth = entry.truth
    lines = {line["line"]: line for function in functions for line in function["lines"]}
    assert len(functions) == truth["functions"]
    assert sum(len(function["lines"]) for function in functions) == truth["lines"]
    assert sum(line["hits"] for line in lines.values()) == truth.get("hits", 0)
    peak = max(line["memory_bytes"] for line in lines.values())
    assert entry.is_close(peak, truth["total"])
    for expected in truth["top"]:
        assert entry.is_close(lines[expected["line"]]["memory_bytes"], expected["memory"])


@all_of(read_entries("mprof"))
def test_memory_in_time_is_that_of_the_tool(entry: Entry, pyrometer: Run) -> None:
    report = read_report(pyrometer, entry.path)
    truth = entry.truth
    series = report["counters"]
    expected = [{"samples": truth["samples"], "peak": truth["total"]}, *truth["children"]]
    assert [each["points"] for each in series] == [each["samples"] for each in expected]
    for ours, theirs in zip(series, expected, strict=True):
        assert entry.is_close(ours["peak"], theirs["peak"])
    assert len(report["processes"]) == truth["processes"]
    regions = {region["name"]: region for region in report["regions"]}
    assert len(regions) == truth["functions"]
    for function in truth["top"]:
        region = regions[function["name"]]
        assert region["calls"] == function["calls"]
        assert abs(region["increment"] - function["increment"]) <= region["calls"]


@pytest.mark.parametrize("format_", ["collapsed", "speedscope", "json", "pstats"])
@all_of(FUNCTION_ENTRIES)
def test_round_trip_preserves_the_total(
    entry: Entry, format_: str, pyrometer: Run, report_of: ReportOf, tmp_path: Path
) -> None:
    report = report_of(entry)
    total, unit, metric = report["totals"]["self"], report["unit"], report["metric"]
    again = tmp_path / f"again.{format_}"
    result = pyrometer("export", entry.path, "-m", metric, "--format", format_, "-o", again)
    if format_ == "pstats" and unit != "ns":
        assert result.returncode == 2, "pstats files hold times"
        return
    assert result.returncode == 0, result.stderr
    # Only our own JSON keeps the names of metrics.
    loaded = read_report(pyrometer, again, *(["-m", metric] if format_ == "json" else []))
    # Collapsed stacks name no unit and hold times in microseconds.
    scale = 1000 if unit == "ns" and loaded["unit"] != "ns" else 1
    rounding = 1000 if format_ == "collapsed" and unit == "ns" else len(report["functions"])
    assert abs(loaded["totals"]["self"] * scale - total) <= rounding
