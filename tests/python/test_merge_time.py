"""What a merged file says about when things happened: bins of time instead of samples."""

import sqlite3
from pathlib import Path

import pytest
from conftest import Run
from running import Recorder
from view_client import View, open_view

BUCKETS = 20
PROGRAM = """
import time

def compute(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))

def wait(seconds):
    time.sleep(seconds)

compute(0.6)
wait(0.8)
compute(0.6)
"""


@pytest.fixture
def files(one_recorder: Recorder, pyrometer: Run, tmp_path: Path) -> tuple[Path, Path]:
    """A run, and what it was merged into twice."""
    recorded = one_recorder.record("-c", PROGRAM)
    assert recorded.result.returncode == 0
    once, twice = tmp_path / "once.pyro", tmp_path / "twice.pyro"
    assert pyrometer("merge", recorded.run, "-o", once).returncode == 0
    assert pyrometer("merge", once, "-o", twice).returncode == 0
    assert once.read_bytes() == twice.read_bytes()
    return recorded.run, once


def seconds_of(view: View, metric: str, **window: float) -> float:
    ends = "".join(f"&{name}={value}" for name, value in window.items())
    columns = view.columns(f"api/0/values?metric={metric}{ends}")
    return float(sum(columns.columns[f"self:{metric}"])) / 1e9


def activity_of(view: View, kind: str) -> list[float]:
    timeline = view.columns(f"api/0/timeline?by=process&buckets={BUCKETS}")
    row = timeline.meta["categories"].index(kind)
    return list(timeline.columns["activity"][row * BUCKETS : (row + 1) * BUCKETS])


def test_time_ranges_of_a_merged_file(executable: Path, files: tuple[Path, Path]) -> None:
    run, merged = files
    with open_view(executable, run) as before, open_view(executable, merged) as after:
        assert after.json("api/0/summary")["has"]["time"]
        whole = before.json("api/0/summary")["duration"]
        for metric in ("wall", "cpu", "sleep"):
            for begin, end in ((0, whole), (0, whole / 2), (whole / 3, 2 * whole / 3)):
                window = {"from": begin, "to": end}
                expected = seconds_of(before, metric, **window)
                # A bin at each end may be cut elsewhere.
                found = seconds_of(after, metric, **window)
                assert found == pytest.approx(expected, abs=0.03), metric
        for kind in ("sleep", "python"):
            one, other = (activity_of(view, kind) for view in (before, after))
            assert other == pytest.approx(one, abs=0.25), kind


def test_bins_are_small(files: tuple[Path, Path]) -> None:
    with sqlite3.connect(files[1]) as database:
        rows = database.execute("SELECT width_bits, times, length(data) FROM time_bin").fetchall()
        clocks = database.execute("SELECT count(*) FROM clock WHERE monotonic > 0").fetchone()
    assert rows
    assert clocks == (1,)
    for width_bits, times, size in rows:
        assert width_bits == 23
        assert times <= 4 * 1024
        assert size <= 4096
