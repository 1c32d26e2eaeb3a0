"""Processes that Python programs start for themselves, and launchers that only set variables: each
is recorded, with the right label."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import BUSY, Recorded, Recorder, on_a_calm_machine, truth_of

FUTURES = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

def run():
    with ProcessPoolExecutor(3, mp_context=get_context("{method}")) as pool:
        return list(pool.map(task, TASKS))
"""
POOL = """
from multiprocessing import get_context

def run():
    pool = get_context("{method}").Pool(3)
    results = pool.map(task, TASKS, chunksize=1)
    pool.close()
    pool.join()
    return results
"""
JOBLIB = """
import joblib

def run():
    return joblib.Parallel(n_jobs=3)(joblib.delayed(task)(number) for number in TASKS)
"""
DASK = """
from dask.distributed import Client, LocalCluster

def run():
    with LocalCluster(3, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            return client.gather(client.map(task, TASKS))
"""
# Prints what each worker has used itself, by pid.
PROGRAM = """
import collections, json, os, time
TASKS = [1, 2, 3, 4]

def task(number):
    begin = time.thread_time()
    busy(number / 10)
    return os.getpid(), time.thread_time() - begin

if __name__ == "__main__":
    used = collections.Counter()
    for pid, seconds in run():
        used[pid] += seconds
    print(json.dumps(used))
"""


def record_workers(recorder: Recorder, pool: str) -> tuple[Recorded, dict[int, float]]:
    """Of the program, and the seconds of each worker that had something to do."""
    # A rate that is asked for is kept, also while starting up costs more than one per cent.
    options = ["-q", "--rate", 200]
    recorded = recorder.record(recorder.write(BUSY + pool + PROGRAM), options=options)
    return recorded, {int(pid): used for pid, used in truth_of(recorded.result).items()}


def check_workers(recorder: Recorder, pool: str) -> None:
    # Who shares a core with many is sampled late: the kernel ticks while others have it.
    on_a_calm_machine(lambda: expect_workers(*record_workers(recorder, pool)))


def expect_workers(recorded: Recorded, used: dict[int, float]) -> None:
    """Each is a process of the run, with what it has used in busy()."""
    profile = recorded.profile()
    processes = profile.document["processes"]
    assert len(profile.pids) == len(set(profile.pids)) > len(used)
    assert {each["rank"] for each in processes} == {None}
    measured = dict.fromkeys(used, 0.0)
    for stack in profile.stacks("cpu"):
        if any(frame.name == "busy" for frame in stack.frames):
            measured[profile.pid_of(stack.thread)] += stack.value / 1e9
    assert measured == pytest.approx(used, rel=0.1, abs=0.03)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("pool", [FUTURES, POOL], ids=["concurrent.futures", "multiprocessing"])
def test_pools(recorder: Recorder, pool: str, method: str) -> None:
    check_workers(recorder, pool.format(method=method))


def test_workers_that_are_terminated(one_recorder: Recorder) -> None:
    """As a pool does whose `with` block is left; what they wrote before is there."""
    at_once = POOL.replace("pool.close()", "pool.terminate()").format(method="fork")

    def attempt() -> None:
        recorded, used = record_workers(one_recorder, at_once)
        assert set(used) < set(recorded.profile().pids)
        assert sum(recorded.profile().by_process("cpu").values()) > sum(used.values()) * 0.8e9

    on_a_calm_machine(attempt)


@pytest.mark.parametrize("pool", [JOBLIB, DASK], ids=["joblib", "dask"])
def test_packages(executable: Path, tmp_path: Path, pool: str) -> None:
    """loky starts its workers by a program of its own, dask processes of processes."""
    check_workers(Recorder(executable, Path(sys.executable), tmp_path), pool)


# What torchrun sets for each worker of two, on one machine.
TORCHRUN = {
    "GROUP_RANK": "0",
    "ROLE_RANK": "{rank}",
    "ROLE_NAME": "default",
    "LOCAL_WORLD_SIZE": "2",
    "WORLD_SIZE": "2",
    "GROUP_WORLD_SIZE": "1",
    "ROLE_WORLD_SIZE": "2",
    "MASTER_ADDR": "localhost",
    "MASTER_PORT": "29500",
    "TORCHELASTIC_RESTART_COUNT": "0",
    "TORCHELASTIC_MAX_RESTARTS": "0",
    "TORCHELASTIC_RUN_ID": "none",
    "TORCHELASTIC_USE_AGENT_STORE": "True",
    "RANK": "{rank}",
    "LOCAL_RANK": "{rank}",
    "OMP_NUM_THREADS": "1",
}
# As torchrun --no-python starts them: children of one process, with all of these set.
LAUNCHER = """
import os, subprocess, sys
def environment(rank):
    return {**os.environ, **{name: value.format(rank=rank) for name, value in VARIABLES}}
workers = [subprocess.Popen(sys.argv[1:], env=environment(rank)) for rank in range(2)]
sys.exit(max(worker.wait() for worker in workers))
"""


@pytest.mark.parametrize("launches", [1, 2])
def test_torchrun(executable: Path, tmp_path: Path, launches: int) -> None:
    """Its run id is "none" unless somebody names it, so launches must be told apart otherwise."""
    launcher = tmp_path / "launcher.py"
    launcher.write_text(LAUNCHER.replace("VARIABLES", repr(list(TORCHRUN.items()))))
    program = tmp_path / "train.py"
    program.write_text(f"{BUSY}\nbusy(0.1)\n")
    words = [executable, "run", "-q", "--python", sys.executable, program]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SLURM")}
    for _ in range(launches):
        subprocess.run(
            [sys.executable, launcher, *words], cwd=tmp_path, check=True, timeout=60, env=clean
        )
    runs = list(tmp_path.glob("pyrometer-*"))
    assert len(runs) == launches
    for run in runs:
        names = sorted(path.name[:8] for path in run.glob("raw/*/*.pyr"))
        assert names == ["r0000000", "r0000001"]
