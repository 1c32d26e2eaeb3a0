"""What a person does with the view: keys, search, zoom, scopes, downloads, links to share."""

import csv
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from harness.browser import served_view
from running import wait_until


@pytest.fixture(scope="module")
def server(executable: Path, real_run: Path) -> Iterator[str]:
    with served_view(executable, real_run) as address:
        yield address


def cells(visit: Visit, column: int) -> list[str]:
    """A column of the first table in sight."""
    table = visit.page.locator("[role=grid][aria-label=Functions]")
    return table.locator(f"[role=gridcell]:nth-child({column})").all_inner_texts()


def milliseconds(text: str) -> float:
    value, unit = re.match(r"([\d.,]+) (ns|µs|ms|s)", text.strip()).groups()  # type: ignore[union-attr]
    return float(value.replace(",", "")) * {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}[unit]


def test_keys_show_screens_help_and_palette(visit: Visit, server: str) -> None:
    visit.open(server, "overview")
    keyboard = visit.page.keyboard
    keyboard.press("3")
    visit.page.wait_for_selector("nav a[aria-current=page] >> text=Flame")
    keyboard.press("?")
    visit.page.wait_for_selector("[role=dialog] >> text=Keys")
    keyboard.press("Escape")
    visit.page.wait_for_selector("[role=dialog]", state="detached")
    keyboard.press("Control+k")
    keyboard.type("hot_loop")
    keyboard.press("Enter")
    visit.page.get_by_label("Callers and callees of hot_loop").wait_for()
    assert "#/functions" in visit.page.url
    before = visit.page.locator("html").get_attribute("data-theme")
    keyboard.press("t")
    wait_until(lambda: visit.page.locator("html").get_attribute("data-theme") != before)


def test_search_is_a_regular_expression_and_stays_in_the_address(visit: Visit, server: str) -> None:
    visit.open(server, "functions")
    visit.page.keyboard.press("/")
    visit.page.keyboard.type("^hot|digest -sha")
    wait_until(lambda: "search=" in visit.page.url)
    wait_until(lambda: all("sha" not in name for name in cells(visit, 1)))
    assert "hot_loop" in [name.strip() for name in cells(visit, 1)]
    visit.page.goto("about:blank")
    visit.page.go_back()
    visit.settle()
    assert visit.page.input_value("#search") == "^hot|digest -sha"


def test_a_bad_expression_is_said(visit: Visit, server: str) -> None:
    visit.open(server, "functions", search="hot(")
    assert visit.page.get_attribute("#search", "aria-invalid") == "true"
    assert visit.page.get_attribute("#search", "title")


def test_no_share_is_over_the_whole(visit: Visit, server: str) -> None:
    visit.open(server, "functions")
    shares = re.findall(r"(\d+(?:\.\d+)?) %", visit.page.inner_text("main"))
    assert shares
    assert max(map(float, shares)) <= 100


def test_a_range_of_time_changes_every_screen(visit: Visit, server: str) -> None:
    visit.open(server, "functions")
    whole = sum(map(milliseconds, cells(visit, 3)))
    visit.open(server, "timeline")
    fields = visit.page.locator("main input[type=number], main input[inputmode=decimal]")
    fields.nth(0).fill("0")
    fields.nth(1).fill("0.25")
    visit.page.get_by_role("button", name="Choose").click()
    visit.page.wait_for_selector(".chip >> text=0.25")
    visit.page.keyboard.press("Escape")
    visit.page.locator("nav a >> text=Functions").click()
    visit.settle()
    part = sum(map(milliseconds, cells(visit, 3)))
    assert 0 < part < whole
    visit.page.locator(".chip button").click()
    visit.settle()
    assert sum(map(milliseconds, cells(visit, 3))) == pytest.approx(whole)


def test_clicks_zoom_into_a_flame_graph(visit: Visit, server: str) -> None:
    visit.open(server, "flame")
    canvas = visit.page.locator("main canvas").first
    canvas.click(position={"x": 60, "y": 30})
    crumbs = visit.page.locator("nav.crumbs")
    wait_until(lambda: len(crumbs.inner_text().split()) > 1)
    assert "everything" in crumbs.inner_text()
    visit.page.get_by_role("button", name="Table", exact=True).click()
    assert visit.page.locator("[aria-label='Frames in sight']").count() == 1


@pytest.mark.parametrize("shape", ["Flame", "Sunburst"])
def test_shapes_are_drawn(visit: Visit, server: str, shape: str) -> None:
    visit.open(server, "flame")
    picture = "document.querySelector('main canvas').toDataURL()"
    before = visit.page.evaluate(picture)
    visit.page.locator("main").get_by_role("button", name=shape, exact=True).click()
    visit.settle()
    assert visit.page.evaluate(picture) != before
    visit.check_access()


def test_tables_and_pictures_are_saved(visit: Visit, server: str, tmp_path: Path) -> None:
    visit.open(server, "functions")
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Save as CSV").click()
    download.value.save_as(tmp_path / "functions.csv")
    with (tmp_path / "functions.csv").open() as file:
        rows = list(csv.reader(file))
    assert any("hot_loop" in row for row in rows)
    visit.open(server, "flame")
    visit.page.get_by_role("button", name="Save ▾", exact=True).click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("menuitem", name="SVG").click()
    download.value.save_as(tmp_path / "flame.svg")
    assert "hot_loop" in (tmp_path / "flame.svg").read_text()


def test_the_profile_is_saved_for_other_tools(visit: Visit, server: str, tmp_path: Path) -> None:
    visit.open(server, "overview")
    visit.page.get_by_role("button", name="Save as").click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("menuitem", name="speedscope").click()
    download.value.save_as(tmp_path / "x.json")
    assert "speedscope" in json.loads((tmp_path / "x.json").read_text())["$schema"]


def test_ranks_narrow_the_scope(executable: Path, run_directory: Path, visit: Visit) -> None:
    with served_view(executable, run_directory) as address:
        visit.open(address, "ranks")
        visit.page.locator("[aria-label^=Heatmap]").focus()
        visit.page.keyboard.press("ArrowRight")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_selector(".chip >> text=rank")
        visit.settle()  # before the server ends


@pytest.mark.parametrize("depth", [10_000])
def test_deep_recursion_opens(
    executable: Path,
    make_run,
    tmp_path: Path,
    visit: Visit,
    depth: int,  # type: ignore[no-untyped-def]
) -> None:
    run = make_run(tmp_path / "deep", nodes=depth, chain=True)
    page = tmp_path / "deep.html"
    subprocess.run([executable, "view", run, "--html", page], check=True, timeout=60)
    for screen in ("flame", "functions", "graph", "source"):
        visit.open(page.as_uri(), screen)
        assert visit.page.locator(".failure").count() == 0
    shares = re.findall(r"(\d+(?:\.\d+)?) %", visit.page.inner_text("main"))
    assert max(map(float, shares)) <= 100


def test_a_page_saves_files_too(
    executable: Path, real_run: Path, visit: Visit, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    subprocess.run([executable, "view", real_run, "--html", page], check=True, timeout=60)
    visit.open(page.as_uri(), "overview")
    visit.page.get_by_role("button", name="Save as").click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("menuitem", name="collapsed").click()
    download.value.save_as(tmp_path / "stacks.txt")
    assert "hot_loop" in (tmp_path / "stacks.txt").read_text()
