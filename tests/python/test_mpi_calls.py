"""MPI calls are counted and timed by the line that makes them, in both MPIs and every engine."""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mpi_launch import MPI_PROGRAMS, Mpi
from profiles import RecordedProfile
from running import Recorded, on_a_calm_machine

KNOWN_CALLS = MPI_PROGRAMS / "known_calls.py"
SIZE = 3
TIMES = (
    *("python", "native", "system", "runnable", "gil-wait"),
    *("lock-wait", "io", "sleep", "idle", "mpi"),
)


def record_to_the_end(
    mpi: Mpi, size: int, *words: object, options: tuple[str, ...] = ()
) -> Recorded:
    preload = mpi.executable.parents[1] / "libexec" / "pyrometer" / "_preload.so"
    return mpi.record(size, *words, options=options, env={"LD_PRELOAD": str(preload)})


def record(mpi: Mpi, size: int, *words: object, options: tuple[str, ...] = ()) -> Recorded:
    recorded = record_to_the_end(mpi, size, *words, options=options)
    assert recorded.result.returncode == 0, recorded.complaint
    return recorded


def told(recorded: Recorded) -> list[dict[str, Any]]:
    """What the ranks printed, by rank."""
    lines = [json.loads(line) for line in recorded.result.stdout.splitlines()]
    return sorted(lines, key=lambda line: int(line["rank"]))


def known_lines(program: Path) -> dict[str, int]:
    """The lines of a program that are marked, by their mark."""
    lines = program.read_text().splitlines()
    return {
        line.partition("# known: ")[2]: number
        for number, line in enumerate(lines, 1)
        if "# known: " in line
    }


def calls_by_line(profile: RecordedProfile, metric: str) -> Counter[tuple[int, int, str]]:
    """By rank, line that calls and MPI function."""
    document = profile.document
    totals: Counter[tuple[int, int, str]] = Counter()
    for stack in profile.stacks(metric):
        process = document["processes"][document["threads"][stack.thread]["process"]]
        caller = stack.frames[-2].line if len(stack.frames) > 1 else 0
        assert stack.frames[-1].file == "MPI"
        totals[process["rank"], caller, stack.frames[-1].name] += stack.value
    return totals


def check_known_calls(recorded: Recorded) -> None:
    profile = recorded.profile()
    lines = known_lines(KNOWN_CALLS)
    calls = calls_by_line(profile, "mpi-calls")
    handed_over = calls_by_line(profile, "mpi-bytes")
    expected = {
        ("barrier", "MPI_Barrier"): (3, 0),
        ("sendrecv", "MPI_Sendrecv"): (40, 8_000),
        ("allreduce", "MPI_Allreduce"): (50, 4_000),
        ("alltoallv", "MPI_Alltoallv"): (10, 4 * sum(range(SIZE + 1))),
        ("thread", "MPI_Iprobe"): (30, 0),
        ("irecv", "MPI_Irecv"): (15, 1_000),
        ("isend", "MPI_Isend"): (15, 1_000),
        ("waitall", "MPI_Waitall"): (15, 0),
    }
    for rank in range(SIZE):
        for (mark, function), (count, size) in expected.items():
            site = (rank, lines[mark], function)
            assert calls[site] == count, site
            assert handed_over[site] == count * size, site
        # How mpi4py sends an object is its own affair, but each is sent by MPI_Bcast.
        assert calls[rank, lines["bcast"], "MPI_Bcast"] >= 20
    times = calls_by_line(profile, "mpi-time")
    waits = calls_by_line(profile, "mpi-wait")
    sites = [(rank, lines["barrier"], "MPI_Barrier") for rank in range(SIZE)]
    for site, line in zip(sites, told(recorded), strict=True):
        # The program's clock is read outside of ours; in between others may get the core.
        assert times[site] <= line["waited"] * 1e9
        assert times[site] >= 0.97 * line["waited"] * 1e9 - 20e6
        assert times[site] >= 0.43e9 or line["rank"] == 0  # who is waited for waits least
    # What is not waiting is what the quickest call of any rank takes: the same for all.
    transfers = [times[site] - waits[site] for site in sites]
    assert transfers == pytest.approx([transfers[0]] * SIZE, abs=10)
    assert 0 < transfers[0] <= min(times[site] for site in sites)


@pytest.mark.parametrize("engine", ["sampled", "--exact", "--lines"])
def test_known_calls_are_counted_by_line(mpi: Mpi, engine: str) -> None:
    options = () if engine == "sampled" else (engine,)
    on_a_calm_machine(lambda: check_known_calls(record(mpi, SIZE, KNOWN_CALLS, options=options)))


def test_known_calls_with_every_python(mpi_of_every_python: Mpi) -> None:
    mpi = mpi_of_every_python
    on_a_calm_machine(lambda: check_known_calls(record(mpi, SIZE, KNOWN_CALLS)))


def test_mpi_says_who_it_is(mpi: Mpi) -> None:
    recorded = record(mpi, SIZE, KNOWN_CALLS)
    attributes = sorted(recorded.attributes(), key=lambda each: int(each["mpi.rank"]))
    assert [each["mpi.rank"] for each in attributes] == ["0", "1", "2"]
    assert {each["mpi.size"] for each in attributes} == {str(SIZE)}
    assert {each["mpi.thread-level"] for each in attributes} == {"multiple"}
    word = {"openmpi": "Open MPI", "mpich": "MPICH"}[mpi.name]
    assert all(each["mpi.library"].startswith(word) for each in attributes)


