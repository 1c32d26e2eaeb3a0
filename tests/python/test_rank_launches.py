"""Which ranks share a run directory, whatever started them, and what they say together.

The launchers are their variables; most recordings are a stand-in's (conftest.installed).
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, recordings_in

Ended = list[subprocess.CompletedProcess[str]]
SET_BY_LAUNCHERS = ("SLURM", "PMI", "OMPI", "PYROMETER_R", "TORCHELASTIC")
PBS = {"PMI_RANK": "{rank}", "PMI_SIZE": "{size}", "PBS_JOBID": "7"}
ANOTHER_JOB = {**PBS, "PBS_JOBID": "8"}


def launch(
    executable: Path, folder: Path, variables: dict[str, str], *words: object, size: int = 3
) -> Ended:
    """All ranks of a launch, each started with its variables."""
    (folder / "wave.py").write_text("print('waves')\n")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(SET_BY_LAUNCHERS)}
    command = [str(word) for word in (executable, "run", *words)]
    ranks = []
    for rank in range(size):
        own = {name: value.format(rank=rank, size=size) for name, value in variables.items()}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        ranks.append(
            subprocess.Popen(command, cwd=folder, env={**clean, **own}, text=True, **pipes)
        )
    return [
        subprocess.CompletedProcess(command, rank.returncode, *said)
        for rank, said in [(rank, rank.communicate(timeout=60)) for rank in ranks]
    ]


def said_by(ranks: Ended) -> list[str]:
    return [line for rank in ranks for line in rank.stderr.splitlines()]


def statuses(ranks: Ended) -> list[int]:
    return [rank.returncode for rank in ranks]


def runs_in(folder: Path) -> dict[str, int]:
    """How many recordings each run has, by its name."""
    return {run.parent.name: len(recordings_in(run.parent)) for run in folder.glob("*/RUN.json")}


def test_an_earlier_run_is_refused_once_and_replaced(installed: Path, tmp_path: Path) -> None:
    launch(installed, tmp_path, PBS, "-q", "-o", "job", "wave.py")
    for refused in (PBS, ANOTHER_JOB):
        ranks = launch(installed, tmp_path, refused, "-q", "-o", "job", "wave.py")
        assert statuses(ranks) == [2, 2, 2]
        (sentence,) = said_by(ranks)
        assert "'job' holds an earlier" in sentence
    words = ("-q", "--replace", "-o", "job", "wave.py")
    for size in (3, 5):
        job = {**PBS, "PBS_JOBID": f"of-{size}"}
        ranks = launch(installed, tmp_path, job, *words, size=size)
        assert (statuses(ranks), said_by(ranks)) == ([0] * size, [])
        assert runs_in(tmp_path) == {"job": size}
        assert json.loads((tmp_path / "job" / "RUN.json").read_text())["size"] == size


@pytest.mark.parametrize("options", [[], ["-q"]])
def test_nothing_recorded(installed: Path, tmp_path: Path, options: list[str]) -> None:
    """As of programs without Python: said once, and nothing is left that stands in the way."""
    ranks = launch(installed, tmp_path, PBS, *options, "-o", "job", "sh", "-c", "exit 0")
    assert statuses(ranks) == [0, 0, 0]
    said = said_by(ranks)
    assert len(said) == (0 if options else 1), said
    assert all("nothing was recorded: sh started no Python" in line for line in said)
    assert not (tmp_path / "job").exists()


def test_nothing_recorded_and_a_failure(installed: Path, tmp_path: Path) -> None:
    ranks = launch(installed, tmp_path, PBS, "-o", "job", "sh", "-c", "exit 5")
    assert statuses(ranks) == [5, 5, 5]
    assert said_by(ranks)
    assert all("nothing was recorded" in line for line in said_by(ranks)), said_by(ranks)
    assert not (tmp_path / "job").exists()


def test_ranks_that_nobody_has(installed: Path, tmp_path: Path) -> None:
    words = ("-o", "job", "--ranks", "9,%16", "wave.py")
    assert runs_in(tmp_path) == {}
    ranks = launch(installed, tmp_path, {**PBS, "PMI_RANK": "1", "PMI_SIZE": "2"}, *words, size=1)
    other = launch(installed, tmp_path, {**PBS, "PMI_RANK": "0", "PMI_SIZE": "2"}, *words, size=1)
    assert "   1 rank, " in said_by([*ranks, *other])[0]
    words = ("-o", "none", "--ranks", "9", "wave.py")
    ranks = launch(installed, tmp_path, PBS, *words)
    (sentence,) = said_by(ranks)
    assert sentence.endswith("nothing was recorded: --ranks 9 names none of the ranks 0 to 2")
    assert runs_in(tmp_path) == {"job": 1}


def test_a_program_that_is_not_there(installed: Path, tmp_path: Path) -> None:
    ranks = launch(installed, tmp_path, PBS, "-o", "job", "no-such-program")
    assert statuses(ranks) == [127, 127, 127]
    (sentence,) = said_by(ranks)
    assert "no-such-program" in sentence
    assert not (tmp_path / "job").exists()


def open_mpi(namespace: str) -> dict[str, str]:
    return {
        "OMPI_COMM_WORLD_RANK": "{rank}",
        "OMPI_COMM_WORLD_SIZE": "{size}",
        "PMIX_NAMESPACE": namespace,
        "SLURM_JOB_ID": "4711",
        "SLURM_PROCID": "0",
    }


def test_mpirun_again_and_again_in_one_step(installed: Path, tmp_path: Path) -> None:
    """As in the shell of `srun --pty bash`: the second launch has more ranks than the first."""
    step = {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1"}
    for size in (2, 4):
        launch(
            installed,
            tmp_path,
            {**open_mpi(f"33{size}"), **step},
            *("-q", "wave.py"),
            size=size,
        )
    assert runs_in(tmp_path) == {"pyrometer-wave-4711": 2, "pyrometer-wave-4711-2": 4}


def test_mpirun_over_nodes_of_slurm(installed: Path, tmp_path: Path) -> None:
    """On all nodes but the first one, mpirun's daemon is in a step, and its ranks inherit that."""
    first = {**open_mpi("33"), "OMPI_COMM_WORLD_SIZE": "4"}
    second = {**first, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}
    words = ("-q", "-o", "job-%j", "wave.py")
    launch(installed, tmp_path, first, *words, size=2)
    for rank in "23":
        own = {**second, "OMPI_COMM_WORLD_RANK": rank}
        assert statuses(launch(installed, tmp_path, own, *words, size=1)) == [0]
    assert runs_in(tmp_path) == {"job-4711": 4}


