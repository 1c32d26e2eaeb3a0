"""Real programs of several ranks: the same results with and without Pyrometer."""

import json
import math
from collections import Counter
from typing import Any

import pytest
from mpi_launch import MPI_PROGRAMS, Mpi
from running import Recorded, same_behaviour

PROGRAMS: dict[str, list[object]] = {
    "pi": [MPI_PROGRAMS / "compute_pi.py", 30_000],
    "mandelbrot": [MPI_PROGRAMS / "mandelbrot.py", 48],
    "futures": ["-m", "mpi4py.futures", MPI_PROGRAMS / "primes.py", 400],
    "heat": [MPI_PROGRAMS / "heat.py", 30, 12],
    "ring": [MPI_PROGRAMS / "ring.py", 40],
}
ENGINES = {"sampled": [], "exact": ["--exact"], "lines": ["--lines"]}
STEPPED = ["slow_ring", "late_for_collective", "balanced"]
CASES = ["imbalance", "serial", "idle", *STEPPED]


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_the_same(mpi: Mpi, program: str) -> None:
    words = PROGRAMS[program]
    plain = mpi.plain(4, *words)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout
    for engine in ENGINES.values():
        recorded = mpi.record(4, *words, options=["-q", *engine])
        same_behaviour(plain, recorded)
        assert len(recorded.recordings) == 4


def cpu_by_rank(recorded: Recorded) -> dict[int, Counter[str]]:
    """The CPU time in each function and what it calls, by rank."""
    profile = recorded.profile()
    threads, processes = profile.document["threads"], profile.document["processes"]
    by_rank: dict[int, Counter[str]] = {each["rank"]: Counter() for each in processes}
    for stack in profile.stacks("cpu"):
        rank = processes[threads[stack.thread]["process"]]["rank"]
        for name in {frame.name for frame in stack.frames}:
            by_rank[rank][name] += stack.value
    return by_rank


def run_case(mpi: Mpi, case: str, size: int, seconds: float) -> tuple[dict[str, Any], Recorded]:
    words = [MPI_PROGRAMS / "known_answers.py", case, seconds]
    # A rate that is asked for is kept, also while starting up costs more than one per cent.
    recorded = mpi.record(size, *words, options=["-q", "--rate", 200], timeout=300)
    assert recorded.result.returncode == 0, recorded.complaint
    return json.loads(recorded.result.stdout), recorded


def expect_the_truth(mpi: Mpi, case: str, size: int, seconds: float) -> None:
    truth, recorded = run_case(mpi, case, size, seconds)
    measured = cpu_by_rank(recorded)
    assert len(truth["ranks"]) == size
    # At each step of a rank from work into MPI and back, the sample that strikes next has some of
    # both. Five standard deviations of that, for samples as far apart as they were: a hundred ranks
    # are compared here, and none may fail by chance. All together must be as close as is promised.
    switches = 2 * (truth["steps"] if case in STEPPED else 1)
    for rank, (spent, facts) in enumerate(zip(truth["ranks"], recorded.attributes(), strict=True)):
        # A rank that only waits may end without a sample.
        period = int(facts["sampler.cpu"]) / max(int(facts["sampler.samples"]), 1)
        noise = 5 * period / math.sqrt(6) * math.sqrt(switches)
        for function, cpu in spent.items():
            close = pytest.approx(cpu, rel=0.03, abs=noise)
            assert measured[rank][function] == close, (rank, function)
    for function in set().union(*truth["ranks"]):
        all_cpu = sum(spent.get(function, 0) for spent in truth["ranks"])
        all_measured = sum(measured[rank][function] for rank in range(size))
        assert all_measured == pytest.approx(all_cpu, rel=0.03), function
    if case == "imbalance":
        work = [spent["solve"] for spent in truth["ranks"]]
        assert max(work) * size / sum(work) == pytest.approx(truth["imbalance"], rel=0.01)


@pytest.mark.parametrize("case", CASES)
def test_known_answers(mpi: Mpi, case: str) -> None:
    expect_the_truth(mpi, case, 4, 1.0)


@pytest.mark.parametrize("case", ["imbalance", "idle"])
def test_known_answers_of_eight_ranks(mpi: Mpi, case: str) -> None:
    expect_the_truth(mpi, case, 8, 0.8)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", CASES)
def test_known_answers_of_32_ranks(mpi: Mpi, case: str) -> None:
    expect_the_truth(mpi, case, 32, 1.0)
