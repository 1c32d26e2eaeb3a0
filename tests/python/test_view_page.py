"""The self-contained page of `view --html`: opened from disk, with no request to anything."""

import subprocess
from pathlib import Path

import pytest
from browsing import SCREENS, Visit


@pytest.fixture(scope="module")
def page(executable: Path, real_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    write_page(executable, file, real_run)
    return file


def write_page(executable: Path, file: Path, *words: object) -> None:
    command = [executable, "view", *map(str, words), "--html", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_without_any_request(visit: Visit, page: Path, screen: str) -> None:
    visit.open(page.as_uri(), screen)
    assert visit.page.locator(".failure").count() == 0
    # Workers live in the page itself.
    assert [each for each in visit.requests if not each.startswith(("blob:", "data:"))] == [
        f"{page.as_uri()}#/{screen}".split("#")[0]
    ]


def test_a_typical_page_is_small(page: Path) -> None:
    assert page.stat().st_size < 1_000_000


def test_scopes_are_worked_out_in_the_page(visit: Visit, page: Path) -> None:
    visit.open(page.as_uri(), "functions")
    whole = visit.page.locator("[role=gridcell]").all_inner_texts()
    visit.open(page.as_uri(), "functions", **{"from": 0, "to": 0.1})
    part = visit.page.locator("[role=gridcell]").all_inner_texts()
    assert whole != part
    assert visit.page.locator(".chip").count() == 1


def test_sources_are_inside_unless_not_wanted(
    executable: Path, real_run: Path, tmp_path: Path, visit: Visit, page: Path
) -> None:
    visit.open(page.as_uri(), "source")
    assert "def hot_loop" in visit.page.inner_text("main")
    write_page(executable, tmp_path / "bare.html", real_run, "--no-source")
    visit.open((tmp_path / "bare.html").as_uri(), "source")
    assert "def hot_loop" not in visit.page.inner_text("main")


def test_two_profiles_are_compared(
    executable: Path, real_run: Path, tmp_path: Path, visit: Visit
) -> None:
    write_page(executable, tmp_path / "two.html", real_run, real_run)
    visit.open((tmp_path / "two.html").as_uri(), "diff")
    assert visit.page.locator(".failure").count() == 0
    assert "took the same" in visit.page.inner_text("main h1")


def test_a_damaged_page_says_so(visit: Visit, page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    middle = text.rindex("</script>") - 2000
    damaged = tmp_path / "damaged.html"
    damaged.write_text(text[:middle] + "AAAA" * 10 + text[middle + 40 :])
    visit.page.goto(damaged.as_uri())
    visit.page.wait_for_selector("[role=alert]")
    assert visit.page.inner_text("[role=alert]").endswith(".")
