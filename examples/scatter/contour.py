"""Closed contours that obstruct a wave, and which points lie inside of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from library import dot

Vector = tuple[float, float]


@dataclass(frozen=True)
class Contour:
    """A closed curve, counter-clockwise, cut into elements; one entry per element."""

    points: list[Vector]  # the middle of each element
    normals: list[Vector]  # of length one, outwards
    lengths: list[float]
    curvatures: list[float]  # one over the radius, positive where the obstacle bulges

    def __len__(self) -> int:
        return len(self.points)


# A shape maps the parameter t, from 0 to 2 pi, to a point and its first and second derivative.
Shape = Callable[[float], tuple[Vector, Vector, Vector]]


def circle(t: float) -> tuple[Vector, Vector, Vector]:
    """Of radius one: the shape whose field is known by heart."""
    cos, sin = math.cos(t), math.sin(t)
    return (cos, sin), (-sin, cos), (-cos, -sin)


def star(t: float) -> tuple[Vector, Vector, Vector]:
    """Five rounded arms: the radius swings about one."""
    cos, sin = math.cos(t), math.sin(t)
    radius = 1 + 0.3 * math.cos(5 * t)
    slope = -1.5 * math.sin(5 * t)
    bend = -7.5 * math.cos(5 * t)
    return (
        (radius * cos, radius * sin),
        (slope * cos - radius * sin, slope * sin + radius * cos),
        ((bend - radius) * cos - 2 * slope * sin, (bend - radius) * sin + 2 * slope * cos),
    )


def kite(t: float) -> tuple[Vector, Vector, Vector]:
    """Hollow on one side: a customary test of scattering programs, as waves bounce twice."""
    cos, sin = math.cos(t), math.sin(t)
    cos2, sin2 = math.cos(2 * t), math.sin(2 * t)
    return (
        (cos + 0.65 * cos2 - 0.65, 1.5 * sin),
        (-sin - 1.3 * sin2, 1.5 * cos),
        (-cos - 2.6 * cos2, -1.5 * sin),
    )


SHAPES: dict[str, Shape] = {"circle": circle, "star": star, "kite": kite}


def make_contour(shape: str, elements: int) -> Contour:
    contour = Contour([], [], [], [])
    step = 2 * math.pi / elements
    for index in range(elements):
        point, first, second = SHAPES[shape](index * step)
        speed = math.hypot(*first)
        contour.points.append(point)
        contour.normals.append((first[1] / speed, -first[0] / speed))
        contour.lengths.append(speed * step)
        contour.curvatures.append((first[0] * second[1] - first[1] * second[0]) / speed**3)
    return contour


def is_inside_contour(point: Vector, contour: Contour) -> bool:
    """Whether the contour, seen from the point, turns all the way around it.

    Seen from outside it turns back as much as forth; a point on the contour counts as inside.
    """
    turn = 0.0
    start = contour.points[-1]
    for end in contour.points:
        to_start = (start[0] - point[0], start[1] - point[1])
        to_end = (end[0] - point[0], end[1] - point[1])
        across = to_start[0] * to_end[1] - to_start[1] * to_end[0]
        turn += math.atan2(across, dot(to_start, to_end))
        start = end
    return abs(turn) > 0.1
