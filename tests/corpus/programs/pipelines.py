"""Generators that feed each other, closures and lambdas."""

import sys

try:
    profile  # noqa: B018  # of line_profiler and memory_profiler
except NameError:

    def profile(function):
        return function


@profile
def numbers(limit):
    for number in range(limit):
        yield number + 1


@profile
def squares(source):
    for number in source:
        yield number * number


def keep(condition):
    @profile
    def kept(source):
        for number in source:
            if condition(number):
                yield number

    return kept


@profile
def delegated(source):
    yield from source
    return "done"


@profile
def main(rounds):
    odd = keep(lambda number: number % 2)
    total = 0
    for _ in range(rounds):
        total += sum(delegated(odd(squares(numbers(12)))))
    return total


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
