"""Named regions of a recorded program: their figures, what happened inside, where they appear."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from region_recordings import counts, record, timers
from running import BUSY, PACKAGE, Recorded, Recorder

SOLVER = (
    BUSY
    + """
import threading
from pyrometer import reset_timers, timed_function, timed_region, timings

def in_thread():
    with timed_region("thread"):
        busy(0.1)

@timed_function("solve")
def solve():
    hot()

def hot():
    busy(0.2)

thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
for _ in range(2):
    with timed_region("step"):
        with timed_region("assembly"):
            busy(0.1)
        solve()
print(sorted((name, row.count) for name, row in timings().items()))
"""
)
COUNTS = {"thread": 1, "step": 2, "assembly": 2, "solve": 2}


def spans(recorded: Recorded) -> list[tuple[str, int]]:
    """Names of the regions on the timeline, and the rows they are drawn in."""
    found = []
    for file in recorded.recordings:
        names: list[str] = []
        [dump] = json.loads(recorded.command("dump", "--json", file))["recordings"]
        for each in dump["records"]:
            if each["type"] == "string":
                names.append(each["text"])
            if each["type"] == "regions":
                found += [(names[name], depth) for _, name, _, depth, _ in each["rows"]]
    return sorted(found)


@pytest.mark.parametrize("options", [(), ("--exact",)])
def test_figures_are_those_of_the_program(recorder: Recorder, options: Iterable[str]) -> None:
    recorded = record(recorder, SOLVER, *options)
    assert recorded.result.stdout == f"{sorted(COUNTS.items())}\n", recorded.complaint
    rows = timers(recorded)
    assert counts(rows) == COUNTS
    step = rows["step"]
    inside = rows["assembly"]["total_ns"] + rows["solve"]["total_ns"]
    assert step["total_ns"] == pytest.approx(inside + step["self_ns"], rel=1e-3)
    assert step["min_ns"] <= step["mean_ns"] <= step["max_ns"]
    assert rows["thread"]["total_ns"] >= 1e8
    # Each is on the timeline, in its thread, the inner ones below the outer.
    assert spans(recorded) == [("assembly", 1)] * 2 + [("solve", 1)] * 2 + [("step", 0)] * 2 + [
        ("thread", 0)
    ]


def test_a_region_is_a_filter(recorder: Recorder, pyrometer: Run, tmp_path: Path) -> None:
    recorded = record(recorder, SOLVER)
    merged = tmp_path / "merged.pyro"
    recorded.command("merge", recorded.run, "-o", merged)
    for source in (recorded.run, merged):
        report = read_json(pyrometer("report", source, "--json", "--region", "solve"), "report")
        functions = {row["name"]: row for row in report["functions"]}
        assert functions["hot"]["total_share"] > 0.8, functions
        assert report["region"]["name"] == "solve"
        assert report["totals"]["self"] < report["region"]["whole"]
        assert counts({row["name"]: row for row in report["timers"]}) == COUNTS
        text = pyrometer("report", source, "--region", "solve", "--focus", "hot").stdout
        assert "Only paths through hot inside the region solve: " in text
        stacks = pyrometer("export", source, "-F", "collapsed", "--region", "solve").stdout
        weights = [(int(line.split()[-1]), "hot" in line) for line in stacks.splitlines()]
        in_hot = sum(weight for weight, is_hot in weights if is_hot)
        assert in_hot > 0.8 * sum(weight for weight, _ in weights)
        table = pyrometer("report", source, "--regions").stdout
        assert re.search(r"^ +count +total +self +mean +min +max +region$", table, re.MULTILINE)
        assert re.search(r"^ +2 .* solve$", table, re.MULTILINE)
        assert re.search(r"^ +2 .* solve$", pyrometer("report", source).stdout, re.MULTILINE)
    refused = pyrometer("report", recorded.run, "--region", "solv")
    expect_refusal(refused, "has no region 'solv'; it has assembly, solve, step, thread")
    refused = pyrometer("report", recorded.run, "--region", "solve", "--format", "pstats")
    expect_refusal(refused, "pstats has nothing like --region", status=2)
    refused = pyrometer("export", recorded.run, "-o", tmp_path / "x.lprof", "--region", "solve")
    expect_refusal(refused, "lines are measured over the whole run", status=2)
    refused = pyrometer("export", recorded.run, "-o", tmp_path / "x.svg", "--region", "solv")
    expect_refusal(refused, "has no region 'solv'; it has assembly, solve, step, thread")


IN_PATHS = (
    BUSY
    + """
import asyncio, contextlib, time
from pyrometer import timed_function, timed_region

@contextlib.contextmanager
def stage(name):
    with timed_region(name):
        yield

def build():
    busy(0.2)

@timed_function("solve")
def solve():
    busy(0.2)

def step():
    build()
    with timed_region("assembly"):
        build()
        with contextlib.ExitStack() as stack:
            stack.enter_context(stage("inner"))
            build()
    solve()
    with timed_region("waiting"):
        time.sleep(0.3)

