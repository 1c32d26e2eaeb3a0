"""numpy with many small temporaries: four blocks of 1.6 kB a step."""

import numpy
from measured import measured, repetitions


def step(a: numpy.ndarray, b: numpy.ndarray) -> float:
    c = a * b + a
    d = numpy.sqrt(c) - b
    return float(d.sum())


def work(steps: int) -> float:
    a, b = numpy.linspace(0.0, 1.0, 200), numpy.linspace(1.0, 2.0, 200)
    return sum(step(a, b) for _ in range(steps))


with measured():
    work(repetitions(800_000))
