"""numpy with temporaries of 8 MB: a stencil."""

import numpy
from measured import measured, repetitions


def step(field: numpy.ndarray) -> numpy.ndarray:
    inner = field[1:-1, 1:-1]
    around = field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2]
    new = field.copy()
    new[1:-1, 1:-1] = inner + 0.1 * (around - 4 * inner)
    return new


def work(steps: int) -> float:
    field = numpy.linspace(0.0, 1.0, 1_000_000).reshape(1000, 1000)
    for _ in range(steps):
        field = step(field)
    return float(field.sum())


with measured():
    work(repetitions(300))
