"""No system call of the program is interrupted because of us."""

import shutil
from pathlib import Path

import pytest
from running import PROGRAMS, Recorder, run_command, same_behaviour, truth_of

SECONDS = 3
WAITS = 5000


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("interruptions") / "interruptions.so"
    command = [compiler, "-O2", "-Wall", "-shared", "-fPIC", PROGRAMS / "interruptions.c"]
    result = run_command([*command, "-o", built])
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return built


def test_no_call_is_interrupted(recorder: Recorder, library: Path) -> None:
    expect_no_interruption(recorder, library, "perf")


@pytest.mark.parametrize("clock", ["auto", "timer"])
def test_no_call_is_interrupted_by_the_slow_clock(
    one_recorder: Recorder, library: Path, clock: str
) -> None:
    expect_no_interruption(one_recorder, library, clock)


def expect_no_interruption(recorder: Recorder, library: Path, clock: str) -> None:
    recorded = recorder.record(
        PROGRAMS / "interruptions.py",
        library,
        SECONDS,
        WAITS,
        options=["--rate", 5000, "--clock", clock],
    )
    counts = truth_of(recorded.result)
    assert sum(waits for waits, _ in counts.values()) >= WAITS
    assert {kind: both for kind, both in counts.items() if both[1]} == {}
    assert recorded.sum_of("sampler.samples") > 100


def test_python_sees_no_short_read(recorder: Recorder) -> None:
    """Reads that a signal may cut short give as much as without us."""
    script = recorder.write(
        "import os\nimport time\n"
        "end = time.thread_time() + 1\n"
        "sizes = set()\n"
        "while time.thread_time() < end:\n"
        "    with open('/dev/zero', 'rb', buffering=0) as file:\n"
        "        sizes.add(len(file.read(1 << 22)))\n"
        "print(sizes)\n"
    )
    same_behaviour(*recorder.both(script, options=["--rate", 1000]))
