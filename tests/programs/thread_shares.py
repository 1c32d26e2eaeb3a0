"""Four threads with CPU in the proportions 1:2:4:8, of which two end long before the others."""

import threading
from collections import Counter
from itertools import repeat

from truth import clock, duration, tell

spent = Counter()


def spin(quota):
    while clock() < quota:
        for _ in repeat(None, 2000):
            pass
    spent[threading.current_thread().name] = clock()


def main():
    unit = duration() // 15
    threads = [
        threading.Thread(target=spin, args=(unit * weight,), name=name)
        for name, weight in (("one", 1), ("two", 2), ("four", 4), ("eight", 8))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell(spent)


main()
