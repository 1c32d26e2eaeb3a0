"""`pyrometer run --memory`: bytes by line, at the peak, at the end, on programs that know."""

import json
import mmap
import os
from pathlib import Path
from typing import Any

import pytest
from running import Recorded, Recorder, by_caller, same_behaviour, truth_of

BIG = 8 << 20  # always recorded, so exactly
HEADER = 1 << 10  # what an object takes beside its bytes, at most
SAMPLED_EVERY = 512 << 10  # bytes that a sample stands for, on average

SITES = """
import json

def often():
    for _ in range(60_000):
        bytearray(100_000)

def seldom():
    for _ in range(20_000):
        bytearray(100_000)

def objects():
    return [float(i) for i in range(1_900_000)]

def big():
    return [bytearray(8 << 20) for _ in range(10)]

often()
seldom()
kept = objects()
large = big()
del large
print(json.dumps({"often": 60_000 * 100_001, "seldom": 20_000 * 100_001,
                  "objects": 24 * 1_900_000, "big": 10 * ((8 << 20) + 1)}))
"""


def attributes_of(recorded: Recorded) -> dict[str, str]:
    (attributes,) = recorded.attributes()
    return attributes


@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_bytes_of_each_site(recorder: Recorder, mode: str) -> None:
    recorded = recorder.record(recorder.write(SITES), options=[f"--memory={mode}"])
    truth = truth_of(recorded.result)
    made = by_caller(recorded, "allocated")
    is_sampled = mode == "sampled"
    for name in ("often", "seldom"):
        assert made[name] == pytest.approx(truth[name], rel=0.1 if is_sampled else 0.005), name
    # 46 MB of small blocks are some 87 samples, 11 %; the list itself is made beside them.
    with_objects = {"sampled": 0.6, "exact": 0.6, "objects": 0.01}[mode]
    live = by_caller(recorded, "live")["objects"] - 15_200_000
    assert live == pytest.approx(truth["objects"], rel=with_objects, abs=1 << 20)
    assert made["big"] == pytest.approx(truth["big"], abs=10 * HEADER)
    assert attributes_of(recorded)["memory.mode"] == mode


PEAK = """
import time

def hold(count):
    return [bytearray(1_000_000) for _ in range(count)]

def release(blocks):
    del blocks[:]

first = hold(300)
time.sleep(0.05)
release(first)
second = hold(100)
"""


@pytest.mark.parametrize("mode", ["sampled", "exact"])
def test_owners_of_the_peak(recorder: Recorder, mode: str) -> None:
    recorded = recorder.record(recorder.write(PEAK), options=[f"--memory={mode}"])
    attributes = attributes_of(recorded)
    # The program's own 300 MB, and what an interpreter needs before it does anything.
    assert int(attributes["memory.heap-peak"]) == pytest.approx(302e6, rel=0.01)
    assert int(attributes["memory.rss-peak"]) > 300e6
    tolerance = 0.1 if mode == "sampled" else 0.01
    assert by_caller(recorded, "peak")["hold"] == pytest.approx(300e6, rel=tolerance)
    assert by_caller(recorded, "live")["hold"] == pytest.approx(100e6, rel=tolerance * 2)


LEAK = """
import time

kept = []

def leak():
    kept.append(bytearray(200_000))

def work():
    return [bytearray(150_000) for _ in range(20)]

def cache():
    return [bytearray(100_000) for _ in range(100)]

cached = cache()
for step in range(100):
    leak()
    work()
    time.sleep(0.01)
"""


def test_leak_is_live_at_the_end(recorder: Recorder) -> None:
    recorded = recorder.record(recorder.write(LEAK), options=["--memory=exact"])
    live = by_caller(recorded, "live")
    # Small objects beside the blocks are sampled.
    assert live["leak"] == pytest.approx(100 * 200_000, rel=0.06)
    assert live["cache"] == pytest.approx(100 * 100_000, rel=0.11)
    assert live.get("work", 0) == 0
    short_lived = by_caller(recorded, "temporary")
    assert short_lived["work"] == pytest.approx(100 * 20 * 150_000, rel=0.01)
    assert short_lived.get("leak", 0) == 0
    # It grew all the time.
    snapshots = recorded.command("dump", *recorded.recordings).count("  live  ")
    assert snapshots >= 5


UNTOUCHED = f"""
import ctypes
import mmap

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p

def allocate():
    return library.malloc(ctypes.c_size_t(200 << 20))

def map_memory():
    return mmap.mmap(-1, 100 << 20)

block = allocate()
mapping = map_memory()
half = map_memory()
for at in range(0, 50 << 20, {mmap.PAGESIZE}):
    half[at] = 1
"""


def test_untouched_memory(recorder: Recorder) -> None:
    """It is allocated, but not resident."""
    recorded = recorder.record(recorder.write(UNTOUCHED), options=["--memory"])
    live, untouched = by_caller(recorded, "live"), by_caller(recorded, "untouched")
    assert live["allocate"] == pytest.approx(200 << 20, abs=HEADER)
    assert untouched["allocate"] == pytest.approx(200 << 20, rel=0.02)
    assert live["map_memory"] == pytest.approx(200 << 20, abs=HEADER)
    assert untouched["map_memory"] == pytest.approx(150 << 20, rel=0.02)
    assert int(attributes_of(recorded)["memory.rss-peak"]) < 150 << 20


