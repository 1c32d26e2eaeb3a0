"""A message that goes round all ranks, and each adds its number to it."""

import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
after, before = (world.rank + 1) % world.size, (world.rank - 1) % world.size
message: list[int] = []
for turn in range(int(sys.argv[1])):
    if world.rank == 0:
        world.send([*message, turn], dest=after)
        message = world.recv(source=before)
    else:
        world.send([*world.recv(source=before), world.rank], dest=after)
if world.rank == 0:
    print(len(message), sum(message))