TORCHRUN = """
import os, subprocess, sys
size = sys.argv[1]
workers = []
for rank in range(int(size)):
    own = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": size, "LOCAL_WORLD_SIZE": size,
           "TORCHELASTIC_RUN_ID": "none", "PMIX_RANK": "0", "PMIX_NAMESPACE": "slurm.pmix.7.0"}
    workers.append(subprocess.Popen(sys.argv[2:], env={**os.environ, **own}))
sys.exit(max(worker.wait() for worker in workers))
"""


def test_torchrun_twice_behind_a_wrapper(installed: Path, tmp_path: Path) -> None:
    """Started once a node by srun, whose variables say nothing of its workers."""
    (tmp_path / "wave.py").write_text("print('waves')\n")
    (tmp_path / "torchrun.py").write_text(TORCHRUN)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(SET_BY_LAUNCHERS)}
    wrapped = f"{installed} run -q wave.py; exit $?"
    for size in ("2", "4"):
        command = [sys.executable, "torchrun.py", size, "sh", "-c", wrapped]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=60, env=clean)
    assert sorted(runs_in(tmp_path).values()) == [2, 4]


CRASH = """
import os, signal, time
end = time.thread_time() + 0.3
while time.thread_time() < end:
    sum(range(1000))
if os.environ["PMI_RANK"] == "1":
    os.kill(os.getpid(), signal.SIGSEGV)
"""


def test_what_killed_a_rank(executable: Path, pyrometer: Run, tmp_path: Path) -> None:
    """The recording of a crash has no end; who started the program knows it."""
    (tmp_path / "crash.py").write_text(CRASH)
    words = ("-o", "job", "--python", sys.executable, "crash.py")
    ranks = launch(executable, tmp_path, PBS, *words)
    assert statuses(ranks) == [0, -signal.SIGSEGV, 0]
    # The last one to end says it in the summary.
    assert "rank 1 was killed by signal 11 (sigsegv)" in ranks[1].stderr.lower()
    assert pyrometer("merge", "job", "-o", "job.pyro", cwd=tmp_path).returncode == 0
    for profile in ("job", "job.pyro"):
        report = pyrometer("report", profile, "--processes", cwd=tmp_path).stdout
        assert "Rank 1 was killed by signal 11 (SIGSEGV), and up to its last second" in report
        assert report.count("killed by signal 11 (SIGSEGV)") == 2
        assert "killed by signal" in pyrometer("ranks", profile, "--all", cwd=tmp_path).stdout