THREADS = """
import threading

def work(number):
    for _ in range(20):
        block = bytearray(2_000_000)
    kept.append(block)

kept = []
threads = [threading.Thread(target=work, args=(i,)) for i in range(200)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(map(len, kept)))
"""


def test_many_threads(recorder: Recorder) -> None:
    plain, recorded = recorder.both(recorder.write(THREADS), options=["--memory"])
    same_behaviour(plain, recorded)
    assert by_caller(recorded, "allocated")["work"] == pytest.approx(200 * 20 * 2e6, rel=0.001)
    # What the list holds them by is small, and a sample of it stands for half a mebibyte.
    more = by_caller(recorded, "live")["work"] - 200 * 2e6
    assert -0.4e6 < more < 0.4e6 + (512 << 10)


FORKS = """
import os
import threading

def hold():
    return bytearray(5_000_000)

def churn():
    while not over:
        [bytearray(3000) for _ in range(100)]

over = False
before = hold()
helpers = [threading.Thread(target=churn) for _ in range(3)]
for helper in helpers:
    helper.start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        inside = [hold(), hold()]
        [bytearray(3000) for _ in range(1000)]
        raise SystemExit(3)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
over = True
"""


@pytest.mark.parametrize("mode", ["sampled", "objects"])
def test_forks_while_threads_allocate(recorder: Recorder, mode: str) -> None:
    """Neither waits for the other for ever, and each child has what it made itself."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    script = recorder.write(FORKS)
    plain, recorded = recorder.both(script, options=[f"--memory={mode}"], env=environment)
    assert recorded.result.stdout == plain.stdout == "3\n" * 10, recorded.complaint
    assert len(recorded.recordings) == 11
    # Each has a peak of its own, with what it found there.
    assert all(int(each["memory.heap-peak"]) > 5e6 for each in recorded.attributes())
    profile = recorded.profile()
    held = [stack.value for stack in profile.stacks("live") if stack.frames[-1].name == "hold"]
    truth = [5_000_000] + [10_000_000] * 10
    if mode == "sampled":  # a small object of hold() may be one that stands for many
        extra = [value - true for value, true in zip(sorted(held), truth, strict=True)]
        assert all(0 <= bytes_more < 3 * SAMPLED_EVERY for bytes_more in extra)
        held = [
            true + bytes_more % SAMPLED_EVERY for true, bytes_more in zip(truth, extra, strict=True)
        ]
    assert sorted(held) == pytest.approx(truth, rel=0.001)


DEEP = """
import sys
sys.setrecursionlimit(20_000)

def deep(n):
    return [bytearray(2_000_000)] if n == 0 else deep(n - 1)

print(len(deep(9_000)))
"""


def test_deep_recursion(recorder: Recorder) -> None:
    plain, recorded = recorder.both(recorder.write(DEEP), options=["--memory=exact"])
    same_behaviour(plain, recorded)
    assert by_caller(recorded, "allocated")["deep"] >= 2_000_000


LIBRARIES = """
import ctypes
import importlib
import os
import threading
from glob import glob

def load():
    for name in ("json", "csv", "decimal", "sqlite3", "ssl", "xml.etree.ElementTree", "zlib"):
        try:
            importlib.import_module(name)
        except ImportError:
            pass

def allocate():
    for _ in range(20_000):
        bytes(1000)

threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
load()
for _ in range(50):
    for name in ("libm.so.6", "libdl.so.2", "librt.so.1"):
        ctypes.CDLL(name)
for thread in threads:
    thread.join()
print("done")
"""


def test_libraries_come_while_threads_allocate(recorder: Recorder) -> None:
    plain, recorded = recorder.both(recorder.write(LIBRARIES), options=["--memory=objects"])
    same_behaviour(plain, recorded)


CHILDREN = """
import multiprocessing
import sys

def hold(size):
    block = bytearray(size)
    return len(block)

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    pool = context.Pool(2)
    print(sorted(pool.map(hold, [3_000_000] * 8, chunksize=1)))
    pool.close()  # leaving a with statement would kill them
    pool.join()
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_worker_processes(recorder: Recorder, method: str) -> None:
    plain, recorded = recorder.both(recorder.write(CHILDREN), method, options=["--memory"])
    same_behaviour(plain, recorded)
    assert by_caller(recorded, "allocated")["hold"] == pytest.approx(24e6, rel=0.001)


def test_memory_over_time(one_recorder: Recorder) -> None:
    recorded = one_recorder.record(one_recorder.write(PEAK), options=["--memory"])
    told: dict[str, Any] = json.loads(recorded.command("memory", recorded.run, "--json"))
    curves = {series["of"]: [value for _, value in series["points"]] for series in told["series"]}
    assert max(curves["heap"]) == pytest.approx(302e6, rel=0.02)
    assert max(curves["resident"]) > 300e6
    assert curves["heap"][-1] < 110e6
    times = [time for time, _ in told["series"][0]["points"]]
    assert times == sorted(times)


