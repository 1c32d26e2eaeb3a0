"""Counts the system calls that were interrupted, in one thread per kind of wait.

    interruptions.py LIBRARY SECONDS WAITS

It runs for so many seconds, and until there were so many waits in all. The library is
interruptions.c, compiled. The last line of output is, as JSON, how many waits there were of each
kind and how many of them ended with EINTR.
"""

import ctypes
import json
import sys
import threading

KINDS = [
    "ppoll",
    "nanosleep",
    "epoll_wait",
    "select",
    "semtimedop",
    "clock_nanosleep",
    "recv",
    "poll",
]


def main():
    library = ctypes.CDLL(sys.argv[1])
    counts = {kind: (ctypes.c_int64 * 2)() for kind in KINDS}
    seconds = ctypes.c_double(float(sys.argv[2]))
    least = ctypes.c_int64(-(-int(sys.argv[3]) // len(KINDS)))
    threads = [
        threading.Thread(target=library.wait_and_count, args=(number, seconds, least, counts[kind]))
        for number, kind in enumerate(KINDS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({kind: list(both) for kind, both in counts.items()}))


main()
