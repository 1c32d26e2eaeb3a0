"""pyrometer export: every format, read back by what will read it."""

import json
import os
import pstats
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRun, Run, expect_refusal, read_json, recordings_in


def export(pyrometer: Run, *arguments: object) -> str:
    result = pyrometer("export", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def report(pyrometer: Run, *arguments: object) -> Any:
    return read_json(pyrometer("report", *arguments, "--json"), "report")


def self_by_function(document: Any, digits: int = 0) -> Counter[str]:
    costs: Counter[str] = Counter()
    for function in document["functions"]:
        name = function["qualified_name"] or function["name"]
        costs[name] += round(function["self"], -digits)
    return costs


# ---- collapsed stacks


def read_collapsed(text: str) -> list[tuple[list[str], int]]:
    lines = [line.rsplit(" ", 1) for line in text.splitlines()]
    return [(path.split(";"), int(value)) for path, value in lines]


def test_collapsed_sums_to_the_total(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        stacks = read_collapsed(export(pyrometer, profile, "--format", "collapsed"))
        paths = [tuple(path) for path, _ in stacks]
        assert len(paths) == len(set(paths))
        document = report(pyrometer, profile)
        assert sum(value for _, value in stacks) == document["totals"]["self"] // 1000


def test_collapsed_values_of_functions(pyrometer: Run, run_directory: Path) -> None:
    stacks = read_collapsed(export(pyrometer, run_directory, "-F", "collapsed", "-m", "samples"))
    by_function: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for path, value in stacks:
        names = [frame.split(" (")[0] for frame in path]
        by_function[names[-1]] += value
        seen.update(dict.fromkeys(names, value))
    document = report(pyrometer, run_directory, "--metric", "samples")
    assert by_function == self_by_function(document)
    assert seen == {f["name"]: f["total"] for f in document["functions"]}


# ---- speedscope


def read_speedscope(document: Any) -> dict[str, Counter[str]]:
    """The self values by thread and function, found by playing the events."""
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    threads: dict[str, Counter[str]] = defaultdict(Counter)
    for profile in document["profiles"]:
        assert profile["type"] == "evented"
        stack: list[int] = []
        at = profile["startValue"]
        for event in profile["events"]:
            assert event["at"] >= at
            if stack:
                threads[profile["name"]][frames[stack[-1]]] += event["at"] - at
            else:
                assert event["at"] == at, "time that no function spent"
            at = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert event["type"] == "C"
                assert stack.pop() == event["frame"]
        assert stack == []
        assert at == profile["endValue"]
    return threads


def test_speedscope(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile, unit in ((run_directory, "nanoseconds"), (prof_file, "nanoseconds")):
        document = json.loads(export(pyrometer, profile, "--format", "speedscope"))
        assert {each["unit"] for each in document["profiles"]} == {unit}
        threads = read_speedscope(document)
        expected = report(pyrometer, profile, "--threads")
        assert len(document["profiles"]) == len(expected["threads"])
        total: Counter[str] = Counter()
        for costs in threads.values():
            total.update(costs)
        assert total.total() == expected["totals"]["self"]
        if not expected["paths_estimated"]:
            assert +total == +self_by_function(expected)


# ---- pstats


def test_pstats_of_a_recording(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.prof"
    export(pyrometer, run_directory, "-o", file)
    stats = pstats.Stats(str(file))
    document = report(pyrometer, run_directory)
    assert stats.total_tt == pytest.approx(document["totals"]["self"] / 1e9)  # type: ignore[attr-defined]
    functions = {(f["file"], f["line"], f["name"]): f for f in document["functions"]}
    assert stats.stats.keys() == functions.keys()  # type: ignore[attr-defined]
    for label, (_, _, own, total, _) in stats.stats.items():  # type: ignore[attr-defined]
        assert own == pytest.approx(functions[label]["self"] / 1e9)
        assert total == pytest.approx(functions[label]["total"] / 1e9)
    again = report(pyrometer, file)
    assert self_by_function(again, 3) == self_by_function(document, 3)


def test_pstats_holds_times_only(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    command = ("export", run_directory, "-m", "samples", "-o", tmp_path / "x.prof")
    expect_refusal(pyrometer(*command), "times", status=2)
    assert list(tmp_path.iterdir()) == []


# ---- JSON


def test_json_holds_everything(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        document = read_json(pyrometer("export", profile, "--format", "json"), "export")
        nodes, functions = document["nodes"], document["functions"]
        assert len({node["id"] for node in nodes}) == len(nodes)
        assert len({function["id"] for function in functions}) == len(functions)
        for row, node in enumerate(nodes):
            assert node["parent"] is None or node["parent"] < row
            assert node["function"] < len(functions)
        for metric in document["metrics"]:
            for thread, node, _ in metric["values"]:
                assert thread < len(document["threads"])
                assert node < len(nodes)
        expected = report(pyrometer, profile)
        if expected["paths_estimated"]:
            assert any(metric["edges"] for metric in document["metrics"])
            continue
        values = next(m for m in document["metrics"] if m["name"] == expected["metric"])["values"]
        assert sum(value for _, _, value in values) == expected["totals"]["self"]


def test_json_flag(pyrometer: Run, recording: Path) -> None:
    assert export(pyrometer, recording, "--json") == export(pyrometer, recording, "-F", "json")


# ---- choosing


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("out.collapsed", "collapsed"),
        ("out.speedscope.json", "speedscope"),
        ("out.json", "json"),
        ("out.prof", "pstats"),
        ("out.svg", "flamegraph"),
        ("out.firefox.json", "firefox"),
        ("out.trace.json", "chrome"),
        ("out.pb.gz", "pprof"),
        ("out.callgrind", "callgrind"),
        ("callgrind.out.7", "callgrind"),
        ("out.csv", "csv"),
        ("out.lines.csv", "csv-lines"),
        ("out.db", "sqlite"),
    ],
)
def test_format_by_name(
    name: str, form: str, pyrometer: Run, recording: Path, tmp_path: Path
) -> None:
    by_name, by_format = tmp_path / name, tmp_path / "other"
    assert export(pyrometer, recording, "-o", by_name) == ""
    assert export(pyrometer, recording, "-o", by_format, "--format", form) == ""
    assert by_name.read_bytes() == by_format.read_bytes()
    for words in (["--format", form], ["-F", form, "-o", "-"]):
        assert pyrometer("export", recording, *words, text=False).stdout == by_name.read_bytes()


def test_unknown_formats(pyrometer: Run, recording: Path, tmp_path: Path) -> None:
    for arguments in (["-F", "xml"], ["-o", tmp_path / "out.xml"], [], ["-F", ""]):
        refused = pyrometer("export", recording, *arguments)
        expect_refusal(refused, "collapsed, speedscope, firefox, chrome, pprof", status=2)
    assert list(tmp_path.iterdir()) == []


def test_output_that_cannot_be_written(pyrometer: Run, recording: Path, tmp_path: Path) -> None:
    for output in (tmp_path / "missing" / "out.json", tmp_path):
        refused = pyrometer("export", recording, "-F", "json", "-o", output)
        expect_refusal(refused, name=str(output))
    assert list(tmp_path.iterdir()) == []


def test_very_deep_recursion(pyrometer: Run, make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", nodes=60_000, chain=True)
    file = recordings_in(run)[0]
    for form in (
        *("speedscope", "json", "pstats", "chrome", "firefox", "callgrind"),
        *("csv", "csv-lines", "sqlite", "flamegraph"),
    ):
        export(pyrometer, file, "-F", form, "-o", tmp_path / "out")
    for form in ("collapsed", "pprof"):
        expect_refusal(pyrometer("export", file, "-F", form), "too deep")
    for flag in ("--tree", "--bottom-up", "--callers"):
        assert pyrometer("report", file, flag).returncode == 0


def test_devices_and_pipes_are_written_to(
    pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    """Never replaced: root could replace /dev/null for the whole machine."""
    result = pyrometer("export", run_directory, "-F", "collapsed", "-o", "/dev/stdout")
    assert result.returncode == 0, result.stderr
    assert result.stdout == pyrometer("export", run_directory, "-F", "collapsed").stdout
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert pyrometer("export", run_directory, "-F", "collapsed", "-o", pipe).returncode == 0
        assert reader.communicate()[0] == result.stdout
    assert pipe.is_fifo()
    refused = pyrometer("merge", run_directory, "-o", pipe, "-F", "pyro")
    expect_refusal(refused, "not a regular file", status=2, name="pipe")
    assert pipe.is_fifo()
