"""Python's own allocator under `pyrometer run --memory`: small objects, and what Python says."""

import os

import pytest
from running import Recorder, by_caller, same_behaviour, truth_of

COUNT = 400_000
SIZE = 33 + 8 + 199.5  # of an object, on average
GROWING = 100_000

PROGRAM = f"""
import gc, json, sys, tracemalloc

numbers = list(range({COUNT}))
lengths = [number % 400 + 8 for number in numbers]

def make():
    made = [None] * {COUNT}
    for number in numbers:
        made[number] = b"x" * lengths[number]
    return made

def grow():
    for _ in range({GROWING}):
        block = bytearray()
        for _ in range(8):
            block.extend(b"x" * 50)

def allocated_blocks():
    gc.collect()
    return sys.getallocatedblocks()

def figures():
    before = allocated_blocks()
    kept = make()
    held = allocated_blocks() - before
    del kept
    return held, allocated_blocks() - before

figures()
grow()
figures()
kept = make()
"""

# Not to the last one: the interpreter remembers this and that.
WHAT_PYTHON_SAYS = f"""{PROGRAM}
tracemalloc.start()
before = tracemalloc.get_traced_memory()[0]
kept = make()
traced = tracemalloc.get_traced_memory()[0] - before
tracemalloc.stop()
print(json.dumps([round(number, -2) for number in (*figures(), traced)]))
"""


@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_python_counts_what_it_did_before(recorder: Recorder, mode: str) -> None:
    plain, recorded = recorder.both(recorder.write(WHAT_PYTHON_SAYS), options=[f"--memory={mode}"])
    same_behaviour(plain, recorded)
    held, left, traced = truth_of(recorded.result)
    assert held == pytest.approx(COUNT, rel=0.01)
    assert abs(left) <= 100
    assert traced > COUNT * SIZE


@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_ends_of_objects_are_heard(recorder: Recorder, mode: str) -> None:
    recorded = recorder.record(recorder.write(PROGRAM), options=[f"--memory={mode}"])
    live, made = by_caller(recorded, "live"), by_caller(recorded, "allocated")
    each = COUNT * (SIZE + 8)  # with its place in the list
    # Three times made, once kept; each time is some 190 samples.
    tolerance = 0.01 if mode == "objects" else 0.35
    assert made["make"] == pytest.approx(3 * each, rel=tolerance)
    assert live["make"] == pytest.approx(each, rel=tolerance)
    assert live.get("grow", 0) <= 1 << 20
    # Blocks that grow in place were made as well.
    assert made["grow"] > GROWING * 400


@pytest.mark.parametrize("allocator", ["debug", "pymalloc", "pymalloc_debug", "malloc"])
def test_allocators_of_python(one_recorder: Recorder, allocator: str) -> None:
    environment = {**os.environ, "PYTHONMALLOC": allocator}
    script = one_recorder.write(WHAT_PYTHON_SAYS)
    plain, recorded = one_recorder.both(script, options=["--memory"], env=environment)
    same_behaviour(plain, recorded)
    live = by_caller(recorded, "live")
    overhead = 1.3 if "debug" in allocator else 1  # what such an allocator puts around a block
    assert live["make"] == pytest.approx(COUNT * (SIZE * overhead + 8), rel=0.4)


def test_tracemalloc_from_the_beginning(one_recorder: Recorder) -> None:
    environment = {**os.environ, "PYTHONTRACEMALLOC": "1"}
    script = one_recorder.write(WHAT_PYTHON_SAYS)
    same_behaviour(*one_recorder.both(script, options=["--memory"], env=environment))
