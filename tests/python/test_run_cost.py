"""What the recorder takes of the machine: memory and disk."""

import json
from pathlib import Path

import pytest
from running import PROGRAMS, Recorded, Recorder

MEGABYTE = 1e6
HOUR = 3600


def peak_memory(
    recorder: Recorder, *options: object, seconds: float = 20
) -> tuple[float, Recorded]:
    """Of a program with eight busy threads and thousands of call paths, in bytes."""
    script = PROGRAMS / "many_functions.py"
    recorded = recorder.record(script, seconds, 8, 3000, options=options, timeout=300)
    assert recorded.result.returncode == 0, recorded.complaint
    return json.loads(recorded.result.stdout), recorded


@pytest.mark.long
@pytest.mark.timeout(600)
def test_agent_memory(recorder: Recorder) -> None:
    """5,000 Hz for 60 s are as many samples as 83 Hz for an hour; paths are limited likewise."""
    script = PROGRAMS / "many_functions.py"
    plain = json.loads(recorder.plain(script, 3, 8, 3000).stdout)
    peak, recorded = peak_memory(recorder, "--rate", 5000, seconds=60)
    assert recorded.sum_of("sampler.samples") > 100_000
    assert peak - plain < 20 * MEGABYTE, f"{(peak - plain) / MEGABYTE:.1f} MB"


def test_agent_memory_at_first(recorder: Recorder) -> None:
    """A small program for a short time: the constant part."""
    script = PROGRAMS / "many_functions.py"
    plain = json.loads(recorder.plain(script, 0.5, 1, 50).stdout)
    recorded = recorder.record(script, 1, 1, 50)
    assert recorded.result.returncode == 0, recorded.complaint
    used = json.loads(recorded.result.stdout) - plain
    assert used < 10 * MEGABYTE, f"{used / MEGABYTE:.1f} MB"


def recording_size(recorder: Recorder, program: Path, *arguments: object) -> int:
    recorded = recorder.record(program, *arguments, options=["--rate", 200], timeout=200)
    assert recorded.result.returncode == 0, recorded.complaint
    return sum(path.stat().st_size for path in recorded.recordings)


@pytest.mark.long
@pytest.mark.timeout(400)
def test_recording_size(recorder: Recorder) -> None:
    """What grows with time, beyond names and call paths that are written once."""
    program = PROGRAMS / "legal_stacks.py"
    seconds = 10.0  # of CPU in each of four threads, so four times that in all
    short = recording_size(recorder, program, seconds)
    long = recording_size(recorder, program, 2 * seconds)
    # The threads share the GIL: a busy thread's hour is an hour of CPU.
    per_hour = (long - short) / (4 * seconds) * HOUR
    assert per_hour < 5 * MEGABYTE, f"{per_hour / MEGABYTE:.1f} MB per busy thread and hour"


def test_recording_size_at_first(recorder: Recorder) -> None:
    """Four busy threads for some seconds, with every name and path that they need."""
    assert recording_size(recorder, PROGRAMS / "legal_stacks.py", 0.7) < 0.5 * MEGABYTE
