"""Calls MPI in known ways, and prints what waiting for a late rank took by its own clock."""

import json
import sys
import threading
import time
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
before, after = (rank - 1) % size, (rank + 1) % size


def late_barriers():
    for _ in range(3):
        if rank == 0:
            time.sleep(0.15)
        begin = time.perf_counter()
        comm.Barrier()  # known: barrier
        waited[0] += time.perf_counter() - begin


def ring(count):
    data, room = array("d", [1.0]) * count, array("d", [0.0]) * count
    for _ in range(40):
        comm.Sendrecv(data, after, recvbuf=room, source=before)  # known: sendrecv


def reduce_all(count):
    data, room = array("d", [1.0]) * count, array("d", [0.0]) * count
    for _ in range(50):
        comm.Allreduce(data, room)  # known: allreduce


def uneven():
    counts = [each + 1 for each in range(size)]
    total = sum(counts)
    room = array("i", [0]) * (size * (rank + 1))
    data = array("i", [rank]) * total
    for _ in range(10):
        comm.Alltoallv([data, counts], [room, [rank + 1] * size])  # known: alltoallv


def pickled():
    for _ in range(20):
        comm.bcast({"step": 1}, root=0)  # known: bcast


def in_thread():
    for _ in range(30):
        own.Iprobe(0, 0)  # known: thread


def nonblocking():
    data = array("b", [1]) * 1000
    room = array("b", [0]) * 1000
    for _ in range(15):
        requests = [
            comm.Irecv(room, before),  # known: irecv
            comm.Isend(data, after),  # known: isend
        ]
        MPI.Request.Waitall(requests)  # known: waitall


waited = [0.0]
own = comm.Dup()
late_barriers()
ring(1000)
reduce_all(500)
uneven()
pickled()
nonblocking()
other = threading.Thread(target=in_thread, name="prober")
other.start()
other.join()
comm.Barrier()
sys.stdout.write(json.dumps({"rank": rank, "waited": waited[0]}) + "\n")
