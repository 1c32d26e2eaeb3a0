"""pyrometer.pause() and resume(): nothing that happens in between is recorded."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from inside_programs import HEAD, InsideRunner, environment
from profiles import RecordedProfile
from running import Recorded, Recorder

SECOND = 1_000_000_000
WORK = """
import json
def seen(): busy(0.2)
def hidden(): busy(0.3)
hiding = 0
def pause():
    global hiding
    pyrometer.pause()
    hiding -= time.process_time()
def resume():
    global hiding
    hiding += time.process_time()
    pyrometer.resume()
def tell(): print(json.dumps(time.process_time() - hiding))
"""
PAUSED = """
seen()
pause()
hidden()
time.sleep(0.2)
resume()
seen()
tell()
"""


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


def record(recorder: Recorder, source: str, *options: object) -> Recorded:
    program = recorder.write(HEAD + source)
    recorded = recorder.record(program, options=options, env=environment(), cwd=recorder.folder)
    assert recorded.result.returncode == 0, recorded.complaint
    return recorded


def expect_all_but_pauses(least: float, profile: RecordedProfile, told: str) -> None:
    """At least what was to be seen, and no more CPU time than the program used without pauses,
    which are much longer than the end of the interpreter.
    """
    assert least * SECOND < profile.total("cpu") < (float(told) + 0.1) * SECOND


def names(recorded: Recorded, metric: str = "cpu") -> set[str]:
    return {frame.name for stack in recorded.profile().stacks(metric) for frame in stack.frames}


def test_samples_and_waits(recorder: Recorder) -> None:
    recorded = record(recorder, WORK + PAUSED, "-q")
    profile = recorded.profile()
    assert "seen" in names(recorded)
    assert "hidden" not in names(recorded)
    expect_all_but_pauses(0.3, profile, recorded.result.stdout)
    assert profile.total("sleep") < 0.05 * SECOND
    totals = recorded.report()["totals"]
    assert 0.45 * SECOND < totals["paused_ns"] < totals["wall_ns"]
    assert "paused for " in recorded.command("report", recorded.run)


def test_the_summary_says_so(one_recorder: Recorder) -> None:
    recorded = record(one_recorder, WORK + PAUSED)
    assert " paused), " in recorded.result.stderr


def test_in_a_recording_from_inside(program: InsideRunner) -> None:
    indented = "".join(f"    {line}\n" for line in PAUSED.splitlines())
    start = "hiding = time.process_time()\n"
    done = program.expect(WORK + start + "with pyrometer.recording('part') as r:\n" + indented)
    profile = program.profile("part")
    assert "hidden" not in {frame.name for s in profile.stacks("cpu") for frame in s.frames}
    expect_all_but_pauses(0.3, profile, done.stdout)


def test_begins_paused(recorder: Recorder) -> None:
    source = WORK + "hidden()\nresume()\nseen()\ntell()\n"
    recorded = record(recorder, source, "-q", "--paused")
    assert "seen" in names(recorded)
    assert "hidden" not in names(recorded)
    expect_all_but_pauses(0.1, recorded.profile(), recorded.result.stdout)


def test_never_resumed(one_recorder: Recorder) -> None:
    recorded = record(one_recorder, WORK + "hidden()\n", "--paused")
    assert "never called pyrometer.resume()" in recorded.result.stderr


def test_paused_until_the_end(recorder: Recorder) -> None:
    recorded = record(recorder, WORK + "seen()\npyrometer.pause()\nhidden()\n", "-q")
    assert "seen" in names(recorded)
    assert "hidden" not in names(recorded)
    assert recorded.report()["totals"]["paused_ns"] > 0.2 * SECOND


def test_twice_is_once(recorder: Recorder) -> None:
    source = (
        WORK + "pyrometer.resume(); seen()\npyrometer.pause(); pause(); hidden()\n"
        "resume(); pyrometer.resume(); seen()\n"
        "pause(); hidden(); resume(); seen()\ntell()\n"
    )
    recorded = record(recorder, source, "-q")
    assert "hidden" not in names(recorded)
    expect_all_but_pauses(0.45, recorded.profile(), recorded.result.stdout)


CALLS = """
import math
pyrometer.pause(); pyrometer.resume()  # which loads what they need
def leaf(): return math.hypot(3, 4)
def outer():
    begin = time.perf_counter()
    leaf()
    pyrometer.pause()
    paused = time.perf_counter()
    for _ in range(100): leaf()
    busy(0.2)
    resumed = time.perf_counter()
    pyrometer.resume()
    leaf(); leaf()
    return time.perf_counter() - begin - (resumed - paused)
seconds = outer()
pyrometer.pause()
outer_again = outer
leaf()
pyrometer.resume()
leaf()
print(seconds)
"""


def test_counted_calls(recorder: Recorder) -> None:
    recorded = record(recorder, CALLS, "-q", "--exact")
    rows = {row["name"]: row for row in recorded.report()["functions"]}
    assert rows["leaf"]["calls"] == 4
    assert rows["<built-in method math.hypot>"]["calls"] == 4
    assert rows["outer"]["calls"] == 1
    assert rows["outer"]["total"] < (float(recorded.result.stdout) + 0.1) * SECOND
    assert "busy" not in rows
    assert "pause" not in rows


LINES = """
def measured():
    total = 1
    pyrometer.pause()
    total += 1
    busy(0.2)
    pyrometer.resume()
    total += 2
    return total
