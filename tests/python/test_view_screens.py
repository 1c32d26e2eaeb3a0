"""Every screen of the view in a real browser: on a recording, a cProfile file and a large job."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import SCREENS, Visit
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
    visit.picture(f"{screen}-{server.removesuffix('_server')}")


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_in_the_dark(visit: Visit, real_server: str, screen: str) -> None:
    visit.page.emulate_media(color_scheme="dark")
    visit.open(real_server, screen)
    assert visit.page.locator("html[data-theme=dark]").count() == 1
    visit.check_access()
    visit.picture(f"{screen}-dark")
