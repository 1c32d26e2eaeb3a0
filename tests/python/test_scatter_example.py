"""examples/scatter: the physics is right, with numpy and scipy and without, and the program
behaves on the command line.
"""

import importlib
import math
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

EXAMPLE = ROOT / "examples" / "scatter"

numpy = pytest.importorskip("numpy")
special = pytest.importorskip("scipy.special")


MISSING = {"with numpy and scipy": (), "without scipy": ("scipy",), "plain": ("numpy", "scipy")}


@pytest.fixture(scope="module", params=MISSING.values(), ids=list(MISSING))
def modules(request: pytest.FixtureRequest) -> dict[str, ModuleType]:
    """The example's modules, found as the script finds them where some libraries are missing."""
    names = ("bessel", "linear", "library", "contour", "wave")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLE)
        for name in names:
            patch.delitem(sys.modules, name, raising=False)  # the standard library has a `wave` too
        for name in list(sys.modules):
            if name.partition(".")[0] in request.param:
                patch.setitem(sys.modules, name, None)
        loaded = {name: importlib.import_module(name) for name in names}
        for name in names:
            del sys.modules[name]
    library = loaded["library"]
    assert library.HAS_NUMPY is ("numpy" not in request.param)
    assert (library.hankel1 is loaded["bessel"].hankel1) is ("scipy" in request.param)
    return loaded


@pytest.fixture
def contour(modules: dict[str, ModuleType]) -> ModuleType:
    return modules["contour"]


@pytest.fixture
def wave(modules: dict[str, ModuleType]) -> ModuleType:
    return modules["wave"]


def circle_terms(wavenumber: float) -> list[tuple[int, complex]]:
    """Coefficients of exp(i n angle) Hankel_n(k r) in the wave scattered by the unit circle."""
    orders = range(-40, 41)
    return [
        (n, complex(-special.jv(n, wavenumber) / special.hankel1(n, wavenumber))) for n in orders
    ]


def scattered_by_circle(point: tuple[float, float], wavenumber: float) -> complex:
    radius, angle = math.hypot(*point), math.atan2(point[1], point[0])
    return sum(
        1j**n * term * special.hankel1(n, wavenumber * radius) * complex(math.e) ** (1j * n * angle)
        for n, term in circle_terms(wavenumber)
    )


# 2.612… makes the wavenumber the first zero of a Bessel function, where the circle rings
# inside and methods without the dipoles fail.
@pytest.mark.parametrize("wavelength", [0.7, 1.0, 2 * math.pi / 2.404825557695773])
def test_circle_agrees_with_its_series(
    wavelength: float, contour: ModuleType, wave: ModuleType
) -> None:
    """Within 2e-3 of the incident amplitude, half a radius and more away from the circle."""
    shape = contour.make_contour("circle", 100)
    incident = wave.PlaneWave(wavelength, (1.0, 0.0))
    strengths = wave.solve_strengths(shape, incident)
    for point in ((1.5, 0.0), (-1.5, 0.2), (0.3, 1.8), (-2.0, -2.0), (3.0, 0.0)):
        computed = wave.compute_scattered_wave(point, shape, strengths, incident.wavenumber)
        assert abs(computed - scattered_by_circle(point, incident.wavenumber)) < 2e-3, point
    exact = 4 / incident.wavenumber * sum(abs(c) ** 2 for _, c in circle_terms(incident.wavenumber))
    assert wave.compute_cross_section(shape, strengths, incident) == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize("obstacle", ["circle", "star", "kite"])
@pytest.mark.parametrize("degrees", [0, 70])
def test_no_energy_is_lost(
    obstacle: str, degrees: int, contour: ModuleType, wave: ModuleType
) -> None:
    """What is scattered into all directions is what the forward direction says, within 1 %."""
    shape = contour.make_contour(obstacle, 120)
    angle = math.radians(degrees)
    incident = wave.PlaneWave(1.0, (math.cos(angle), math.sin(angle)))
    strengths = wave.solve_strengths(shape, incident)
    directions = 2 * math.pi * numpy.arange(180) / 180
    power = numpy.mean(
        [
            abs(
                wave.compute_far_field(
                    (math.cos(d), math.sin(d)), shape, strengths, incident.wavenumber
                )
            )
            ** 2
            for d in directions
        ]
    )
    assert wave.compute_cross_section(shape, strengths, incident) == pytest.approx(
        4 / incident.wavenumber * power, rel=0.01
    )


@pytest.mark.parametrize("obstacle", ["circle", "star", "kite"])
def test_more_elements_change_little(obstacle: str, contour: ModuleType, wave: ModuleType) -> None:
    """The default 100 elements are good to 1 % of the incident amplitude."""
    incident = wave.PlaneWave(1.0, (1.0, 0.0))
    fields = []
    for elements in (100, 200):
        shape = contour.make_contour(obstacle, elements)
        strengths = wave.solve_strengths(shape, incident)
        fields.append(
            wave.compute_scattered_wave((-2.0, 0.5), shape, strengths, incident.wavenumber)
        )
    assert abs(fields[0] - fields[1]) < 0.01