async def task(name):
    with timed_region(name):
        await asyncio.sleep(0)
        build()
        await asyncio.sleep(0)

async def other():
    await asyncio.sleep(0)
    busy(0.2)

async def main():
    await asyncio.gather(task("task"), other())

step()
asyncio.run(main())
"""
)


def tree_of(report: dict[str, Any], least: int = 0) -> dict[str, int]:
    """What each path of functions took with all that it calls, in milliseconds."""
    paths: list[str] = []
    totals = {}
    for node in report["tree"]:
        above = [] if node["parent"] < 0 else [paths[node["parent"]]]
        paths.append(";".join([*above, node["function"]]))
        totals[paths[-1]] = node["total"] // 1_000_000
    return {path: total for path, total in totals.items() if total >= least}


def test_regions_are_frames_of_the_tree(recorder: Recorder) -> None:
    recorded = record(recorder, IN_PATHS)
    assert recorded.result.returncode == 0, recorded.complaint
    tree = ("--tree", "--depth", 100, "--min-share", 0, "--no-fold")
    with_regions = recorded.report(*tree, "--with-regions")
    plain = recorded.report(*tree)
    assert with_regions["totals"] == plain["totals"]
    assert {row["name"] for row in plain["functions"]} == {
        row["name"] for row in with_regions["functions"]
    }
    paths = tree_of(with_regions, 100)
    step = "<module>;step"
    for path in (
        f"{step};build;busy",
        f"{step};[assembly];build;busy",
        f"{step};[assembly];[inner];build;busy",
        f"{step};[solve];solve;busy",
        f"{step};[waiting]",
    ):
        assert path in paths, sorted(paths)
    # What other tasks do meanwhile is not in the region of this one.
    [task] = [path for path in paths if path.endswith(";task;[task];build;busy")]
    assert not [path for path in paths if "other" in path and "[task]" in path], task
    assert [path for path in paths if path.endswith(";other;busy")]
    # Only what was inside has moved.
    inside = sum(
        total
        for path, total in tree_of(with_regions).items()
        if re.fullmatch(f"{step}.*;build", path)
    )
    assert inside == pytest.approx(tree_of(plain)[f"{step};build"], abs=5)


def test_regions_are_frames_of_exports_and_graphs(
    one_recorder: Recorder, pyrometer: Run, tmp_path: Path
) -> None:
    recorded = record(one_recorder, SOLVER)
    stacks = recorded.command("export", recorded.run, "-F", "collapsed", "--with-regions")
    assert re.search(r"^<module> .*;\[step\];\[solve\];solve .*;hot ", stacks, re.MULTILINE)
    assert "[step]" not in recorded.command("export", recorded.run, "-F", "collapsed")
    graph = json.loads(recorded.command("graph", recorded.run, "--with-regions", "--json"))
    names = [row["function"] for row in graph["functions"]]
    edges = {(names[call["caller"]], names[call["callee"]]) for call in graph["calls"]}
    assert {("[step]", "[assembly]"), ("[step]", "[solve]"), ("[solve]", "solve")} <= edges
    narrowed = ("--region", "solve", "--with-regions", "--tree")
    report = recorded.report(*narrowed, "--min-share", 5)
    assert [path for path in tree_of(report) if path.endswith("[step];[solve];solve;hot;busy")]
    assert not [path for path in tree_of(report) if "[assembly]" in path]

    document = json.loads(recorded.command("export", recorded.run, "--json", "--with-regions"))
    assert {f["name"] for f in document["functions"] if f["kind"] == "region"} == {
        f"[{name}]" for name in COUNTS
    }

    merged = tmp_path / "merged.pyro"
    recorded.command("merge", recorded.run, "-o", merged)
    refused = pyrometer("report", merged, "--tree", "--with-regions")
    expect_refusal(refused, "does not tell in which functions its regions began")
    refused = pyrometer("report", recorded.run, "--with-regions")
    expect_refusal(refused, "add --tree", status=2)
    refused = pyrometer("export", recorded.run, "-F", "lprof", "--with-regions")
    expect_refusal(refused, "which a lprof file does not have", status=2)


def test_a_profile_without_regions_says_how_to_get_some(
    run_directory: Path, pyrometer: Run
) -> None:
    refused = pyrometer("report", run_directory, "--region", "x")
    expect_refusal(refused, "has no region 'x'; pyrometer.timed_region")
    assert "There are no regions" in pyrometer("report", run_directory, "--regions").stdout
    refused = pyrometer("report", run_directory, "--tree", "--with-regions")
    expect_refusal(refused, "this profile has no regions; pyrometer.timed_region")


def test_chrome_has_a_pair_of_events(one_recorder: Recorder) -> None:
    recorded = record(one_recorder, SOLVER)
    out = one_recorder.folder / "trace.json"
    recorded.command("export", recorded.run, "--format", "chrome", "-o", out)
    events = [e for e in json.loads(out.read_text())["traceEvents"] if e.get("cat") == "region"]
    assert sorted(e["name"] for e in events if e["ph"] == "b") == sorted(
        name for name, count in COUNTS.items() for _ in range(count)
    )
    ends = {e["id"]: e for e in events if e["ph"] == "e"}
    for begin in events:
        if begin["ph"] == "b":
            assert ends[begin["id"]]["ts"] > begin["ts"]


def test_reset_is_the_programs_own_affair(recorder: Recorder) -> None:
    recorded = record(recorder, SOLVER + "\nreset_timers()\nassert timings() == {}\n")
    assert counts(timers(recorded)) == COUNTS, recorded.complaint


def test_a_forked_child_has_figures_of_its_own(recorder: Recorder) -> None:
    source = """
