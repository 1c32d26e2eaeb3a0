"""A program that records next to nothing: every file is written, and its viewer takes it."""

import pstats
from pathlib import Path

import pytest
from inside_programs import InsideRunner

SUFFIXES = [
    "prof",
    "json",
    "txt",
    "html",
    "csv",
    "lines.csv",
    "collapsed",
    "speedscope.json",
    "pb.gz",
    "callgrind",
    "trace.json",
    "firefox.json",
    "pyro",
]


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


def test_a_function_that_returns_at_once(program: InsideRunner) -> None:
    program.expect(
        "def nothing(): pass\n"
        f"for suffix in {SUFFIXES}:\n"
        "    with pyrometer.recording('fast.' + suffix): nothing()\n"
        "    assert os.path.isfile('fast.' + suffix), suffix\n"
        "with pyrometer.recording('fast.lprof', lines=[nothing]): nothing()\n"
    )
    assert pstats.Stats(str(program.folder / "fast.prof")).total_tt >= 0  # type: ignore[attr-defined]
