"""numpy on long vectors, where native code does the work, and loops over short ones."""

import numpy
from measured import measured, repetitions


def smooth(signal: numpy.ndarray) -> numpy.ndarray:
    return 0.25 * signal[:-2] + 0.5 * signal[1:-1] + 0.25 * signal[2:]


def long_vectors(signal: numpy.ndarray) -> float:
    envelope = numpy.sqrt(numpy.abs(numpy.sin(signal) * numpy.exp(-signal * signal)))
    spectrum = numpy.abs(numpy.fft.rfft(smooth(envelope)))
    return float(numpy.sort(spectrum)[-10:].sum())


def rotate(point: numpy.ndarray, angle: float) -> numpy.ndarray:
    matrix = numpy.array(
        [
            [numpy.cos(angle), -numpy.sin(angle)],
            [numpy.sin(angle), numpy.cos(angle)],
        ]
    )
    return matrix @ point


def short_vectors(points: int) -> float:
    total = numpy.zeros(2)
    for index in range(points):
        total += rotate(numpy.array([1.0, index * 0.001]), index * 0.01)
    return float(total @ total)


def work(rounds: int) -> float:
    signal = numpy.linspace(-3.0, 3.0, 200_000)
    total = 0.0
    for turn in range(rounds):
        total += long_vectors(signal + 0.01 * turn)
        total += short_vectors(2000)
    return total


if __name__ == "__main__":
    count = repetitions(310)
    with measured():
        result = work(count)
        print(f"check {result:.6f}")
