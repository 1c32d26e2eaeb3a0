"""A parallel solver with known answers, in time: see write_solver."""

from collections.abc import Sequence
from pathlib import Path

from job_recordings import MpiCall, RankOfJob, Stretch, write_job

STEPS = 20
TRANSFER = 0.001  # seconds that a call takes when nobody is late
OUTPUT = 0.5


def write_solver(
    folder: Path, work: Sequence[float], *, ranks_per_host: int = 4, cores: int = 64
) -> Path:
    """`work` is what each rank computes, in seconds.

    In each step all ranks work in `solve`, then meet in MPI_Allreduce until the slowest has come;
    rank 0 writes a file at the end, for which the others wait in MPI_Barrier.
    """
    ranks = []
    for number, seconds in enumerate(work):
        late = (max(work) - seconds) / STEPS + TRANSFER
        steps = [
            Stretch("main:12;solve:61", seconds / STEPS),
            Stretch("main:13;exchange:88", late, "MPI_Allreduce"),
        ]
        is_first = number == 0
        at_end = [Stretch("main:14;write_output:7", OUTPUT)] if is_first else []
        wait = TRANSFER if is_first else TRANSFER + OUTPUT
        at_end.append(Stretch("main:15", wait, "MPI_Barrier"))
        ranks.append(
            RankOfJob(
                work={"main:12;solve:61": seconds}
                | ({"main:14;write_output:7": OUTPUT} if is_first else {}),
                calls=[
                    MpiCall(
                        "main:13;exchange:88",
                        "MPI_Allreduce",
                        STEPS * late,
                        quickest=late,
                        calls=STEPS,
                        bytes=8000 * STEPS,
                    ),
                    MpiCall("main:15", "MPI_Barrier", wait, quickest=wait, bytes=0),
                ],
                stretches=STEPS * steps + at_end,
                host=f"node{number // ranks_per_host}",
                attributes={"cores.host": str(cores)},
            )
        )
    return write_job(folder, ranks, wall=max(work) + STEPS * TRANSFER + OUTPUT + TRANSFER)
