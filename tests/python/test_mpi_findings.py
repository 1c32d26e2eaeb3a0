"""What `pyrometer ranks` says of programs whose answer is known."""

import json
from pathlib import Path
from typing import Any

import pytest
from mpi_launch import Mpi
from test_mpi_programs import run_case

WITHIN = 0.03  # what is promised


def ask(mpi: Mpi, case: str, size: int, seconds: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """The truth, and the answer."""
    truth, recorded = run_case(mpi, case, size, seconds)
    return truth, json.loads(recorded.command("ranks", recorded.run, "--json"))


def ids(answer: dict[str, Any]) -> set[str]:
    return {finding["id"] for finding in answer["findings"]}


def sentence(answer: dict[str, Any], wanted: str) -> str:
    return " ".join(each["sentence"] for each in answer["findings"] if each["id"] == wanted)


def row(answer: dict[str, Any], table: str, name: str) -> dict[str, Any]:
    (found,) = [each for each in answer[table] if each["name"] == name]
    return dict(found)


def expect_imbalance(mpi: Mpi, size: int, seconds: float) -> None:
    truth, answer = ask(mpi, "imbalance", size, seconds)
    solve = row(answer, "functions", "solve")
    assert solve["imbalance"] == pytest.approx(truth["imbalance"], rel=WITHIN)
    assert solve["maximum_rank"] == truth["slow"]
    assert "solve" in sentence(answer, "imbalance")


def expect_serial_section(mpi: Mpi, size: int, seconds: float) -> None:
    truth, answer = ask(mpi, "serial", size, seconds)
    lines = [each for each in answer["serial"]["lines"] if each["name"] == truth["serial"]]
    assert {each["rank"] for each in lines} == {0}
    time = sum(each["time_ns"] for each in lines)
    assert time == pytest.approx(truth["ranks"][0][truth["serial"]], rel=WITHIN)
    assert "serial-line" in ids(answer)


def expect_idle_ranks(mpi: Mpi, size: int, seconds: float) -> None:
    truth, answer = ask(mpi, "idle", size, seconds)
    assert answer["idle"]["ranks"] == truth["idle"]
    assert f"{len(truth['idle'])} of {size} ranks" in sentence(answer, "idle-ranks")


def expect_culprit(mpi: Mpi, case: str, size: int, seconds: float) -> None:
    truth, answer = ask(mpi, case, size, seconds)
    waits = [each for each in answer["mpi"] if each["likely_for"]]
    worst = max(waits, key=lambda each: each["wait_ns"])
    assert worst["likely_for"]["rank"] == truth["slow"]
    assert worst["likely_for"]["name"] == "solve"
    assert f"rank {truth['slow']}" in sentence(answer, "waiting-for")


@pytest.mark.parametrize("size", [4, 8])
def test_imbalance(mpi: Mpi, size: int) -> None:
    expect_imbalance(mpi, size, 1.0)


@pytest.mark.parametrize("size", [4, 8])
def test_idle_ranks(mpi: Mpi, size: int) -> None:
    expect_idle_ranks(mpi, size, 1.0)


def test_serial_section(mpi: Mpi) -> None:
    expect_serial_section(mpi, 4, 1.0)


@pytest.mark.parametrize("case", ["slow_ring", "late_for_collective"])
def test_culprit_of_waiting(mpi: Mpi, case: str) -> None:
    expect_culprit(mpi, case, 4, 1.0)


def test_balanced_ranks(mpi: Mpi) -> None:
    _, answer = ask(mpi, "balanced", 4, 1.0)
    assert not ids(answer) & {"imbalance", "idle-ranks", "serial-line"}


PICKLING = """
from mpi4py import MPI

cells = [{"at": (i, i + 1), "name": str(i)} for i in range(60_000)]
for _ in range(8):
    MPI.COMM_WORLD.bcast(cells)
"""


def test_pickling(mpi: Mpi, tmp_path: Path) -> None:
    """The lines' text is on the disk, or in a merged file that was carried away from it."""
    program = mpi.write(PICKLING)
    recorded = mpi.record(2, program)
    merged = tmp_path / "job.pyro"
    recorded.command("merge", recorded.run, "-o", merged)
    line = 1 + PICKLING.splitlines().index("    MPI.COMM_WORLD.bcast(cells)")
    for profile in (recorded.run, merged):
        answer = json.loads(recorded.command("ranks", profile, "--json"))
        assert f"{program.name}:{line}" in sentence(answer, "pickling"), profile
        program.unlink(missing_ok=True)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_32_ranks(mpi: Mpi) -> None:
    expect_imbalance(mpi, 32, 1.0)
    expect_serial_section(mpi, 32, 1.0)
    expect_idle_ranks(mpi, 32, 1.0)
    expect_culprit(mpi, "late_for_collective", 32, 1.0)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_balanced_ranks_are_never_called_unbalanced(mpi: Mpi) -> None:
    for _ in range(20):
        _, answer = ask(mpi, "balanced", 4, 0.5)
        assert not ids(answer) & {"imbalance", "idle-ranks", "serial-line"}, answer["findings"]
