"""Naps of 6 ms between bursts of about 3 ms of work: shares of the wall time."""

import time
from collections import Counter
from itertools import repeat

from truth import duration, tell

clock = time.perf_counter_ns


def doze():
    time.sleep(0.006)


def spin():
    end = time.thread_time_ns() + 3_000_000
    while time.thread_time_ns() < end:
        for _ in repeat(None, 1000):
            pass


def main():
    spent = Counter()
    end = clock() + duration()
    while clock() < end:
        for function in (doze, spin):
            began = clock()
            function()
            spent[function.__name__] += clock() - began
    tell(spent)


main()
