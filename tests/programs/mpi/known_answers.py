"""Ranks whose balance is known: what each does, it measures by its own CPU clock.

    known_answers.py CASE SECONDS

SECONDS of CPU is what an ordinary rank works. The last line of output is the truth as JSON: by
rank, the nanoseconds of CPU in each function, and what the case is about.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
spent: Counter[str] = Counter()
IMBALANCE = 1.8
STEPS = 5


def measured(name: str, seconds: float, work: Callable[[int], None]) -> None:
    begin = time.thread_time_ns()
    work(begin + round(seconds * 1e9))
    spent[name] += time.thread_time_ns() - begin


def solve(end: int) -> None:
    while time.thread_time_ns() < end:
        sum(range(1000))


def prepare(end: int) -> None:
    while time.thread_time_ns() < end:
        sum(range(1000))


def imbalance(seconds: float) -> dict[str, object]:
    """One rank works so much more that the largest is 1.8 times the mean."""
    factor = IMBALANCE * (size - 1) / (size - IMBALANCE)
    slow = size - 1
    measured("solve", seconds * (factor if rank == slow else 1), solve)
    world.Barrier()
    return {"slow": slow, "imbalance": IMBALANCE}


def serial(seconds: float) -> dict[str, object]:
    """Rank 0 prepares while all others wait, then all work."""
    if rank == 0:
        measured("prepare", seconds, prepare)
    world.Barrier()
    measured("solve", seconds, solve)
    world.Barrier()
    return {"serial": "prepare"}


def idle(seconds: float) -> dict[str, object]:
    """Three of eight ranks have nothing to do."""
    idle_ranks = list(range(size - size * 3 // 8, size))
    if rank not in idle_ranks:
        measured("solve", seconds, solve)
    world.Barrier()
    return {"idle": idle_ranks}


def slow_ring(seconds: float) -> dict[str, object]:
    """Each waits for the one before, and one of them is slow."""
    slow = size // 2
    after, before = (rank + 1) % size, (rank - 1) % size
    message = bytearray(8)
    for _ in range(STEPS):
        measured("solve", seconds / STEPS * (2 if rank == slow else 1), solve)
        world.Sendrecv(message, dest=after, recvbuf=bytearray(8), source=before)
    return {"slow": slow}


def late_for_collective(seconds: float) -> dict[str, object]:
    """All others wait for rank 3 at the same line."""
    for _ in range(STEPS):
        measured("solve", seconds / STEPS * (2 if rank == 3 else 1), solve)
        world.Allreduce(MPI.IN_PLACE, bytearray(8), op=MPI.BOR)
    return {"slow": 3}


def balanced(seconds: float) -> dict[str, object]:
    for _ in range(STEPS):
        measured("solve", seconds / STEPS, solve)
        world.Allreduce(MPI.IN_PLACE, bytearray(8), op=MPI.BOR)
    return {}


CASES = {
    each.__name__: each
    for each in (imbalance, serial, idle, slow_ring, late_for_collective, balanced)
}

world.Barrier()  # some were started later than others
about = CASES[sys.argv[1]](float(sys.argv[2]))
truth = world.gather(dict(spent))
if rank == 0:
    print(json.dumps({"case": sys.argv[1], "ranks": truth, "steps": STEPS, **about}))
