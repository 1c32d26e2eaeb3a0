"""A program in which every function is wrapped by a timing decorator reads as if it were not."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTHONS, Run, read_json
from running import Recorded, Recorder

# As LSST's timeMethod: functools.wraps around a function that notes the time before and after.
PROGRAM = """
import functools
import sys
import time

timings = {}

def timed(function):
    if "plain" in sys.argv:
        return function

    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        start = time.perf_counter()
        try:
            return function(*arguments, **keywords)
        finally:
            name = function.__name__
            timings[name] = timings.get(name, 0) + time.perf_counter() - start

    return wrapper

def spin(count):
    total = 0
    for number in range(count):
        total += number * number
    return total

class Solver:
    @timed
    def solve(self):
        for _ in range(5):
            self.step()

    @timed
    def step(self):
        kernel(800_000)
        residual()

@timed
def kernel(count):
    spin(count)

@timed
def residual():
    spin(600_000)

@timed
def load():
    spin(1_000_000)

@timed
def main():
    load()
    Solver().solve()

main()
"""
NAMES = {"main", "load", "Solver.solve", "Solver.step", "kernel", "residual", "spin"}
VIEWS = ("--tree", "--callers", "--callees", "--bottom-up", "--depth=99")
Document = dict[str, Any]


@pytest.fixture(scope="module")
def recorder(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    return Recorder(executable, next(iter(PYTHONS.values())), tmp_path_factory.mktemp("folding"))


@pytest.fixture(scope="module", params=["sampled", "exact"])
def runs(request: pytest.FixtureRequest, recorder: Recorder) -> tuple[Recorded, Recorded]:
    """The program with and without its decorators."""
    options = ["--exact"] if request.param == "exact" else []
    program = recorder.write(PROGRAM)
    wrapped = recorder.record(program, options=options)
    return wrapped, recorder.record(program, "plain", options=options)


def report(pyrometer: Run, run: Path, *words: str) -> Document:
    document: Document = read_json(pyrometer("report", run, "--json", *words), "report")
    return document


def name_of(function: Document) -> str:
    name: str = function["qualified_name"] or function["name"]
    return name


def edges_of(document: Document) -> set[tuple[str, str]]:
    """Caller and callee of the program's own functions, as both views tell them."""
    functions = [f for f in document["functions"] if name_of(f) in NAMES]
    by_callers = {(name_of(e), name_of(f)) for f in functions for e in f["callers"]}
    by_callees = {(name_of(f), name_of(e)) for f in functions for e in f["callees"]}
    by_callees = {edge for edge in by_callees if edge[1] in NAMES}
    assert by_callees <= by_callers
    return by_callers


def tree_paths(document: Document) -> dict[str, int]:
    paths: list[str] = []
    totals: dict[str, int] = {}
    for node in document["tree"]:
        above = "" if node["parent"] < 0 else paths[node["parent"]] + ";"
        paths.append(above + node["function"])
        if node["function"] in NAMES:
            totals[paths[-1].partition("<module>;")[2]] = node["total"]
    return totals


def test_reads_as_without_decorators(runs: tuple[Recorded, Recorded], pyrometer: Run) -> None:
    wrapped, plain = (report(pyrometer, run.run, *VIEWS, "--min-share=0.5") for run in runs)
    complaint = runs[0].complaint
    assert edges_of(wrapped) == edges_of(plain), complaint
    assert tree_paths(wrapped).keys() == tree_paths(plain).keys(), complaint
    assert not any("wrapper" in node["function"] for node in wrapped["tree"]), complaint
    assert wrapped["folded"]["functions"].count("timed.<locals>.wrapper") == 1
    assert wrapped["folded"]["estimated"] is False
    assert wrapped["folded"]["frames"] >= 6
    assert "folded" not in plain or "timed.<locals>.wrapper" not in plain["folded"]["functions"]


def test_nothing_is_lost(runs: tuple[Recorded, Recorded], pyrometer: Run) -> None:
    run = runs[0].run
    every = ("--tree", "--min-share=0", "--depth=99")
    folded, unfolded = (report(pyrometer, run, *every, *words) for words in ([], ["--no-fold"]))
    assert sum(n["self"] for n in folded["tree"]) == sum(n["self"] for n in unfolded["tree"])
    assert "folded" not in unfolded
    assert any("wrapper" in node["function"] for node in unfolded["tree"])
    # The table of functions is exact, folded or not.
    assert folded["functions"] == unfolded["functions"] == report(pyrometer, run)["functions"]
    assert any("wrapper" in name_of(f) for f in folded["functions"])


