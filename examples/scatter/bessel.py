"""Hankel functions of orders 0 and 1 for those who have no scipy.

The polynomials are those of Abramowitz and Stegun, Handbook of Mathematical Functions, 9.4.1 to
9.4.6; they are good to about seven digits. One number at a time.
"""

import cmath
import math

# Each row holds, for one order: J and Y for arguments up to 3, in even powers of x/3; modulus
# and phase of the Hankel function beyond, in powers of 3/x.
SMALL_J = (
    (1.0, -2.2499997, 1.2656208, -0.3163866, 0.0444479, -0.0039444, 0.0002100),
    (0.5, -0.56249985, 0.21093573, -0.03954289, 0.00443319, -0.00031761, 0.00001109),
)
SMALL_Y = (
    (0.36746691, 0.60559366, -0.74350384, 0.25300117, -0.04261214, 0.00427916, -0.00024846),
    (-0.6366198, 0.2212091, 2.1682709, -1.3164827, 0.3123951, -0.0400976, 0.0027873),
)
LARGE_MODULUS = (
    (0.79788456, -0.00000077, -0.00552740, -0.00009512, 0.00137237, -0.00072805, 0.00014476),
    (0.79788456, 0.00000156, 0.01659667, 0.00017105, -0.00249511, 0.00113653, -0.00020033),
)
LARGE_PHASE = (
    (-0.78539816, -0.04166397, -0.00003954, 0.00262573, -0.00054125, -0.00029333, 0.00013558),
    (-2.35619449, 0.12499612, 0.00005650, -0.00637879, 0.00074348, 0.00079824, -0.00029166),
)


def polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = 0.0
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value


def hankel1(order: int, x: float) -> complex:
    """The outgoing Hankel function of order 0 or 1 at a positive x."""
    if x > 3:
        modulus = polynomial(LARGE_MODULUS[order], 3 / x) / math.sqrt(x)
        return cmath.rect(modulus, x + polynomial(LARGE_PHASE[order], 3 / x))
    square = (x / 3) ** 2
    j = polynomial(SMALL_J[order], square) * x**order
    y = polynomial(SMALL_Y[order], square) / x**order + 2 / math.pi * math.log(x / 2) * j
    return complex(j, y)
