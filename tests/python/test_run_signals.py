"""Programs that use signals and timers themselves see nothing of ours."""

import json
import os
import re
import signal
from typing import Any

import pytest
from running import BUSY, Recorder, same_behaviour

PRELUDE = f"import json\nimport os\nimport signal\nimport sys\nimport threading\n{BUSY}\n"

COUNTING = {
    "ITIMER_PROF": """
ticks = []
signal.signal(signal.SIGPROF, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_PROF, 0.05, 0.05)
busy(1.5)
signal.setitimer(signal.ITIMER_PROF, 0)
print(json.dumps(len(ticks)))
""",
    "ITIMER_VIRTUAL": """
ticks = []
signal.signal(signal.SIGVTALRM, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_VIRTUAL, 0.05, 0.05)
busy(1.5)
signal.setitimer(signal.ITIMER_VIRTUAL, 0)
print(json.dumps(len(ticks)))
""",
    "SIGALRM": """
ticks = []
signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
end = time.monotonic() + 1.5
while time.monotonic() < end:
    sum(range(1000))
signal.setitimer(signal.ITIMER_REAL, 0)
print(json.dumps(len(ticks)))
""",
    "set_wakeup_fd": """
import socket
reader, writer = socket.socketpair()
writer.setblocking(False)
signal.set_wakeup_fd(writer.fileno())
signal.signal(signal.SIGUSR1, lambda *_: None)
for _ in range(100):
    busy(0.005)
    os.kill(os.getpid(), signal.SIGUSR1)
signal.set_wakeup_fd(-1)
received = reader.recv(100000)
assert set(received) == {signal.SIGUSR1}, set(received)
print(json.dumps(len(received)))
""",
    "sigwait": """
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
received = []
def wait():
    while (number := signal.sigwait({signal.SIGUSR1, signal.SIGUSR2})) == signal.SIGUSR1:
        received.append(number)
        handled.release()
handled = threading.Semaphore(0)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
waiter = threading.Thread(target=wait)
waiter.start()
for _ in range(100):
    busy(0.005)
    os.kill(os.getpid(), signal.SIGUSR1)
    handled.acquire()
os.kill(os.getpid(), signal.SIGUSR2)
waiter.join()
print(json.dumps(len(received)))
""",
}


def count(result: Any) -> int:
    assert result.returncode == 0, result.stderr
    counted: int = json.loads(result.stdout)
    return counted


@pytest.mark.parametrize("facility", COUNTING)
def test_handlers_run_as_often(recorder: Recorder, facility: str) -> None:
    expect_as_many_calls(recorder, facility, "perf")


@pytest.mark.parametrize("facility", COUNTING)
def test_handlers_run_as_often_with_the_slow_clock(one_recorder: Recorder, facility: str) -> None:
    expect_as_many_calls(one_recorder, facility, "timer")


@pytest.mark.parametrize("facility", COUNTING)
def test_handlers_run_as_often_with_traps(one_recorder: Recorder, facility: str) -> None:
    expect_as_many_calls(one_recorder, facility, "trap")


TRAPS = {
    "killed": "busy(0.2)\nos.kill(os.getpid(), signal.SIGTRAP)\nbusy(0.2)\n",
    "breakpoint": """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\\xcc\\xc3")
busy(0.2)
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
print("not reached")
""",
    "handled": """
seen = []
signal.signal(signal.SIGTRAP, lambda number, _: seen.append(number))
busy(0.3)
os.kill(os.getpid(), signal.SIGTRAP)
busy(0.1)
print(seen, signal.getsignal(signal.SIGTRAP) is not None)
""",
    "ignored": """
signal.signal(signal.SIGTRAP, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGTRAP)
busy(0.3)
print(signal.getsignal(signal.SIGTRAP))
""",
    "blocked": """
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTRAP})
busy(0.3)
print("done")
""",
    "forked": """
busy(0.2)
child = os.fork()
if child == 0:
    busy(0.2)
    os._exit(3)
print(os.waitpid(child, 0)[1], os.system("true"))
""",
}


@pytest.mark.parametrize("use", TRAPS)
def test_traps_leave_the_program_its_own(recorder: Recorder, use: str) -> None:
    """SIGTRAP does what it did without us, whoever sends it, and sampling goes on."""
    script = recorder.write(PRELUDE + TRAPS[use])
    plain, recorded = recorder.both(script, options=["--rate", 1000, "--clock", "trap"])
    same_behaviour(plain, recorded)
    assert recorded.profile().total("cpu") > 0.1e9


def expect_as_many_calls(recorder: Recorder, facility: str, clock: str) -> None:
    """Nobody else's signals reach the handler, and none of its own are lost.

    A busy machine joins ticks of a timer, so a plain run may see fewer than were due, too.
    """
    script = recorder.write(PRELUDE + COUNTING[facility])
    due = 30 if "setitimer" in COUNTING[facility] else 100
    for _ in range(3):
        plain, recorded = recorder.both(script, options=["--rate", 1000, "--clock", clock])
        assert recorded.result.stderr == plain.stderr
        expected, seen = count(plain), count(recorded.result)
        assert seen <= due * 1.1, recorded.complaint
        if seen >= expected * 0.9:
            break
    else:
        pytest.fail(f"{seen} instead of {expected} calls of the handler{recorded.complaint}")
    assert recorded.profile().total("cpu") > 0.2e9


