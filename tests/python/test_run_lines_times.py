"""`pyrometer run --lines`: how long lines take, also the one at which a program was killed."""

import os
import signal
import subprocess
import time

import pytest
from running import Recorder, Result, on_a_calm_machine, truth_of
from test_run_lines import LINES, lines_of, numbered


def test_times(recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_times(recorder))


TIMED = """
import json, time

def inner():
    time.sleep(0.2)  # sleeps inside

def outer():
    begin = time.perf_counter_ns()
    inner()  # calls
    between = time.perf_counter_ns()
    time.sleep(0.1)  # sleeps outside
    return between - begin, time.perf_counter_ns() - between

told = outer()  # both
print(json.dumps({"inside": told[0], "outside": told[1]}))
"""


def expect_times(recorder: Recorder) -> None:
    recorded = recorder.record(recorder.write(TIMED), options=LINES)
    truth = truth_of(recorded.result)
    times, own = lines_of(recorded, "line-time"), lines_of(recorded, "line-self")
    inside, calls, outside, both = (
        numbered(TIMED, f"# {mark}")
        for mark in ("sleeps inside", "calls", "sleeps outside", "both")
    )
    whole = truth["inside"] + truth["outside"]
    assert times["program.py", "inner"][inside] == pytest.approx(truth["inside"], rel=0.3)
    assert times["program.py", "outer"][calls] == pytest.approx(truth["inside"], rel=0.3)
    assert times["program.py", "<module>"][both] == pytest.approx(whole, rel=0.3)
    assert own["program.py", "outer"].get(calls, 0) < 0.02e9
    assert own["program.py", "outer"][outside] == pytest.approx(truth["outside"], rel=0.3)
    assert own["program.py", "<module>"].get(both, 0) < 0.02e9


def test_killed(one_recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_what_was_before_a_kill(one_recorder))


def expect_what_was_before_a_kill(recorder: Recorder) -> None:
    """What ran more than about a second before is there, and so is the line that still runs."""
    source = (
        "import time\n"
        "def count():\n"
        "    for number in range(1000):\n"
        "        number += 1\n"
        "def wait():\n"
        "    time.sleep(100)\n"
        "count()\n"
        "print(time.monotonic(), flush=True)\n"
        "wait()\n"
    )
    process = recorder.start(recorder.write(source), options=LINES)
    assert process.stdout is not None
    began = float(process.stdout.readline())
    time.sleep(3)
    os.killpg(process.pid, signal.SIGKILL)
    asleep = 1e9 * (time.monotonic() - began)
    process.communicate()
    killed: Result = subprocess.CompletedProcess([], -signal.SIGKILL, "", "")
    recorded = recorder.finish(killed)
    assert lines_of(recorded)["program.py", "count"] == {3: 1001, 4: 1000}
    assert lines_of(recorded)["program.py", "wait"] == {6: 1}
    assert asleep - 2e9 < lines_of(recorded, "line-time")["program.py", "wait"][6] < asleep
