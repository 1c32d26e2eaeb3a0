"""A program that records its own calls while other profilers are at work in it."""

from pathlib import Path

import pytest
from inside_programs import InsideRunner


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


def test_profilers_of_the_program_keep_what_they_have(program: InsideRunner) -> None:
    """3.11 has room for one per thread; from 3.12 on all are told."""
    program.expect(
        "import cProfile, threading\n"
        "def called(): return len('abc')\n"
        "def own(frame, event, argument): pass\n"
        "has_room = sys.version_info >= (3, 12)\n"
        "def record(run):\n"
        "    try:\n"
        "        with pyrometer.recording(run, exact=True): called()\n"
        "    except pyrometer.RecordingError as error:\n"
        "        assert not has_room\n"
        "        assert 'another profiler is at work in this thread' in str(error)\n"
        "    else:\n"
        "        assert has_room\n"
        "sys.setprofile(own)\n"
        "record('beside')\n"
        "assert sys.getprofile() is own\n"
        "sys.setprofile(None)\n"
        "counted = cProfile.Profile(); counted.enable()\n"
        "called(); record('beside-too'); called()\n"
        "counted.disable()\n"
        "calls = {row.code.co_name: row.callcount for row in counted.getstats()\n"
        "         if hasattr(row.code, 'co_name')}\n"
        "assert calls['called'] == (3 if has_room else 2), calls\n"
        "assert 'beside' in os.listdir() or not has_room\n"
        "ready, go, done = threading.Event(), threading.Event(), threading.Event()\n"
        "def other():\n"
        "    sys.setprofile(own); ready.set(); go.wait(); called()\n"
        "    assert sys.getprofile() is own; done.set()\n"
        "threading.Thread(target=other).start(); ready.wait()\n"
        "with pyrometer.recording('part', exact=True): called(); go.set(); done.wait()\n"
    )
    has_room = program.calls("part")["called"] == 2
    sentence = "calls of 1 thread are not counted, as another profiler is at work there"
    assert (sentence in " ".join(program.command("report", "part").split())) != has_room
