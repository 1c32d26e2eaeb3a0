"""The view below a cell: in a sandboxed frame, which has no address, no storage and no origin."""

from pathlib import Path

import pytest
from browsing import SCREENS, Visit
from notebooks import Notebook
from playwright.sync_api import FrameLocator
from running import BUSY

WORK = BUSY.replace("busy", "heat_up") + BUSY.replace("busy", "cool_down")
PAGE = "<!doctype html><title>notebook</title><body style='margin: 20px; max-width: {}px'>{}</body>"


@pytest.fixture(scope="module")
def frame(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    notebook = Notebook(tmp_path_factory.mktemp("notebook"), executable)
    return notebook.run(WORK, "%%pyrun\nheat_up(0.5)\ncool_down(0.1)")[1].view


def opened(visit: Visit, folder: Path, frame: str, width: int = 1000) -> FrameLocator:
    page = folder / "notebook.html"
    page.write_text(PAGE.format(width, frame))
    visit.page.goto(page.as_uri())
    inside = visit.page.frame_locator("iframe")
    inside.locator("main h1").first.wait_for()
    return inside


def test_hot_function_and_source(visit: Visit, tmp_path: Path, frame: str) -> None:
    inside = opened(visit, tmp_path, frame)
    assert "heat_up" in inside.locator("main").inner_text()
    visit.picture("notebook")
    inside.get_by_role("navigation").get_by_role("link", name="Source").click()
    inside.get_by_text("sum(range(1000))").first.wait_for()


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen(visit: Visit, tmp_path: Path, frame: str, screen: str) -> None:
    inside = opened(visit, tmp_path, frame)
    inside.locator(f"nav a[href^='#/{screen}']").click()
    inside.locator(f"nav a[href^='#/{screen}'][aria-current=page]").wait_for()
    inside.locator("main :is(h1, h2, canvas, table, [role=table], [role=grid])").first.wait_for()
    inside.locator(".loading").first.wait_for(state="detached")
    assert inside.locator(".failure").count() == 0


def test_keys_and_links_inside_screens(visit: Visit, tmp_path: Path, frame: str) -> None:
    inside = opened(visit, tmp_path, frame)
    inside.locator("main").get_by_role("link", name="heat_up").first.click()
    inside.locator("nav a[href^='#/functions'][aria-current=page]").wait_for()
    inside.locator("main").press("3")
    inside.locator("nav a[href^='#/flame'][aria-current=page]").wait_for()
    # The frame still shows the view, and the page around it was not moved.
    assert visit.page.url.endswith("notebook.html")


def test_narrow_columns_do_not_scroll_sideways(visit: Visit, tmp_path: Path, frame: str) -> None:
    inside = opened(visit, tmp_path, frame, width=700)
    wider = inside.locator("html").evaluate("page => page.scrollWidth - page.clientWidth")
    assert wider == 0
