"""A little linear algebra for those who have no numpy: what numpy's functions of these names do.

Vectors are sequences of numbers, matrices lists of rows.
"""

import math
from collections.abc import Sequence


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1]  # vectors of the plane are all that is asked for


def norm(vector: Sequence[float]) -> float:
    return math.hypot(*vector)


def solve(matrix: list[list[complex]], right: list[complex]) -> list[complex]:
    """The x with matrix x = right, by elimination; the largest element left is the pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    count = len(rows)
    for step in range(count):
        largest = max(range(step, count), key=lambda index: abs(rows[index][step]))
        rows[step], rows[largest] = rows[largest], rows[step]
        pivot = rows[step][step:]
        for index in range(step + 1, count):
            factor = rows[index][step] / pivot[0]
            rest = zip(rows[index][step:], pivot, strict=True)
            rows[index][step:] = [element - factor * above for element, above in rest]
    solution = [0j] * count
    for step in reversed(range(count)):
        known = sum(rows[step][index] * solution[index] for index in range(step + 1, count))
        solution[step] = (rows[step][count] - known) / rows[step][step]
    return solution
