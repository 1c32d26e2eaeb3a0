"""Closed contours that obstruct a wave, and which points lie inside of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Contour:
    """A closed curve, counter-clockwise, cut into elements; one row per element."""

    points: numpy.ndarray  # the middle of each element
    normals: numpy.ndarray  # of length one, outwards
    lengths: numpy.ndarray
    curvatures: numpy.ndarray  # one over the radius, positive where the obstacle bulges

    def __len__(self) -> int:
        return len(self.points)


# A shape maps the parameter t, from 0 to 2 pi, to points and their first and second
# derivatives, each as an array of x and an array of y.
Shape = Callable[[numpy.ndarray], tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]]


def circle(t: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Of radius one: the shape whose field is known by heart."""
    cos, sin = numpy.cos(t), numpy.sin(t)
    return numpy.array([cos, sin]), numpy.array([-sin, cos]), numpy.array([-cos, -sin])


def star(t: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Five rounded arms: the radius swings about one."""
    radius = 1 + 0.3 * numpy.cos(5 * t)
    slope = -1.5 * numpy.sin(5 * t)
    bend = -7.5 * numpy.cos(5 * t)
    outwards = numpy.array([numpy.cos(t), numpy.sin(t)])
    around = numpy.array([-numpy.sin(t), numpy.cos(t)])
    return (
        radius * outwards,
        slope * outwards + radius * around,
        (bend - radius) * outwards + 2 * slope * around,
    )


def kite(t: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Hollow on one side: a customary test of scattering programs, as waves bounce twice."""
    cos, sin = numpy.cos(t), numpy.sin(t)
    cos2, sin2 = numpy.cos(2 * t), numpy.sin(2 * t)
    return (
        numpy.array([cos + 0.65 * cos2 - 0.65, 1.5 * sin]),
        numpy.array([-sin - 1.3 * sin2, 1.5 * cos]),
        numpy.array([-cos - 2.6 * cos2, -1.5 * sin]),
    )


SHAPES: dict[str, Shape] = {"circle": circle, "star": star, "kite": kite}


def make_contour(shape: str, elements: int) -> Contour:
    t = 2 * numpy.pi * numpy.arange(elements) / elements
    points, first, second = SHAPES[shape](t)
    speeds = numpy.hypot(first[0], first[1])
    return Contour(
        points=points.T,
        normals=(numpy.array([first[1], -first[0]]) / speeds).T,
        lengths=speeds * 2 * numpy.pi / elements,
        curvatures=(first[0] * second[1] - first[1] * second[0]) / speeds**3,
    )


def is_inside_contour(point: numpy.ndarray, contour: Contour) -> bool:
    """Whether a ray from the point to the right crosses the contour an odd number of times."""
    inside = False
    start = contour.points[-1]
    for end in contour.points:
        if (start[1] > point[1]) != (end[1] > point[1]):
            edge = numpy.array([end[0] - start[0], end[1] - start[1]])
            reach = numpy.array([point[0] - start[0], point[1] - start[1]])
            turn = edge[0] * reach[1] - edge[1] * reach[0]
            if (turn > 0) == (edge[1] > 0):
                inside = not inside
        start = end
    return inside