@pytest.mark.parametrize(
    ("obstacle", "point", "inside"),
    [
        ("circle", (0.0, 0.0), True),
        ("circle", (0.99, 0.0), True),
        ("circle", (0.71, 0.71), False),  # in the bounding box only
        ("circle", (0.0, 1.01), False),
        ("circle", (-5.0, 0.0), False),
        ("star", (1.25, 0.0), True),  # in an arm
        ("star", (-1.0, 0.0), False),  # between two arms
        ("star", (-0.65, 0.0), True),
        ("kite", (0.5, 0.0), True),
        ("kite", (-1.2, 0.0), False),  # in the hollow
        ("kite", (-1.2, 1.2), True),  # in a wing, beside the hollow
    ],
)
def test_point_in_contour(
    obstacle: str, point: tuple[float, float], inside: bool, contour: ModuleType
) -> None:
    shape = contour.make_contour(obstacle, 200)
    assert contour.is_inside_contour(point, shape) is inside


def test_contours_are_closed_and_turn_once(contour: ModuleType) -> None:
    for name in contour.SHAPES:
        shape = contour.make_contour(name, 300)
        # Normals of a closed curve cancel, and its curvature adds up to one turn.
        assert numpy.abs(numpy.array(shape.lengths) @ shape.normals).max() < 1e-9
        assert numpy.dot(shape.curvatures, shape.lengths) == pytest.approx(2 * math.pi)


def test_points_of_the_contour_count_as_inside(contour: ModuleType) -> None:
    """No point outside may coincide with an element: its distance is divided by."""
    for name in contour.SHAPES:
        for elements in (8, 100):
            shape = contour.make_contour(name, elements)
            assert all(contour.is_inside_contour(point, shape) for point in shape.points)


def test_own_hankel_functions_agree_with_scipy(modules: dict[str, ModuleType]) -> None:
    for x in [0.001, 0.1, 1.0, 2.5, 3.0, 3.0001, 5.0, 20.0, 100.0]:
        for order in (0, 1):
            exact = special.hankel1(order, x)
            assert abs(modules["bessel"].hankel1(order, x) - exact) < 2e-7 * max(1, abs(exact))


def test_own_linear_algebra_agrees_with_numpy(modules: dict[str, ModuleType]) -> None:
    linear = modules["linear"]
    assert linear.dot((1.5, -2.0), (3.0, 0.25)) == 4.0
    assert linear.norm((3.0, -4.0)) == 5.0
    random = numpy.random.default_rng(1)
    matrix = random.normal(size=(30, 30)) + 1j * random.normal(size=(30, 30))
    matrix[0, 0] = 0  # so that rows must be exchanged
    right = random.normal(size=30) + 0j
    solution = linear.solve(matrix.tolist(), right.tolist())
    assert numpy.allclose(solution, numpy.linalg.solve(matrix, right), rtol=1e-10)


def run(*arguments: object, plain: bool = False) -> subprocess.CompletedProcess[str]:
    """Plain: -S leaves out the folder where numpy, scipy and matplotlib are installed."""
    python = [sys.executable, "-S"] if plain else [sys.executable]
    command = [*python, EXAMPLE / "scatter.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("plain", [False, True])
def test_the_program(plain: bool, tmp_path: Path) -> None:
    output = tmp_path / "field.csv"
    arguments = ("-nx", 12, "-ny", 8, "--elements", 40, "--obstacle", "circle", "--output", output)
    result = run(*arguments, plain=plain)
    assert (result.returncode, result.stderr) == (0, "")
    assert ("no numpy here: plain Python, on a grid of 12 x 8" in result.stdout) is plain
    assert "12 x 8 points, 8 of them inside the obstacle" in result.stdout
    lines = output.read_text().splitlines()
    assert len(lines) == 1 + 12 * 8
    for line in lines[1:]:
        x, y, inside, real, imaginary = map(float, line.split(","))
        assert inside == (math.hypot(x, y) < 1)
        assert (real == imaginary == 0) == bool(inside)


def test_the_field_is_the_same_without_numpy(tmp_path: Path) -> None:
    """Within 2e-6 of the incident amplitude: the own Hankel functions are good to seven digits."""
    fields, words = [], []
    for plain in (False, True):
        output = tmp_path / "field.csv"
        result = run("-nx", 16, "-ny", 16, "--elements", 60, "--output", output, plain=plain)
        fields.append(numpy.loadtxt(output, delimiter=",", skiprows=1))
        words.append([line for line in result.stdout.splitlines() if line.startswith("scattering")])
    assert numpy.abs(fields[0] - fields[1]).max() < 2e-6
    assert words[0] == words[1] != []


def test_a_picture_needs_matplotlib(tmp_path: Path) -> None:
    result = run("--plot", tmp_path / "field.png", plain=True)
    assert result.returncode == 2
    assert f"--plot needs matplotlib, which {sys.executable} does not have" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-nx", 0], "not a positive number"),
        (["--wavelength", "-1"], "not a positive length"),
        (["--obstacle", "cube"], "cube"),
        (["--elements", 3], "at least 8 elements"),
        (["-nx", 1, "-ny", 1, "--output", "/nowhere/x"], "cannot write the result"),
    ],
)
def test_mistakes_are_explained(arguments: list[object], words: str) -> None:
    result = run(*arguments)
    assert result.returncode != 0
    assert words in result.stderr
    assert "Traceback" not in result.stderr
