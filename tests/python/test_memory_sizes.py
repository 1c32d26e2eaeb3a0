"""However much there is to say of memory: files stay small. Long times are simulated, see also
tests/cpp/collect/memory_size_test.cpp.
"""

import random
import subprocess
from pathlib import Path

import pytest
from memory_recordings import MIB, MemoryOfProcess, memory_recording
from running import Recorder

MOST = 10e6  # bytes

# Ten thousand lines that allocate, called again and again; half of what they make is kept.
MANY_SITES = """
import time

FUNCTIONS, LINES = 1_000, 10
source = "".join(
    f"def make_{i}(kept):\\n" + "".join(
        f"    kept.append(bytearray({1_000 + 7 * i + line}))\\n" for line in range(LINES)
    )
    for i in range(FUNCTIONS)
)
names = {}
exec(compile(source, "made.py", "exec"), names)
kept = []
end = time.monotonic() + 5
while time.monotonic() < end:
    for i in range(FUNCTIONS):
        names[f"make_{i}"](kept)
    del kept[::2]
    if len(kept) > 200_000:
        kept.clear()
"""


def page_size(executable: Path, recorded: Path, folder: Path) -> int:
    page = folder / "page.html"
    command = [str(executable), "view", str(recorded), "--html", str(page)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return page.stat().st_size


@pytest.mark.parametrize("mode", ["sampled", "exact"])
def test_many_sites(one_recorder: Recorder, mode: str) -> None:
    recorded = one_recorder.record(one_recorder.write(MANY_SITES), options=[f"--memory={mode}"])
    assert recorded.result.returncode == 0, recorded.complaint
    if mode == "exact":
        stacks = recorded.profile().stacks("allocated")
        assert len({(s.frames[-1].name, s.frames[-1].line) for s in stacks}) > 10_000
    (recording,) = recorded.recordings
    assert recording.stat().st_size < MOST / 4
    assert page_size(one_recorder.executable, recorded.run, one_recorder.folder) < MOST


def test_page_of_a_long_run(one_recorder: Recorder) -> None:
    """An hour of it: as many points, snapshots and places as a recording has then."""
    numbers = random.Random(1)
    names = ("peak", "live", "allocated", "allocations", "temporary")
    places = [f"main:3;make_{i // 10}:{i % 10 + 2}" for i in range(10_000)]
    moments = [9 * (i + 1) for i in range(400)]
    curve = [(i * 0.327, numbers.randrange(4000 * MIB)) for i in range(11_000)]
    memory = MemoryOfProcess(
        values={place: {name: numbers.randrange(10 * MIB) for name in names} for place in places},
        live={
            place: [(moment, numbers.randrange(10 * MIB)) for moment in moments]
            for place in places[:500]
        },
        counters={"heap": curve, "memory": curve},
        attributes={"memory.mode": "exact"},
    )
    recording = one_recorder.folder / "long.pyr"
    recording.write_bytes(memory_recording(memory, wall=3600))
    assert page_size(one_recorder.executable, recording, one_recorder.folder) < MOST
