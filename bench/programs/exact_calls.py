"""What counting every call adds to small programs: cProfile and pyrometer.cprofile in turn.

    exact_calls.py PACKAGE_FOLDER ROUNDS

All settings take turns within one process, the least thread CPU time of each counts. Prints
nanoseconds as JSON.
"""

import cProfile
import json
import sys
import time
from collections.abc import Callable
from typing import Any

sys.path.insert(0, sys.argv[1])
from pyrometer import cprofile

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def fibonacci(number: int) -> int:
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def recursion() -> None:
    fibonacci(18)


def builtin_loop() -> None:
    numbers = [1, 2, 3]
    for _ in range(20_000):
        len(numbers)


def one(number: int) -> int:
    return number


def two(number: int) -> int:
    return one(number) + len("x")


def mixed_calls() -> None:
    for number in range(5_000):
        one(number)
        two(number)
        abs(number)


def small_arrays() -> None:
    vector = numpy.arange(8.0)
    for _ in range(1_500):
        numpy.dot(vector, vector)
        vector.sum()
        vector.mean()
        numpy.sin(vector)
        numpy.zeros(4)


SETTINGS: dict[str, tuple[Any, bool]] = {
    "plain": (None, True),
    "cProfile": (cProfile.Profile, True),
    "pyrometer": (cprofile.Profile, True),
    "cProfile, Python only": (cProfile.Profile, False),
    "pyrometer, Python only": (cprofile.Profile, False),
}


def measure(program: Callable[[], None], profiler: Any, builtins: bool) -> int:
    profile = profiler() if profiler else None
    if profile is not None:
        profile.enable(builtins=builtins)
    start = time.thread_time_ns()
    program()
    taken = time.thread_time_ns() - start
    if profile is not None:
        profile.disable()
    return taken


def main() -> None:
    programs = [recursion, builtin_loop, mixed_calls]
    if numpy is not None:
        programs.append(small_arrays)
    least: dict[str, dict[str, int]] = {}
    for program in programs:
        times = least.setdefault(program.__name__, {})
        for _ in range(int(sys.argv[2])):
            for name, (profiler, builtins) in SETTINGS.items():
                taken = measure(program, profiler, builtins)
                times[name] = min(times.get(name, taken), taken)
    json.dump(least, sys.stdout)


if __name__ == "__main__":
    main()
