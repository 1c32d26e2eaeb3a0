#!/usr/bin/env python3
"""Computes how a plane wave scatters from an obstacle, on a grid of points around it."""

import argparse
import importlib.util
import math
import sys
import time
from pathlib import Path

from contour import SHAPES, Contour, Vector, is_inside_contour, make_contour
from library import HAS_NUMPY
from wave import PlaneWave, compute_cross_section, compute_scattered_wave, solve_strengths

# Such that the program takes some seconds either way: for two numbers at a time, plain Python is
# quicker than numpy.
GRID = 90 if HAS_NUMPY else 170
EXTENT = 3.0  # the grid reaches from -EXTENT to EXTENT both ways; obstacles are about 1 wide


def make_axis(count: int) -> list[float]:
    """The middles of `count` equal cells."""
    return [EXTENT * (2 * (index + 0.5) / count - 1) for index in range(count)]


def compute_total_wave(
    point: Vector, contour: Contour, strengths: list[complex], wave: PlaneWave
) -> complex:
    """The incident and the scattered wave; there is none inside the obstacle."""
    if is_inside_contour(point, contour):
        return 0j
    scattered = compute_scattered_wave(point, contour, strengths, wave.wavenumber)
    return wave.at(point) + scattered


def compute_field(
    columns: list[float],
    rows: list[float],
    contour: Contour,
    strengths: list[complex],
    wave: PlaneWave,
) -> list[list[complex]]:
    """One list per row of the grid."""
    return [[compute_total_wave((x, y), contour, strengths, wave) for x in columns] for y in rows]


def find_largest(
    columns: list[float], rows: list[float], field: list[list[complex]], contour: Contour
) -> tuple[float, Vector]:
    """The largest magnitude and its point, not counting points where the sum is not accurate."""
    closest = max(contour.lengths)
    largest, where = 0.0, (columns[0], rows[0])
    for row, y in enumerate(rows):
        for column, x in enumerate(columns):
            magnitude = abs(field[row][column])
            if magnitude > largest and all(
                math.dist((x, y), point) > closest for point in contour.points
            ):
                largest, where = magnitude, (x, y)
    return largest, where


def write_field(
    path: Path,
    columns: list[float],
    rows: list[float],
    field: list[list[complex]],
    contour: Contour,
) -> int:
    """One line per point; says how many points lie inside the obstacle."""
    inside = 0
    with path.open("w") as file:
        file.write("x,y,inside,real,imaginary\n")
        for row, y in enumerate(rows):
            for column, x in enumerate(columns):
                is_inside = is_inside_contour((x, y), contour)
                inside += is_inside
                value = field[row][column]
                file.write(f"{x:.6f},{y:.6f},{is_inside:d},{value.real:.9f},{value.imag:.9f}\n")
    return inside


def plot_field(path: Path, field: list[list[complex]], largest: float, contour: Contour) -> None:
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(
        [[value.real for value in row] for row in field],
        origin="lower",
        extent=(-EXTENT, EXTENT, -EXTENT, EXTENT),
        cmap="RdBu",
        vmin=-largest,
        vmax=largest,
    )
    axes.fill(*zip(*contour.points, strict=True), color="0.3")
    figure.colorbar(image, label="real part of the field")
    figure.savefig(path)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not a positive number")
    return number


def wavelength(text: str) -> float:
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a positive length")
    return number


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-nx", type=positive, default=GRID, help="grid points in x (%(default)s)")
    parser.add_argument("-ny", type=positive, default=GRID, help="grid points in y (%(default)s)")
    parser.add_argument("--elements", type=positive, default=100, help="of the contour (100)")
    parser.add_argument("--wavelength", type=wavelength, default=1.0, help="of the wave (1.0)")
    parser.add_argument("--angle", type=float, default=20.0, help="it travels along, degrees (20)")
    parser.add_argument("--obstacle", choices=SHAPES, default="kite", help="its shape (kite)")
    parser.add_argument(
        "--output", type=Path, default=Path("scatter.csv"), help="the field (scatter.csv)"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a picture; needs matplotlib")
    options = parser.parse_args()
    if options.elements < 8:
        parser.error("a contour needs at least 8 elements")
    if options.plot and importlib.util.find_spec("matplotlib") is None:
        parser.error(
            f"--plot needs matplotlib, which {sys.executable} does not have; "
            "without --plot the field is written all the same"
        )
    return options


def main() -> int:
    options = parse_arguments()
    began = time.perf_counter()
    angle = math.radians(options.angle)
    wave = PlaneWave(options.wavelength, (math.cos(angle), math.sin(angle)))
    contour = make_contour(options.obstacle, options.elements)
    longest = max(contour.lengths)
    if not HAS_NUMPY:
        print(f"no numpy here: plain Python, on a grid of {options.nx} x {options.ny}")
    print(f"{options.obstacle} of {len(contour)} elements, wavelength {wave.wavelength:g}")
    if longest > wave.wavelength / 4:
        print(f"beware: elements of {longest:.2g} are coarse for this wavelength; use --elements")

    strengths = solve_strengths(contour, wave)
    columns, rows = make_axis(options.nx), make_axis(options.ny)
    field = compute_field(columns, rows, contour, strengths, wave)
    largest, where = find_largest(columns, rows, field, contour)
    try:
        inside = write_field(options.output, columns, rows, field, contour)
        if options.plot:
            plot_field(options.plot, field, largest, contour)
    except (OSError, ValueError) as error:  # ValueError: not a kind of picture
        print(f"scatter.py cannot write the result: {error}", file=sys.stderr)
        return 1

    print(f"{options.nx} x {options.ny} points, {inside} of them inside the obstacle")
    print(f"scattering cross-section {compute_cross_section(contour, strengths, wave):.4f}")
    print(f"largest field {largest:.4f} at ({where[0]:.2f}, {where[1]:.2f})")
    print(f"written to {options.output} after {time.perf_counter() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
