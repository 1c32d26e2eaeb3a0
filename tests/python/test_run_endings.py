"""However a program ends: the same as without pyrometer, and a recording that can be read."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from running import (
    BUSY,
    PROGRAMS,
    Recorded,
    Recorder,
    children_of,
    on_a_calm_machine,
    same_behaviour,
    wait_until,
)

# What may be lost when a program has no time to end: a second, and more on a busy machine.
LOST = 1.5

ENDINGS = {
    "status 3": "sys.exit(3)",
    "a message": "sys.exit('no such field')",
    "status 255": "sys.exit(-1)",
    "exception": "1 / 0",
    "chained exception": "raise KeyError('key') from ValueError(2)",
    "keyboard interrupt": "raise KeyboardInterrupt",
    "exception in atexit": "import atexit\natexit.register(int, 'x')",
    "exception in a thread": (
        "import threading\nthread = threading.Thread(target=lambda: 1 / 0, name='t')\n"
        "thread.start()\nthread.join()"
    ),
    "exception in __del__": (
        "class Bad:\n    __slots__ = ()\n    def __del__(self):\n        print('gone')\n"
        "keep = Bad()"
    ),
}
SUDDEN_ENDINGS = {
    "SIGTERM": "os.kill(os.getpid(), signal.SIGTERM)",
    "SIGKILL": "os.kill(os.getpid(), signal.SIGKILL)",
    "SIGSEGV": "import ctypes\nctypes.string_at(0)",
    "abort": "os.abort()",
    "os._exit": "os._exit(7)",
}


def program(ending: str) -> str:
    return f"import os\nimport signal\nimport sys\n{BUSY}\nbusy(float(sys.argv[1]))\n{ending}\n"


@pytest.mark.parametrize("ending", ENDINGS)
def test_ending(recorder: Recorder, ending: str) -> None:
    plain, recorded = recorder.both(recorder.write(program(ENDINGS[ending])), 0.3)
    same_behaviour(plain, recorded)
    profile = recorded.profile()
    assert profile.by_function("cpu")["busy"] == pytest.approx(0.3e9, rel=0.25)
    (process,) = recorded.report("--processes")["processes"]
    assert process["status"] == "finished"


@pytest.mark.parametrize("ending", SUDDEN_ENDINGS)
def test_sudden_ending(recorder: Recorder, ending: str) -> None:
    script = recorder.write(program(SUDDEN_ENDINGS[ending]))
    plain = recorder.plain(script, 0)
    recorded = recorder.record(script, 2, options=["-q"])
    same_behaviour(plain, recorded)
    assert recorded.profile().by_function("cpu")["busy"] > (2 - LOST) * 1e9
    (process,) = recorded.report("--processes")["processes"]
    assert process["status"] in ("finished", "killed")


@pytest.mark.parametrize("ending", SUDDEN_ENDINGS)
def test_sudden_ending_at_once(one_recorder: Recorder, ending: str) -> None:
    """Nothing was sampled yet: that is said in words, if at all, and changes no status."""
    script = one_recorder.write(program(SUDDEN_ENDINGS[ending]))
    plain = one_recorder.plain(script, 0)
    recorded = one_recorder.record(script, 0)
    assert recorded.result.returncode == plain.returncode
    assert recorded.result.stdout == plain.stdout
    assert recorded.result.stderr.startswith(plain.stderr)


def test_syntax_error(recorder: Recorder) -> None:
    same_behaviour(*recorder.both(recorder.write("def broken(:\n    pass\n")))


def test_missing_script(one_recorder: Recorder) -> None:
    plain, recorded = one_recorder.both(one_recorder.folder / "missing.py")
    same_behaviour(plain, recorded)
    assert plain.returncode == 2


def test_missing_module(one_recorder: Recorder) -> None:
    same_behaviour(*one_recorder.both("-m", "no_such_module_anywhere"))


def test_exec_of_python(recorder: Recorder) -> None:
    after = recorder.write(
        f"import os\n{BUSY}\ndef after():\n    busy(0.4)\nafter()\nprint('after', os.getpid())\n",
        "after.py",
    )
    before = recorder.write(
        f"import os\nimport sys\n{BUSY}\ndef before():\n    busy(2)\nbefore()\n"
        f"print('before', os.getpid(), flush=True)\n"
        f"os.execv(sys.executable, [sys.executable, {str(after)!r}])\n"
    )
    recorded = recorder.record(before)
    assert recorded.result.returncode == 0, recorded.complaint
    (word_before, pid), (word_after, same) = map(str.split, recorded.result.stdout.splitlines())
    assert (word_before, word_after, pid) == ("before", "after", same)
    profile = recorded.profile()
    assert profile.pids == [int(pid)] * 2
    assert total_below(recorded, "before") > (2 - LOST) * 1e9
    assert total_below(recorded, "after") == pytest.approx(0.4e9, rel=0.25)


def total_below(recorded: Recorded, function: str) -> int:
    return sum(
        stack.value
        for stack in recorded.profile().stacks("cpu")
        if any(frame.name == function for frame in stack.frames)
    )


def test_exec_of_another_program(recorder: Recorder) -> None:
    script = recorder.write(
        f"import os\n{BUSY}\nbusy(2)\nos.execv('/bin/echo', ['echo', 'hello from echo'])\n"
    )
    recorded = recorder.record(script, options=["-q"])
    assert recorded.result.stdout == "hello from echo\n"
    assert recorded.result.stderr == ""
    assert recorded.result.returncode == 0
    assert recorded.profile().by_function("cpu")["busy"] > (2 - LOST) * 1e9


# ---- killed from outside


def test_exec_that_fails(recorder: Recorder) -> None:
    """What the program does afterwards is recorded too, also when it is killed in the end."""
    script = recorder.write(
        f"import os\nimport signal\n{BUSY}\n"
        "try:\n    os.execv('/no/such/program', ['x'])\nexcept OSError as error:\n"
        "    print(error.strerror)\n"
        "busy(2)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    recorded = recorder.record(script)
    assert recorded.result.returncode == -signal.SIGKILL, recorded.complaint
    assert recorded.profile().by_function("cpu")["busy"] > 1e9


def test_fork_by_native_code(recorder: Recorder) -> None:
    """A child that Python knows nothing of ends as always, and is not the parent's business."""
    script = recorder.write(
        f"import ctypes\nimport os\nimport time\n{BUSY}\n"
        "pid = ctypes.PyDLL(None).fork()\n"
        "if pid == 0:\n    os._exit(5)\n"
        "began = time.monotonic()\n"
        "print(os.waitpid(pid, 0)[1] >> 8, time.monotonic() - began < 3)\n"
        "busy(0.3)\n"
    )
    recorded = recorder.record(script)
    assert recorded.result.stdout == "5 True\n", recorded.complaint
    assert len(recorded.recordings) == 1
    assert recorded.profile().by_function("cpu")["busy"] > 0.2e9


