"""Works at the end of a long chain of calls: deep.py ROUNDS DEPTH."""

import sys


def leaf(size):
    total = 0
    for number in range(size):
        total += number * number
    return total


def descend(depth):
    return leaf(2_000) if depth == 0 else descend(depth - 1)


def main(rounds, depth):
    for _ in range(rounds):
        descend(depth)


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 60
    )
