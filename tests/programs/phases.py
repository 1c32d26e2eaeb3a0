"""One function after the other, each for 0.2 s, and a line of output when one is done.

phases.py COUNT
"""

import sys
import time

SOURCE = """
def phase_{n}(end):
    while time.monotonic() < end:
        sum(range(1000))
"""

began = time.monotonic()
for n in range(int(sys.argv[1])):
    exec(compile(SOURCE.format(n=n), __file__, "exec"))
    globals()[f"phase_{n}"](began + 0.2 * (n + 1))
    print(n, time.monotonic(), flush=True)
