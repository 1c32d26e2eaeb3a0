"""Allocates, keeps some of it, and lets the rest go."""

import sys
import time

try:
    profile  # noqa: B018  # of line_profiler and memory_profiler
except NameError:

    def profile(function):
        return function


@profile
def keep_blocks(count):
    blocks = [bytes(100_000) for _ in range(count)]
    time.sleep(0.02)
    return blocks


@profile
def large_then_small(size):
    large = bytearray(size)
    small = large[:1000]
    time.sleep(0.02)
    del large
    return small


@profile
def strings(count):
    words = []
    for number in range(count):
        words.append("word " * (number % 50))  # noqa: PERF401
    return " ".join(words)


@profile
def main(rounds):
    kept = []
    for _ in range(rounds):
        kept.append(keep_blocks(30))
        large_then_small(12_000_000)
        strings(3000)
    return kept


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
