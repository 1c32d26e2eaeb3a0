"""pyrometer.memory_usage in the place of memory_profiler's."""

import inspect
import io
import json
import mmap
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from line_programs import LineRunner
from memory_tools import memory_profiler
from pyrometer import memory_usage

MIB = 1 << 20
BACKENDS = ("psutil", "psutil_pss", "psutil_uss", "posix", "tracemalloc")


def work(size: int, times: int = 1) -> mmap.mmap:
    """Pages that nothing had before, as a freed block has; what it returns is there when it is
    looked at for the last time."""
    pages = mmap.mmap(-1, size * times * MIB)
    for place in range(0, len(pages), mmap.PAGESIZE):
        pages[place] = 1
    return pages


@contextmanager
def running(code: str) -> Iterator[subprocess.Popen[str]]:
    """A program that has said that it is ready, until its input is closed."""
    command = [sys.executable, "-c", code + "\nprint('ready', flush=True)\ninput()\n"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


PARENT = """
import subprocess, sys
code = "import sys; data = bytearray(40 << 20); print('ready', flush=True); sys.stdin.read()"
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
child = subprocess.Popen([sys.executable, "-c", code], **pipes)
child.stdout.readline()
"""


def resident(pid: int) -> float:
    """As the kernel tells it elsewhere."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def test_signature_is_the_same() -> None:
    told = subprocess.run(
        [
            memory_profiler() / "python",
            "-c",
            "import inspect, memory_profiler, json\n"
            "names = inspect.signature(memory_profiler.memory_usage).parameters\n"
            "print(json.dumps([[name, each.default] for name, each in names.items()]))",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ours = inspect.signature(memory_usage).parameters
    assert [[name, each.default] for name, each in ours.items()] == json.loads(told)


def test_this_process() -> None:
    (value,) = memory_usage()
    assert value == pytest.approx(resident(os.getpid()), abs=5)
    values = memory_usage(-1, interval=0.01, timeout=0.05)
    assert len(values) == 5
    largest = memory_usage(-1, interval=0.01, timeout=0.02, max_usage=True)
    assert largest == pytest.approx(value, abs=5)
    ((value, moment),) = memory_usage(timestamps=True)
    assert abs(moment - time.time()) < 60


def test_functions() -> None:
    before = memory_usage()[0]
    largest, returned = memory_usage((work, (32,), {"times": 2}), max_usage=True, retval=True)
    assert len(returned) == 64 * MIB
    del returned
    assert largest - before == pytest.approx(64, abs=8)
    values = memory_usage((work, (32,)), interval=0.02, timestamps=True)
    assert max(values)[0] - before == pytest.approx(32, abs=8)
    moments = [moment for _, moment in values]
    assert moments == sorted(moments)
    assert len(memory_usage((time.sleep, (0.05,)), interval=0.01)) >= 2
    assert len(memory_usage(lambda: None)) >= 2


def test_functions_are_called_once() -> None:
    calls: list[int] = []
    memory_usage((calls.append, (1,)), interval=1.0)
    assert calls == [1]


def test_functions_that_keep_python_to_themselves(tmp_path: Path) -> None:
    """No thread could look at what is there for the time of one built-in function only."""
    program = LineRunner(Path(sys.executable), tmp_path)
    program.write(
        "usage.py",  # a new process: this one has memory that others have freed
        "from pyrometer import memory_usage\n"
        "before = memory_usage()[0]\n"
        "numbers = range(4 << 20)\n"
        "largest = memory_usage((sorted, (numbers,), {'key': None}), 0.001, max_usage=True)\n"
        "print(largest - before)\n",
    )
    assert float(program("usage.py").stdout) > 100


def test_exceptions_leave_nothing_behind() -> None:
    def fail() -> None:
        raise KeyError("very")

    with pytest.raises(KeyError, match="very"):
        memory_usage(fail)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    assert "_memory_sampler" not in "".join(
        Path(f"/proc/{pid}/cmdline").read_text() for pid in children.split()
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_another_process_by_every_backend(backend: str) -> None:
    with running("data = bytearray(40 << 20)") as process:
        (value,) = memory_usage(process.pid, backend=backend)
        (named,) = memory_usage(str(process.pid), backend=backend)
        assert value == pytest.approx(named, abs=1)
        assert 40 < value <= resident(process.pid) + 1
        values = memory_usage(process, interval=0.01, timeout=0.03, backend=backend)
        assert values == pytest.approx(3 * [value], abs=1)


def test_real_psutil_agrees() -> None:
    code = (
        "import sys, json, memory_profiler\n"
        "pid = int(sys.argv[1])\n"
        "backends = ('psutil', 'psutil_pss', 'psutil_uss')\n"
        "print(json.dumps([memory_profiler.memory_usage(pid, backend=b)[0] for b in backends]))"
    )
    with running("data = bytearray(40 << 20)") as process:
        command = [str(memory_profiler() / "python"), "-c", code, str(process.pid)]
        theirs = json.loads(subprocess.check_output(command, text=True))
        ours = [memory_usage(process.pid, backend=name)[0] for name in BACKENDS[:3]]
    assert ours == pytest.approx(theirs, abs=1)


class EndsWhatItHearsOf(io.StringIO):
    """Kills the process after its third value."""

    process: "subprocess.Popen[str]"

    def write(self, text: str) -> int:
        if self.getvalue().count("MEM") == 2:
            self.process.kill()
        return super().write(text)


@pytest.mark.parametrize("is_child", [True, False])
def test_until_the_process_ends(is_child: bool) -> None:
    out = EndsWhatItHearsOf()
    with running("") as process:
        out.process = process
        memory_usage(process if is_child else process.pid, 0.01, timeout=60, stream=out)
    values = [float(line.split()[1]) for line in out.getvalue().splitlines()]
    assert len(values) >= 3
    assert min(values) > 0
    with pytest.raises(ProcessLookupError, match=f"there is no process {process.pid}"):
        memory_usage(process.pid)


def test_children() -> None:
    with running(PARENT) as process:
        alone = memory_usage(process, interval=0.01, timeout=0.01)[0]
        together = memory_usage(process, interval=0.01, timeout=0.01, include_children=True)[0]
        ((own, child),) = memory_usage(process.pid, multiprocess=True)
        assert own == pytest.approx(alone, abs=1)
        assert child > 40
        assert together == pytest.approx(own + child, abs=2)
        (pair, child) = memory_usage(process.pid, multiprocess=True, timestamps=True)[0]
        assert pair[0] == pytest.approx(own, abs=1)


def test_streams_get_the_lines_of_mprof() -> None:
    out = io.StringIO()
    with running(PARENT) as process:
        assert memory_usage(process, 0.01, timeout=0.02, multiprocess=True, stream=out) is None
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert [line[0] for line in lines] == ["MEM", "CHLD", "MEM", "CHLD"]
    assert float(lines[1][2]) > 40


def test_wrong_arguments() -> None:
    wrong: Any
    for wrong in ((), (work, (), {}, 1)):
        with pytest.raises(ValueError, match="a function to measure is"):
            memory_usage(wrong)
    for proc in (-1, work):
        with pytest.raises(ValueError, match="there is no backend 'ps'; there are psutil, "):
            memory_usage(proc, backend="ps")


def test_every_python(python: Path, tmp_path: Path) -> None:
    program = LineRunner(python, tmp_path)
    program.write(
        "usage.py",
        "from pyrometer import memory_usage\n"
        "def work():\n    return len(bytearray(64 << 20))\n"
        "before = memory_usage()[0]\n"
        "largest, size = memory_usage(work, interval=0.001, max_usage=True, retval=True)\n"
        "print(size, largest >= before)\n",
    )
    done = program("-W", "error", "usage.py")
    assert (done.stdout, done.stderr) == (f"{64 << 20} True\n", "")
