"""Thousands of code objects that live for a millisecond, whose names carry their generation.

Addresses of code objects are soon used again. A stack that mixes two generations is one that
named a code object after another one that once stood at its address.

    code_churn.py SECONDS LEAST  of CPU, and generations
"""

import sys
import threading
import time

SOURCE = """
def function_{n}(count):
    def inner_{n}():
        for number in range(count):
            yield number * {n}
    return sum(inner_{n}()) + sum(value_{n} for value_{n} in range(count))

class Class_{n}:
    def __init__(self):
        self.value = function_{n}(30)
    def __del__(self):
        function_{n}(3)

for _ in range(12):
    Class_{n}()
"""


def churn(seconds, first, least=0):
    """Generations from `first` on; returns how many there were."""
    clock = time.thread_time
    end = clock() + seconds
    n = first
    while clock() < end or n - first < least:
        exec(compile(SOURCE.format(n=n), f"<generation {n}>", "exec"), {"__name__": f"m{n}"})
        n += 1
    return n - first


def main():
    seconds = float(sys.argv[1])
    generations = churn(seconds * 0.7, 0, int(sys.argv[2]))
    # Threads that end while they are sampled.
    for group in range(10):
        threads = [
            threading.Thread(target=churn, args=(seconds * 0.01, 10_000_000 + 1_000_000 * number))
            for number in range(3 * group, 3 * group + 3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(generations)


main()
