"""Runs one command and says what it took, with everything it started."""

import ctypes
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PR_GET_CHILD_SUBREAPER = 37
PATIENCE = 5.0  # seconds for processes that outlive the command
LONGEST_REASON = 160


@dataclass(frozen=True)
class Cost:
    wall: float  # seconds
    cpu: float  # seconds of user and system time, over all processes and threads
    peak: float  # bytes, of the largest process


class CommandError(Exception):
    """A command that could not be measured, in one line."""


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Processes whose parent ends without waiting for them become ours, and so their CPU time.

    Profilers that watch a program from outside do not always wait for it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    before = ctypes.c_int()
    libc.prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0)


def wait_for_orphans(group: int) -> Iterator[tuple[float, float]]:
    """CPU seconds and peak bytes of each process left in the group; kills those that stay."""
    patience_ends = time.monotonic() + PATIENCE
    while True:
        try:
            pid, _, usage = os.wait4(-group, os.WNOHANG)
        except ChildProcessError:
            return
        if pid:
            yield usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        elif time.monotonic() > patience_ends:
            end_group(group)
        else:
            time.sleep(0.01)


def end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def explain(status: int, output: str) -> str:
    """Why a command failed: how it ended, and the last that it said."""
    ended = f"died of {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    plain = re.sub(r"\x1b\[[\d;]*m", "", output).strip()  # without colours
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "So")
    paragraph = re.split(r"\n\s*\n", plain)[-1]
    last = paragraph.splitlines()[-1:] if "Traceback" in paragraph else [paragraph]
    words = " ".join(" ".join(last).split())
    if len(words) > LONGEST_REASON:
        words = words[:LONGEST_REASON] + "…"
    return f"{ended}: {words}" if words else ended


def run(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    timeout: float = 600,
) -> tuple[Cost, str]:
    """What the command took, and its standard output. Raises CommandError unless it succeeds."""
    with (
        adopting_orphans(),
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        began = time.perf_counter()
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=environment,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise CommandError(f"cannot start {command[0]}: {error.strerror}") from None
        timer = threading.Timer(timeout, end_group, [process.pid])
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            in_time = timer.is_alive()
            timer.cancel()
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu, peak = usage.ru_utime + usage.ru_stime, 1024.0 * usage.ru_maxrss
        for orphan_cpu, orphan_peak in wait_for_orphans(process.pid):
            cpu += orphan_cpu
            peak = max(peak, orphan_peak)
        if not in_time:
            raise CommandError(f"took longer than {timeout:g} s")
        said, complained = (read_all(stream.fileno()) for stream in (output, errors))
        if process.returncode != 0:
            raise CommandError(explain(process.returncode, complained or said))
        return Cost(wall, cpu, peak), said


def read_all(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0).decode(errors="replace")
