"""Two functions that call each other, 20 deep, each with work of its own."""

from collections import Counter
from itertools import repeat

from truth import clock, duration, tell

UNIT = 3000


def even(depth, spent):
    began = clock()
    for _ in repeat(None, UNIT):
        pass
    spent["even"] += clock() - began
    if depth:
        odd(depth - 1, spent)


def odd(depth, spent):
    began = clock()
    for _ in repeat(None, 3 * UNIT):
        pass
    spent["odd"] += clock() - began
    if depth:
        even(depth - 1, spent)


def main():
    spent = Counter()
    end = clock() + duration()
    while clock() < end:
        even(19, spent)
    tell(spent)


main()
