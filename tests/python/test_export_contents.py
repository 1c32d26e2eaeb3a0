"""Profiles of lines, or of memory over time, are never exported as files that are empty."""

from pathlib import Path

import pytest
from conftest import ROOT, Run, expect_refusal

CORPUS = ROOT / "tests" / "corpus"
LINES = CORPUS / "lprof" / "numeric-5.0.2.lprof"
MEMORY_OF_LINES = CORPUS / "memory_profiler_text" / "memory-0.61.0.txt"
MEMORY_IN_TIME = CORPUS / "mprof" / "memory-0.61.0-with-functions.dat"
OF_FUNCTIONS = [
    *("flamegraph", "collapsed", "speedscope", "firefox", "chrome", "pprof", "callgrind"),
    *("pstats", "csv", "tau", "ppk"),
]


@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_formats_of_functions(pyrometer: Run, name: str, tmp_path: Path) -> None:
    output = tmp_path / "output"
    words = "csv-lines, lprof, sqlite or json"
    for file, others in ((LINES, words), (MEMORY_OF_LINES, "csv-lines, sqlite or json")):
        refused = pyrometer("export", file, "-F", name, "-o", output)
        expect_refusal(refused, "lines, but no functions", others, status=2)
    refused = pyrometer("export", MEMORY_IN_TIME, "-F", name, "-o", output)
    expect_refusal(refused, "memory over time", "--format mprof", status=2)
    assert not output.exists()


def test_merging_says_so_too(pyrometer: Run, tmp_path: Path) -> None:
    for name in ("sum.collapsed", "sum.speedscope.json"):
        refused = pyrometer("merge", LINES, LINES, "-o", tmp_path / name)
        expect_refusal(refused, "no functions", status=2)


@pytest.mark.parametrize("name", ["csv-lines", "sqlite", "json"])
def test_formats_of_lines(pyrometer: Run, name: str, tmp_path: Path) -> None:
    for file in (LINES, MEMORY_OF_LINES):
        output = tmp_path / f"{file.stem}.{name}"
        done = pyrometer("export", file, "-F", name, "-o", output)
        assert (done.returncode, done.stderr) == (0, "")
        assert output.stat().st_size > 200


def test_a_folder_that_is_not_there_is_named(
    pyrometer: Run, prof_file: Path, tmp_path: Path
) -> None:
    refused = pyrometer("export", prof_file, "-o", tmp_path / "no" / "x.csv")
    expect_refusal(refused, "No such file", f"; make the folder '{tmp_path}/no' first")


def test_samples_are_no_times(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    stacks = tmp_path / "stacks.txt"
    stacks.write_text("main;solve 12\n")
    output = tmp_path / "x.prof"
    refused = pyrometer("export", stacks, "-o", output)
    expect_refusal(refused, "times, not samples", "choose another format", status=2)
    refused = pyrometer("merge", prof_file, stacks, "-o", output)
    expect_refusal(refused, "times, not samples", name="stacks.txt", status=2)


def test_lines_count_their_functions(pyrometer: Run) -> None:
    assert ", 4 functions\n" in pyrometer("report", LINES).stdout
    assert "function" not in pyrometer("report", MEMORY_IN_TIME).stdout.partition("\n")[0]


def test_memory_is_no_time_of_lines(pyrometer: Run, tmp_path: Path) -> None:
    output = tmp_path / "x.lprof"
    for command in ("export", "merge"):
        refused = pyrometer(command, MEMORY_OF_LINES, "-o", output)
        expect_refusal(refused, "hits and times", status=2)
    assert not output.exists()


def test_memory_over_time_comes_back_from_json(pyrometer: Run, tmp_path: Path) -> None:
    document, again = tmp_path / "memory.json", tmp_path / "again.dat"
    for source, output, form in ((MEMORY_IN_TIME, document, "json"), (document, again, "mprof")):
        done = pyrometer("export", source, "-F", form, "-o", output)
        assert (done.returncode, done.stderr) == (0, "")

    def points(file: Path) -> list[list[float]]:
        lines = [line.split() for line in file.read_text().splitlines()]
        samples = [list(map(float, line[1:3])) for line in lines if line[0] == "MEM"]
        return [[size, time - samples[0][1]] for size, time in samples]

    before, after = points(MEMORY_IN_TIME), points(again)
    assert len(after) == len(before) > 10
    for (size, time), (size_again, time_again) in zip(before, after, strict=True):
        assert size_again == pytest.approx(size, abs=0.01)
        assert time_again == pytest.approx(time, abs=0.01)
