"""Text of line_profiler as a profile: made by its real versions, read back to the printed digit."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from line_profilers import NEWEST, VERSIONS, Timings, line_profiler

SOURCE = """\
def slow(n):
    total = 0

    for i in range(n):
        total += i
    return total


class Grid:
    def step(self):
        return slow(3)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "wave.py"
    path.write_text(SOURCE)
    return path


def timings_of(source: Path) -> Timings:
    return {
        (str(source), 1, "slow"): [
            (2, 4, 1_234_567),
            (4, 1_000_004, 98_765_432_109),
            (5, 1_000_000, 123_456_789_012),
            (6, 4, 2_100),
        ],
        (str(source), 10, "Grid.step"): [(11, 2, 222_222_000_000)],
    }


def functions_of(pyrometer: Run, *words: object) -> dict[str, Any]:
    document = read_json(pyrometer("lines", *words, "--json"), "lines")
    assert document["exact"]
    return {function["name"]: function for function in document["functions"]}


def printed_totals(text: str) -> list[str]:
    lines = text.splitlines()
    return [line.split()[2] for line in lines if line.startswith("Total time:")]


@pytest.mark.parametrize("options", [(), ("-u", "1e-3"), ("-u", "1", "-t"), ("-z", "-m")])
@pytest.mark.parametrize("version", VERSIONS)
def test_text_says_what_the_file_says(
    version: str, options: tuple[str, ...], source: Path, tmp_path: Path, pyrometer: Run
) -> None:
    tool = line_profiler(version)
    file = tool.write(tmp_path / "x.lprof", timings_of(source))
    if version == "4.0.3":
        options = tuple(word for word in options if word not in ("-m", "-t"))
    shown = tool.show([*options, file])
    text = tmp_path / "x.txt"
    text.write_text("the program's own output\n" * 1000 + shown + "\nand more of it\n")
    expected = functions_of(pyrometer, file)
    found = functions_of(pyrometer, text)
    assert found.keys() == expected.keys()
    for name, function in found.items():
        assert function["first_line"] == expected[name]["first_line"]
        assert [(line["line"], line.get("source")) for line in function["lines"]] == [
            (line["line"], line.get("source")) for line in expected[name]["lines"]
        ]
        hits = [line["hits"] for line in function["lines"]]
        assert hits == [line["hits"] for line in expected[name]["lines"]]
    totals = sorted(f"{function['time_ns'] / 1e9:g}" for function in found.values())
    assert totals == sorted(printed_totals(shown))


def test_what_is_printed_again_is_the_same(source: Path, tmp_path: Path, pyrometer: Run) -> None:
    rounded = {  # to what is printed
        key: [(line, hits, round(time, -2)) for line, hits, time in lines]
        for key, lines in timings_of(source).items()
    }
    file = line_profiler(NEWEST).write(tmp_path / "x.lprof", rounded)
    shown = pyrometer("lines", file).stdout
    text = tmp_path / "x.txt"
    text.write_text(shown)
    source.unlink()  # the text has the lines itself
    assert pyrometer("lines", text).stdout == shown


def test_text_merges_and_becomes_a_file_of_line_profiler(
    source: Path, tmp_path: Path, pyrometer: Run
) -> None:
    tool = line_profiler(NEWEST)
    file = tool.write(tmp_path / "x.lprof", timings_of(source))
    text = tmp_path / "x.txt"
    text.write_text(tool.show([file]))
    for command in ("export", "merge"):
        output = tmp_path / f"{command}.lprof"
        words = [text] if command == "export" else [text, text]
        assert pyrometer(command, *words, "-o", output).returncode == 0
        unit, timings = tool.read(output)
        assert unit == 1e-9
        factor = len(words)
        assert {key: [line[1] for line in lines] for key, lines in timings.items()} == {
            key: [factor * line[1] for line in lines] for key, lines in timings_of(source).items()
        }
    merged = tmp_path / "x.pyro"
    assert pyrometer("merge", text, "-o", merged).returncode == 0
    assert functions_of(pyrometer, merged) == functions_of(pyrometer, text)


def test_report_shows_the_lines(source: Path, tmp_path: Path, pyrometer: Run) -> None:
    tool = line_profiler(NEWEST)
    text = tmp_path / "x.txt"
    text.write_text(tool.show([tool.write(tmp_path / "x.lprof", timings_of(source))]))
    shown = pyrometer("report", text)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "total += i" in shown.stdout
    document = json.loads(pyrometer("report", text, "--lines", "--json").stdout)
    assert sum(line["hits"] for line in document["lines"]) == 2_000_014


def test_other_text_is_refused(tmp_path: Path, pyrometer: Run) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Line # is a column of line_profiler.\n" * 1000)
    expect_refusal(pyrometer("lines", path), "not a profile", name="notes.txt")
