"""One kind of MPI call in a loop; prints the CPU time of one call in nanoseconds, the least of
several loops, as rank 0 sees it.

    mpi_loops.py probe | deep-probe | self-send | allreduce BYTES
"""

import sys
import time
from array import array
from collections.abc import Callable

from mpi4py import MPI  # type: ignore[import-not-found]

LOOPS = 9
DEPTH = 20  # frames between the program and the loop


def least_time(call: Callable[[], object], count: int) -> float:
    times = []
    for _ in range(LOOPS):
        MPI.COMM_WORLD.Barrier()
        begin = time.thread_time()
        for _ in range(count):
            call()
        times.append(time.thread_time() - begin)
    return min(times) / count * 1e9


def deeper(levels: int, call: Callable[[], float]) -> float:
    return call() if levels == 0 else deeper(levels - 1, call)


def probe() -> float:
    iprobe = MPI.COMM_SELF.Iprobe
    return least_time(lambda: iprobe(0, 0), 100_000)


def send_to_itself() -> float:
    data, room = array("d", [1.0]), array("d", [0.0])
    sendrecv = MPI.COMM_SELF.Sendrecv
    return least_time(lambda: sendrecv(data, 0, recvbuf=room), 50_000)


def allreduce(size: int) -> float:
    data, room = array("d", [1.0]) * (size // 8), array("d", [0.0]) * (size // 8)
    call = MPI.COMM_WORLD.Allreduce
    return least_time(lambda: call(data, room), max(100, min(4_000, 100_000_000 // size)))


def main(kind: str, *sizes: str) -> None:
    if kind == "probe":
        taken = probe()
    elif kind == "deep-probe":
        taken = deeper(DEPTH, probe)
    elif kind == "self-send":
        taken = send_to_itself()
    else:
        taken = allreduce(int(sizes[0]))
    if MPI.COMM_WORLD.rank == 0:
        print(f"each {taken:.1f}")


main(*sys.argv[1:])
