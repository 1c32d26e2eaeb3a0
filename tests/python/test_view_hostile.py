"""Names come from any program, and any file: whatever they say, they stay text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import SCREENS, Visit
from harness.browser import served_view
from test_view_page import write_page

SCRIPT = "</script><img src=x onerror=window.broken=1>"
NAMES = [
    SCRIPT,
    "<svg onload=window.broken=1>",
    "\u202egnp.exe\u202c",  # shown from right to left
    "__proto__",
    "constructor",
    '"><b>',
    "{{7*7}}${7*7}",
    "x" * 100_000,
    "new\u2028line",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("hostile") / "stacks.txt"
    lines = [f"main (a.py:1);{name} (b.py:2) {i + 10}".encode() for i, name in enumerate(NAMES)]
    lines.append(b"main (a.py:1);lone \xed\xa0\x80 surrogate \xff (b.py:2) 5")
    file.write_bytes(b"\n".join(lines) + b"\n")
    return file


@pytest.fixture(scope="module", params=["server", "page"])
def address(
    request: pytest.FixtureRequest,
    executable: Path,
    hostile: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    if request.param == "server":
        with served_view(executable, hostile) as address:
            yield address
    else:
        file = tmp_path_factory.mktemp("page") / "report.html"
        write_page(executable, file, hostile)
        assert SCRIPT not in file.read_text()
        yield file.as_uri()


@pytest.mark.parametrize("screen", SCREENS)
def test_names_stay_text(visit: Visit, address: str, screen: str) -> None:
    visit.open(address, screen, search="script")
    visit.open(address, screen, paths="img")
    visit.open(address, screen)
    assert visit.page.locator(".failure").count() == 0
    assert visit.page.locator("img").count() == 0
    assert visit.page.evaluate("window.broken") is None


def test_the_name_is_shown_as_it_is(visit: Visit, address: str) -> None:
    visit.open(address, "functions")
    text = visit.page.inner_text("main")
    assert SCRIPT in text
    assert "\u202e" not in text
    assert "__proto__" in text
