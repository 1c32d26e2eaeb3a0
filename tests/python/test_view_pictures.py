"""Flame graphs and the timeline in a real browser: pointer, keys, menus, files."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from harness.browser import served_view
from playwright.sync_api import Locator


@pytest.fixture(scope="module")
def server(executable: Path, real_run: Path) -> Iterator[str]:
    with served_view(executable, real_run) as address:
        yield address


@pytest.fixture(scope="module")
def deep_server(executable: Path, make_run, tmp_path_factory) -> Iterator[str]:  # type: ignore[no-untyped-def]
    """Ten thousand calls inside each other."""
    run = make_run(tmp_path_factory.mktemp("deep") / "run", nodes=10_000, chain=True, samples=0)
    with served_view(executable, run) as address:
        yield address


def crumbs(visit: Visit) -> list[str]:
    return visit.page.locator(".crumbs li").all_inner_texts()


def press(canvas: Locator, *keys: str) -> None:
    canvas.focus()
    for key in keys:
        canvas.press(key)


def place(canvas: Locator, across: float, down: float) -> tuple[float, float]:
    box = canvas.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * across, box["y"] + down


def test_click_zooms_in_and_escape_out(visit: Visit, server: str) -> None:
    visit.open(server, "flame")
    assert crumbs(visit) == ["everything"]
    canvas = visit.page.locator(".flame-scroller canvas")
    visit.page.mouse.click(*place(canvas, 0.02, 30))
    visit.page.wait_for_url(re.compile("at="))
    assert len(crumbs(visit)) == 3
    press(canvas, "Escape")
    assert len(crumbs(visit)) == 2
    visit.page.go_back()
    assert len(crumbs(visit)) == 3
    press(canvas, "0")
    assert crumbs(visit) == ["everything"]


def test_hovering_says_what_a_box_is(visit: Visit, server: str) -> None:
    visit.open(server, "flame")
    canvas = visit.page.locator(".flame-scroller canvas")
    visit.page.mouse.move(*place(canvas, 0.02, 30))
    lines = visit.page.locator(".tooltip > *").all_inner_texts()
    assert 3 <= len(lines) <= 5
    assert re.fullmatch(r"total .+ \(\d.* %\)", lines[2])
    assert re.fullmatch(r"own .+ \(.+ %\)", lines[3])


def test_keys_move_and_open(visit: Visit, server: str) -> None:
    visit.open(server, "flame")
    canvas = visit.page.locator(".flame-scroller canvas")
    status = visit.page.locator("#flame-status")
    press(canvas, "ArrowDown")
    first = status.inner_text()
    assert " · total " in first
    press(canvas, "ArrowDown", "ArrowDown")
    assert status.inner_text() != first
    press(canvas, "ArrowUp", "ArrowUp")
    assert status.inner_text() == first
    press(canvas, "Enter")
    visit.page.wait_for_url(re.compile("#/(source|functions)"))


@pytest.mark.parametrize("wanted", ["Only inside", "Collapse recursion", "Fold", "Only my code"])
def test_every_transform_is_a_chip(visit: Visit, server: str, wanted: str) -> None:
    visit.open(server, "flame")
    canvas = visit.page.locator(".flame-scroller canvas")
    visit.page.mouse.click(*place(canvas, 0.02, 30), button="right")
    visit.page.get_by_role("menuitem", name=wanted).click()
    assert visit.page.locator("header .chip").count() == 1
    visit.settle()
    visit.page.locator("header .chip button").click()
    assert visit.page.locator("header .chip").count() == 0


ORDERS: dict[str, dict[str, object]] = {
    "heavy": {},
    "inverted": {"inverted": 1},
    "time": {"order": "time"},
}


@pytest.mark.parametrize("shape", ["icicle", "flame", "sunburst"])
@pytest.mark.parametrize("order", ORDERS)
def test_shapes_and_orders(visit: Visit, server: str, shape: str, order: str) -> None:
    visit.open(server, "flame", shape=shape, table=1, boxes="heat", **ORDERS[order])
    assert visit.page.locator(".flame-table [role=row]").count() > 3
    assert visit.page.locator(".failure").count() == 0
    visit.check_access()


def test_search_states_the_share(visit: Visit, server: str) -> None:
    visit.open(server, "flame", search="hot_loop")
    said = visit.page.locator(".flame-head [role=status]").inner_text()
    assert re.search(r"hot_loop.*: .+, \d+ % of all", said)
    visit.open(server, "flame", search="nowhere_to_be_found")
    assert "Nothing here matches" in visit.page.locator(".flame-head [role=status]").inner_text()


def test_ten_thousand_calls_deep(visit: Visit, deep_server: str) -> None:
    visit.open(deep_server, "flame")
    scroller = visit.page.locator(".flame-scroller")
    assert scroller.evaluate("each => each.scrollHeight") > 190_000
    scroller.evaluate("each => each.scrollTo(0, 150_000)")
    canvas = scroller.locator("canvas")
    visit.page.mouse.click(*place(canvas, 0.0005, 100))
    visit.page.wait_for_url(re.compile("at="))
    assert any("more" in crumb for crumb in crumbs(visit))
    visit.page.reload()
    visit.settle()
    assert any("more" in crumb for crumb in crumbs(visit))


def test_dragging_a_range_scopes_everything(visit: Visit, server: str) -> None:
    visit.open(server, "timeline")
    canvas = visit.page.locator(".timeline-lanes canvas")
    visit.page.mouse.move(*place(canvas, 0.25, 40))
    visit.page.mouse.down()
    visit.page.mouse.move(*place(canvas, 0.4, 40))
    visit.page.mouse.move(*place(canvas, 0.5, 40))
    visit.page.mouse.up()
    assert visit.page.locator("header .chip").count() == 1
    visit.settle()
    visit.page.locator("header .chip button").click()
    assert "from=" not in visit.page.url


def test_typing_a_range(visit: Visit, server: str) -> None:
    visit.open(server, "timeline")
    first, last = (visit.page.locator(".range input").nth(i) for i in (0, 1))
    first.fill("0.3")
    last.fill("0.1")
    last.press("Enter")
    assert "ends before it begins" in visit.page.locator(".range [role=alert]").inner_text()
    first.fill("0.05")
    last.press("Enter")
    assert "from=0.05&to=0.1" in visit.page.url
    assert visit.page.locator("header .chip").count() == 1


def test_zooming_asks_for_finer_values(visit: Visit, server: str) -> None:
    visit.open(server, "timeline")
    asked = len([each for each in visit.requests if "/timeline?" in each])
    canvas = visit.page.locator(".timeline-lanes canvas")
    with visit.page.expect_request(re.compile(r"/timeline\?.*from=")):
        press(canvas, "w", "w", "w")
    visit.settle()
    assert len([each for each in visit.requests if "/timeline?" in each]) > asked


def test_a_name_scopes_to_its_track(visit: Visit, server: str) -> None:
    visit.open(server, "timeline")
    names = visit.page.locator(".timeline-names button")
    assert names.count() >= 3
    names.first.click()
    visit.settle()
    assert visit.page.locator("header .chip").count() == 1
    assert names.count() == 1
    visit.page.locator("header .chip button").click()
    visit.page.get_by_placeholder("Filter tracks").fill("helper 1")
    assert names.all_inner_texts() == ["helper 1"]


@pytest.mark.parametrize("screen", ["flame", "timeline"])
@pytest.mark.parametrize("kind", ["SVG", "PNG", "CSV"])
def test_saving(visit: Visit, server: str, screen: str, kind: str, tmp_path: Path) -> None:
    visit.open(server, screen)
    visit.page.get_by_role("button", name="Save ▾", exact=True).click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("menuitem", name=kind).click()
    file = tmp_path / "saved"
    download.value.save_as(file)
    assert download.value.suggested_filename == f"{screen}.{kind.lower()}"
    content = file.read_bytes()
    if kind == "SVG":
        root = ElementTree.fromstring(content)
        assert len(root.findall(".//{http://www.w3.org/2000/svg}title")) > 3
    elif kind == "PNG":
        assert content.startswith(b"\x89PNG")
        assert len(content) > 2000
    else:
        assert content.decode().count("\n") > 3
