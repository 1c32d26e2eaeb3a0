"""Calls and little else: what is paid without allocations."""

from measured import measured, repetitions


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


with measured():
    for _ in range(repetitions(60)):
        fib(27)
