"""Ranks that Slurm starts: srun with and without MPI's own interfaces, sbatch, the time limit."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from interpreters import find_pythons
from mpi_launch import (
    LAUNCHERS,
    MPI_PROGRAMS,
    ROOT,
    first_python,
    require_launcher,
    unpack_mpi4py,
)
from running import Recorded, wait_until
from slurm import Slurm, one_node, require_slurm
from test_mpi_launch import HELLO, ranks_of

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

PLAIN = (
    "import time\nend = time.thread_time() + 0.2\nwhile time.thread_time() < end: sum(range(99))\n"
)
VERSION, PYTHON = first_python(find_pythons())


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    require_slurm()
    with one_node(tmp_path_factory.mktemp("slurm")) as slurm:
        yield slurm


def python_path(mpi: str) -> dict[str, str]:
    require_launcher(mpi)
    return {"PYTHONPATH": str(unpack_mpi4py(VERSION, PYTHON) / mpi)}


def words_to_record(executable: Path, *words: object) -> list[object]:
    return [executable, "run", "-q", "-o", "job", "--python", PYTHON, *words]


@pytest.mark.parametrize(
    ("interface", "mpi", "launcher"),
    [("pmix", "openmpi", "pmix"), ("pmi2", "mpich", "hydra"), ("none", None, "srun")],
)
def test_srun(
    slurm: Slurm, executable: Path, tmp_path: Path, interface: str, mpi: str | None, launcher: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(HELLO if mpi else PLAIN)
    srun = ["srun", f"--mpi={interface}", "-n", 4, "--overcommit", f"--chdir={tmp_path}"]
    environment = python_path(mpi) if mpi else {}
    words = words_to_record(executable, program)
    result = slurm.run(*srun, *words, cwd=tmp_path, env=environment, timeout=120)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ("ranks 4 sum 6 []\n" if mpi else "")
    recorded = Recorded(executable, tmp_path / "job", result)
    assert ranks_of(recorded) == [0, 1, 2, 3]
    for rank, attributes in enumerate(recorded.attributes()):
        assert attributes["rank.local"] == str(rank)
        assert attributes["launcher"] in {launcher, "openmpi"}
    assert not {each["id"] for each in recorded.report()["findings"]} & {"missing-ranks"}


def submit(slurm: Slurm, folder: Path, script: str, *options: str, **environment: str) -> str:
    file = folder / "job.sh"
    file.write_text(f"#!/bin/sh\n{script}\n")
    words = ["sbatch", "--parsable", "-n", "4", "--overcommit", "-o", "out.txt", *options, file]
    result = slurm.run(*words, cwd=folder, env=environment)
    assert result.returncode == 0, result.stderr
    return str(result.stdout).strip()


@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_mpirun_in_a_batch_script(slurm: Slurm, executable: Path, tmp_path: Path, mpi: str) -> None:
    """There SLURM_PROCID is 0 for every rank that mpirun starts."""
    program = tmp_path / "program.py"
    program.write_text(HELLO)
    launcher = [*LAUNCHERS[mpi], "-n", 4]
    if mpi == "mpich":
        launcher[1:1] = ["-launcher", "fork"]
    line = " ".join(map(str, [*launcher, *words_to_record(executable, program)]))
    job = submit(slurm, tmp_path, line, **python_path(mpi))
    wait_until(lambda: not slurm.has_job(job), 120)
    output = (tmp_path / "out.txt").read_text()
    assert "ranks 4 sum 6 []\n" in output
    nothing: Any = None
    assert ranks_of(Recorded(executable, tmp_path / "job", nothing)) == [0, 1, 2, 3]


def test_time_limit(slurm: Slurm, executable: Path, tmp_path: Path) -> None:
    """SIGTERM, then SIGKILL: as scancel does."""
    words = words_to_record(executable, MPI_PROGRAMS / "steps.py", tmp_path, 9999, 0, "never")
    line = f"srun --mpi=pmix --overcommit {' '.join(map(str, words))}"
    job = submit(slurm, tmp_path, line, **python_path("openmpi"))
    wait_until(lambda: len(list(tmp_path.glob("*.last"))) == 4, 60)
    assert slurm.run("scancel", job).returncode == 0
    wait_until(lambda: not slurm.has_job(job), 60)
    nothing: Any = None
    recorded = Recorded(executable, tmp_path / "job", nothing)
    assert ranks_of(recorded) == [0, 1, 2, 3]
    statuses = [each["status"] for each in recorded.report("--processes")["processes"]]
    assert set(statuses) <= {"killed", "finished"}


def test_default_name_has_job_and_step(slurm: Slurm, executable: Path, tmp_path: Path) -> None:
    program = tmp_path / "wave.py"
    program.write_text(PLAIN)
    words = ["srun", "-n", 2, "--overcommit", executable, "run", "-q", "--python", PYTHON, program]
    for _ in range(2):
        assert slurm.run(*words, cwd=tmp_path, timeout=120).returncode == 0
    names = [path.name for path in tmp_path.glob("pyrometer-*")]
    assert len(names) == 2
    assert all(re.fullmatch(r"pyrometer-wave-\d+\.0", name) for name in names), names


def test_batch_script_of_the_guide(slurm: Slurm, executable: Path, tmp_path: Path) -> None:
    """As it stands in docs/clusters.md, with fewer nodes."""
    guide = (ROOT / "docs" / "clusters.md").read_text()
    (script,) = re.findall(r"```\n(#!/bin/bash\n.*?)```", guide, re.DOTALL)
    (tmp_path / "job.sh").write_text(script)
    (tmp_path / "solver.py").write_text(HELLO)
    path = f"{executable.parent}:{PYTHON.parent}:{os.environ['PATH']}"
    environment = {**python_path("openmpi"), "PATH": path, "SCRATCH": str(tmp_path)}
    words = [
        "sbatch",
        "--parsable",
        "-N",
        1,
        "--ntasks-per-node=4",
        "--overcommit",
        "-o",
        "out.txt",
    ]
    submitted = slurm.run(*words, "job.sh", cwd=tmp_path, env=environment)
    assert submitted.returncode == 0, submitted.stderr
    job = submitted.stdout.strip()
    wait_until(lambda: not slurm.has_job(job), 120)
    output = (tmp_path / "out.txt").read_text()
    assert f"solver-{job}.pyro: 4 processes" in output, output
    assert "   4 ranks, " in output
