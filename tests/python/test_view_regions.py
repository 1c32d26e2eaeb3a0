"""Named regions in the flame graph of the view: frames among the others, and a switch for them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from harness.browser import served_view
from playwright.sync_api import Locator
from running import BUSY, PACKAGE

PROGRAM = (
    BUSY
    + """
from pyrometer import timed_region

def build():
    busy(0.3)

def step():
    with timed_region("assembly"):
        build()
    busy(0.2)

step()
"""
)


@pytest.fixture(scope="module")
def run(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("regions")
    (folder / "program.py").write_text(PROGRAM)
    command = [executable, "run", "-q", "-o", "run", "--python", sys.executable, "program.py"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    subprocess.run(command, check=True, timeout=60, cwd=folder, env=environment)
    return folder / "run"


@pytest.fixture(scope="module", params=["server", "page"])
def address(request: pytest.FixtureRequest, executable: Path, run: Path) -> Iterator[str]:
    if request.param == "server":
        with served_view(executable, run) as address:
            yield address
    else:
        page = run.parent / "page.html"
        subprocess.run([executable, "view", run, "--html", page], check=True, timeout=60)
        yield page.as_uri()


def frames(visit: Visit) -> list[str]:
    """The names in the table of boxes, outer ones first."""
    table = visit.page.locator("[aria-label='Frames in sight']")
    return [
        name.strip() for name in table.locator("[role=gridcell]:nth-child(2)").all_inner_texts()
    ]


def switch_of(visit: Visit) -> Locator:
    return visit.page.locator("main").get_by_role("button", name="Regions", exact=True)


def test_regions_are_boxes_and_can_be_switched_off(visit: Visit, address: str) -> None:
    visit.open(address, "flame", table=1)
    names = frames(visit)
    assert "[assembly]" in names, names
    assert names.index("step") < names.index("[assembly]") < names.index("build")
    visit.check_access()
    switch = switch_of(visit)
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    visit.settle()
    assert "[assembly]" not in frames(visit)
    assert "build" in frames(visit)
    assert "regions=hidden" in visit.page.url
    switch.click()
    visit.settle()
    assert "[assembly]" in frames(visit)


def test_they_are_there_in_time_too(visit: Visit, address: str) -> None:
    visit.open(address, "flame", order="time", search="assembly")
    assert "Nothing here matches" not in visit.page.inner_text("main")
    picture = "document.querySelector('main canvas').toDataURL()"
    before = visit.page.evaluate(picture)
    switch_of(visit).click()
    visit.settle()
    assert "Nothing here matches" in visit.page.inner_text("main")
    assert visit.page.evaluate(picture) != before


def test_other_screens_do_not_have_them(visit: Visit, address: str) -> None:
    visit.open(address, "functions")
    assert "[assembly]" not in visit.page.inner_text("main")


def test_a_range_and_a_search_reach_them(visit: Visit, address: str) -> None:
    visit.open(address, "flame", table=1, region="assembly", search="assembly")
    names = frames(visit)
    assert "[assembly]" in names
    assert "Nothing here matches" not in visit.page.inner_text("main")


def test_a_profile_without_regions_has_no_switch(
    visit: Visit, executable: Path, real_run: Path
) -> None:
    with served_view(executable, real_run) as address:
        visit.open(address, "flame")
        assert switch_of(visit).count() == 0
