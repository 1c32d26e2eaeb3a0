"""The process that reads another one's memory while that one is busy: see _memory_usage.py.

One word, a JSON object, says what to measure. It prints a line when it begins, goes on until
something can be read from its standard input, and prints all values as JSON.
"""

import json
import os
import select
import signal
import sys
import time
from typing import TypeAlias

from pyrometer._process_memory import find_reader, total_memory

Value: TypeAlias = tuple[int, float]  # bytes, seconds since 1970

# What ends sooner than this many intervals is measured in steps that many times shorter, so that
# it need not run again.
FEW = 5
FINER = 20


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program
    asked = json.loads(sys.argv[-1])
    print("begun", flush=True)
    values = sample(
        asked["pid"], asked["backend"], asked["interval"], asked["children"], asked["largest"]
    )
    print(json.dumps(values))


def sample(
    pid: int, backend: str | None, interval: float, include_children: bool, only_largest: bool
) -> list[Value]:
    read = find_reader(backend)
    start = time.monotonic()
    first: list[Value] = []  # of the first intervals, in small steps
    values: list[Value] = []
    is_over = False
    while True:
        value = (total_memory(pid, read, include_children, {os.getpid()}), time.time())
        elapsed = time.monotonic() - start
        is_short = elapsed < FEW * interval
        if is_short or not values:
            first.append(value)
        if is_over or elapsed >= len(values) * interval:
            values.append(value)
        if only_largest:
            first, values = [max(first)], [max(values)]
        if is_over:
            break
        wait = interval / FINER if is_short else interval
        # One more value after the end.
        is_over = bool(select.select([sys.stdin], [], [], wait)[0])
    if only_largest:
        return [max(*first, *values)]
    return first if is_short else values
