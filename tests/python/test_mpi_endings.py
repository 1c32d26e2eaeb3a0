"""However the ranks of a launch end: every recording can be read, and little of it is lost."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mpi_launch import MPI_PROGRAMS, Launch, Mpi
from running import Recorded, wait_until

RANKS = 4
SECONDS = 3
# What may be lost when a rank has no time to end: a second, and more on a busy machine.
LOST = 1.5

# How one rank ends while the others work or wait for it, and what the report says of that one.
ENDINGS = {"abort": {"killed", "exit status 3"}, "segfault": {"killed"}, "exit": {"exit status 7"}}


@dataclass
class Job:
    """Ranks at work, the third of which will end in its own way."""

    launch: Launch
    folder: Path

    def last_worked(self, rank: int) -> float:
        """When, in seconds since 1970."""
        return int((self.folder / f"{rank}.last").read_text()) / 1e9

    def is_at_work(self) -> bool:
        files = [self.folder / f"{rank}.last" for rank in range(RANKS)]
        return all(file.exists() and file.stat().st_size for file in files)

    def expect_everything(self, recorded: Recorded) -> dict[int, Any]:
        """Every rank's file is whole up to its last second; returns what the report says of it."""
        assert len(recorded.recordings) == RANKS
        document = recorded.profile().document
        assert sorted(each["rank"] for each in document["processes"]) == list(range(RANKS))
        for process in document["processes"]:
            end = (process["start_ns"] + process["duration_ns"]) / 1e9
            assert end > self.last_worked(process["rank"]) - LOST, process
        report = recorded.report("--processes")
        assert "missing-ranks" not in {finding["id"] for finding in report["findings"]}
        assert {each["status"] for each in report["processes"]} <= {"finished", "killed"}
        return {each["rank"]: each for each in report["processes"]}


def begin(mpi: Mpi, ending: str) -> Job:
    launch = mpi.start(
        *(RANKS, MPI_PROGRAMS / "steps.py", mpi.folder, SECONDS, 2, ending), options=["-q"]
    )
    return Job(launch, mpi.folder)


def words_of(process: dict[str, Any]) -> str:
    status = process["exit_status"]
    return f"exit status {status}" if status else str(process["status"])


@pytest.mark.parametrize("ending", ENDINGS)
def test_one_rank_ends_and_the_launcher_kills_the_others(mpi: Mpi, ending: str) -> None:
    job = begin(mpi, ending)
    recorded = job.launch.finish(60)
    assert recorded.result.returncode != 0
    processes = job.expect_everything(recorded)
    assert words_of(processes[2]) in ENDINGS[ending], processes[2]
    assert "killed" in {words_of(process) for process in processes.values()}


def test_exception_in_one_rank_while_others_wait(mpi: Mpi) -> None:
    """They wait for ever in a collective, until somebody loses patience."""
    job = begin(mpi, "exception")
    wait_until((mpi.folder / "told").exists, 60)
    job.launch.process.send_signal(signal.SIGTERM)
    try:
        job.launch.process.wait(20)
    finally:
        job.launch.kill()
    recorded = job.launch.finish(20)
    processes = job.expect_everything(recorded)
    # Its interpreter ends in MPI_Finalize, which waits for the others, too.
    assert {words_of(process) for process in processes.values()} == {"killed"}
    assert "the field is not there" in recorded.result.stderr


@pytest.mark.parametrize("signals", [[signal.SIGTERM, signal.SIGKILL], [signal.SIGKILL]])
def test_launcher_is_signalled(mpi: Mpi, signals: list[signal.Signals]) -> None:
    """As a batch system does at the time limit: first politely, then everything at once."""
    job = begin(mpi, "never")
    wait_until(job.is_at_work, 60)
    time.sleep(SECONDS)
    for number in signals[:-1]:
        os.kill(job.launch.process.pid, number)
        time.sleep(1)
    job.launch.kill()
    processes = job.expect_everything(job.launch.finish(20))
    assert {words_of(process) for process in processes.values()} == {"killed"}


def test_first_rank_to_fail_says_where_the_recording_is(mpi: Mpi) -> None:
    """Once, as there may be no last rank to speak for all."""
    program = mpi.write("import sys\nfrom mpi4py import MPI\nsys.exit(5)\n")
    recorded = mpi.record(3, program)
    assert recorded.result.returncode == 5, recorded.complaint
    said = [line for line in recorded.result.stderr.splitlines() if "ended with status 5" in line]
    assert len(said) <= 1
    assert str(recorded.run) in recorded.result.stderr
