"""The heat equation on a plate, in strips of rows: neighbours exchange their edges every step."""

import sys
from array import array

from mpi4py import MPI

Row = array  # of doubles

world = MPI.COMM_WORLD
size, steps = int(sys.argv[1]), int(sys.argv[2])
above = world.rank - 1 if world.rank > 0 else MPI.PROC_NULL
below = world.rank + 1 if world.rank < world.size - 1 else MPI.PROC_NULL
first, last = (size * part // world.size for part in (world.rank, world.rank + 1))


def initial_row(row: int) -> Row:
    hot = size // 3 <= row < 2 * size // 3
    return array("d", [100.0 if hot and column < size // 2 else 0.0 for column in range(size)])


def exchange_edges(field: list[Row]) -> None:
    world.Sendrecv(field[1], dest=above, recvbuf=field[-1], source=below)
    world.Sendrecv(field[-2], dest=below, recvbuf=field[0], source=above)


def next_row(up: Row, row: Row, down: Row) -> Row:
    new = array("d", row)
    for i in range(1, size - 1):
        new[i] = row[i] + 0.1 * (up[i] + down[i] + row[i - 1] + row[i + 1] - 4 * row[i])
    return new


field = [initial_row(row) for row in range(first - 1, last + 1)]
for _ in range(steps):
    exchange_edges(field)
    inner = [next_row(*field[i - 1 : i + 2]) for i in range(1, len(field) - 1)]
    field[1:-1] = inner
total = world.allreduce(round(sum(map(sum, field[1:-1])), 6), op=MPI.SUM)
if world.rank == 0:
    print(f"{total:.3f}")
