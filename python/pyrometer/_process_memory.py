"""What the kernel says of a process's memory, in bytes."""

import contextlib
import os
from collections.abc import Callable, Collection
from pathlib import Path

MIB = 1 << 20
PAGE = os.sysconf("SC_PAGESIZE")
STATM_SIZE = 256  # more than seven numbers take

Reader = Callable[[int], int]  # from a pid; OSError when there is no such process any more


def resident(pid: int) -> int:
    """Zero for a process that has ended and waits for its parent."""
    return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE


def proportional(pid: int) -> int:
    """Pages that several processes share count in parts."""
    return _sum_of_rollup(pid, b"Pss:")


def unique(pid: int) -> int:
    """What would be free again if the process ended."""
    return _sum_of_rollup(pid, b"Private_")


def _sum_of_rollup(pid: int, name: bytes) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_bytes().splitlines()
    except ProcessLookupError:
        return 0  # ended, but its parent does not know yet
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


# tracemalloc's own figures are of one file of Python only, and cost more than all the rest.
READERS: dict[str, Reader] = {
    "psutil": resident,
    "psutil_pss": proportional,
    "psutil_uss": unique,
    "posix": resident,
    "tracemalloc": resident,
}
BACKENDS = tuple(READERS)


def find_reader(backend: str | None) -> Reader:
    reader = READERS.get("psutil" if backend is None else backend)
    if reader is None:
        raise ValueError(f"there is no backend {backend!r}; there are {', '.join(BACKENDS)}")
    return reader


def descendants(pid: int) -> list[int]:
    """Children, their children and so on, parents first."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    """Each thread has its own."""
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_bytes().split())
    except OSError:
        pass  # ended meanwhile
    return children


def children_memory(pid: int, read: Reader, without: Collection[int] = ()) -> list[tuple[int, int]]:
    """Pid and bytes of each descendant that is still there."""
    values = []
    for child in descendants(pid):
        if child not in without:
            with contextlib.suppress(OSError):
                values.append((child, read(child)))
    return [value for value in values if value[1] > 0]


def total_memory(
    pid: int, read: Reader, include_children: bool, without: Collection[int] = ()
) -> int:
    total = read(pid)
    if include_children:
        total += sum(memory for _, memory in children_memory(pid, read, without))
    return total


class OwnResident:
    """The resident set of this process by one system call: for readings by the thousand."""

    def __init__(self) -> None:
        self._descriptor = -1
        # The descriptor tells of the process that opened it.
        os.register_at_fork(after_in_child=self._open)

    def __call__(self) -> int:
        try:
            return int(os.pread(self._descriptor, STATM_SIZE, 0).split()[1]) * PAGE
        except (OSError, IndexError, ValueError):  # not open yet, or closed by the program
            self._open()
            return resident(os.getpid())

    def _open(self) -> None:
        self._descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)


own_resident = OwnResident()


def own_reader(backend: str | None, include_children: bool = False) -> Callable[[], int]:
    """Reads the memory of this process."""
    read = find_reader(backend)
    if read is resident and not include_children:
        return own_resident
    return lambda: total_memory(os.getpid(), read, include_children)
