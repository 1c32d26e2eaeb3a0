"""Two threads that never let go of the GIL by themselves."""

import threading
import time
from collections import Counter
from itertools import repeat
from pathlib import Path

from truth import duration, tell

wall, waited = Counter(), Counter()


def nanoseconds_runnable():
    """What this thread waited for a processor: that is no wait for the GIL."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1])


def fight(end):
    began = time.perf_counter_ns(), time.thread_time_ns(), nanoseconds_runnable()
    while time.perf_counter_ns() < end:
        for _ in repeat(None, 2000):
            pass
    ended = time.perf_counter_ns(), time.thread_time_ns(), nanoseconds_runnable()
    elapsed, cpu, runnable = (after - before for before, after in zip(began, ended, strict=True))
    name = threading.current_thread().name
    wall[name] = elapsed
    waited[name] = elapsed - cpu - runnable


def main():
    end = time.perf_counter_ns() + duration()
    threads = [threading.Thread(target=fight, args=(end,), name=name) for name in ("red", "blue")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell(wall, gil_wait=waited)


main()
