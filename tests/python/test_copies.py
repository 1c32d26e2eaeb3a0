"""`pyrometer run --memory --copies`: bytes copied by line, on programs that know."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal
from harness.environments import InstallError, cache_folder, make_environment
from inside_programs import environment
from running import (
    BUSY,
    Recorded,
    Recorder,
    children_of,
    same_behaviour,
    truth_of,
    wait_until,
)

MIB = 1 << 20
OPTIONS = ("--memory", "--copies")
BIG = 8 * MIB  # always told of, so exactly


def by_line(recorded: Recorded, metric: str, source: str) -> dict[str, int]:
    """Of the lines of program.py that a comment gives a name."""
    values = recorded.profile().by_line(metric, "program.py")
    lines = enumerate(source.splitlines(), 1)
    names = {number: line.split("# ")[1] for number, line in lines if "# " in line}
    return {name: values[number] for number, name in names.items()}


BYTES = f"""
import json

block = bytes(range(256)) * {BIG // 256}
room = bytearray({BIG})
view = memoryview(block)
for _ in range(20):
    block[1:]  # slice
for _ in range(30):
    room[:] = block  # assign
for _ in range(30):
    memoryview(room)[:] = block  # fill
for _ in range(10):
    bytes(view)  # view
for _ in range(40):
    view[1:]  # nothing
print(json.dumps({{"slice": 20 * {BIG - 1}, "fill": 30 * {BIG}, "view": 10 * {BIG},
                  "assign": 2 * 30 * {BIG}, "nothing": 0}}))
"""


def test_big_copies_exactly(recorder: Recorder) -> None:
    """A bytearray makes another one of what is assigned to its slice."""
    recorded = recorder.record(recorder.write(BYTES), options=OPTIONS)
    assert by_line(recorded, "copied", BYTES) == truth_of(recorded.result)
    copies = by_line(recorded, "copies", BYTES)
    assert copies == {"slice": 20, "assign": 60, "fill": 30, "view": 10, "nothing": 0}


SMALL = """
import json

block = bytes(20_001)
def often():
    for _ in range(120_000):
        block[1:]  # often

def seldom():
    for _ in range(40_000):
        block[1:]  # seldom

often()
seldom()
print(json.dumps({"often": 120_000 * 20_000, "seldom": 40_000 * 20_000}))
"""


def test_small_copies_as_estimates(recorder: Recorder) -> None:
    recorded = recorder.record(recorder.write(SMALL), options=OPTIONS)
    truth = truth_of(recorded.result)
    copied = by_line(recorded, "copied", SMALL)
    copies = by_line(recorded, "copies", SMALL)
    # 2.4 GB are some 2,289 samples: 2.1 %. Nearly six deviations are allowed.
    assert copied["often"] == pytest.approx(truth["often"], rel=0.12)
    assert copied["seldom"] == pytest.approx(truth["seldom"], rel=0.21)
    assert copies["often"] == pytest.approx(120_000, rel=0.12)


NUMPY = """
import numpy

a = numpy.arange(1_000_000, dtype=float)
b = numpy.empty_like(a)
square = a.reshape(1000, 1000)
for _ in range(25):
    a.copy()  # copy
for _ in range(15):
    b[:] = a  # assign
for _ in range(10):
    numpy.concatenate([a, a])  # join
for _ in range(10):
    square[1:-1, 1:-1]  # view
print(float(b.sum()))
"""


@pytest.fixture
def numerical(recorder: Recorder, python_version: str) -> Recorder:
    if python_version not in ("3.11", "3.14"):
        pytest.skip("two versions tell enough")
    if recorder.plain("-c", "import numpy").returncode == 0:
        return recorder
    try:
        folder = make_environment("numpy", recorder.python, ("numpy",), print, cache_folder())
    except InstallError as error:
        pytest.skip(f"numpy cannot be installed: {error}")
    return Recorder(recorder.executable, folder / "bin" / "python", recorder.folder)


def test_arrays(numerical: Recorder) -> None:
    plain, recorded = numerical.both(numerical.write(NUMPY), options=OPTIONS)
    same_behaviour(plain, recorded)
    assert by_line(recorded, "copied", NUMPY) == {
        "copy": 25 * 8_000_000,
        "assign": 15 * 8_000_000,
        "join": 10 * 16_000_000,
        "view": 0,
    }
    assert by_line(recorded, "copies", NUMPY)["copy"] == 25


THREADS = f"""
import threading

block = bytes({BIG})

def work():
    for _ in range(5):
        block[1:]

for _ in range(10):
    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("done")
"""


def test_threads(recorder: Recorder) -> None:
    plain, recorded = recorder.both(recorder.write(THREADS), options=OPTIONS)
    same_behaviour(plain, recorded)
    profile = recorded.profile()
    assert profile.by_function("copied")["work"] == 10 * 10 * 5 * (BIG - 1)
    names = [name for name, value in profile.by_thread("copied").items() if value > BIG]
    assert all(name.startswith("Thread-") for name in names), names


CHILDREN = f"""
import os
import subprocess
import sys

block = bytes({BIG})

def work():
    for _ in range(3):
        block[1:]

work()
for _ in range(4):
    child = os.fork()
    if child == 0:
        work()
        raise SystemExit(3)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
command = "block = bytes({BIG})\\ndef work(): block[1:]\\nwork()"
print(subprocess.run([sys.executable, "-c", command]).returncode)
"""


def test_children(recorder: Recorder) -> None:
    plain, recorded = recorder.both(recorder.write(CHILDREN), options=OPTIONS)
    same_behaviour(plain, recorded)
    of_processes = recorded.profile().by_process("copied")
    assert len(of_processes) == 6
    assert recorded.profile().by_function("copied")["work"] == (5 * 3 + 1) * (BIG - 1)


@pytest.mark.parametrize("more", [["--exact"], ["--lines"], ["--rate", "2000"]])
def test_beside_other_recordings(recorder: Recorder, more: list[str]) -> None:
    recorded = recorder.record(recorder.write(BYTES), options=[*OPTIONS, *more])
    assert by_line(recorded, "copied", BYTES)["slice"] == truth_of(recorded.result)["slice"]


KILLED = (
    BUSY
    + f"""
block = bytes({BIG})
for _ in range(10):
    block[1:]
print("copied", flush=True)
busy(60)
"""
)


def test_killed(one_recorder: Recorder) -> None:
    process = one_recorder.start(one_recorder.write(KILLED), options=["-q", *OPTIONS])
    assert process.stdout is not None
    assert process.stdout.readline() == "copied\n"
    run = Recorded(
        one_recorder.executable, one_recorder.run, subprocess.CompletedProcess([], 0, "", "")
    )

    def copied() -> int:
        try:
            return run.profile().by_line("copied", "program.py").total()
        except AssertionError:  # nothing is written before the first second is over
            return 0

    wait_until(lambda: copied() == 10 * (BIG - 1))
    (child,) = children_of(process.pid)
    os.kill(child, signal.SIGKILL)
    process.communicate(timeout=60)
    assert copied() == 10 * (BIG - 1)


PAUSED = f"""
import pyrometer

block = bytes({BIG})
for _ in range(10):
    block[1:]
pyrometer.resume()
for _ in range(3):
    block[1:]  # recorded
pyrometer.pause()
for _ in range(10):
    block[1:]
"""


def test_not_while_paused(one_recorder: Recorder) -> None:
    recorded = one_recorder.record(
        one_recorder.write(PAUSED), options=[*OPTIONS, "--paused"], env=environment()
    )
    assert recorded.result.returncode == 0, recorded.complaint
    values = recorded.profile().by_line("copied", "program.py")
    assert values.total() == 3 * (BIG - 1)


def test_without_the_option(one_recorder: Recorder) -> None:
    script = one_recorder.write("import os\nprint(os.environ['LD_PRELOAD'])\n")
    recorded = one_recorder.record(script, options=["-q", "--memory"])
    assert "_copies.so" not in recorded.result.stdout
    assert "copied" not in recorded.profile().values
    text = recorded.command("memory", recorded.run)
    assert "opied" not in text
    recorded = one_recorder.record(script, options=["-q", *OPTIONS])
    assert recorded.result.stdout.count("_copies.so") == 1


def test_only_beside_memory(pyrometer: Run) -> None:
    result = pyrometer("run", "--copies", "-c", "pass")
    assert result.returncode == 2
    assert "--copies requires --memory" in result.stderr


def test_installation_without_the_library(installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "installation"
    shutil.copytree(installed.parent.parent, folder)
    (folder / "libexec" / "pyrometer" / "_memory.so").touch()
    command = [folder / "bin" / "pyrometer", "run", *OPTIONS, "-c", "pass"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    expect_refusal(result, "cannot record copies, as its file _copies.so is missing")


@pytest.fixture
def copying(one_recorder: Recorder) -> Recorded:
    source = (
        f"block = bytes({BIG})\ndef step():\n    return block[1:]\nfor _ in range(300): step()\n"
    )
    return one_recorder.record(one_recorder.write(source), options=OPTIONS)


def test_reports(copying: Recorded) -> None:
    text = copying.command("memory", copying.run)
    assert re.search(r"\n  copied 2\.3\d GiB in [\d,]+ copies\n", text)
    assert (
        "GiB were copied, 2.34 GiB of it by step (program.py:3), 8.00 MiB at a time: pass" in text
    )
    assert re.search(
        r"Copied by memcpy and its relatives, sampled every 1\.00 MiB\n.*\n"
        r" +2\.34 GiB +\d+\.\d % +300 +8\.00 MiB +program\.py:3 +step +return block\[1:\]\n",
        text,
    )
    told: dict[str, Any] = json.loads(
        copying.command("memory", copying.run, "--json", "--sort", "copied")
    )
    first = told["sites"][0]
    assert (first["function"], first["line"]) == ("step", 3)
    assert (first["copied_bytes"], first["copies"]) == (300 * (BIG - 1), 300)
    assert told["total"]["copied_bytes"] >= first["copied_bytes"]
    assert "memory-copies" in [finding["id"] for finding in told["findings"]]
    assert "were copied" in copying.command("report", copying.run)


def test_metric_in_other_reports(copying: Recorded, tmp_path: Path) -> None:
    report = copying.report("--metric", "copied")
    assert report["functions"][0]["name"] == "step"
    assert report["functions"][0]["self"] == 300 * (BIG - 1)
    merged = tmp_path / "merged.pyro"
    copying.command("merge", copying.run, "-o", merged)
    told = json.loads(copying.command("memory", merged, "--json", "--sort", "copied"))
    assert told["sites"][0]["copied_bytes"] == 300 * (BIG - 1)
    assert "step" in copying.command(
        "export", merged, "--metric", "copies", "--format", "collapsed"
    )
