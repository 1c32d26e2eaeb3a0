"""What `pyrometer export` writes, opened by those who will open it: totals there are ours."""

import csv
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, read_json
from harness.environments import InstallError, cache_folder, make_environment

DATA = Path(__file__).parent.parent / "data"
SVG = "{http://www.w3.org/2000/svg}"

THREADED = """
import threading

def leaf(n):
    return sum(range(n))

def work(rounds):
    return [leaf(500) for _ in range(rounds)]

thread = threading.Thread(target=work, args=(300,), name="helper")
thread.start()
thread.join()
work(200)
"""


@dataclass
class Source:
    """A profile, and what our own report says of it."""

    path: Path
    report: Any
    plain: tuple[str, ...]  # functions that do not recurse

    @property
    def total(self) -> int:
        return int(self.report["totals"]["self"])

    @property
    def self_by_name(self) -> Counter[str]:
        costs: Counter[str] = Counter()
        for function in self.report["functions"]:
            costs[function["qualified_name"] or function["name"]] += function["self"]
        return costs


@pytest.fixture(scope="module")
def exact_run(pyrometer: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every call of two threads."""
    folder = tmp_path_factory.mktemp("exact")
    (folder / "program.py").write_text(THREADED)
    words = ("run", "-q", "--exact", "--python", sys.executable, "-o", folder / "run")
    done = pyrometer(*words, folder / "program.py")
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture(scope="module", params=["recording", "ranks", "pstats", "exact"])
def source(
    request: pytest.FixtureRequest,
    pyrometer: Run,
    run_directory: Path,
    prof_file: Path,
    exact_run: Path,
) -> Source:
    path, plain = {
        "recording": (DATA / "recording-v1.pyr", ("main", "libm.so.6")),
        "ranks": (run_directory, ()),
        "pstats": (prof_file, ("work",)),
        "exact": (exact_run, ("work", "leaf")),
    }[request.param]
    return Source(path, read_json(pyrometer("report", path, "--json"), "report"), plain)


def export(pyrometer: Run, source: Source, output: Path, *words: object) -> Path:
    done = pyrometer("export", source.path, "-o", output, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return output


@pytest.fixture(scope="module")
def gprof2dot() -> Path:
    """The Python of an environment that has it."""
    cache = cache_folder().parent / "viewers"
    packages = ["gprof2dot", "snakeviz"]
    try:
        folder = make_environment("pstats", Path(sys.executable), packages, print, cache)
    except InstallError as error:
        pytest.skip(f"gprof2dot cannot be installed: {error}")
    return folder / "bin" / "python"


def run_tool(*words: object) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


def graph_shares(python: Path, form: str, file: Path) -> Counter[str]:
    """The total per cent of every function, as gprof2dot draws them."""
    words = ("-m", "gprof2dot", "-f", form, "-n", "0", "-e", "0", file)
    shares: Counter[str] = Counter()
    for line in run_tool(python, *words).splitlines():
        # Only boxes have two percentages; places are shown above names.
        if found := re.search(r'label="(.*?)\\n([\d.]+)%\\n\([\d.]+%\)', line):
            name = found[1].split("\\n")[-1].split(" (")[0]
            shares[name] = max(shares[name], float(found[2]))  # type: ignore[assignment]
    return shares


def total_share(source: Source, name: str) -> float:
    [total] = [f["total"] for f in source.report["functions"] if f["name"] == name]
    return float(100 * total / source.total)


# ---- callgrind


def test_callgrind_annotate(pyrometer: Run, source: Source, tmp_path: Path) -> None:
    tool = shutil.which("callgrind_annotate")
    if not tool:
        pytest.skip("there is no callgrind_annotate: install valgrind")
    file = export(pyrometer, source, tmp_path / "callgrind.out.1")
    text = run_tool(tool, "--threshold=100", "--show-percs=no", "--auto=no", file)
    [total] = re.findall(r"^([\d,]+) +PROGRAM TOTALS$", text, re.MULTILINE)
    assert int(total.replace(",", "")) == source.total
    costs: Counter[str] = Counter()
    for cost, name in re.findall(r"^ *([\d,]+)  \S.*?:(\S.*?)(?: \[.*\])?$", text, re.MULTILINE):
        # Names that occur more than once have their place behind them.
        costs[re.sub(r" \(.*\)( #\d+)?$", "", name)] += int(cost.replace(",", ""))
    heaviest = source.self_by_name.most_common(3)
    assert {name: costs[name] for name, _ in heaviest} == dict(heaviest)


def test_call_graphs_in_gprof2dot(
    pyrometer: Run, source: Source, gprof2dot: Path, tmp_path: Path
) -> None:
    """Functions that do not recurse: what it makes of cycles is its own."""
    files = {"callgrind": tmp_path / "x.callgrind", "collapse": tmp_path / "x.collapsed"}
    if source.report["paths_estimated"]:
        del files["collapse"]  # estimated paths have other totals than the file
    for form, file in files.items():
        shares = graph_shares(gprof2dot, form, export(pyrometer, source, file))
        assert len(shares) > 1
        for name in source.plain:
            assert shares[name] == pytest.approx(total_share(source, name), abs=0.02), form


# ---- CSV


def test_csv(pyrometer: Run, source: Source, tmp_path: Path) -> None:
    with export(pyrometer, source, tmp_path / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    metric = source.report["metric"]
    found = {(row["function"], row["file"], int(row["line"])): row for row in rows}
    assert len(found) == len(rows)
    assert sum(int(row[f"{metric}_self_ns"]) for row in rows) == source.total
    for function in source.report["functions"]:
        name = function["qualified_name"] or function["name"]
        row = found[name, function["file"], function["line"]]
        assert int(row[f"{metric}_self_ns"]) == function["self"]
        assert int(row[f"{metric}_total_ns"]) == function["total"]
        assert int(row["calls"]) == (function.get("calls") or 0)


def test_csv_of_lines(pyrometer: Run, source: Source, tmp_path: Path) -> None:
    with export(pyrometer, source, tmp_path / "x.lines.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    expected = json.loads(pyrometer("report", source.path, "--lines", "--json", "-n0").stdout)
    places = {(row["file"], int(row["line"])) for row in rows}
    assert {(line["file"], line["line"]) for line in expected["lines"]} <= places


# ---- SQLite


def test_sqlite(pyrometer: Run, source: Source, tmp_path: Path) -> None:
    database = sqlite3.connect(export(pyrometer, source, tmp_path / "x.sqlite"))
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    top = database.execute("SELECT function, self, total FROM top_functions").fetchall()
    assert sum(own for _, own, _ in top) == source.total
    assert [own for _, own, _ in top] == sorted((own for _, own, _ in top), reverse=True)
    ours = Counter(
        (f["qualified_name"] or f["name"], f["self"], f["total"])
        for f in source.report["functions"]
    )
    assert Counter(top) == ours
    [(threads,)] = database.execute(
        "SELECT sum(value) FROM thread_totals WHERE metric = (SELECT name FROM main_metric)"
    )
    assert threads == source.total
    for view in ("top_lines", "main_metric"):
        database.execute(f"SELECT * FROM {view}").fetchall()
    kinds = {row[0] for row in database.execute("SELECT typeof(value) FROM node_values")}
    assert kinds == {"integer"}


# ---- the flame graph


def test_flame_graph(pyrometer: Run, source: Source, tmp_path: Path) -> None:
    root = ElementTree.parse(export(pyrometer, source, tmp_path / "x.svg")).getroot()
    frames = root.findall(f"{SVG}g[@class='frame']")
    titles = [frame.findtext(f"{SVG}title", "").split("\n") for frame in frames]
    assert titles[0][0] == "all"
    widths = [
        float(frame.find(f"{SVG}rect").get("width"))  # type: ignore
        for frame in frames
    ]
    assert max(widths) == widths[0] == 1176
    rows = [frame.find(f"{SVG}rect").get("y") for frame in frames]  # type: ignore[union-attr]
    roots = [width for width, y in zip(widths, rows, strict=True) if y == "118"]
    assert sum(roots) == pytest.approx(1176, abs=1)
    for name in source.plain:
        shown = [title[-1] for title in titles if title[0] == name]
        total = sum(float(re.search(r"\(([\d.]+) %\)", text)[1]) for text in shown)  # type: ignore[index]
        if not source.report["paths_estimated"]:
            assert total == pytest.approx(total_share(source, name), abs=0.1 * len(shown))
    # Nothing in it is fetched from anywhere.
    text = (tmp_path / "x.svg").read_text()
    assert set(re.findall(r'https?://[^"<\s]*', text)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
    }
