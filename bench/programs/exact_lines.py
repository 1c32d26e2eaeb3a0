"""What measuring every line adds to small programs: line_profiler and pyrometer in turn.

    exact_lines.py PACKAGE_FOLDER ROUNDS

All settings take turns within one process, the least thread CPU time of each counts. Prints
nanoseconds and line hits as JSON.
"""

import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any

sys.path.insert(0, sys.argv[1])
import pyrometer

try:
    import line_profiler
except ImportError:
    line_profiler = None  # type: ignore[assignment]

Profiler = Callable[[Callable[..., Any]], Callable[..., Any]]


def inner_loop(count: int) -> float:
    total = 0.0
    for number in range(count):
        half = number * 0.5
        more = half + 1.0
        product = more * half
        total += product
    return total


def one_line(number: int) -> int:
    return number


def callee(count: int) -> int:
    total = 0
    for number in range(count):
        total += number
        total -= 1
    return total


def caller(count: int) -> int:
    return callee(count)


def is_inside_contour(x: float, y: float, contour: list[tuple[float, float]]) -> bool:
    inside = False
    last_x, last_y = contour[-1]
    for next_x, next_y in contour:
        if (next_y > y) != (last_y > y):
            slope = (last_x - next_x) / (last_y - next_y)
            crossing = next_x + slope * (y - next_y)
            if x < crossing:
                inside = not inside
        last_x, last_y = next_x, next_y
    return inside


SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] * 5


def contour(test: Callable[..., bool]) -> None:
    for row in range(40):
        test(row / 40, 0.5, SQUARE)


# What is profiled, what one round runs with it, and how many calls or lines of others that has; 0:
# the lines that were hit are counted.
PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[Callable[..., Any]], object], int]] = {
    "inner loop, 5 lines": (inner_loop, lambda function: function(5_000), 0),
    "call of one line": (one_line, lambda function: [function(1) for _ in range(2_000)], 2_000),
    "lines of a plain callee": (caller, lambda function: function(10_000), 3 * 10_000),
    "point in contour": (is_inside_contour, contour, 0),
}


def copy_of(function: Callable[..., Any]) -> Callable[..., Any]:
    assert isinstance(function, types.FunctionType)
    return types.FunctionType(function.__code__, function.__globals__, function.__name__)


def measured_by(setting: str, function: Callable[..., Any]) -> Callable[..., Any]:
    own = copy_of(function)
    if setting == "plain":
        return own
    if setting == "pyrometer":
        return pyrometer.LineProfiler()(own)
    profiler: Profiler = line_profiler.LineProfiler()
    return profiler(own)


def count_hits(function: Callable[..., Any], run: Callable[..., object]) -> int:
    profiler = pyrometer.LineProfiler()
    run(profiler(copy_of(function)))
    rows = profiler.get_stats().timings.values()
    return sum(hits for lines in rows for _, hits, _ in lines)


def main() -> None:
    rounds = int(sys.argv[2])
    settings = ["plain", "pyrometer", *(["line_profiler"] if line_profiler else [])]
    answer = {}
    for name, (function, run, units) in PROGRAMS.items():
        subjects = {setting: measured_by(setting, function) for setting in settings}
        least = dict.fromkeys(settings, 1 << 62)
        for _ in range(rounds):
            for setting, subject in subjects.items():
                began = time.thread_time_ns()
                run(subject)
                least[setting] = min(least[setting], time.thread_time_ns() - began)
        answer[name] = {"times": least, "units": units or count_hits(function, run)}
    version = getattr(line_profiler, "__version__", "")
    print(json.dumps({"line_profiler": version, "programs": answer}))


main()
