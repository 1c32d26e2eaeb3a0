"""Ranks that work in steps, each with a barrier at its end, and one that ends in its own way.

    steps.py FOLDER SECONDS RANK ENDING

Rank RANK does ENDING after SECONDS; all others go on until somebody ends them. FOLDER/RANK.last is
when a rank last began to work, in nanoseconds since 1970; it is there once the first step is done.
FOLDER/told is there when RANK has told of its exception.
"""

import atexit
import ctypes
import os
import sys
import time
from pathlib import Path

from mpi4py import MPI

folder, seconds, chosen, ending = sys.argv[1:]
world = MPI.COMM_WORLD
last = Path(folder) / f"{world.rank}.last"


def work() -> None:
    end = time.thread_time() + 0.02
    while time.thread_time() < end:
        sum(range(1000))


def end() -> None:
    if ending == "abort":
        world.Abort(3)
    if ending == "segfault":
        ctypes.string_at(0)
    if ending == "exit":
        os._exit(7)
    if ending == "exception":
        atexit.register((Path(folder) / "told").touch)
        raise RuntimeError("the field is not there")


began = time.monotonic()
with last.open("w") as file:
    while True:
        world.Barrier()
        os.pwrite(file.fileno(), b"%020d" % time.time_ns(), 0)
        work()
        if world.rank == int(chosen) and time.monotonic() > began + float(seconds):
            end()
