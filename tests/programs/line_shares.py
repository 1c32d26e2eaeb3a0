"""Four lines of one function with CPU in the proportions 1:2:4:8."""

from collections import Counter
from pathlib import Path

from truth import clock, duration, tell

UNIT = 1000


def measured(spent):
    start = clock()
    len([n ^ 1 for n in range(UNIT)])  # line one
    after_one = clock()
    len([n ^ 1 for n in range(2 * UNIT)])  # line two
    after_two = clock()
    len([n ^ 1 for n in range(4 * UNIT)])  # line four
    after_four = clock()
    len([n ^ 1 for n in range(8 * UNIT)])  # line eight
    after_eight = clock()
    spent["one"] += after_one - start
    spent["two"] += after_two - after_one
    spent["four"] += after_four - after_two
    spent["eight"] += after_eight - after_four


def main():
    spent = Counter()
    end = clock() + duration()
    while clock() < end:
        measured(spent)
    source = Path(__file__).read_text().splitlines()
    lines = {
        text.split("# line ")[1]: number
        for number, text in enumerate(source, 1)
        if text.startswith("    len(")
    }
    tell(spent, lines=lines)


main()
