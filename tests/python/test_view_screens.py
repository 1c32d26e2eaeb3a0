"""Every screen of the view in a real browser: on a recording, a cProfile file and a large job."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from harness.browser import chromium, served_view
from playwright.sync_api import Browser

SCREENS = (
    *("overview", "functions", "flame", "graph", "source", "ranks", "timeline", "memory"),
    *("waits", "scaling", "diff"),
)

# Two threads, a hot line, native code, a sleep and a lock: something for most screens.
PROGRAM = """
import hashlib
import threading
import time


def hot_loop(count):
    total = 0
    for number in range(count):
        total += number * number % 7
    return total


def digest(rounds):
    data = b"x" * 200_000
    for _ in range(rounds):
        data = hashlib.sha256(data).digest() * 6_000
    return data


def helper():
    time.sleep(0.2)
    with lock:
        hot_loop(400_000)


lock = threading.Lock()
threads = [threading.Thread(target=helper, name=f"helper {i}") for i in range(2)]
for thread in threads:
    thread.start()
hot_loop(3_000_000)
digest(250)
for thread in threads:
    thread.join()
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def real_run(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("view")
    program = folder / "program.py"
    program.write_text(PROGRAM)
    command = [executable, "run", "-q", "-o", folder / "run", "--python", sys.executable, program]
    subprocess.run(command, check=True, timeout=60, cwd=folder)
    return folder / "run"


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


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(20_000)
    visit = Visit(page)
    yield visit
    page.close()
    assert visit.faults == []


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
