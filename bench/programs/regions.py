"""What named timers add to an empty loop, in nanoseconds each.

    regions.py PACKAGE_FOLDER ROUNDS

All settings take turns within one process, the least thread CPU time of each counts. Prints JSON.
"""

import json
import sys
import time
from collections.abc import Callable

sys.path.insert(0, sys.argv[1])
import pyrometer
from pyrometer import timed_function, timed_region

COUNT = 10_000


def plain() -> None:
    pass


timed = timed_function("timed")(plain)


def empty_loop() -> None:
    for _ in range(COUNT):
        pass


def regions() -> None:
    for _ in range(COUNT):
        with timed_region("region"):
            pass


def regions_of_the_module() -> None:
    for _ in range(COUNT):
        with pyrometer.timed_region("region"):
            pass


def kept_region() -> None:
    region = timed_region("region")
    for _ in range(COUNT):
        with region:
            pass


def plain_calls() -> None:
    for _ in range(COUNT):
        plain()


def timed_calls() -> None:
    for _ in range(COUNT):
        timed()


# What is measured, and what is subtracted.
PROGRAMS: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
    'with timed_region("x")': (regions, empty_loop),
    'with pyrometer.timed_region("x")': (regions_of_the_module, empty_loop),
    "with region, made before": (kept_region, empty_loop),
    "call of a timed function": (timed_calls, plain_calls),
}


def main() -> None:
    rounds = int(sys.argv[2])
    functions = {function for pair in PROGRAMS.values() for function in pair}
    least = dict.fromkeys(functions, 1 << 62)
    for _ in range(rounds):
        for function in functions:
            began = time.thread_time_ns()
            function()
            least[function] = min(least[function], time.thread_time_ns() - began)
    added = {
        name: (least[function] - least[base]) / COUNT for name, (function, base) in PROGRAMS.items()
    }
    print(json.dumps(added))


main()
