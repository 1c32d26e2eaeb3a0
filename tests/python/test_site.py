"""The documentation as a site: it builds without a warning, and looks right in a browser."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from browsing import Visit
from guides import ROOT
from harness.browser import served_folder
from test_command_line import COMMANDS

DOCS = ROOT / "docs"
PAGES = ["index", "guides/line_profiler", "reference/commands", "ranks"]


def build(executable: Path, site: Path, *words: object) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("mkdocs")
    return subprocess.run(
        [ROOT / "tools" / "site.sh", "--site-dir", site, *map(str, words)],
        env={**os.environ, "PYROMETER_EXECUTABLE": str(executable)},
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.fixture(scope="module")
def site(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(executable, folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def test_every_page_is_there(site: Path) -> None:
    for page in DOCS.rglob("*.md"):
        assert (site / page.relative_to(DOCS).with_suffix(".html")).is_file()
    for name in ("architecture", "changelog", "contributing"):
        assert (site / "project" / f"{name}.html").is_file()


def test_reference(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text()
    for command in COMMANDS:
        assert f'<h2 id="pyrometer-{command}">' in commands
    assert "--fail-above" in commands
    assert "python -m pyrometer.kernprof" in commands
    schemas = (site / "reference" / "schemas.html").read_text()
    for schema in DOCS.glob("*.schema.json"):
        assert f'href="../{schema.name}"' in schemas
        assert (site / schema.name).is_file()


def test_blocks_have_their_file_names_and_links_stay_inside(site: Path) -> None:
    assert '<p class="file">solver.py</p>' in (site / "dataframes.html").read_text()
    assert 'href="project/architecture.html"' in (site / "lines.html").read_text()
    for page in site.rglob("*.html"):
        assert not re.search(r'(src|href)="https?://(?!www\.mkdocs\.org)', page.read_text()), page


@pytest.fixture
def copied_docs(tmp_path: Path) -> Path:
    """The documentation with what builds it, to be spoilt."""
    for name in ("docs", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "python").symlink_to(ROOT / "python")
    for name in ("mkdocs.yml", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[gone](gone.md)", "gone.md"),
        ("[gone](view.md#gone)", "#gone"),
        ("![gone](images/gone.png)", "images/gone.png"),
    ],
)
def test_broken_links_fail(executable: Path, copied_docs: Path, text: str, complaint: str) -> None:
    with (copied_docs / "docs" / "diff.md").open("a") as page:
        page.write(f"\n{text}\n")
    done = build(executable, copied_docs / "site", "-f", copied_docs / "mkdocs.yml")
    assert done.returncode == 1
    assert complaint in done.stderr


def test_without_an_executable(tmp_path: Path) -> None:
    done = build(tmp_path / "nothing", tmp_path / "site")
    assert done.returncode == 1
    assert "run ./pyrometer once to build it" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served_folder(site) as address:
        yield address


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_look(
    visit: Visit, address: str, page: str, theme: Literal["light", "dark"], width: int
) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.page.set_viewport_size({"width": width, "height": 900})
    visit.page.goto(f"{address}/{page}.html", wait_until="networkidle")
    assert visit.page.get_attribute("html", "data-bs-theme") == theme
    assert all(each.startswith((address, "data:")) for each in visit.requests)
    # Nothing sticks out to the right, and every picture is there.
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.page.evaluate("[...document.images].every(each => each.naturalWidth > 0)")
    visit.check_access()
