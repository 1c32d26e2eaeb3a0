"""Small decorated functions, for what measuring the memory of each line adds.

    memory_lines.py COUNT ROUNDS

Prints as JSON, by function, the least thread CPU time of a line in nanoseconds.
"""

import builtins
import json
import sys
import time
from collections.abc import Callable
from typing import Any

profile: Callable[[Any], Any] = getattr(builtins, "profile", lambda function: function)


@profile
def numbers(count: int) -> float:
    total = 0.0
    for number in range(count):
        half = number * 0.5
        more = half + 1.0
        product = more * half
        total += product
    return total


@profile
def blocks(count: int) -> list[bytes]:
    kept: list[bytes] = []
    for number in range(count):
        block = bytes(1_000 + number % 100)
        kept.append(block)
        if len(kept) > 100:
            kept.clear()
    return kept


@profile
def calls(count: int) -> int:
    total = 0
    for number in range(count):
        total += callee(number)
    return total


@profile
def callee(number: int) -> int:
    return number + 1


# Lines that one turn of the loop runs.
LINES = {numbers: 5, blocks: 4, calls: 3}


def least_time(function: Callable[[int], object], count: int, rounds: int) -> int:
    least = 1 << 62
    for _ in range(rounds):
        began = time.thread_time_ns()
        function(count)
        least = min(least, time.thread_time_ns() - began)
    return least


def main() -> None:
    count, rounds = map(int, sys.argv[1:])
    times = {
        function.__name__: least_time(function, count, rounds) / (count * lines)
        for function, lines in LINES.items()
    }
    print(json.dumps(times), flush=True)


main()
