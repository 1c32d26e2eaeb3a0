"""Pi by the midpoint rule: every rank takes each size-th interval, one reduction adds up."""

import sys

from mpi4py import MPI


def part_of_pi(count: int, first: int, step: int) -> float:
    width = 1.0 / count
    total = 0.0
    for interval in range(first, count, step):
        x = width * (interval + 0.5)
        total += 4.0 / (1.0 + x * x)
    return total * width


world = MPI.COMM_WORLD
count = world.bcast(int(sys.argv[1]) if world.rank == 0 else None)
pi = world.reduce(part_of_pi(count, world.rank, world.size), op=MPI.SUM)
if world.rank == 0:
    print(f"{pi:.12f}")
