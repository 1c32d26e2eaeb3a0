"""How a program says what its work took."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def measured() -> Iterator[None]:
    """Prints, as the last line, CPU seconds of this process (all its threads) and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"measured cpu {cpu:.6f} wall {wall:.6f}", flush=True)


def repetitions(most: int) -> int:
    """Of the program's work: `most`, or the part of it that the first argument says."""
    part = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    return max(1, round(most * part))
