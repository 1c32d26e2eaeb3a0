"""The example of Kratos' guide: speed-ups of lines from texts of line_profiler, 2 to 128 processes.

The texts follow known laws (tests/data/kratos), and what is expected here is worked out by hand.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Run

COUNTS = (2, 4, 8, 16, 32, 64, 128)
RUNS = tuple(f"{count}=profile-{count}" for count in COUNTS)

# On 128 processes, the most expensive first; speed-ups times 2, so that the ideal is the count.
EXPECTED = [
    # const 0.8 s
    ("analysis_stage.py:RunSolutionLoop:15:", [2] * 7, 0.8, 10),
    # 5 ms * p
    (
        "analysis_stage.py:RunSolutionLoop:14:",
        [2, 1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32],
        0.64,
        100,
    ),
    # 51.2 s / p + 0.1 s: 25.7, 12.9, 6.5, 3.3, 1.7, 0.9, 0.5
    (
        "analysis_stage.py:RunSolutionLoop:13:",
        [2 * 25.7 / time for time in (25.7, 12.9, 6.5, 3.3, 1.7, 0.9, 0.5)],
        0.5,
        100,
    ),
    # 1.28 s / p
    ("solver.py:Assemble:43:", list(COUNTS), 0.01, 64_000),
    # 6.4 ms from 16 processes on: there is nothing to compare with
    ("solver.py:Assemble:44:", [None] * 7, 0.0064, 640),
    # 0.64 s / p
    ("solver.py:Assemble:42:", list(COUNTS), 0.005, 64_001),
    # const 4 ms
    ("analysis_stage.py:RunSolutionLoop:12:", [2] * 7, 0.004, 101),
]
# The sums of all lines, in seconds.
TOTALS = {2: 27.474, 4: 14.204, 8: 7.584, 16: 4.3104, 32: 2.7304, 64: 2.0604, 128: 1.9654}


@pytest.fixture(scope="module")
def folder(pyrometer: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kratos")
    script = ROOT / "tests" / "data" / "kratos" / "make_profiles.py"
    subprocess.run([sys.executable, script, path], check=True, timeout=60)
    if "is not a profile" in pyrometer("report", path / "profile-2").stderr:
        pytest.skip("this build does not read line_profiler's text")
    return path


def test_the_table_of_the_script(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("scale", *RUNS, "--format", "kratos", "--scaled", cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    *rows, totals = result.stdout.splitlines()
    assert len(rows) == len(EXPECTED)
    for row, (place, speedups, seconds, hits) in zip(rows, EXPECTED, strict=True):
        assert row.startswith(place)
        *_, content = row.rsplit("|", len(COUNTS) + 2)[0].split(":", 3)
        values = row.rsplit("|", len(COUNTS) + 2)[1:]
        found = [float(value) if value else None for value in values[: len(COUNTS)]]
        assert found == pytest.approx(speedups), place
        assert float(values[-2]) == pytest.approx(seconds)
        assert int(values[-1]) == hits
        assert content == "" or content.startswith("     ")  # as the script cuts it off the text
    expected = {count: TOTALS[2] / time for count, time in TOTALS.items()}
    assert ast.literal_eval(totals) == pytest.approx(expected)