def test_wait_for_any_signal(recorder: Recorder) -> None:
    """A thread that blocks every signal and waits for any of them gets the program's own alone."""
    source = """
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
for _ in range(20):
    busy(0.01)
    os.kill(os.getpid(), signal.SIGUSR1)
    print(signal.Signals(signal.sigwait(signal.valid_signals())).name)
"""
    same_behaviour(*recorder.both(recorder.write(PRELUDE + source), options=["--rate", 1000]))


def test_every_signal_handled(recorder: Recorder) -> None:
    """A program that takes every signal it may still gets only those that were sent."""
    source = """
seen = []
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda number, _: seen.append(number))
busy(0.5)
os.kill(os.getpid(), signal.SIGUSR2)
busy(0.1)
print(seen)
"""
    same_behaviour(*recorder.both(recorder.write(PRELUDE + source), options=["--rate", 1000]))


def test_dispositions_are_the_programs(recorder: Recorder) -> None:
    source = """
from signal import getsignal, valid_signals
print([str(getsignal(number)) for number in sorted(valid_signals())])
print(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
print([signal.getitimer(which) for which in (0, 1, 2)])
"""
    plain, recorded = recorder.both(recorder.write(PRELUDE + source))
    same_behaviour(plain, recorded)


SIGIO_BY_KERNEL = """
import ctypes
SIZE, TGSIGQUEUEINFO, SI_KERNEL = 128, {"x86_64": 297, "aarch64": 240}[os.uname().machine], 0x80
information = (ctypes.c_int * (SIZE // 4))(signal.SIGIO, 0, SI_KERNEL)
sent = ctypes.CDLL(None, use_errno=True).syscall(
    TGSIGQUEUEINFO, os.getpid(), threading.get_native_id(), int(signal.SIGIO), information)
print(sent, flush=True)
"""


def test_full_queue_of_signals(recorder: Recorder) -> None:
    """The kernel sends SIGIO for a tick then, and nobody dies of it."""
    recorded = recorder.record(recorder.write(PRELUDE + SIGIO_BY_KERNEL))
    assert recorded.result.returncode == 0, recorded.complaint
    assert recorded.result.stdout == "0\n"


def test_sigio_of_somebody_else(recorder: Recorder) -> None:
    source = "os.kill(os.getpid(), signal.SIGIO)\nbusy(0.2)\nprint('alive')\n"
    plain, recorded = recorder.both(recorder.write(PRELUDE + source))
    assert plain.returncode == -signal.SIGIO
    same_behaviour(plain, recorded)


def test_faulthandler_later(recorder: Recorder) -> None:
    source = """
import faulthandler
faulthandler.enable()
file = open(sys.argv[1], "w+")
begin = time.monotonic()
faulthandler.dump_traceback_later(0.4, repeat=True, file=file)
while open(sys.argv[1]).read().count("Timeout") < 4 and time.monotonic() < begin + 60:
    busy(0.01)
faulthandler.cancel_dump_traceback_later()
print(time.monotonic() - begin)
"""
    script, file = recorder.write(PRELUDE + source), recorder.folder / "dumps"
    recorded = recorder.record(script, file, options=["-q", "--rate", 1000])
    assert (recorded.result.returncode, recorded.result.stderr) == (0, ""), recorded.complaint
    dumps = file.read_text().split("Timeout (0:00:00.4")[1:]
    assert 4 <= len(dumps) <= float(recorded.result.stdout) / 0.39, recorded.complaint
    for dump in dumps:
        # Every thread that Python knows: one, and none of ours.
        assert len(re.findall(r"[Tt]hread 0x", dump)) == 1, dump
        assert "program.py" in dump


def test_faulthandler_at_a_crash(recorder: Recorder) -> None:
    """Its report of the crash is not disturbed, nor the status."""
    source = "import faulthandler\nfaulthandler.enable()\nbusy(0.2)\nos.abort()\n"
    script = recorder.write(PRELUDE + source)
    plain, recorded = recorder.both(script)
    assert recorded.result.returncode == plain.returncode
    mask = re.compile(r"0x[0-9a-f]+")
    # The C stack that 3.14 prints holds addresses.
    first = mask.sub("", plain.stderr).split("Current thread's C stack")[0]
    assert mask.sub("", recorded.result.stderr).startswith(first.rstrip("\n")[:200])


def test_python_sees_only_its_threads(recorder: Recorder) -> None:
    source = """
print(threading.enumerate(), threading.active_count(), len(sys._current_frames()))
"""
    plain, recorded = recorder.both(recorder.write(PRELUDE + source))
    mask = re.compile(r"started \d+")
    assert mask.sub("", recorded.result.stdout) == mask.sub("", plain.stdout)


def test_no_fork_warning(recorder: Recorder) -> None:
    """From 3.12 on Python warns of fork in a process with several threads; ours must not count."""
    source = """
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
"""
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    same_behaviour(*recorder.both(recorder.write(PRELUDE + source), env=environment))
