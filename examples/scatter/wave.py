"""A plane wave, an obstacle on whose contour the field vanishes, and the wave it throws back.

The scattered wave is a sum over the elements of the contour, each radiating as a monopole and a
dipole (combined-field integral equation: it has one solution at every wavelength). The
strengths follow from the total field being zero on the contour.
"""

import cmath
import math
from dataclasses import dataclass

from contour import Contour, Vector
from library import dot, hankel1, norm, solve

EULER_GAMMA = 0.5772156649015329


@dataclass(frozen=True)
class PlaneWave:
    """Of amplitude one; travels along the unit vector `direction`."""

    wavelength: float
    direction: Vector

    @property
    def wavenumber(self) -> float:
        return 2 * math.pi / self.wavelength

    def at(self, point: Vector) -> complex:
        return cmath.exp(1j * self.wavenumber * dot(self.direction, point))


def compute_element_of_itself(contour: Contour, index: int, wavenumber: float) -> complex:
    """What an element does to its own middle, where the Hankel functions are infinite.

    The logarithm is the one that makes a sum over equal steps exact to third order.
    """
    length = contour.lengths[index]
    logarithm = math.log(wavenumber * length / (4 * math.pi)) + EULER_GAMMA
    monopole = 0.25j * (1 + 2j / math.pi * logarithm)
    dipole = -contour.curvatures[index] / (4 * math.pi)
    return (dipole - 1j * wavenumber * monopole) * length


def compute_scattered_wave_element(
    point: Vector, contour: Contour, index: int, wavenumber: float
) -> complex:
    """The wave at a point off the element, when the element radiates with strength one."""
    source = contour.points[index]
    normal = contour.normals[index]
    separation = (point[0] - source[0], point[1] - source[1])
    distance = norm(separation)
    slant = dot(separation, normal) / distance
    monopole = 0.25j * hankel1(0, wavenumber * distance)
    dipole = 0.25j * wavenumber * hankel1(1, wavenumber * distance) * slant
    return complex((dipole - 1j * wavenumber * monopole) * contour.lengths[index])


def solve_strengths(contour: Contour, wave: PlaneWave) -> list[complex]:
    """How strongly each element must radiate for the total field to vanish on the contour."""
    matrix = []
    for index, point in enumerate(contour.points):
        row = [
            0.5 + compute_element_of_itself(contour, index, wave.wavenumber)
            if column == index
            else compute_scattered_wave_element(point, contour, column, wave.wavenumber)
            for column in range(len(contour))
        ]
        matrix.append(row)
    strengths = solve(matrix, [-wave.at(point) for point in contour.points])
    return [complex(strength) for strength in strengths]


def compute_scattered_wave(
    point: Vector, contour: Contour, strengths: list[complex], wavenumber: float
) -> complex:
    """The scattered wave outside; closer to the contour than an element it loses accuracy."""
    total = 0j
    for index in range(len(contour)):
        total += strengths[index] * compute_scattered_wave_element(
            point, contour, index, wavenumber
        )
    return total


def compute_far_field(
    direction: Vector, contour: Contour, strengths: list[complex], wavenumber: float
) -> complex:
    """Amplitude f: far away the wave is f sqrt(2 / (pi k r)) exp(i (k r - pi / 4))."""
    total = 0j
    for index, point in enumerate(contour.points):
        phase = cmath.exp(-1j * wavenumber * dot(point, direction))
        radiated = -1j * wavenumber * (dot(contour.normals[index], direction) + 1) * phase
        total += 0.25j * radiated * strengths[index] * contour.lengths[index]
    return complex(total)


def compute_cross_section(contour: Contour, strengths: list[complex], wave: PlaneWave) -> float:
    """Scattered power by that of the wave per unit length, from the forward direction alone."""
    forward = compute_far_field(wave.direction, contour, strengths, wave.wavenumber)
    return -4 / wave.wavenumber * forward.real