@pytest.mark.parametrize("victim", ["program", "group"])
def test_killed_at_a_random_moment(recorder: Recorder, victim: str) -> None:
    on_a_calm_machine(lambda: expect_all_but_the_last_second(recorder, victim))


def expect_all_but_the_last_second(recorder: Recorder, victim: str) -> None:
    moment = random.uniform(2.0, 3.5)
    running = recorder.start(PROGRAMS / "phases.py", 100)
    assert running.stdout
    assert running.stderr
    assert running.stdout.readline()  # it has begun
    time.sleep(moment)
    if victim == "program":
        (program_pid,) = children_of(running.pid)
        os.kill(program_pid, signal.SIGKILL)
    else:
        os.killpg(running.pid, signal.SIGKILL)
    killed = time.monotonic()
    output, error = running.communicate(timeout=30)
    assert running.returncode == -signal.SIGKILL, error
    recorded = recorder.finish(
        subprocess.CompletedProcess(running.args, running.returncode, output, error)
    )
    if victim == "program":
        assert str(recorded.run) in error  # the summary
    wall = recorded.profile().by_function("wall")
    for line in output.splitlines():
        number, took, ended = line.split()
        if float(ended) < killed - LOST:
            assert wall[f"phase_{number}"] > (float(took) - 0.1) * 1e9, (moment, line, wall)
    (process,) = recorded.report("--processes")["processes"]
    assert process["status"] in ("killed", "truncated")


HANDLERS = """
import signal
import sys
import time

def stop(number, _):
    print('stopped by', signal.Signals(number).name, flush=True)
    sys.exit(5)

signal.signal(signal.SIGTERM, stop)
print('ready', flush=True)
try:
    while True:
        time.sleep(0.01)
        sum(range(10000))
except KeyboardInterrupt:
    print('interrupted', flush=True)
    sys.exit(6)
"""


@pytest.mark.parametrize(
    ("number", "words", "status"),
    [(signal.SIGINT, "interrupted", 6), (signal.SIGTERM, "stopped by SIGTERM", 5)],
)
@pytest.mark.parametrize("target", ["group", "pyrometer", "program"])
def test_signal_reaches_the_program(
    one_recorder: Recorder, number: signal.Signals, words: str, status: int, target: str
) -> None:
    """Its own handlers run once, and the summary still prints."""
    running = one_recorder.start(one_recorder.write(HANDLERS))
    assert running.stdout
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.3)
    if target == "group":
        os.killpg(running.pid, number)
    elif target == "pyrometer":
        running.send_signal(number)
    else:
        os.kill(children_of(running.pid)[0], number)
    output, error = running.communicate(timeout=30)
    assert output == words + "\n"
    assert running.returncode == status
    assert str(one_recorder.run) in error
    assert "Traceback" not in error


def test_daemon_threads_at_shutdown(recorder: Recorder) -> None:
    """They are at work while the interpreter ends around them: never a crash, in any of 10 runs."""
    script = recorder.write(
        f"import threading\n{BUSY}\n"
        "for _ in range(6):\n    threading.Thread(target=busy, args=(60,), daemon=True).start()\n"
        "busy(0.03)\nprint('done')\n"
    )
    for _ in range(10):
        recorded = recorder.record(script, options=["--rate", 2000])
        assert recorded.result.returncode == 0, recorded.complaint
        assert recorded.result.stdout == "done\n"
        assert "Fatal" not in recorded.result.stderr
        assert "busy" in recorded.profile().function_names


def test_stopped_and_continued(one_recorder: Recorder) -> None:
    """Time in which the program was stopped is no CPU."""
    script = one_recorder.write(
        f"import signal\n{BUSY}\n"
        "goes_on = []\n"
        "signal.signal(signal.SIGCONT, lambda *_: goes_on.append(True))\n"
        "print('ready', flush=True)\n"
        "begin = time.thread_time()\n"
        "while not goes_on: busy(0.01)\n"
        "busy(0.5)\n"
        "print(time.thread_time() - begin)\n"
    )
    running = one_recorder.start(script)
    assert running.stdout
    assert running.stdout.readline() == "ready\n"
    (pid,) = children_of(running.pid)
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: ") T " in Path(f"/proc/{pid}/stat").read_text())
    time.sleep(1)
    os.kill(pid, signal.SIGCONT)
    used, error = running.communicate(timeout=30)
    assert running.returncode == 0, error
    export = one_recorder.finish(subprocess.CompletedProcess([], 0, "", error)).profile()
    busy = export.by_function("cpu")["busy"]
    assert busy == pytest.approx(1e9 * float(used), rel=0.1), json.dumps(error)