def test_waiting_in_mpi_is_no_work(mpi: Mpi) -> None:
    on_a_calm_machine(lambda: check_busy_waits(record(mpi, 2, MPI_PROGRAMS / "busy_waits.py")))


def check_busy_waits(recorded: Recorded) -> None:
    """Whatever a rank does while it waits, spinning included, its CPU time is its own work."""
    profile = recorded.profile()
    times = {metric: calls_by_rank(profile, metric) for metric in ("wall", "cpu", *TIMES)}
    for rank in range(2):
        parts = sum(times[metric][rank] for metric in TIMES)
        assert parts == pytest.approx(times["wall"][rank], rel=0.001, abs=5e6)
    for stack in profile.stacks("cpu"):
        assert stack.frames[-1].file != "MPI" or stack.value == 0
    assert times["mpi"][0] >= 0.9e9  # of the second that the other one works
    works = [stack.value for stack in profile.stacks("cpu") if has_frame(stack.frames, "work")]
    assert sum(works) == pytest.approx(1e9, rel=0.05)
    assert profile.total("mpi") == pytest.approx(profile.total("mpi-time"), rel=0.03)


def calls_by_rank(profile: RecordedProfile, metric: str) -> Counter[int]:
    totals: Counter[int] = Counter()
    document = profile.document
    for thread, _, value in profile.values.get(metric, []):
        totals[document["processes"][document["threads"][thread]["process"]]["rank"]] += value
    return totals


def has_frame(frames: tuple[Any, ...], name: str) -> bool:
    return any(frame.name == name for frame in frames)


def test_program_is_as_it_was(mpi: Mpi) -> None:
    program = mpi.write(
        """
import sys
from mpi4py import MPI
comm = MPI.COMM_WORLD
total = comm.allreduce(comm.rank + 1)
parts = comm.gather(comm.rank ** 2, root=0)
if comm.rank == 0:
    print(total, parts)
    print("errors too", file=sys.stderr)
comm.Barrier()
sys.exit(3)
"""
    )
    plain = mpi.plain(2, program)
    recorded = record_to_the_end(mpi, 2, program, options=("-q",))
    assert recorded.result.stdout == plain.stdout == "3 [0, 1]\n"
    assert "errors too" in recorded.result.stderr
    assert recorded.result.returncode == plain.returncode == 3


def test_abort_keeps_everything(mpi: Mpi) -> None:
    program = mpi.write(
        """
import time
from mpi4py import MPI
comm = MPI.COMM_WORLD
comm.Barrier()
if comm.rank == 0:
    time.sleep(0.3)
    comm.Abort(7)
comm.Barrier()
"""
    )
    recorded = record_to_the_end(mpi, 2, program)
    assert recorded.result.returncode != 0
    files = {path.name[:8]: path for path in recorded.recordings}
    first = recorded.command("dump", files["r0000000"])
    assert "key='mpi.abort'  value='7'" in first
    assert "MPI_Abort with code 7" in first
    assert "status=7" in first.splitlines()[-2]
    profile = recorded.profile()
    calls = calls_by_line(profile, "mpi-calls")
    assert sum(count for (rank, _, name), count in calls.items() if name == "MPI_Barrier") >= 2


def test_a_killed_rank_tells_the_call_it_was_in(mpi: Mpi) -> None:
    on_a_calm_machine(lambda: check_call_of_a_killed_rank(mpi))


def check_call_of_a_killed_rank(mpi: Mpi) -> None:
    program = mpi.write(
        """
import os, signal, time
from mpi4py import MPI
comm = MPI.COMM_WORLD
comm.Barrier()
if comm.rank == 1:
    time.sleep(2.5)
    os.kill(os.getpid(), signal.SIGKILL)
comm.Barrier()  # line 9
"""
    )
    recorded = record_to_the_end(mpi, 2, program)
    times = calls_by_line(recorded.profile(), "mpi-time")
    assert times[0, 9, "MPI_Barrier"] >= 1e9


@pytest.fixture
def fortran(mpi: Mpi) -> Path:
    compiler = shutil.which(f"mpifort.{mpi.name}")
    if compiler is None:
        pytest.skip(f"there is no mpifort.{mpi.name}")
    library = mpi.folder / "fortran_calls.so"
    source = MPI_PROGRAMS / "fortran_calls.f90"
    command = [compiler, "-shared", "-fPIC", "-o", library, source]
    subprocess.run(command, check=True, cwd=mpi.folder)
    return library


def test_fortran_calls(mpi: Mpi, fortran: Path) -> None:
    program = mpi.write(
        f"""
import ctypes
from mpi4py import MPI
library = ctypes.CDLL({str(fortran)!r})
library.old_calls(20)
library.new_calls(30)
"""
    )
    profile = record(mpi, 2, program).profile()
    calls = calls_by_line(profile, "mpi-calls")
    handed_over = calls_by_line(profile, "mpi-bytes")
    for rank in range(2):
        for line, function, count, size in [
            (5, "MPI_Allreduce", 20, 800),
            (5, "MPI_Sendrecv", 20, 400),
            (5, "MPI_Allgather", 20, 80),
            (6, "MPI_Bcast", 30, 800),
        ]:
            assert calls[rank, line, function] == count
            assert handed_over[rank, line, function] == count * size
