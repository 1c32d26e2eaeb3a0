"""pyrometer.cprofile counts exactly what cProfile counts, on every interpreter."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running import PACKAGE, PROGRAMS

BROKEN_BY_CPROFILE = {"3.12": {"wrong_types"}}


def count(python: Path, profiler: str, pieces: list[str]) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONHASHSEED": "0"}
    command = [python, "-W", "ignore", PROGRAMS / "standard_library.py", profiler, *pieces]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    counts: dict[str, Any] = json.loads(done.stdout)
    return counts


@pytest.fixture(scope="module")
def counts(python: Path, python_version: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """By cProfile and by us."""
    ours = count(python, "pyrometer.cprofile", [])
    broken = BROKEN_BY_CPROFILE.get(python_version, set())
    theirs = count(python, "cProfile", [piece for piece in ours if piece not in broken])
    return theirs, ours


def test_calls_and_callers_are_the_same(counts: tuple[dict[str, Any], dict[str, Any]]) -> None:
    theirs, ours = counts
    assert len(theirs) >= 13
    assert sum(len(piece["rows"]) for piece in theirs.values()) > 1000
    for name, piece in theirs.items():
        expected, rows = piece["rows"], ours[name]["rows"]
        different = {
            function: (expected.get(function), rows.get(function))
            for function in expected.keys() | rows.keys()
            if expected.get(function) != rows.get(function)
        }
        assert not different, name


def test_own_times_add_up_to_the_total(counts: tuple[dict[str, Any], dict[str, Any]]) -> None:
    _, ours = counts
    for name, piece in ours.items():
        assert piece["self"] == pytest.approx(piece["total"], rel=1e-6), name
        assert piece["total"] > 0, name
