"""Loops over numbers, without any library."""

import sys

try:
    profile  # noqa: B018  # of line_profiler and memory_profiler
except NameError:

    def profile(function):
        return function


@profile
def escape_time(x, y, limit):
    real = imaginary = 0.0
    for step in range(limit):
        real, imaginary = real * real - imaginary * imaginary + x, 2 * real * imaginary + y
        if real * real + imaginary * imaginary > 4:
            return step
    return limit


@profile
def mandelbrot(width, limit):
    total = 0
    for row in range(width):
        for column in range(width):
            total += escape_time(3 * column / width - 2, 2 * row / width - 1, limit)
    return total


def dot(row, column):
    return sum(a * b for a, b in zip(row, column, strict=True))


@profile
def multiply(left, right):
    columns = list(zip(*right, strict=True))
    product = []
    for row in left:
        product.append([dot(row, column) for column in columns])  # noqa: PERF401
    return product


class Matrix:
    def __init__(self, size):
        self.rows = [[float(i * size + j) for j in range(size)] for i in range(size)]

    @profile
    def trace(self):
        total = 0.0
        for index, row in enumerate(self.rows):
            total += row[index]
        return total


def main(rounds):
    for _ in range(rounds):
        mandelbrot(6, 20)
        matrix = Matrix(6)
        matrix.rows = multiply(matrix.rows, matrix.rows)
        matrix.trace()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
