"""Windows: what a part of a recorded program allocates, block by block, in every mode."""

import json
from pathlib import Path

import pytest
from running import PACKAGE, Recorder, truth_of

MIB = 1 << 20
PROGRAM = f"""
import json, os, sys, threading
sys.path.insert(0, {str(PACKAGE)!r})
from pyrometer._memory_window import begin_window, end_window

def window(work, *own):
    assert begin_window(*own)
    assert not begin_window()
    result = work()
    return end_window()

def blocks():
    kept = bytearray(3 << 20)
    for _ in range(5):
        bytearray(2 << 20)
    return bytearray(100_000)

small = []
def objects():
    small.extend(bytes(100 + number % 7) for number in range(2000))

def threads():
    thread = threading.Thread(target=blocks)
    thread.start()
    thread.join()

def nothing(): ...

def told(figures):
    rows = [[row.at_peak, row.live, row.live_blocks,
             [[os.path.basename(f.filename), f.function, f.lineno] for f in row.frames[:2]]]
            for row in figures.places]
    return {{"peak": figures.peak, "rows": sorted(rows, reverse=True)}}

before = bytearray(40 << 20)
assert end_window() is None
answers = {{work.__name__: told(window(work)) for work in (blocks, objects, threads, nothing)}}
answers["own"] = told(window(threads, True))
answers["again"] = told(window(blocks))
print(json.dumps(answers))
"""


@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_windows(recorder: Recorder, mode: str) -> None:
    program = recorder.write(PROGRAM)
    recorded = recorder.record(program, options=["-q", f"--memory={mode}"])
    answers = truth_of(recorded.result)
    for name in ("blocks", "again"):
        blocks = answers[name]
        assert blocks["peak"] == pytest.approx(5 * MIB, abs=20_000)
        assert [row[3][0] for row in blocks["rows"][:2]] == [
            ["program.py", "blocks", line] for line in (13, 15)
        ]
        assert blocks["rows"][0][:3] == pytest.approx([3 * MIB, 0, 0], abs=100)
    row = max(answers["objects"]["rows"], key=lambda row: row[1])
    assert row[3][0][2] == 20
    assert row[1] == pytest.approx(2000 * (33 + 103), rel=0.02)
    assert row[2] == 2000
    assert answers["threads"]["peak"] == pytest.approx(5 * MIB, abs=100_000)
    assert answers["own"]["peak"] < 200_000
    assert answers["nothing"]["peak"] < 10_000


def test_the_recording_is_what_it_was_without_windows(one_recorder: Recorder) -> None:
    """Neither its peak nor its estimates know of them."""
    source = """
import sys
sys.path.insert(0, PACKAGE)
from pyrometer._memory_window import begin_window, end_window

def work():
    return [bytes(3000) for _ in range(20_000)]

largest = bytearray(100 << 20)
del largest
for number in range(10):
    if number % 2:
        begin_window()
    work()
    end_window()
"""
    program = one_recorder.write(source.replace("PACKAGE", repr(str(PACKAGE))))
    recorded = one_recorder.record(program, options=["-q", "--memory"])
    document = json.loads(recorded.command("memory", recorded.run, "--json", "--sort=allocated"))
    sites = [site for site in document["sites"] if site["file"] == str(program)]
    [largest] = [site for site in sites if site["line"] == 9]
    assert largest["peak_bytes"] == pytest.approx(100 * MIB, abs=100)
    made = sum(site["allocated_bytes"] for site in sites if site["line"] == 7)
    assert made == pytest.approx(10 * 20_000 * 3033, rel=0.25)


def test_a_process_without_a_recorder_has_no_windows(recorder: Recorder, tmp_path: Path) -> None:
    program = tmp_path / "plain.py"
    program.write_text(
        f"import sys\nsys.path.insert(0, {str(PACKAGE)!r})\n"
        "from pyrometer._memory_window import begin_window, end_window\n"
        "assert begin_window() is False and end_window() is None\n"
    )
    assert recorder.plain(program).returncode == 0
    recorded = recorder.record(program, options=["-q"])
    assert recorded.result.returncode == 0, recorded.complaint


def test_a_fork_inside_a_window_goes_its_own_way(recorder: Recorder) -> None:
    program = recorder.write(
        f"""
import os, sys
sys.path.insert(0, {str(PACKAGE)!r})
from pyrometer._memory_window import begin_window, end_window
assert begin_window()
kept = bytearray(2 << 20)
child = os.fork()
if child == 0:
    os._exit(0 if end_window() is None and begin_window() else 1)
assert os.waitpid(child, 0)[1] == 0
assert end_window().peak >= 2 << 20
"""
    )
    recorded = recorder.record(program, options=["-q", "--memory"])
    assert recorded.result.returncode == 0, recorded.complaint
