"""Every screen of the view in a real browser: on a recording, a cProfile file and a large job."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import IMAGES, ROOT, SCREENS, Visit, shown_pictures
from harness.browser import served_view


@pytest.fixture(scope="module")
def real_server(executable: Path, real_run: Path) -> Iterator[str]:
    with served_view(executable, real_run) as address:
        yield address


@pytest.fixture(scope="module")
def prof_server(executable: Path, prof_file: Path) -> Iterator[str]:
    with served_view(executable, prof_file) as address:
        yield address


@pytest.fixture(scope="module")
def job_server(
    executable: Path,
    make_run,  # type: ignore[no-untyped-def]
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """1,024 ranks, merged into one file."""
    folder = tmp_path_factory.mktemp("job")
    run = make_run(folder / "run", ranks=1024, nodes=200, samples=0, threads=1, density=0.8)
    merged = folder / "job.pyro"
    subprocess.run([executable, "merge", run, "-o", merged], check=True, timeout=100)
    with served_view(executable, merged) as address:
        yield address


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("server", ["real_server", "prof_server", "job_server"])
def test_screen(visit: Visit, server: str, screen: str, request: pytest.FixtureRequest) -> None:
    visit.open(request.getfixturevalue(server), screen)
    assert visit.page.locator(".failure").count() == 0
    assert visit.page.locator("nav a[aria-current=page]").count() == 1
    visit.check_access()


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_in_the_dark(visit: Visit, real_server: str, screen: str) -> None:
    visit.page.emulate_media(color_scheme="dark")
    visit.open(real_server, screen)
    assert visit.page.locator("html[data-theme=dark]").count() == 1
    visit.check_access()


@pytest.fixture(scope="module")
def scatter_server(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    run = tmp_path_factory.mktemp("scatter") / "run"
    script = ROOT / "examples" / "scatter" / "scatter.py"
    command = [executable, "run", "-q", "-o", run, "--python", sys.executable, script]
    subprocess.run(command, check=True, timeout=100, cwd=run.parent, stdout=subprocess.DEVNULL)
    with served_view(executable, run) as address:
        yield address


@pytest.mark.parametrize(
    ("picture", "screen", "params"),
    [
        ("overview", "overview", {}),
        ("flame", "flame", {}),
        ("sunburst", "flame", {"shape": "sunburst"}),
        ("graph", "graph", {}),
        ("source", "source", {}),
        ("timeline", "timeline", {}),
    ],
)
def test_the_example(
    visit: Visit, scatter_server: str, picture: str, screen: str, params: dict[str, str]
) -> None:
    visit.open(scatter_server, screen, **params)
    assert visit.page.locator(".failure").count() == 0
    if screen == "overview":
        assert "compute_scattered_wave_element" in visit.page.inner_text("main")
    visit.picture(picture)


def test_a_thousand_ranks_at_a_glance(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "ranks")
    assert "1,024 ranks" in visit.page.inner_text("main")
    visit.picture("ranks")


def test_the_documentation_has_its_pictures() -> None:
    """Made by these tests with PYROMETER_SCREENSHOTS=1."""
    there = {path.name for path in IMAGES.glob("*.png")}
    assert shown_pictures() == there
