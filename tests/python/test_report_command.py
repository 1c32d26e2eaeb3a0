"""pyrometer report, as text and as JSON, on everything it opens."""

import marshal
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRun, Run, read_json, recordings_in

Document = dict[str, Any]

SECTIONS = [
    "--callers",
    "--callees",
    "--lines",
    "--tree",
    "--bottom-up",
    "--threads",
    "--processes",
]
SORT_KEYS: dict[str, Callable[[Any], Any]] = {
    "self": lambda f: -f["self"],
    "total": lambda f: -f["total"],
    "calls": lambda f: -f["calls"],
    "primitive-calls": lambda f: -f["primitive_calls"],
    "per-call": lambda f: -f["self"] / max(f["calls"], 1) if f["calls"] else 0,
    "name": lambda f: f["qualified_name"] or f["name"],
    "file": lambda f: (f["module_file"], f["line"]),
}


def report(pyrometer: Run, *arguments: object) -> Document:
    document: Document = read_json(pyrometer("report", *arguments, "--json"), "report")
    return document


def text_report(pyrometer: Run, *arguments: object) -> str:
    result = pyrometer("report", *arguments)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def table_rows(text: str) -> list[str]:
    """The rows of the tables: what follows a heading and is indented."""
    lines = text.splitlines()
    headings = [i for i, line in enumerate(lines) if re.match(r" +\S", line) and not lines[i - 1]]
    rows = [line for i, line in enumerate(lines) if headings and i > headings[0]]
    return [row for row in rows if row.startswith("  ") and "…" not in row]


def expect_consistent(document: Document) -> None:
    functions = document["functions"]
    total = document["totals"]["self"]
    assert functions
    assert total > 0
    assert sum(f["self"] for f in functions) == total
    assert sum(p["value"] for p in document["processes"]) == total
    assert sum(f["self_share"] for f in functions) == pytest.approx(1)
    for function in functions:
        assert 0 <= function["self"] <= function["total"] <= total
        assert function["total_share"] == pytest.approx(function["total"] / total)
        assert function["primitive_calls"] <= function["calls"]
        assert function["samples"] <= function["stack_samples"]


