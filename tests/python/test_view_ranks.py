"""The ranks, overview and timeline screens of a parallel job whose answers are known."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit
from harness.browser import served_view
from solver_job import write_solver

# Rank 3 is late in every step, rank 5 hardly works.
WORK = (4.0, 4.2, 3.9, 9.0, 4.1, 0.3, 4.0, 4.3)


@pytest.fixture(scope="module")
def job_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_solver(tmp_path_factory.mktemp("job") / "solver.run", WORK)


@pytest.fixture(scope="module")
def job_server(executable: Path, job_run: Path) -> Iterator[str]:
    with served_view(executable, job_run) as address:
        yield address


def words_of(visit: Visit) -> str:
    return " ".join(visit.page.inner_text("main").split())


def test_the_ranks_at_a_glance(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "ranks")
    words = words_of(visit)
    assert "The busiest rank works 2.1 times as long as the mean" in words
    assert "8 ranks on 2 hosts" in words
    # 34.3 s of useful work on 8 ranks of 9.521 s; the busiest works 9 s.
    assert "Parallel efficiency 45 %" in words
    assert "Load balance 48 %" in words
    assert "Communication 95 %" in words
    assert "Idle ranks 1 of 8" in words
    visit.check_access()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("panel", "expected"),
    [
        ("functions", "evening it out would save up to 4.78 s"),
        ("uneven", "9.00 s · rank 3"),
        ("mpi", "rank 3 at solve.py:61"),
        ("ranks", "rank 5 idle"),
    ],
)
def test_every_table_of_the_ranks(
    visit: Visit, job_server: str, panel: str, expected: str, scheme: str
) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    visit.open(job_server, "ranks", **{"ranks-panel": panel})
    assert expected in words_of(visit)
    visit.check_access()


def test_mpi_calls_lead_to_the_source(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "ranks", **{"ranks-panel": "mpi"})
    visit.page.click("text=exchange.py:88")
    visit.settle()
    assert "#/source?" in visit.page.url
    assert "line=88" in visit.page.url


def test_a_click_on_a_bar_shows_that_rank_only(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "ranks")
    canvas = visit.page.locator(".rank-bars canvas")
    box = canvas.bounding_box()
    assert box is not None
    # Eight bars beside the axis; the middle of the fourth.
    canvas.click(position={"x": 64 + (box["width"] - 64) * 3.5 / 8, "y": 40})
    assert "All other screens now show rank 3 only" in words_of(visit)
    canvas.press("Home")
    canvas.press("Enter")
    assert "All other screens now show rank 0 only" in words_of(visit)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_overview_has_the_ranks(visit: Visit, job_server: str, scheme: str) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    visit.open(job_server, "overview")
    words = words_of(visit)
    assert "Ranks wait for each other 55 % of their time" in words
    assert "MPI 55 %" in words
    assert "likely for rank 3" in words
    assert "1 of 8 ranks is idle (5)" in words
    assert "Useful work is 45 % of their time." in words
    visit.check_access()
    visit.page.click(".rank-strip a")
    visit.settle()
    assert "#/ranks" in visit.page.url


def test_the_timeline_has_mpi_as_a_kind(visit: Visit, job_server: str) -> None:
    visit.open(job_server, "timeline", by="process")
    assert "MPI" in visit.page.inner_text(".timeline-legend")
    visit.open(job_server, "timeline", by="process", table=1)
    assert "MPI" in words_of(visit)
    visit.check_access()


def test_a_page_of_its_own_has_it_too(
    executable: Path, visit: Visit, job_run: Path, tmp_path: Path
) -> None:
    page = tmp_path / "job.html"
    subprocess.run([executable, "view", "--html", page, job_run], check=True, timeout=60)
    visit.open(page.as_uri(), "ranks", **{"ranks-panel": "mpi"})
    assert "rank 3 at solve.py:61" in words_of(visit)
    visit.open(page.as_uri(), "overview")
    assert "Useful work is 45 % of their time." in words_of(visit)
    assert all(address.startswith(("file:", "data:", "blob:")) for address in visit.requests)


def test_a_merged_file_has_it_too(
    executable: Path, visit: Visit, job_run: Path, tmp_path: Path
) -> None:
    merged = tmp_path / "job.pyro"
    subprocess.run([executable, "merge", job_run, "-o", merged], check=True, timeout=60)
    with served_view(executable, merged) as address:
        visit.open(address, "overview")
        words = words_of(visit)
        assert "Ranks wait for each other 55 % of their time" in words
        assert "likely for rank 3" in words
        assert "Useful work is 45 % of their time." in words
        visit.open(address, "ranks", **{"ranks-panel": "mpi"})
        words = words_of(visit)
        assert "rank 3 at solve.py:61" in words
        assert "8 ranks" in visit.page.inner_text("[role=grid]")  # of the communicator
        visit.open(address, "timeline", by="process")
        assert "MPI" in visit.page.inner_text(".timeline-legend")


def test_ranks_that_share_cores_have_no_efficiencies(
    executable: Path, visit: Visit, tmp_path: Path
) -> None:
    run = write_solver(tmp_path / "run", WORK, ranks_per_host=8, cores=2)
    with served_view(executable, run) as address:
        visit.open(address, "ranks")
        assert "would say nothing here: 8 ranks share the 2 cores of node0" in words_of(visit)
