"""Four functions with CPU in the proportions 1:2:4:8."""

from collections import Counter
from itertools import repeat

from truth import clock, duration, tell

UNIT = 3000


def one():
    for _ in repeat(None, UNIT):
        pass


def two():
    for _ in repeat(None, 2 * UNIT):
        pass


def four():
    for _ in repeat(None, 4 * UNIT):
        pass


def eight():
    for _ in repeat(None, 8 * UNIT):
        pass


def main():
    spent = Counter()
    end = clock() + duration()
    while clock() < end:
        for function in (one, two, four, eight):
            began = clock()
            function()
            spent[function.__name__] += clock() - began
    tell(spent)


main()
