"""memory_usage() of memory_profiler: memory of a process or of a function, over time."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from pyrometer._process_memory import MIB, children_memory, find_reader, total_memory

START = (
    "import sys; sys.path.append(sys.argv[1]); from pyrometer._memory_sampler import main; main()"
)


class Sample(NamedTuple):
    memory: float  # MiB, as all of memory_profiler
    time: float  # seconds since 1970
    children: list[tuple[int, float]]  # pid, MiB


def memory_usage(
    proc: Any = -1,
    interval: float = 0.1,
    timeout: float | None = None,
    timestamps: bool = False,
    include_children: bool = False,
    multiprocess: bool = False,
    max_usage: bool = False,
    retval: bool = False,
    stream: IO[str] | None = None,
    backend: str | None = None,
    max_iterations: int | None = None,  # noqa: ARG001  a function is called once, never again
) -> Any:
    """The memory in MiB of this process (-1), another one (its pid, or a Popen), or of this one
    while a function runs: f, (f,), (f, args) or (f, args, kw).

    A list of values every `interval` seconds, of pairs with the time if `timestamps`, of lists
    with the children's if `multiprocess`; or the largest one with `max_usage`; with `retval`
    a pair of that and what the function returned. A stream gets mprof's lines instead.
    """
    if callable(proc):
        proc = (proc,)
    if isinstance(proc, list | tuple):
        values, returned = _measure_function(proc, interval, include_children, max_usage, backend)
        pairs = [(memory / MIB, seconds) for memory, seconds in values]
        result: Any = pairs if timestamps or stream is not None else [pair[0] for pair in pairs]
        if max_usage:
            result = max(result)
        return (result, returned) if retval else result
    if timeout is not None:
        count: float = max(1, round(timeout / interval))
    else:
        count = float("inf") if isinstance(proc, subprocess.Popen) else 1
    samples = _watch(proc, interval, count, include_children, multiprocess, backend)
    if stream is not None:
        for sample in samples:
            write_sample(stream, sample)
        return None
    if max_usage:
        return max((sample.memory for sample in samples), default=0.0)
    return [_as_value(sample, timestamps, multiprocess) for sample in samples]


def write_sample(stream: IO[str], sample: Sample) -> None:
    """In one piece, as the program itself may write to the same file."""
    lines = [f"MEM {sample.memory:.6f} {sample.time:.4f}\n"]
    lines += [f"CHLD {pid} {memory:.6f} {sample.time:.4f}\n" for pid, memory in sample.children]
    stream.write("".join(lines))
    stream.flush()


def _as_value(sample: Sample, timestamps: bool, multiprocess: bool) -> Any:
    value = (sample.memory, sample.time) if timestamps else sample.memory
    return [value, *(memory for _, memory in sample.children)] if multiprocess else value


def _watch(
    proc: Any,
    interval: float,
    count: float,
    include_children: bool,
    multiprocess: bool,
    backend: str | None,
) -> Iterator[Sample]:
    """Until the process ends, or there are enough."""
    popen = proc if isinstance(proc, subprocess.Popen) else None
    pid = popen.pid if popen else int(proc)
    pid = os.getpid() if pid == -1 else pid
    read = find_reader(backend)
    due = time.monotonic()
    taken = 0
    while taken < count:
        if taken > 0:
            due = max(due + interval, time.monotonic())  # what was missed is not made up for
            if _has_ended(popen, due - time.monotonic()):
                return
        try:
            memory = total_memory(pid, read, include_children)
        except FileNotFoundError:
            if taken == 0:
                raise ProcessLookupError(f"there is no process {pid}") from None
            return
        if memory == 0 and taken > 0:  # at its end, but its parent does not know yet
            if popen:
                popen.wait()
            return
        children = children_memory(pid, read) if multiprocess else []
        in_mib = [(child, bytes_ / MIB) for child, bytes_ in children]
        yield Sample(memory / MIB, time.time(), in_mib)
        taken += 1


def _has_ended(popen: "subprocess.Popen[Any] | None", seconds: float) -> bool:
    """After waiting for that long, or until then."""
    if popen is None:
        time.sleep(max(seconds, 0))
        return False
    try:
        popen.wait(timeout=max(seconds, 0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _measure_function(
    proc: Any, interval: float, include_children: bool, only_largest: bool, backend: str | None
) -> tuple[list[tuple[int, float]], Any]:
    """By another process, as a function may keep Python to itself for as long as it likes."""
    if not 1 <= len(proc) <= 3:
        raise ValueError("a function to measure is (f,), (f, args) or (f, args, kw)")
    function: Callable[..., Any] = proc[0]
    arguments = proc[1] if len(proc) > 1 else ()
    keywords = proc[2] if len(proc) > 2 else {}
    find_reader(backend)  # a wrong name is our caller's error
    asked = {
        "pid": os.getpid(),
        "backend": backend,
        "interval": interval,
        "children": include_children,
        "largest": only_largest,
    }
    package = str(Path(__file__).parent.parent)
    sampler = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", START, package, json.dumps(asked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with sampler:
        assert sampler.stdout
        try:
            sampler.stdout.readline()
            returned = function(*arguments, **keywords)
            written, _ = sampler.communicate(b"\n")
        except BaseException:
            sampler.kill()
            raise
    if sampler.returncode != 0:
        raise RuntimeError(f"the process that reads memory ended with {sampler.returncode}")
    return [(memory, seconds) for memory, seconds in json.loads(written)], returned
