"""The Mandelbrot set in blocks of rows: those in the middle take longest, so ranks are unbalanced
by nature."""

import sys
from array import array

from mpi4py import MPI


def iterations(x: float, y: float, most: int) -> int:
    c = complex(x, y)
    z = 0j
    for count in range(most):
        if z.real * z.real + z.imag * z.imag > 4:
            return count
        z = z * z + c
    return most


def compute_row(row: int, size: int, most: int) -> list[int]:
    y = -1.2 + 2.4 * row / size
    return [iterations(-2.2 + 3.0 * column / size, y, most) for column in range(size)]


world = MPI.COMM_WORLD
size, most = int(sys.argv[1]), 60
first, last = (size * part // world.size for part in (world.rank, world.rank + 1))
own = array("i")
for row in range(first, last):
    own.extend(compute_row(row, size, most))
counts = [
    size * (size * (part + 1) // world.size - size * part // world.size)
    for part in range(world.size)
]
image = array("i", bytes(4 * size * size)) if world.rank == 0 else None
world.Gatherv([own, MPI.INT], None if image is None else [image, counts, None, MPI.INT])
if image is not None:
    print(sum(image), max(image), image[size * size // 2])