def test_the_text_says_so(runs: tuple[Recorded, Recorded], pyrometer: Run) -> None:
    run = runs[0].run
    sentence = "folded into what called them; --no-fold shows all."
    assert sentence in pyrometer("report", run, "--tree").stdout
    for words in (["--tree", "--no-fold"], [], ["--lines"], ["--by=module"]):
        assert sentence not in pyrometer("report", run, *words).stdout
    by_name = pyrometer("report", run, "--tree", "--no-fold", "--fold", "wrapper$").stdout
    assert sentence in by_name
    assert "wrapper$" not in by_name
    assert "<locals>.wrapper" not in by_name


def test_pstats_text_never_folds(runs: tuple[Recorded, Recorded], pyrometer: Run) -> None:
    text = pyrometer("report", runs[0].run, "--format=pstats", "--callers").stdout
    assert "wrapper" in text


def test_estimated_without_paths(pyrometer: Run, tmp_path: Path) -> None:
    """cProfile's files have one row for all wrappers: only who asks gets an estimate."""
    script, file = tmp_path / "program.py", tmp_path / "program.prof"
    script.write_text(PROGRAM)
    command = [sys.executable, "-m", "cProfile", "-o", file, script]
    subprocess.run(command, check=True, timeout=60)
    usual = report(pyrometer, file, *VIEWS)
    assert "folded" not in usual
    document = report(pyrometer, file, *VIEWS, "--fold", "^wrapper$")
    assert document["folded"] == {"frames": 1, "estimated": True, "functions": ["wrapper"]}
    assert document["functions"][0]["self"] == usual["functions"][0]["self"]
    edges = {(e["name"], f["name"]) for f in document["functions"] for e in f["callers"]}
    assert {("main", "load"), ("main", "solve"), ("solve", "step"), ("step", "kernel")} <= edges
    assert not any("wrapper" in edge for edge in edges)
    assert {node["function"] for node in document["tree"]} >= {"main", "solve", "spin"}
    total = document["totals"]["self"]
    whole = report(pyrometer, file, "--tree", "--min-share=0", "--depth=99", "--fold", "^wrapper$")
    assert sum(node["self"] for node in whole["tree"]) == pytest.approx(total, rel=1e-6)
    text = pyrometer("report", file, "--tree", "--fold", "^wrapper$").stdout
    assert "1 wrapper frame folded" in text
    assert "this is an estimate" in text


CLOSURE = """
def spin(count):
    total = 0
    for number in range(count):
        total += number * number

def first():
    spin(2_000_000)

def second():
    spin(2_000_000)

def main():
    def step():
        first()
        second()
    step()

main()
"""


@pytest.mark.parametrize("options", [[], ["--exact"]], ids=["sampled", "exact"])
def test_functions_that_call_several_others_are_no_decorators(
    recorder: Recorder, pyrometer: Run, options: list[str]
) -> None:
    """A decorator calls what it wraps from one line."""
    run = recorder.record(recorder.write(CLOSURE), options=options)
    tree = report(pyrometer, run.run, "--tree")["tree"]
    assert "main.<locals>.step" in {node["function"] for node in tree}, run.complaint


def graph(pyrometer: Run, profile: Path, *words: str) -> set[tuple[str, str]]:
    """Caller and callee of each arrow."""
    done = pyrometer("graph", profile, "--json", "-n0", "-e0", "--max-nodes=0", *words)
    document = read_json(done, "graph")
    names = [function["function"] for function in document["functions"]]
    return {(names[call["caller"]], names[call["callee"]]) for call in document["calls"]}


def test_graphs_fold_on_request(runs: tuple[Recorded, Recorded], pyrometer: Run) -> None:
    run = runs[0].run
    wrapper = "timed.<locals>.wrapper"
    usual = graph(pyrometer, run)
    assert ("Solver.solve", wrapper) in usual
    tasks = {("main", "load"), ("main", "Solver.solve"), ("Solver.step", "kernel")}
    for words in (["--fold-wrappers"], ["--fold", "wrapper$"]):
        folded = graph(pyrometer, run, *words)
        assert folded >= tasks, words
        assert not any(wrapper in call for call in folded), words


def test_graphs_of_ranks_and_of_files_without_paths(
    runs: tuple[Recorded, Recorded], pyrometer: Run, tmp_path: Path
) -> None:
    name = str(tmp_path / "g-%f.dot")
    drawn = pyrometer("graph", runs[0].run, "--per-rank", "--fold-wrappers", "-o", name).stdout
    assert "wrapper" not in Path(drawn.split()[0]).read_text()
    file = tmp_path / "program.prof"
    pyrometer("export", runs[0].run, "-o", file)
    picture = tmp_path / "g.dot"
    told = pyrometer("graph", file, "--fold-wrappers", "-o", picture)
    assert "nothing was folded: this profile has no call paths" in told.stderr
    assert told.returncode == 0
    assert "wrapper" in picture.read_text()
    told = pyrometer("graph", file, "--fold", "wrapper$", "-o", picture)
    assert told.stderr == ""
    assert "wrapper" not in picture.read_text()
