"""What the main thread did and what it waited for is the time that passed."""

import pytest
from running import Recorder, on_a_calm_machine

SECOND = 1_000_000_000
MILLISECOND = SECOND // 1000
KINDS = ("python", "native", "system", "runnable", "gil-wait", "lock-wait", "io", "sleep", "idle")

HEAD = """
import os, subprocess, threading, time
end = time.monotonic() + 1.5
def goes_on(): return time.monotonic() < end
"""
PROGRAMS = {
    "work": "while goes_on(): sum(range(1000))",
    "short sleeps": "while goes_on(): time.sleep(0.001)",
    "files": """
while goes_on():
    with open('written', 'wb') as file:
        file.write(bytes(100_000)); file.flush(); os.fsync(file.fileno())
    with open('written', 'rb') as file: file.read()
""",
    "uncached reads": """
open('large', 'wb').write(os.urandom(10_000_000))
while goes_on():
    file = os.open('large', os.O_RDWR)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    for i in range(300): os.pread(file, 4096, i * 30_000)
    os.close(file)
""",
    "lock ping-pong": """
ping, pong = threading.Lock(), threading.Lock()
ping.acquire(); pong.acquire()
def other():
    while goes_on():
        ping.acquire(timeout=0.1)
        if pong.locked(): pong.release()
thread = threading.Thread(target=other); thread.start()
while goes_on():
    if ping.locked(): ping.release()
    pong.acquire(timeout=0.1)
thread.join()
""",
    "children": "while goes_on(): subprocess.run(['/bin/true'])",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_lost(recorder: Recorder, name: str) -> None:
    on_a_calm_machine(lambda: expect_whole_time(recorder, name))


def expect_whole_time(recorder: Recorder, name: str) -> None:
    program = recorder.write(HEAD + PROGRAMS[name])
    recorded = recorder.record(program, options=["-q"], cwd=recorder.folder)
    profile = recorded.profile()
    passed = recorded.report()["totals"]["wall_ns"]
    kinds = {kind: profile.by_thread(kind)["MainThread"] for kind in KINDS}
    room = 0.02 * passed + 10 * MILLISECOND
    assert sum(kinds.values()) == pytest.approx(passed, abs=room), (kinds, recorded.complaint)


def test_short_waits_are_not_charged_to_a_long_one(recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_own_sleep(recorder))


def expect_own_sleep(recorder: Recorder) -> None:
    program = recorder.write(
        HEAD + "def nap():\n    for _ in range(5000): time.sleep(0.0001)\n"
        "def sleep(): time.sleep(0.4)\n"
        "nap()\nbegin = time.monotonic_ns()\nsleep()\nprint(time.monotonic_ns() - begin)\n"
    )
    recorded = recorder.record(program, options=["-q"])
    asleep = recorded.profile().by_function("sleep")["sleep"]
    assert asleep == pytest.approx(int(recorded.result.stdout), abs=0.1 * SECOND)


def test_nobody_waits_for_us(recorder: Recorder) -> None:
    """What the recording's end keeps the program is no wait of the program's."""
    program = recorder.write(HEAD + "sum(range(10_000_000))\nos._exit(0)\n")
    profile = recorder.record(program, options=["-q"]).profile()
    assert profile.by_label("wall")["(futex)"] == 0
