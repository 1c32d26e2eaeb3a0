"""Two children at work beside their parent."""

import multiprocessing
import sys


def add_up(rounds):
    total = 0
    for _ in range(rounds):
        for number in range(20_000):
            total += number
    return total


def child_work(rounds):
    return add_up(rounds)


def parent_work(rounds):
    return add_up(rounds)


def main(rounds):
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=child_work, args=(rounds,)) for _ in range(2)]
    for child in children:
        child.start()
    parent_work(rounds)
    for child in children:
        child.join()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
