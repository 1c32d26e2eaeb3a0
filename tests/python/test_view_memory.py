"""The memory screen in a real browser: what it shows is what `pyrometer memory` says."""

import csv
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Visit
from conftest import Run, read_json
from harness.browser import served_view
from memory_recordings import MIB, leaking, memory_recording, write_memory_job

PANELS = (
    *("peak", "moment", "live", "growing", "allocated", "churn", "untouched"),
    *("sizes", "processes"),
)

# A leak, a peak early on, temporaries, and an array that nobody uses.
SOLVER = """\
import time

import numpy as np

history = []


def remember(field):
    history.append(field[::4, ::4].copy())


def smooth(grid):
    return 0.25 * (grid[1:-1, 2:] + grid[1:-1, :-2] + grid[2:, 1:-1] + grid[:-2, 1:-1])


def assemble(n):
    blocks = [np.ones((n, n)) for _ in range(5)]
    time.sleep(0.2)
    return sum(blocks)


def main():
    workspace = np.empty(12_000_000)
    grid = np.random.rand(1200, 1200)
    for step in range(100):
        grid[1:-1, 1:-1] = smooth(grid)
        remember(grid)
        time.sleep(0.02)
        if step == 20:
            assemble(2000)
    return workspace


main()
"""


@pytest.fixture(scope="module")
def leak(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("leak") / "leak.pyr"
    path.write_bytes(memory_recording(leaking()))
    return path


@pytest.fixture(scope="module")
def leak_server(executable: Path, leak: Path) -> Iterator[str]:
    with served_view(executable, leak) as address:
        yield address


@pytest.fixture(scope="module")
def leak_page(executable: Path, leak: Path) -> str:
    page = leak.with_suffix(".html")
    subprocess.run([executable, "view", leak, "-o", page], check=True, timeout=60)
    return page.as_uri()


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_memory_job(tmp_path_factory.mktemp("job") / "job", [leaking(1), leaking(3)])


@pytest.fixture(scope="module")
def job_server(executable: Path, job: Path) -> Iterator[str]:
    with served_view(executable, job) as address:
        yield address


@pytest.fixture(scope="module")
def solver_run(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("solver")
    (folder / "solver.py").write_text(SOLVER)
    command = [executable, "run", "-q", "--memory", "--lines", "-o", "run"]
    command += ["--python", sys.executable, "solver.py"]
    subprocess.run(command, check=True, timeout=100, cwd=folder)
    return folder / "run"


@pytest.fixture(scope="module")
def solver_server(executable: Path, solver_run: Path) -> Iterator[str]:
    with served_view(executable, solver_run) as address:
        yield address


def told(pyrometer: Run, profile: Path, *words: object) -> Any:
    return read_json(pyrometer("memory", profile, *words, "--json"), "memory")


def saved_rows(visit: Visit) -> list[dict[str, str]]:
    """The table in sight, as it is saved: numbers in full."""
    with visit.page.expect_download() as download:
        visit.page.click("main button >> text=Save CSV")
    with Path(download.value.path()).open(newline="") as file:
        return list(csv.DictReader(file))


def by_place(sites: list[dict[str, Any]], figure: str) -> dict[str, int]:
    return {
        f"{site['file'].rpartition('/')[2]}:{site['line']}": site[figure]
        for site in sites
        if site[figure]
    }


@pytest.mark.parametrize("where", ["leak_server", "leak_page", "job_server"])
@pytest.mark.parametrize(
    ("panel", "column", "figure"),
    [
        ("peak", "peak", "peak_bytes"),
        ("peak", "numpy", "peak_numpy_bytes"),
        ("live", "live", "live_bytes"),
        ("allocated", "native", "allocated_native_bytes"),
        ("churn", "temporary", "temporary_bytes"),
        ("churn", "allocations", "allocations"),
        ("untouched", "untouched", "untouched_bytes"),
    ],
)
def test_tables_have_the_figures_of_the_command(
    visit: Visit,
    pyrometer: Run,
    request: pytest.FixtureRequest,
    where: str,
    panel: str,
    column: str,
    figure: str,
) -> None:
    visit.open(request.getfixturevalue(where), "memory", **{"memory-panel": panel})
    shown = {row["place"]: int(row[column]) for row in saved_rows(visit) if int(row[column])}
    profile = request.getfixturevalue("job" if where == "job_server" else "leak")
    order = {"peak": "peak", "live": "live", "allocated": "allocated", "untouched": "untouched"}
    document = told(pyrometer, profile, "--sort", order.get(panel, "temporary"))
    assert shown == by_place(document["sites"], figure)
    assert shown


@pytest.mark.parametrize("where", ["leak_server", "leak_page", "job_server"])
@pytest.mark.parametrize("moment", [0.3, 2.05, 9.97])
def test_live_at_a_moment(
    visit: Visit, pyrometer: Run, request: pytest.FixtureRequest, where: str, moment: float
) -> None:
    params: dict[str, object] = {"memory-panel": "moment", "at": moment}
    visit.open(request.getfixturevalue(where), "memory", **params)
    profile = request.getfixturevalue("job" if where == "job_server" else "leak")
    document = told(pyrometer, profile, "--at", moment)
    shown = {row["place"]: int(row["live"]) for row in saved_rows(visit)}
    assert shown == by_place(document["live"]["sites"], "live_bytes")


def test_a_click_on_the_curve_chooses_a_moment(visit: Visit, leak_server: str) -> None:
    visit.open(leak_server, "memory")
    chart = visit.page.locator(".chart svg").first
    box = chart.bounding_box()
    assert box is not None
    visit.page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.5)
    visit.page.wait_for_selector("h2 >> text=/Live at .* s: 6\\d\\d MiB/")
    before = visit.page.inner_text(".moment h2")
    chart.focus()
    visit.page.mouse.move(0, 0)
    for key in ("Home", "ArrowRight", "Enter"):
        visit.page.keyboard.press(key)
    visit.page.wait_for_selector("h2 >> text=Live at 600 ms")
    assert visit.page.inner_text(".moment h2") != before
    visit.page.fill(".moment input", "9.97")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("h2 >> text=Live at 9.97 s: 699 MiB")
    assert "at=9.97" in visit.page.url


def test_the_head_says_what_the_command_says(
    visit: Visit, pyrometer: Run, leak_server: str, leak: Path
) -> None:
    visit.open(leak_server, "memory")
    text = visit.page.inner_text("main")
    assert "Peak 700 MiB of heap at 10.0 s" in text
    assert "500 MiB resident, 24 % of the limit of 2.00 GiB" in text
    assert "Allocated 20.7 GiB in 2,662 blocks, 20.0 GiB of it freed again at once" in text
    for finding in told(pyrometer, leak)["findings"]:
        assert finding["sentence"] in text


def test_what_grows(visit: Visit, leak_server: str) -> None:
    visit.open(leak_server, "memory", **{"memory-panel": "growing"})
    row = visit.page.inner_text("[role=grid][aria-label='What keeps growing'] .row")
    words = row.split("\n")
    assert words == ["remember", "remember.py:2", "10.0 MiB/s", "50.0 MiB", "100 MiB"]
    assert visit.page.locator(".small-curve path").count() == 1


def test_processes_together_and_each(
    visit: Visit, pyrometer: Run, job_server: str, job: Path
) -> None:
    visit.open(job_server, "memory", **{"memory-panel": "processes"})
    document = told(pyrometer, job)
    together = document["together"]["heap"]["bytes"]
    assert f"Peak {together / MIB / 1024:.2f} GiB of heap" in visit.page.inner_text("h1")
    rows = visit.page.locator("[role=grid][aria-label='Memory of each process'] .row")
    assert [row.split("\n")[:2] for row in rows.all_inner_texts()] == [
        ["rank 1", "900 MiB"],
        ["rank 0", "700 MiB"],
    ]
    label = visit.page.locator(".chart svg").text_content() or ""
    assert "heap, together" in label
    assert "heap, rank 1" in label


@pytest.fixture(scope="module")
def merged_server(executable: Path, job: Path) -> Iterator[str]:
    merged = job.with_suffix(".pyro")
    subprocess.run([executable, "merge", job, "-o", merged], check=True, timeout=60)
    with served_view(executable, merged) as address:
        yield address


@pytest.fixture(scope="module")
def job_page(executable: Path, job: Path) -> str:
    page = job.with_suffix(".html")
    subprocess.run([executable, "view", job, "-o", page], check=True, timeout=60)
    return page.as_uri()


@pytest.mark.parametrize("where", ["job_server", "merged_server", "job_page"])
def test_one_process_is_chosen(
    visit: Visit, pyrometer: Run, request: pytest.FixtureRequest, where: str, job: Path
) -> None:
    visit.open(request.getfixturevalue(where), "memory", **{"memory-panel": "processes"})
    text = visit.page.inner_text("main")
    assert "Peaks of 2 ranks: 700 MiB (rank 0) to 900 MiB (rank 1) of heap, 800 MiB" in text
    visit.page.select_option("main .memory-of select", label="rank 1")
    visit.page.wait_for_selector("h1 >> text=Peak 900 MiB of heap")
    assert "processes=1" in visit.page.url
    label = visit.page.locator(".chart svg").text_content() or ""
    assert "together" not in label
    assert "heap, rank 1" in label
    visit.check_access()
    visit.open(
        request.getfixturevalue(where), "memory", **{"memory-panel": "live", "processes": "1"}
    )
    shown = {row["place"]: int(row["live"]) for row in saved_rows(visit)}
    document = told(pyrometer, job, "--rank", 1, "--sort", "live")
    assert shown == by_place(document["sites"], "live_bytes")
    visit.page.select_option("main .memory-of select", label="all 2 processes")
    visit.page.wait_for_selector("h1 >> text=all processes together")


def test_a_merged_file_has_curves_moments_and_growth(visit: Visit, merged_server: str) -> None:
    visit.open(merged_server, "memory", **{"memory-panel": "moment", "at": 2.05})
    assert "Live at 2.05 s: 1.25 GiB" in visit.page.inner_text("main")
    label = visit.page.locator(".chart svg").text_content() or ""
    assert "heap, together" in label
    visit.open(merged_server, "memory", **{"memory-panel": "growing"})
    row = visit.page.inner_text("[role=grid][aria-label='What keeps growing'] .row")
    assert "40.0 MiB/s" in row


def test_ranks_are_compared_by_memory_too(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "ranks", metric="peak")
    text = visit.page.inner_text("main")
    assert visit.page.locator(".failure").count() == 0
    assert "MiB" in text


@pytest.mark.parametrize(
    ("panel", "theme"),
    [*((panel, "light") for panel in PANELS), ("peak", "dark"), ("growing", "dark")],
)
def test_every_table_is_accessible(visit: Visit, job_server: str, panel: str, theme: Any) -> None:
    visit.page.emulate_media(color_scheme=theme)
    visit.open(job_server, "memory", **{"memory-panel": panel})
    assert visit.page.locator(".failure").count() == 0
    assert visit.page.locator("main [role=grid], main [role=table]").count() >= 1
    visit.check_access()


def test_a_recording(visit: Visit, pyrometer: Run, solver_server: str, solver_run: Path) -> None:
    visit.open(solver_server, "memory")
    document = told(pyrometer, solver_run)
    [process] = document["processes"]
    assert f"Peak {process['heap']['bytes'] / MIB:.0f} MiB of heap" in visit.page.inner_text("h1")
    visit.check_access()
    visit.picture("memory")
    owner = max(document["sites"], key=lambda site: site["peak_bytes"])
    [first, *_] = saved_rows(visit)
    assert (first["function"], int(first["peak"])) == (owner["function"], owner["peak_bytes"])


def test_a_drag_tells_what_came_in_between(visit: Visit, solver_server: str) -> None:
    visit.open(solver_server, "memory")
    box = visit.page.locator(".chart svg").first.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    visit.page.mouse.move(box["x"] + box["width"] * 0.5, middle)
    visit.page.mouse.down()
    visit.page.mouse.move(box["x"] + box["width"] * 0.75, middle, steps=4)
    visit.page.mouse.up()
    visit.page.wait_for_selector(".chip")
    visit.settle()
    assert visit.page.locator("[role=columnheader] >> text=Since").count() == 1
    changes = {row["function"]: int(row["change"]) for row in saved_rows(visit)}
    assert changes["remember"] > MIB
    assert visit.page.locator(".failure").count() == 0


def test_memory_beside_the_code(visit: Visit, solver_server: str) -> None:
    visit.open(solver_server, "source", columns="memory")
    heads = visit.page.locator("main [role=columnheader]").all_inner_texts()
    for head in ("At peak", "Allocated", "Added", "Memory", "Inside", "Temporary"):
        assert head in heads
    row = visit.page.locator("[role=row]:has-text('workspace = np.empty')").first.inner_text()
    # The array is there to the byte: allocated, added by the line, and the peak inside it.
    assert row.count("91.6 MiB") >= 3
    assert re.search(r"workspace", row)
    visit.check_access()
    visit.page.click("main button >> text=Time")
    assert "Added" not in visit.page.locator("main [role=columnheader]").all_inner_texts()


def test_a_profile_of_time_says_how_to_record_memory(
    visit: Visit, executable: Path, prof_file: Path
) -> None:
    with served_view(executable, prof_file) as address:
        visit.open(address, "memory")
        assert "pyrometer run --memory script.py" in visit.page.inner_text("main")
