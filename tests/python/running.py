"""Runs programs with and without pyrometer, and reads what was recorded."""

import ctypes
import json
import os
import platform
import re
import struct
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from profiles import RecordedProfile

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
PACKAGE = Path(__file__).resolve().parents[2] / "python"

# busy(s) takes s seconds of the calling thread's CPU.
BUSY = """
import time

def busy(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))
"""

Result = subprocess.CompletedProcess[Any]


@dataclass
class Recorded:
    """A run that has ended."""

    executable: Path
    run: Path
    result: Result

    def command(self, *words: object) -> str:
        command = [self.executable, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr + self.complaint
        return done.stdout

    @property
    def complaint(self) -> str:
        """What the run itself said, to explain a failure."""
        return f"\nthe run: status {self.result.returncode}, {self.result.stderr!r}"

    def profile(self) -> RecordedProfile:
        return RecordedProfile(json.loads(self.command("export", self.run, "--json")))

    def report(self, *words: object) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.command("report", self.run, "--json", *words))
        return document

    def attributes(self) -> list[dict[str, str]]:
        """Of each process; the last of a key counts."""
        pattern = re.compile(r"^ *\d+  attribute  key='(.*?)'  value='(.*)'$", re.MULTILINE)
        return [dict(pattern.findall(self.command("dump", file))) for file in self.recordings]

    def sum_of(self, attribute: str) -> int:
        return sum(int(each.get(attribute, 0)) for each in self.attributes())

    @property
    def recordings(self) -> list[Path]:
        return sorted(self.run.glob("raw/*/*.pyr"))


@cache
def perf_is_allowed() -> bool:
    """Asks the kernel for the event that the fast clock is made of."""
    number = {"x86_64": 298, "aarch64": 241}.get(platform.machine())
    if number is None:
        return False
    software, task_clock, size, period = 1, 1, 64, 1_000_000_000
    exclude_kernel_and_hypervisor = 0b11 << 5
    attributes = struct.pack(
        "IIQQQQQ", software, size, task_clock, period, 0, 0, exclude_kernel_and_hypervisor
    ).ljust(size, b"\0")
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.syscall(number, attributes, 0, -1, -1, 0)
    if descriptor < 0:
        return False
    os.close(descriptor)
    return True


class Recorder:
    """One interpreter, run as it is or under `pyrometer run`."""

    def __init__(self, executable: Path, python: Path, folder: Path) -> None:
        self.executable = executable
        self.python = python
        self.folder = folder

    def python_version(self) -> tuple[int, int]:
        told = self.plain("-c", "import sys; print(*sys.version_info[:2])").stdout.split()
        return int(told[0]), int(told[1])

    def plain(self, *words: object, **keywords: Any) -> Result:
        return run_command([self.python, *words], **keywords)

    def record(self, *words: object, options: Sequence[object] = (), **keywords: Any) -> Recorded:
        """The words are a script or -m or -c, and the arguments."""
        if "perf" in options and not perf_is_allowed():
            pytest.skip("the kernel refuses perf_event_open here")
        directory = self.new_run()
        return self.finish(run_command(self.line(directory, *words, options=options), **keywords))

    def record_program(
        self, *words: object, options: Sequence[object] = (), **keywords: Any
    ) -> Recorded:
        """The words are any program and its arguments."""
        directory = self.new_run()
        command = [self.executable, "run", "-o", directory, *options, "--", *words]
        return self.finish(run_command(command, **keywords))

    def start(
        self, *words: object, options: Sequence[object] = (), **keywords: Any
    ) -> subprocess.Popen[str]:
        """Leads a process group of its own, which a test may signal or kill."""
        command = self.line(self.new_run(), *words, options=options)
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **keywords}
        streams.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen(
            list(map(os.fspath, command)), text=True, start_new_session=True, **streams
        )

    def line(
        self, directory: Path, *words: object, options: Sequence[object] = ()
    ) -> list[str | os.PathLike[str]]:
        words = (self.executable, "run", "-o", directory, *options, "--python", self.python, *words)
        return [word if isinstance(word, bytes | os.PathLike) else str(word) for word in words]

    def new_run(self) -> Path:
        number = len(list(self.folder.glob("*.run")))
        self.run = self.folder / f"{number}.run"
        return self.run

    def finish(self, result: Result) -> Recorded:
        return Recorded(self.executable, self.run, result)

    def both(
        self, *words: object, options: Sequence[object] = (), **keywords: Any
    ) -> tuple[Result, Recorded]:
        """Without and with pyrometer, which says nothing, so that the outputs are comparable."""
        plain = self.plain(*words, **keywords)
        return plain, self.record(*words, options=["-q", *options], **keywords)

    def write(self, source: str, name: str = "program.py") -> Path:
        path = self.folder / name
        path.write_text(source)
        return path


def run_command(command: Sequence[object], **keywords: Any) -> Result:
    options = {"capture_output": True, "text": True, "timeout": 100, **keywords}
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    words = [word if isinstance(word, bytes | os.PathLike) else str(word) for word in command]
    return subprocess.run(words, **options)


def same_behaviour(plain: Result, recorded: Recorded) -> None:
    """What a user sees of the program is what it was without pyrometer."""
    seen = recorded.result
    assert seen.stdout == plain.stdout, recorded.complaint
    assert seen.stderr == plain.stderr, recorded.complaint
    assert seen.returncode == plain.returncode, recorded.complaint


def by_caller(recorded: Recorded, metric: str) -> dict[str, int]:
    """What functions made themselves or in comprehensions of theirs."""
    totals: dict[str, int] = {}
    for stack in recorded.profile().stacks(metric):
        named = [frame for frame in stack.python_frames if not frame.name.startswith("<")]
        name = named[-1].name if named else ""
        totals[name] = totals.get(name, 0) + stack.value
    return totals


def truth_of(result: Result) -> dict[str, Any]:
    """The last line of a program with a known answer."""
    assert result.returncode == 0, result.stderr
    truth: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return truth


def on_a_calm_machine(attempt: Callable[[], None]) -> None:
    """For wall times, which other programs disturb: the first of three attempts that holds."""
    for _ in range(2):
        try:
            return attempt()
        except AssertionError:
            continue
    return attempt()


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "what the test waits for did not happen"
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in listed.split()]
