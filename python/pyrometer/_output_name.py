"""Names of output files with places to fill in, as `pyrometer run -o` has them."""

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path

LETTERS = "jhprns%"
LONGEST_PART = 100

# Rank and size by launcher, and what must be set too; the first that fits counts. Launchers of
# MPI come before srun, because what they start inherits the variables of the batch script.
LAUNCHERS: list[tuple[str, str | None, tuple[str, ...]]] = [
    ("PYROMETER_RANK", "PYROMETER_SIZE", ()),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", ()),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", ()),
    ("PMI_RANK", "PMI_SIZE", ()),
    ("PMI_ID", "PMI_SIZE", ()),
    ("PALS_RANKID", None, ()),
    ("ALPS_APP_PE", None, ()),
    ("JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", ()),
    ("FLUX_TASK_RANK", "FLUX_JOB_SIZE", ()),
    ("PMIX_RANK", None, ()),
    ("RANK", "WORLD_SIZE", ("LOCAL_RANK", "LOCAL_WORLD_SIZE")),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", ("SLURM_STEP_ID",)),
    ("MP_CHILD", "MP_PROCS", ()),
]
JOBS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID", "FLUX_JOB_ID", "PMIX_NAMESPACE")


def find_rank(environment: Mapping[str, str] = os.environ) -> tuple[int, int | None] | None:
    """This process's rank and how many there are, if a launcher of parallel programs says so."""
    for rank, size, also in LAUNCHERS:
        number = _number(environment, rank)
        if number is not None and all(name in environment for name in also):
            return number, None if size is None else _number(environment, size)
    return None


def expand_name(pattern: str, script: str, *, one_of_ranks: bool = True) -> Path:
    """The file's name; ValueError for a % that stands for nothing.

    Where several ranks run, each writes its file, and the name tells them apart by nothing, the
    rank goes before the last suffix: they must not write over each other's files.
    """
    wrong = re.search(f"%([^{LETTERS}]|$)", re.sub("%%", "", pattern))
    if wrong:
        raise ValueError(
            f"'{wrong[0]}' in the name '{pattern}' stands for nothing; there are %j job, %h host, "
            "%p pid, %r rank, %n running number, %s script and %% for a percent sign"
        )
    found = find_rank()
    rank = found[0] if found else 0
    job = next((os.environ[name] for name in JOBS if os.environ.get(name)), str(os.getpid()))
    parts = {
        "j": _as_file_name(job),
        "h": _as_file_name(socket.gethostname()),
        "p": str(os.getpid()),
        "r": str(rank),
        "s": _as_file_name(Path(script).name),
        "%": "%",
    }
    letters = set(re.findall("%(.)", pattern))
    name = _fill(pattern, {**parts, "n": "1"})
    number = 1
    while "n" in letters and name.exists():
        number += 1
        name = _fill(pattern, {**parts, "n": str(number)})
    if one_of_ranks and found and found[1] != 1 and not letters & {"r", "p", "n"}:
        name = with_part(name, str(rank))
    return name


def _fill(pattern: str, parts: dict[str, str]) -> Path:
    return Path(re.sub("%(.)", lambda match: parts[match[1]], pattern))


def with_part(name: Path, part: str) -> Path:
    """`out.lprof` becomes `out.PART.lprof`."""
    return name.with_name(f"{name.stem}.{part}{name.suffix}")


def _number(environment: Mapping[str, str], name: str) -> int | None:
    text = environment.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None


def _as_file_name(text: str) -> str:
    return re.sub(r"[/\x00-\x1f\x7f]", "_", text[:LONGEST_PART]) or "_"