import os, sys
from pyrometer import timed_region, timings
with timed_region("before"): pass
with timed_region("across"):
    pid = os.fork()
if pid == 0:
    with timed_region("child"): pass
    assert {name: row.count for name, row in timings().items()} == {
        "before": 1, "across": 1, "child": 1}
    sys.exit()
assert os.waitpid(pid, 0)[1] == 0
"""
    recorded = record(recorder, source)
    assert recorded.result.returncode == 0, recorded.complaint
    of_processes = sorted(
        sorted(key.removeprefix("region.") for key in each if key.startswith("region."))
        for each in recorded.attributes()
    )
    assert of_processes == [["across", "before"], ["child"]]


def test_a_region_of_a_killed_process_is_known_so_far(one_recorder: Recorder) -> None:
    source = (
        BUSY
        + """
import os, signal
from pyrometer import timed_region
with timed_region("over"):
    busy(0.05)
with timed_region("unfinished"):
    with timed_region("inner"):
        busy(1.5)
        os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    recorded = record(one_recorder, source)
    assert set(timers(recorded)) == {"over"}, recorded.complaint
    report = recorded.report("--region", "unfinished", "--tree", "--with-regions", "--min-share", 5)
    assert report["totals"]["self"] > 5e8
    assert [path for path in tree_of(report) if "[unfinished];[inner];busy" in path]


def test_tasks_that_take_turns_are_drawn_side_by_side(recorder: Recorder) -> None:
    source = """
import asyncio
from pyrometer import timed_region
async def task(name):
    with timed_region(name):
        await asyncio.sleep(0.05)
async def main():
    await asyncio.gather(*map(task, "abc"))
asyncio.run(main())
"""
    assert spans(record(recorder, source)) == [("a", 0), ("b", 1), ("c", 2)]


def test_very_many_regions_are_counted_but_not_all_kept(one_recorder: Recorder) -> None:
    source = """
from pyrometer import timed_region
for _ in range(400_000):
    with timed_region("short"): pass
"""
    recorded = record(one_recorder, source)
    assert timers(recorded)["short"]["count"] == 400_000
    left_out = recorded.sum_of("regions.left-out")
    kept = len(spans(recorded))
    assert left_out + kept == 400_000
    assert 0 < kept < 110_000
    text = recorded.command("report", recorded.run, "--region", "short")
    assert "too shortly to be kept one by one" in text


def test_summary_at_exit_is_the_same_under_a_recorder(one_recorder: Recorder) -> None:
    recorded = record(one_recorder, SOLVER, "--quiet", PYROMETER_PRINT_SUMMARY="1")
    lines = recorded.result.stderr.splitlines()
    assert lines[0] == "Timers, in seconds"
    rows = [line.split() for line in lines[2:]]
    assert {row[-1] for row in rows} == set(COUNTS)
    assert rows[0][-1] == "step"  # which has two others inside
    totals = [float(row[1]) for row in rows]
    assert totals == sorted(totals, reverse=True), lines


def test_marks_are_on_the_timeline(recorder: Recorder) -> None:
    source = """
from pyrometer import mark, timed_region
class Silent:
    def __str__(self): raise ValueError
with timed_region("step"):
    assert mark("step", i=5, residual=0.25) is None
    mark("saved")
    mark("odd", value=Silent())
    mark("many", values="\u00e9" * 1_000_000)
sum(range(2_000_000))
for wrong in ((), (1,)):
    try:
        mark(*wrong)
    except TypeError:
        pass
    else:
        raise AssertionError(wrong)
"""
    recorded = record(recorder, source)
    assert recorded.result.returncode == 0, recorded.complaint
    assert sum(file.stat().st_size for file in recorded.recordings) < 500_000
    assert spans(recorded) == [
        ("many values=" + "\u00e9" * 487 + "\u2026", 1),
        ("odd value=?", 1),
        ("saved", 1),
        ("step", 0),
        ("step i=5 residual=0.25", 1),
    ]
    assert counts(timers(recorded)) == {"step": 1}
    plain = recorder.plain(recorder.folder / "program.py", env={"PYTHONPATH": str(PACKAGE)})
    assert (plain.returncode, plain.stdout, plain.stderr) == (0, "", "")
