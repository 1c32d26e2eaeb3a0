"""About 60 % system time: lines that work in the kernel beside a line of plain Python.

The time in the kernel belongs to the line that called it, also when the next line begins
microseconds later.
"""

import os
from collections import Counter
from itertools import repeat
from pathlib import Path

from truth import clock, duration, tell

SIZE = 1 << 22


def measured(zero, buffer, rounds, spent):
    start = clock()
    os.readv(zero, buffer)  # line read
    after_read = clock()
    [os.stat("/dev/null") for _ in range(8)]  # line stat  # noqa: PTH116
    after_stat = clock()
    sum(repeat(1, rounds))  # line loop
    after_loop = clock()
    spent["read"] += after_read - start
    spent["stat"] += after_stat - after_read
    spent["loop"] += after_loop - after_stat


def main():
    spent = Counter()
    zero = os.open("/dev/zero", os.O_RDONLY)
    buffer = [bytearray(SIZE)]
    rounds = 4000
    end = clock() + duration()
    while clock() < end:
        measured(zero, buffer, rounds, spent)
        # So that 40 % are left to the loop on any machine.
        if spent["loop"] < (spent["read"] + spent["stat"]) * 2 / 3:
            rounds += 100
        elif rounds > 100:
            rounds -= 100
    source = Path(__file__).read_text().splitlines()
    lines = {
        text.split("# line ")[1].split()[0]: number
        for number, text in enumerate(source, 1)
        if "# line " in text and text.startswith("    ") and "split" not in text
    }
    tell(spent, lines={name: lines[name] for name in spent})


main()
