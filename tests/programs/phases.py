"""One function after the other, each for 0.2 s, and a line of output when one is done: its number,
the seconds that it took, and when it ended.

phases.py COUNT
"""

import sys
import time

SOURCE = """
def phase_{n}(end):
    while time.monotonic() < end:
        sum(range(1000))
"""

for n in range(int(sys.argv[1])):
    exec(compile(SOURCE.format(n=n), __file__, "exec"))
    began = time.monotonic()
    globals()[f"phase_{n}"](began + 0.2)
    ended = time.monotonic()
    print(n, ended - began, ended, flush=True)