def test_program_is_as_it_was(recorder: Recorder) -> None:
    """Its allocator, its errors and its environment, but for what tells children of the run."""
    source = """
import ctypes, errno, json, os
library = ctypes.CDLL(None, use_errno=True)
library.malloc.restype = library.realloc.restype = ctypes.c_void_p
library.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
found = [library.malloc(ctypes.c_size_t(1 << 60)), ctypes.get_errno() == errno.ENOMEM]
block = library.malloc(ctypes.c_size_t(5_000_000))
found.append(library.realloc(block, 1 << 60))
block = library.realloc(block, 9_000_000)
ctypes.memset(block, 1, 9_000_000)
library.free(ctypes.c_void_p(block))
try:
    bytearray(1 << 60)
except MemoryError:
    found.append("no memory")
found.append(sorted(set(os.environ) - {"LD_PRELOAD", "PYTHONPATH"}))
print(json.dumps([each for each in found if not isinstance(each, list)]))
"""
    same_behaviour(*recorder.both(recorder.write(source), options=["--memory=exact"]))


def test_lines(recorder: Recorder) -> None:
    """Exact for each line, also in recursion and while other threads allocate."""
    source = """
import threading

def other():
    while not over:
        bytearray(100_000)

def work(depth):
    held = bytearray(3_000_000)
    if depth:
        work(depth - 1)
    len(bytearray(5_000_000))
    small = [float(i) for i in range(10_000)]
    del held

over = False
thread = threading.Thread(target=other)
thread.start()
work(0)
work(2)
over = True
thread.join()
"""
    script = recorder.write(source)
    recorded = recorder.record(script, options=["--memory", "--lines=work"])
    document = json.loads(recorded.command("export", recorded.run, "--json"))
    lines: dict[str, dict[int, int]] = {}
    for metric in document["metrics"]:
        for _, _, line, value in metric.get("lines", []):
            lines.setdefault(metric["name"], {})[line] = value
    first = source.splitlines().index("def work(depth):") + 1
    held, call, temporary, small, gone = first + 1, first + 3, first + 4, first + 5, first + 6
    increment, peak = lines["increment"], lines["line-peak"]
    assert increment[held] == pytest.approx(4 * 3_000_000, rel=0.001)
    assert abs(increment[temporary]) < 10_000
    assert peak[temporary] == pytest.approx(5_000_000, rel=0.001)
    assert lines["line-temporary"][temporary] == pytest.approx(4 * 5_000_000, rel=0.001)
    assert increment[small] == pytest.approx(4 * 10_000 * (24 + 8), rel=0.2)
    assert increment[gone] == pytest.approx(-4 * 3_000_000, rel=0.001)
    assert peak[call] == pytest.approx(2 * 3_000_000 + 5_000_000, rel=0.15)
    assert lines["memory"][held] > 3 * 3_000_000


def test_without_the_library(one_recorder: Recorder) -> None:
    """A program that drops LD_PRELOAD is recorded without memory, and the user is told."""
    source = """
import os, subprocess, sys
clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
subprocess.run([sys.executable, "-c", "print(1)"], env=clean, check=True)
"""
    recorded = one_recorder.record(one_recorder.write(source), options=["--memory"])
    assert recorded.result.returncode == 0
    assert "memory is not recorded" in recorded.result.stderr


def find_jemalloc() -> str:
    found = sorted(Path("/usr/lib").glob("*/libjemalloc.so.2"))
    if not found:
        pytest.skip("there is no jemalloc")
    return str(found[0])


@pytest.mark.parametrize("mode", ["sampled", "exact"])
def test_allocator_of_the_user(recorder: Recorder, mode: str) -> None:
    """A preloaded jemalloc gives the memory, and its own mappings do not count beside that."""
    source = """
import json

def often():
    for _ in range(60_000):
        bytearray(100_000)

def big():
    return [bytearray(8 << 20) for _ in range(10)]

often()
kept = big()
with open("/proc/self/maps") as maps:
    print(json.dumps({"jemalloc": "libjemalloc" in maps.read(),
                      "often": 60_000 * 100_001, "big": 10 * ((8 << 20) + 1)}))
"""
    environment = {**os.environ, "LD_PRELOAD": find_jemalloc()}
    script = recorder.write(source)
    plain, recorded = recorder.both(script, options=[f"--memory={mode}"], env=environment)
    same_behaviour(plain, recorded)
    truth = truth_of(recorded.result)
    assert truth["jemalloc"]
    made, live = by_caller(recorded, "allocated"), by_caller(recorded, "live")
    assert made["often"] == pytest.approx(truth["often"], rel=0.1 if mode == "sampled" else 0.005)
    assert made["big"] == live["big"] == pytest.approx(truth["big"], abs=10 * HEADER)
    peak = int(attributes_of(recorded)["memory.heap-peak"])
    # Rounded up by jemalloc, and what an interpreter needs.
    assert truth["big"] < peak < 1.3 * truth["big"] + 5e6
