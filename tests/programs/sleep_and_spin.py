"""Naps of 6 ms between bursts of 3 ms of work: shares of the wall time.

What other programs take of the processors is not counted, so that a busy machine does not
change the answer.
"""

import time
from collections import Counter
from itertools import repeat

from truth import duration, runnable, tell


def clock():
    return time.perf_counter_ns() - runnable()


def doze():
    time.sleep(0.006)


def spin():
    end = time.thread_time_ns() + 3_000_000
    while time.thread_time_ns() < end:
        for _ in repeat(None, 1000):
            pass


def main():
    spent = Counter()
    end = time.perf_counter_ns() + duration()
    while time.perf_counter_ns() < end:
        for function in (doze, spin):
            began = clock()
            function()
            spent[function.__name__] += clock() - began
    tell(spent)


main()
