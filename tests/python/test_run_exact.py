"""`pyrometer run --exact`: every call of every thread and process."""

import json
import marshal
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from running import PROGRAMS, Recorder, on_a_calm_machine

EXACT = ["--exact"]

CALLS = """
import sys
def leaf(): return 1
def work(count):
    for _ in range(count): leaf()
def down(n): return 0 if n == 0 else down(n - 1)
"""


def calls_of(report: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Primitive calls and all calls, by name."""
    return {row["name"]: (row["primitive_calls"], row["calls"]) for row in report["functions"]}


def counted(recorder: Recorder, body: str, *words: object, **keywords: Any) -> dict[str, Any]:
    recorded = recorder.record(recorder.write(CALLS + body), *words, options=EXACT, **keywords)
    assert recorded.result.returncode == 0, recorded.complaint
    return calls_of(recorded.report())


def test_counts_are_cprofiles(recorder: Recorder) -> None:
    """To the digit, callers too, in the file that pstats reads."""
    script = PROGRAMS / "standard_library.py"
    ours, theirs = recorder.folder / "ours.prof", recorder.folder / "theirs.prof"
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    # The program profiles nothing itself here: it is imported and a piece of it is called.
    program = recorder.folder / "program.py"
    program.write_text(
        f"import gc, sys\nsys.path.insert(0, {str(script.parent)!r})\ngc.disable()\n"
        "import standard_library\n"
        "for name in ('json_texts', 'patterns', 'recursions', 'coroutines', 'objects'):\n"
        "    standard_library.PIECES[name]()\n"
    )
    line = [recorder.python, "-W", "ignore", "-m", "cProfile", "-o", theirs, program]
    subprocess.run(line, env=environment, check=True, timeout=60, capture_output=True)
    run = [recorder.executable, "run", "--exact", "-q", "-o", ours, "--", recorder.python]
    subprocess.run([*run, "-W", "ignore", program], env=environment, check=True, timeout=60)

    def calls(file: Path) -> dict[Any, Any]:
        """What the pieces call, by callee and caller: imports differ, as cProfile has its own.

        Of functions with the same label, as generated code has, cProfile keeps one.
        """
        stats = marshal.loads(file.read_bytes())
        return {
            (label, caller): cost[:2]
            for label, row in stats.items()
            for caller, cost in row[4].items()
            if caller[0] == str(script)
            and caller[2] != "<module>"
            and " at 0x" not in label[2]
            and label[0] != "<string>"
        }

    expected = calls(theirs)
    assert len(expected) > 50
    assert calls(ours) == expected


def test_all_threads(recorder: Recorder) -> None:
    calls = counted(
        recorder,
        "import threading\n"
        "threads = [threading.Thread(target=work, args=(1000,)) for _ in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "work(5)\n",
    )
    assert calls["leaf"] == (8005, 8005)
    assert calls["work"] == (9, 9)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_child_processes(recorder: Recorder, method: str) -> None:
    calls = counted(
        recorder,
        "import multiprocessing\n"
        "if __name__ == '__main__':\n"
        f"    context = multiprocessing.get_context('{method}')\n"
        "    children = [context.Process(target=work, args=(100,)) for _ in range(3)]\n"
        "    for child in children: child.start()\n"
        "    for child in children: child.join()\n",
    )
    assert calls["leaf"] == (300, 300)


def test_a_forked_child_goes_on_where_it_is(recorder: Recorder) -> None:
    body = (
        "import os\n"
        "def outer():\n"
        "    if os.fork() == 0:\n"
        "        work(7)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
        "outer()\n"
    )
    recorded = recorder.record(recorder.write(CALLS + body), options=EXACT)
    profile = recorded.profile()
    paths = {
        tuple(frame.name for frame in profile.paths[node])[-3:]
        for _, node, value in profile.values["calls"]
        if value == 7
    }
    assert paths == {("outer", "work", "leaf")}
    assert calls_of(recorded.report())["outer"] == (1, 1)


def test_deep_recursion(recorder: Recorder) -> None:
    calls = counted(recorder, "sys.setrecursionlimit(70_000)\nassert down(60_000) == 0\n")
    assert calls["down"] == (1, 60_001)


def test_folded_paths(recorder: Recorder) -> None:
    body = (
        "names = {}\n"
        "for i in range(30):\n"
        "    exec(f'''def f{i}(n):\n"
        "        if n: [g(n - 1) for g in (f{(i * 7 + 1) % 30}, f{(i * 11 + 3) % 30})]''', names)\n"
        "names['f0'](17)\n"
    )
    recorded = recorder.record(recorder.write(CALLS + body), options=EXACT)
    assert "more than 131072 call paths" in recorded.result.stderr
    calls = calls_of(recorded.report())
    assert sum(calls[f"f{i}"][1] for i in range(30)) == 2**18 - 1
    profile = recorded.profile()
    assert "(more call paths)" in {frame.name for path in profile.paths for frame in path}


@pytest.mark.parametrize("ending", ["sys.exit(3)", "import os; os._exit(3)", "raise SystemExit(3)"])
def test_endings(recorder: Recorder, ending: str) -> None:
    script = recorder.write(f"{CALLS}\nwork(50)\n{ending}\n")
    recorded = recorder.record(script, options=EXACT)
    assert recorded.result.returncode == 3
    assert calls_of(recorded.report())["leaf"] == (50, 50)


def test_killed(one_recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_what_was_before_a_kill(one_recorder))


def expect_what_was_before_a_kill(recorder: Recorder) -> None:
    """What was counted more than about a second before is there, and so is the open call."""
    script = recorder.write(
        f"{CALLS}\nimport time\nwork(5000)\nprint(time.monotonic(), flush=True)\ntime.sleep(100)\n"
    )
    run = recorder.new_run()
    process = subprocess.Popen(
        recorder.line(run, script, options=EXACT), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    began = float(process.stdout.readline())
    time.sleep(2.5)
    process.send_signal(signal.SIGKILL)
    asleep = 1e9 * (time.monotonic() - began)
    process.wait()
    report = subprocess.run(
        [recorder.executable, "report", run, "--json"], capture_output=True, check=True
    )
    document = json.loads(report.stdout)
    assert calls_of(document)["leaf"] == (5000, 5000)
    sleep = next(row for row in document["functions"] if "time.sleep" in row["name"])
    assert asleep - 1.5e9 < sleep["self"] < asleep


def test_what_cprofile_cannot_see(recorder: Recorder) -> None:
    body = (
        "import functools\n"
        "twice = functools.partial(max, 2)\n"
        "for _ in range(6): complex(1, 2); twice(1)\n"
        "class Own:\n"
        "    def __call__(self): return leaf()\n"
        "own = Own()\n"
        "for _ in range(4): own()\n"
    )
    script = recorder.write(CALLS + body)
    plain = calls_of(recorder.record(script, options=EXACT).report())
    assert "<class 'complex'>" not in plain
    assert plain["leaf"] == (4, 4)
    options = [*EXACT, "--c-callables=all"]
    more = calls_of(recorder.record(script, options=options).report())
    if recorder.python_version() >= (3, 12):
        assert more["<class 'complex'>"][1] == 6
        assert any("partial object" in name and calls[1] >= 6 for name, calls in more.items())
    assert more["leaf"] == (4, 4)


def test_a_program_that_profiles_itself(recorder: Recorder) -> None:
    script = recorder.write(
        f"{CALLS}\nimport cProfile, pstats\nprofile = cProfile.Profile()\n"
        "profile.enable()\nwork(30)\nprofile.disable()\n"
        "print(pstats.Stats(profile).get_stats_profile().func_profiles['leaf'].ncalls)\n"
    )
    recorded = recorder.record(script, options=EXACT)
    assert recorded.result.stdout == "30\n", recorded.complaint
    if recorder.python_version() >= (3, 12):
        assert calls_of(recorded.report())["leaf"] == (30, 30)


def test_summary(one_recorder: Recorder) -> None:
    recorded = one_recorder.record(one_recorder.write(f"{CALLS}\nwork(200_000)\n"), options=EXACT)
    assert "calls counted" in recorded.result.stderr
    rows = [line for line in recorded.result.stderr.splitlines() if " leaf " in line]
    assert any("200,000" in row for row in rows), rows
    assert "samples" not in recorded.result.stderr


@pytest.mark.parametrize("is_subtracted", [False, True])
def test_own_cost(recorder: Recorder, is_subtracted: bool) -> None:
    """Measured and told; subtracted on request."""
    on_a_calm_machine(lambda: expect_own_cost(recorder, is_subtracted))


def expect_own_cost(recorder: Recorder, is_subtracted: bool) -> None:
    calls = 3_000_000  # long enough for what a busy machine takes between the end and the last call
    options = [*EXACT, "--calibrate"] if is_subtracted else EXACT
    script = recorder.write(f"{CALLS}\nwork({calls})\n")
    recorded = recorder.record(script, options=options)
    told = recorded.attributes()[0]
    assert 5 < int(told["exact.cost_per_call"]) < 2000, told
    assert 5 < int(told["exact.cost_per_c_call"]) < 2000, told
    assert int(told["exact.calls"]) > calls
    cost = int(told["exact.cost"])
    assert cost > calls * 5
    assert ", cost " in recorded.result.stderr
    assert told["exact.cost_is_subtracted"] == str(int(is_subtracted))
    report = recorded.report()
    assert next(row for row in report["functions"] if row["name"] == "leaf")["calls"] == calls
    own, wall = report["totals"]["self"], report["totals"]["wall_ns"]
    if is_subtracted:
        assert own < wall - cost / 2, told
    else:
        assert own == pytest.approx(wall, rel=0.1), told


@pytest.mark.parametrize("words", [["--rate", "100"], ["--clock", "perf"]])
def test_options_of_the_sampler_are_refused(one_recorder: Recorder, words: list[str]) -> None:
    line = [one_recorder.executable, "run", "--exact", *words, "-c", "pass"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--exact" in done.stderr


def test_c_callables_need_exact(one_recorder: Recorder) -> None:
    line = [one_recorder.executable, "run", "--c-callables", "all", "-c", "pass"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--exact" in done.stderr


def test_timeline(recorder: Recorder) -> None:
    """Each call with its beginning and end, nested as the calls were."""
    body = (
        "import threading, os\n"
        "work(20)\n"
        "thread = threading.Thread(target=work, args=(30,), name='helper')\n"
        "thread.start()\n"
        "thread.join()\n"
        "if os.fork() == 0:\n"
        "    work(40)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    recorded = recorder.record(recorder.write(CALLS + body), options=[*EXACT, "--timeline"])
    trace = json.loads(recorded.command("export", recorded.run, "--format", "chrome"))
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert min(event["ts"] for event in events) == 0
    assert sum(event["name"] == "leaf" for event in events) == 90
    works = [event for event in events if event["name"] == "work"]
    assert len(works) == 3
    assert len({event["pid"] for event in works}) == 2
    for work in works:
        inside = [
            event
            for event in events
            if event["name"] == "leaf"
            and event["tid"] == work["tid"]
            and work["ts"] <= event["ts"]
            and event["ts"] + event["dur"] <= work["ts"] + work["dur"] + 0.002
        ]
        assert len(inside) in (20, 30, 40)
    names = {e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert {"MainThread", "helper"} <= names
    assert max(event["ts"] + event["dur"] for event in events) < 60e6


def test_timeline_of_stated_size(one_recorder: Recorder) -> None:
    options = [*EXACT, "--timeline", "--timeline-size", "500"]
    script = one_recorder.write(f"{CALLS}\nwork(5000)\n")
    recorded = one_recorder.record(script, options=options)
    assert "the timeline has the last 500 calls of thread MainThread" in recorded.result.stderr
    trace = json.loads(recorded.command("export", recorded.run, "--format", "chrome"))
    assert sum(event["ph"] == "X" for event in trace["traceEvents"]) <= 1000
    assert calls_of(recorded.report())["leaf"] == (5000, 5000)


def test_a_profile_without_timeline(one_recorder: Recorder) -> None:
    """Chrome's format shows it all the same, as what it is."""
    recorded = one_recorder.record(one_recorder.write(f"{CALLS}\nwork(50)\n"), options=EXACT)
    trace = json.loads(recorded.command("export", recorded.run, "--format", "chrome"))
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert [event["name"] for event in events].count("leaf") == 1
    names = {e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert names == {"MainThread (aggregated, not in time)"}


def test_throttled(recorder: Recorder) -> None:
    """Cheap and frequent functions are counted now and then; the others as ever."""
    body = (
        "import time\n"
        "def slow(): time.sleep(0.01)\n"
        "def nested(n): return leaf() if n == 0 else nested(n - 1)\n"
        "def failing(): raise ValueError\n"
        "end = time.thread_time() + 3\n"
        "while time.thread_time() < end:\n"
        "    work(2000); nested(50)\n"
        "    try: failing()\n"
        "    except ValueError: pass\n"
        "for _ in range(5): slow()\n"
    )
    recorded = recorder.record(recorder.write(CALLS + body), options=[*EXACT, "--throttle"])
    assert recorded.result.returncode == 0, recorded.complaint
    if recorder.python_version() < (3, 12):
        assert "--throttle needs Python 3.12" in recorded.result.stderr
        return
    assert "leaf (" in recorded.result.stderr
    assert "(--throttle)" in recorded.result.stderr
    calls = calls_of(recorded.report())
    assert calls["slow"] == (5, 5)
    rounds = calls["failing"][1]
    assert calls["work"][1] <= rounds + 1
    assert 100_000 < calls["leaf"][1] < rounds * 2001 * 0.8
    deepest = max(len(path) for path in recorded.profile().paths)
    assert deepest < 200


def test_lambdas_of_one_line_are_kept_apart(recorder: Recorder) -> None:
    """In our own views; a .prof has one row for both."""
    body = (
        "n = 0; one, other = (lambda: n), (lambda: -n)\n"
        "for n in range(10): one(); n < 5 and other()\n"
    )
    script, file = recorder.write(CALLS + body), recorder.folder / "out.prof"
    recorded = recorder.record(script, options=EXACT)
    functions = recorded.report()["functions"]
    rows = [row for row in functions if row["name"] == "<lambda>" and row["file"] == str(script)]
    assert sorted(row["calls"] for row in rows) == [5, 10]
    recorded.command("export", recorded.run, "-o", file)
    stats = marshal.loads(file.read_bytes())
    label = next(label for label in stats if label[0] == str(script) and label[2] == "<lambda>")
    assert stats[label][1] == 15