def other():
    return 1
measured(); busy(0.05)
pyrometer.pause(); other(); pyrometer.resume(); other()
"""


def test_lines(recorder: Recorder) -> None:
    recorded = record(recorder, LINES, "-q", "--lines=measured", "--lines=other")
    runner = InsideRunner(recorder.executable, recorder.python, recorder.folder)
    hits = runner.hits(recorded.run.name)
    assert hits["other"] == [1]
    # The lines that call pause() and resume() are hit before the one and after the other.
    assert len(hits["measured"]) in (4, 5)
    assert set(hits["measured"]) <= {0, 1}


def test_a_child_that_is_forked_meanwhile(recorder: Recorder) -> None:
    source = (
        WORK + "def child(): busy(0.2)\n"
        "busy(0.05)\n"
        "pyrometer.pause()\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    hidden(); pyrometer.resume(); child(); os._exit(0)\n"
        "assert os.waitpid(pid, 0)[1] == 0\n"
        "hidden(); pyrometer.resume(); seen()\n"
    )
    recorded = record(recorder, source, "-q")
    found = names(recorded)
    assert {"child", "seen"} <= found
    assert "hidden" not in found
    assert len(recorded.profile().pids) == 2


@pytest.mark.parametrize("options", [(), ("--exact",)])
def test_threads(recorder: Recorder, options: Sequence[str]) -> None:
    """Those that begin, work and end in a pause, and those that go on."""
    source = (
        "import json, threading\n"
        "is_over = threading.Event()\n"
        "def going_on():\n"
        "    while not is_over.is_set(): busy(0.01)\n"
        "def short(): busy(0.1)\n"
        "start = time.monotonic()\n"
        "thread = threading.Thread(target=going_on, name='going on'); thread.start()\n"
        "clock = time.pthread_getcpuclockid(thread.ident)\n"
        "def wait_for(seconds):\n"
        "    end = time.clock_gettime(clock) + seconds\n"
        "    while time.clock_gettime(clock) < end: time.sleep(0.01)\n"
        "wait_for(0.2)\n"
        "pyrometer.pause()\n"
        "paused = time.monotonic()\n"
        "for _ in range(3):\n"
        "    other = threading.Thread(target=short, name='short'); other.start(); other.join()\n"
        "wait_for(0.3)\n"
        "resumed = time.monotonic()\n"
        "pyrometer.resume()\n"
        "wait_for(0.2)\n"
        "is_over.set(); thread.join()\n"
        "print(json.dumps(paused - start + time.monotonic() - resumed))\n"
    )
    recorded = record(recorder, source, "-q", *options)
    profile = recorded.profile()
    metric = "wall" if options else "cpu"
    assert "short" not in names(recorded, metric)
    seconds = float(recorded.result.stdout)
    assert 0.3 * SECOND < profile.by_thread(metric)["going on"] < (seconds + 0.1) * SECOND


def test_threads_that_end_meanwhile(program: InsideRunner) -> None:
    """Before or in the pause they began: what they use in it is not recorded."""
    done = program.expect(
        WORK + "import threading\n"
        "has_worked, may_hide = threading.Event(), threading.Event()\n"
        "def early(): busy(0.2); has_worked.set(); may_hide.wait(); busy(0.5)\n"
        "hiding = time.process_time()\n"
        "with pyrometer.recording('part'):\n"
        "    older = threading.Thread(target=early, name='early'); older.start()\n"
        "    has_worked.wait()\n"
        "    pause()\n"
        "    may_hide.set(); older.join()\n"
        "    other = threading.Thread(target=hidden); other.start(); other.join()\n"
        "    resume()\n"
        "    seen()\n"
        "tell()\n"
    )
    expect_all_but_pauses(0.35, program.profile("part"), done.stdout)


def test_regions_that_begin_meanwhile(recorder: Recorder) -> None:
    source = (
        "region = pyrometer.timed_region('step')\n"
        "with region: busy(0.05)\n"
        "pyrometer.pause()\nwith region: pass\npyrometer.resume()\n"
        "with region: busy(0.05)\n"
    )
    [row] = record(recorder, source, "-q").report()["timers"]
    assert row["count"] == 2


def test_memory(one_recorder: Recorder) -> None:
    source = (
        "def seen(): return bytearray(20_000_000)\n"
        "def hidden(): return bytearray(40_000_000)\n"
        "kept = [seen()]\npyrometer.pause()\nkept.append(hidden())\npyrometer.resume()\n"
        "kept.append(seen()); busy(0.05)\n"
    )
    recorded = record(one_recorder, source, "-q", "--memory=exact")
    functions = {frame.name for s in recorded.profile().stacks("allocated") for frame in s.frames}
    assert "seen" in functions
    assert "hidden" not in functions


def test_nobody_records(program: InsideRunner) -> None:
    program.expect("pyrometer.pause(); pyrometer.resume(); pyrometer.resume()\n")