def test_numbers_are_consistent(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        expect_consistent(report(pyrometer, profile))


def test_every_section_follows_the_schema(
    pyrometer: Run, run_directory: Path, prof_file: Path
) -> None:
    for profile in (run_directory, prof_file):
        document = report(pyrometer, profile, *SECTIONS, "--depth=1000", "--min-share=0")
        total = document["totals"]["self"]
        assert sum(t["value"] for t in document["threads"]) == total
        if not document["paths_estimated"]:
            assert sum(node["self"] for node in document["tree"]) == total
            assert sum(line["self"] for line in document["lines"]) == total
        assert {node["parent"] for node in document["tree"]} >= {-1, 0}
        for index, node in enumerate(document["tree"]):
            assert node["parent"] < index
        for function in document["functions"]:
            assert sum(edge["total"] for edge in function["callers"]) <= total
            totals = [edge["total"] for edge in function["callees"]]
            assert totals == sorted(totals, reverse=True)


def test_every_metric(pyrometer: Run, run_directory: Path) -> None:
    names = [metric["name"] for metric in report(pyrometer, run_directory)["metrics"]]
    assert names == ["wall", "cpu", "system", "samples"]
    for name in names:
        document = report(pyrometer, run_directory, "--metric", name)
        assert document["metric"] == name
        assert document["unit"] == ("count" if name == "samples" else "ns")
        expect_consistent(document)
    refused = pyrometer("report", run_directory, "--metric", "luck")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert all(name in refused.stderr for name in names)


@pytest.mark.parametrize("key", SORT_KEYS)
def test_sort(key: str, pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        functions = report(pyrometer, profile, "--sort", key)["functions"]
        order = [SORT_KEYS[key](function) for function in functions]
        assert order == sorted(order)
        assert text_report(pyrometer, profile, "-s", key)


def test_limit(pyrometer: Run, run_directory: Path) -> None:
    count = len(report(pyrometer, run_directory)["functions"])
    assert count > 25
    assert len(report(pyrometer, run_directory, "--limit", 7)["functions"]) == 7
    assert len(table_rows(text_report(pyrometer, run_directory))) == 20
    shown = text_report(pyrometer, run_directory, "-n", 5)
    assert len(table_rows(shown)) == 5
    assert f"{count - 5} more; --limit 0 shows all" in shown
    everything = text_report(pyrometer, run_directory, "--limit=0")
    assert len(table_rows(everything)) == count
    assert "more;" not in everything


def test_filter_and_exclude(pyrometer: Run, run_directory: Path) -> None:
    def selected(*arguments: str) -> set[tuple[str, str]]:
        functions = report(pyrometer, run_directory, *arguments)["functions"]
        return {(f["name"], f["module_file"]) for f in functions}

    everything = selected()
    by_name = {each for each in everything if re.search(r"_\d\d$", each[0])}
    by_place = {each for each in everything if "module_1" in each[1]}
    assert by_name
    assert by_place
    assert selected("--filter", r"_\d\d$") == by_name
    assert selected("-f", "module_1") == by_place
    assert selected("-f", r"_\d\d$", "-f", "module_1") == by_name & by_place
    assert selected("--exclude", r"_\d\d$") == everything - by_name
    assert selected("-x", r"_\d\d$", "-x", "module_1") == everything - by_name - by_place
    assert selected("-f", "no such function") == set()
    nothing = text_report(pyrometer, run_directory, "-f", "no such function")
    assert nothing.endswith("No function matches.\n")


def test_hostile_regex(pyrometer: Run, run_directory: Path) -> None:
    for pattern in ("(", "[z-a]", "*", "\\"):
        result = pyrometer("report", run_directory, "--filter", pattern)
        assert (result.returncode, result.stdout) == (2, ""), pattern
        assert result.stderr.count("\n") == 1
    result = pyrometer("report", run_directory, "--filter", "(.*)*(.*)*(.*)*$x" * 3, timeout=20)
    assert result.returncode in {0, 1, 2}


@pytest.mark.parametrize(
    ("flag", "heading"),
    [
        ("--callers", "was called by"),
        ("--callees", "called"),
        ("--lines", "source"),
        ("--tree", "total"),
        ("--bottom-up", "total"),
        ("--threads", "tid"),
        ("--processes", "end"),
    ],
)
def test_text_sections(flag: str, heading: str, pyrometer: Run, run_directory: Path) -> None:
    text = text_report(pyrometer, run_directory, flag)
    lines = text.splitlines()
    assert lines[0].startswith("pyrometer  ")
    blank = lines.index("")
    assert heading in lines[blank + 1]
    assert len(table_rows(text)) >= 3
    assert all(line == line.rstrip() for line in lines)


def test_all_text_sections_at_once(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    assert text_report(pyrometer, run_directory, *SECTIONS).count("\n\n") == len(SECTIONS)
    text = text_report(pyrometer, prof_file, *SECTIONS)
    assert "No lines were recorded" in text


def test_depth_and_min_share(pyrometer: Run, run_directory: Path) -> None:
    def depths(*arguments: object) -> Counter[int]:
        tree = report(pyrometer, run_directory, "--tree", *arguments)["tree"]
        depth: list[int] = []
        for node in tree:
            depth.append(0 if node["parent"] < 0 else depth[node["parent"]] + 1)
        return Counter(depth)

    assert set(depths("--depth", 1)) == {0}
    assert set(depths("--depth", 3)) == {0, 1, 2}
    text = text_report(pyrometer, run_directory, "--tree", "--depth=1", "--min-share=0", "-n0")
    assert len(table_rows(text)) == depths("--depth=1", "--min-share=0").total()
    document = report(pyrometer, run_directory, "--tree", "--min-share=20", "--depth=99")
    least = 0.2 * document["totals"]["self"]
    assert document["tree"]
    assert all(node["total"] >= least for node in document["tree"])
    for wrong in ("-1", "101", "many"):
        assert pyrometer("report", run_directory, f"--min-share={wrong}").returncode == 2


def test_several_inputs(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    whole = report(pyrometer, run_directory)
    parts = report(pyrometer, *reversed(recordings_in(run_directory)))
    assert parts["totals"] == whole["totals"]
    ranks = [process["rank"] for process in whole["processes"]]
    assert sorted(ranks) == [0, 1, 2]

    def by_name(document: Document) -> list[tuple[str, int, int]]:
        return sorted((f["name"], f["self"], f["total"]) for f in document["functions"])

    assert by_name(parts) == by_name(whole)
    twice = report(pyrometer, prof_file, prof_file)
    once = report(pyrometer, prof_file)
    assert twice["totals"]["self"] == 2 * once["totals"]["self"]
    assert len(twice["processes"]) == 2


def test_compressed_recordings_say_the_same(
    pyrometer: Run, make_run: MakeRun, tmp_path: Path
) -> None:
    shape = {"nodes": 300, "samples": 500, "no_checkpoint": True}
    plain = make_run(tmp_path / "plain", **shape)
    packed = make_run(tmp_path / "packed", compressed=True, **shape)
    sizes = [recordings_in(run)[0].stat().st_size for run in (plain, packed)]
    assert sizes[1] < sizes[0]
    assert report(pyrometer, plain) == report(pyrometer, packed)


def test_file_names_do_not_matter(
    pyrometer: Run, recording: Path, prof_file: Path, tmp_path: Path
) -> None:
    for number, file in enumerate((recording, prof_file)):
        copy = tmp_path / f"-a file\twith \N{SNOWMAN} in its name {number}"
        copy.write_bytes(file.read_bytes())
        assert report(pyrometer, copy)["totals"] == report(pyrometer, file)["totals"]


def test_hostile_names_are_harmless(pyrometer: Run, tmp_path: Path) -> None:
    name = "bold\x1b[1m \x07bell\r\n\x9b31m \u202eright-to-left \ud800 \x00"
    entry: tuple[Any, ...] = (1, 1, 1.0, 1.0, {})
    names = [("evil\x1b]0;title\x07.py", 1, name), ("~", 0, "x" * 100_000), ("", 2, "")]
    file = tmp_path / "evil\x1b[31m.prof"
    file.write_bytes(marshal.dumps(dict.fromkeys(names, entry)))
    for output in (
        text_report(pyrometer, file),
        text_report(pyrometer, file, *SECTIONS),
        pyrometer("report", tmp_path / "missing\x1b[31m\n.prof").stderr,
    ):
        harmful = [c for c in output if c != "\n" and not c.isprintable()]
        assert harmful == []
    assert max(map(len, text_report(pyrometer, file).splitlines())) < 400
    assert len(report(pyrometer, file)["functions"]) == 3
