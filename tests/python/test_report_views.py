"""Groups, loops, sandwiches, filters and focus of pyrometer report, on everything it opens."""

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTHONS, ROOT, Run, expect_refusal, read_json
from running import Recorded, Recorder

Document = dict[str, Any]
GROUPINGS = ["module", "package", "library", "file", "kind"]

PROGRAM = """
import json

def inner(count):
    total = 0
    for number in range(count):
        total += number * number
    return total

def outer(rounds):
    sums = []
    for _ in range(rounds):
        for size in (20_000, 40_000):
            sums.append(inner(size))
    return [json.dumps(each) for each in sums]

outer(250)
"""


def report(pyrometer: Run, *arguments: object) -> Document:
    document: Document = read_json(pyrometer("report", *arguments, "--json"), "report")
    return document


def text_report(pyrometer: Run, *arguments: object) -> str:
    result = pyrometer("report", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture(scope="module")
def loops_run(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A program that spends its time in nested loops."""
    recorder = Recorder(executable, next(iter(PYTHONS.values())), tmp_path_factory.mktemp("loops"))
    return recorder.record(recorder.write(PROGRAM))


@pytest.mark.parametrize("by", GROUPINGS)
def test_groups_add_up(by: str, pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        document = report(pyrometer, profile, "--by", by)
        (group,) = document["groups"]
        assert group["by"] == by
        total = document["totals"]["self"]
        assert sum(row["self"] for row in group["rows"]) == total
        names = [row["name"] for row in group["rows"]]
        assert len(names) == len(set(names))
        for row in group["rows"]:
            assert 0 <= row["self"] <= row["total"] <= total
            assert row["self_share"] == pytest.approx(row["self"] / total)
        selves = [row["self"] for row in group["rows"]]
        assert selves == sorted(selves, reverse=True)
        shown = text_report(pyrometer, profile, f"--by={by}", "-n3")
        assert shown.splitlines()[shown.splitlines().index("") + 1].endswith(by)


def test_groups_of_a_cprofile_file(pyrometer: Run, prof_file: Path) -> None:
    groups = report(pyrometer, prof_file, "--by", "kind,module")["groups"]
    kinds = {row["name"] for row in groups[0]["rows"]}
    assert {"own code", "built-in functions"} <= kinds
    assert {"program", "builtins"} <= {row["name"] for row in groups[1]["rows"]}
    by_name = report(pyrometer, prof_file, "--by=module", "--sort=name")["groups"][0]["rows"]
    assert [row["name"] for row in by_name] == sorted(row["name"] for row in by_name)


def test_origins_are_the_whole(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        document = report(pyrometer, profile)
        assert sum(each["self"] for each in document["origins"]) == document["totals"]["self"]
        assert sum(each["share"] for each in document["origins"]) == pytest.approx(1)
    second = text_report(pyrometer, prof_file).splitlines()[1]
    assert re.fullmatch(r" {11}own code \d+\.\d %, .*built-in functions \d+\.\d %", second)


def test_loops(pyrometer: Run, loops_run: Recorded) -> None:
    document = report(pyrometer, loops_run.run, "--loops")
    loops = {loop["name"]: loop for loop in document["loops"]}
    script = Path(document["loops"][0]["file"]).name
    innermost = loops[f"loop at {script}:6-7 in inner"]
    outermost = loops[f"loop at {script}:12-14 in outer"]
    middle = loops[f"loop at {script}:13-14 in outer"]
    assert innermost["self_share"] > 0.5, loops_run.complaint
    assert outermost["total"] >= middle["total"] >= innermost["total"]
    assert (middle["first_line"], middle["last_line"], middle["function"]) == (13, 14, "outer")
    assert outermost["self"] < innermost["self"]
    totals = [loop["total"] for loop in document["loops"]]
    assert totals == sorted(totals, reverse=True)
    text = text_report(pyrometer, loops_run.run, "--loops", "--filter-function", "^inner$")
    assert re.search(rf"loop at {script}:6-7 in inner +for number in range\(count\):", text)
    assert "in outer" not in text


def test_loops_without_source(pyrometer: Run, prof_file: Path) -> None:
    assert "No loops: " in text_report(pyrometer, prof_file, "--loops")
    assert report(pyrometer, prof_file, "--loops")["loops"] == []


def test_sandwich(pyrometer: Run, prof_file: Path) -> None:
    document = report(pyrometer, prof_file, "--sandwich", "^fibonacci$", "--callers", "--callees")
    (sandwich,) = document["sandwich"]
    (function,) = (f for f in document["functions"] if f["name"] == "fibonacci")
    for side in ("callers", "callees"):
        assert sandwich[side] == function[side]
    text = text_report(pyrometer, prof_file, "--sandwich", "^work$")
    rows = [line.split() for line in text[text.index("\n\n") :].splitlines()[3:]]
    words = [re.sub(r".*\d (?=called|calls|work)", "", " ".join(row)) for row in rows]
    assert words[0].startswith("called by <module>")
    assert any(each.startswith("work ") for each in words)
    assert words[-1].startswith("calls ")
    assert "No function matches." in text_report(pyrometer, prof_file, "--sandwich", "nobody")


def test_filters_by_part(pyrometer: Run, run_directory: Path) -> None:
    def names(*arguments: str) -> set[str]:
        functions = report(pyrometer, run_directory, *arguments)["functions"]
        return {f["qualified_name"] + "|" + f["module_file"] for f in functions}

    everything = names()
    parts = [each.split("|") for each in everything]
    of_module = {"|".join(each) for each in parts if re.search(r"module_1\.py$", each[1])}
    of_name = {"|".join(each) for each in parts if "1" in each[0]}
    assert of_module
    assert of_module != everything
    assert names("--filter-file", r"module_1\.py$") == of_module
    assert names("--exclude-file", r"module_1\.py$") == everything - of_module
    assert names("--filter-module", r"module_1$") == of_module
    assert names("--exclude-module", r"module_1$") == everything - of_module
    assert names("--filter-function", "1") == of_name
    assert names("--exclude-function", "1") == everything - of_name
    assert names("--filter-function", "1", "--filter-file", r"module_1\.py$") == of_name & of_module


def test_filtered_trees_keep_the_total(pyrometer: Run, run_directory: Path) -> None:
    words = ("--tree", "--no-fold", "--min-share=0", "--depth=1000")
    whole = report(pyrometer, run_directory, *words)
    for filters in (["-x", "module_1"], ["-f", "module_1"], ["--exclude-module", "module_[2-5]"]):
        document = report(pyrometer, run_directory, *words, *filters)
        assert sum(node["self"] for node in document["tree"]) == whole["totals"]["self"]
        assert document["totals"] == whole["totals"]
        assert 0 < len(document["tree"]) < len(whole["tree"])


def test_focus(pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        whole = report(pyrometer, profile, "--processes", "--threads")
        function = max(
            whole["functions"], key=lambda f: 0 if f["total_share"] > 0.9 else f["total"]
        )
        pattern = f"^{re.escape(function['qualified_name'] or function['name'])}$"
        document = report(pyrometer, profile, "--focus", pattern, "--tree", "--threads")
        total = document["totals"]["self"]
        assert document["focus"] == {"pattern": pattern, "whole": whole["totals"]["self"]}
        if not whole["paths_estimated"]:
            assert total == function["total"]
        assert 0 < total < whole["totals"]["self"]
        assert sum(f["self"] for f in document["functions"]) == total
        assert sum(p["value"] for p in document["processes"]) == total
        assert sum(t["value"] for t in document["threads"]) == total
        assert all(finding["kind"] == "warning" for finding in document["findings"])
        text = text_report(pyrometer, profile, "--focus", pattern)
        assert "  Only paths through " in text
        assert "; percentages are of that." in text
        assert ("Call paths are estimated." in text) == whole["paths_estimated"]
    expect_refusal(pyrometer("report", prof_file, "--focus", "nobody"), "nobody", "--focus")


def test_focus_on_a_merged_file(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    merged = tmp_path / "job.pyro"
    assert pyrometer("merge", run_directory, "-o", merged).returncode == 0
    focus = ("--focus", "module_1", "--by=module", "--tree")
    one, other = (report(pyrometer, profile, *focus) for profile in (run_directory, merged))
    for key in ("totals", "functions", "groups", "tree", "focus"):
        assert one[key] == other[key], key


def test_min_share_of_every_table(pyrometer: Run, run_directory: Path) -> None:
    views = ("--callers", "--callees", "--lines", "--threads", "--by=module", "--tree")
    document = report(pyrometer, run_directory, *views, "--min-share=10")
    least = 0.1 * document["totals"]["self"]
    assert document["functions"]
    for function in document["functions"]:
        assert function["total"] >= least
        assert all(edge["total"] >= least for edge in function["callers"] + function["callees"])
    for rows in (document["lines"], document["tree"], document["groups"][0]["rows"]):
        assert rows
        assert all(row["total"] >= least for row in rows)
    assert all(thread["value"] >= least for thread in document["threads"])
    assert len(report(pyrometer, run_directory)["functions"]) > len(document["functions"])


def test_metrics_by_other_words(pyrometer: Run, loops_run: Recorded, prof_file: Path) -> None:
    for flag, metric in (("--gil", "python"), ("--idle", "wall"), ("--no-idle", "cpu")):
        by_flag = report(pyrometer, loops_run.run, flag)
        by_name = report(pyrometer, loops_run.run, "--metric", metric)
        assert by_flag == by_name
        assert by_flag["metric"] == metric
    assert "which needs the GIL" in text_report(pyrometer, loops_run.run, "--gil")
    expect_refusal(pyrometer("report", prof_file, "--gil"), "it has wall, calls", status=2)
    expect_refusal(pyrometer("report", prof_file, "--no-idle"), "waiting", status=2)
    refused = pyrometer("report", prof_file, "--idle", "--metric=wall")
    expect_refusal(refused, "give one of them", status=2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--by", "colour"], "module, package, library, file, kind"),
        (["--focus", "("], "not a valid regular expression"),
        (["--sandwich", "["], "not a valid regular expression"),
        (["--filter-module", "*"], "not a valid regular expression"),
        (["--fold", "*", "--tree"], "not a valid regular expression"),
        (["--fold", "x"], "--fold changes call paths"),
        (["--format", "pstats", "--loops"], "pstats has nothing like --loops"),
        (["--format", "pstats", "--focus", "x"], "pstats has nothing like --focus"),
        (["--format", "pstats", "--fold", "x"], "pstats has nothing like --fold"),
        (["--format", "pstats", "--by", "file"], "pstats has nothing like --by"),
    ],
)
def test_wrong_usage(words: list[str], sentence: str, pyrometer: Run, prof_file: Path) -> None:
    expect_refusal(pyrometer("report", prof_file, *words), sentence, status=2)


def test_help_is_in_groups(pyrometer: Run) -> None:
    text = pyrometer("report", "--help").stdout
    for title in ("Views", "Rows", "Filters", "Call paths", "Metric", "Output"):
        assert re.search(rf"^{title}\b.*:$", text, re.MULTILINE), title
    assert (ROOT / "docs" / "report.md").is_file()
