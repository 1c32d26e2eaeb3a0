"""`pyrometer run --memory`: whose memory it is: not ours, not a file's, and always of its line."""

import pytest
from running import Recorder, by_caller
from test_memory_recording import attributes_of

SHORT_THREADS = """
import threading

def work():
    pass

for _ in range(1000):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize("options", [["--memory"], ["--memory=exact"], ["--memory", "--exact"]])
def test_our_own_memory_is_not_the_program_s(recorder: Recorder, options: list[str]) -> None:
    """What is kept of each thread would be a leak of dozens of megabytes otherwise."""
    recorded = recorder.record(recorder.write(SHORT_THREADS), options=options)
    live = by_caller(recorded, "live")
    assert not any("_agent" in name for name in live)
    assert sum(live.values()) < 8 << 20
    assert int(attributes_of(recorded)["memory.heap-peak"]) < 12 << 20


REMAPPED = """
import mmap
import tempfile

def of_a_file():
    file = tempfile.TemporaryFile()
    file.truncate(100 << 20)
    mapped = mmap.mmap(file.fileno(), 50 << 20)
    mapped.resize(100 << 20)
    return mapped

def anonymous():
    mapped = mmap.mmap(-1, 5 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    mapped.resize(10 << 20)
    return mapped

kept = of_a_file(), anonymous()
"""


def test_mappings_that_become_larger(recorder: Recorder) -> None:
    """Those of files are no heap then either."""
    live = by_caller(recorder.record(recorder.write(REMAPPED), options=["--memory"]), "live")
    assert live["anonymous"] == pytest.approx(10 << 20, rel=0.01)
    assert live.get("of_a_file", 0) < 2 << 20


PATHS = """
def walk(depth):
    bytearray(600)
    if depth:
        walk(depth - 1)
        walk(depth - 1)

def mine():
    return bytearray(100_000)

walk(16)
kept = [mine() for _ in range(100)]
"""


def test_lines_are_told_however_many_paths_there_are(recorder: Recorder) -> None:
    """As an import of some large packages makes, where every block is told of."""
    recorded = recorder.record(recorder.write(PATHS), options=["--memory=exact"])
    made = by_caller(recorded, "allocated")
    assert made["mine"] == pytest.approx(100 * 100_001, rel=0.005)
    blocks = (2**17 - 1) * 601
    assert blocks <= made["walk"] < 1.3 * blocks  # with objects beside them, which are sampled
