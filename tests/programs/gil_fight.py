"""Two threads that never let go of the GIL by themselves."""

import threading
import time
from collections import Counter
from itertools import repeat

from truth import duration, runnable, tell

wall, waited = Counter(), Counter()


def fight(end):
    began = time.perf_counter_ns(), time.thread_time_ns(), runnable()
    while time.perf_counter_ns() < end:
        for _ in repeat(None, 2000):
            pass
    ended = time.perf_counter_ns(), time.thread_time_ns(), runnable()
    elapsed, cpu, delayed = (after - before for before, after in zip(began, ended, strict=True))
    name = threading.current_thread().name
    wall[name] = elapsed
    waited[name] = elapsed - cpu - delayed  # delayed by other programs, not by the GIL


def main():
    end = time.perf_counter_ns() + duration()
    threads = [threading.Thread(target=fight, args=(end,), name=name) for name in ("red", "blue")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell(wall, gil_wait=waited)


main()
