"""Thousands of functions on many call paths, in several busy threads.

    many_functions.py SECONDS THREADS FUNCTIONS

The last line of output is the most memory the process took, in bytes, as JSON.
"""

import json
import resource
import sys
import threading
import time

SOURCE = """
def function_{n}(depth):
    total = 0
    for number in range(40):
        total += number * {n}
    if depth:
        return functions[(total * 31 + {n} * 7 + depth) % len(functions)](depth - 1)
    return total
"""

functions = []


def busy(seconds, seed):
    end = time.monotonic() + seconds
    n = seed
    while time.monotonic() < end:
        n = (n * 1103515245 + 12345) % 2**31
        functions[n % len(functions)](12)


def main():
    seconds, threads, count = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    namespace = {"functions": functions}
    for n in range(count):
        exec(SOURCE.format(n=n), namespace)
        functions.append(namespace[f"function_{n}"])
    workers = [threading.Thread(target=busy, args=(seconds, seed)) for seed in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


main()
