"""A merged file has the sources of what ran, so that it can be read where they are not."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from conftest import Run, read_json
from running import BUSY, Recorded, Recorder

PROGRAM = BUSY + "\n\ndef simulate():\n    busy(0.3)  # the hot call\n\n\nsimulate()\n"
HOT = "busy(0.3)  # the hot call"


def sources_in(merged: Path) -> list[str]:
    with sqlite3.connect(merged) as database:
        return [file for (file,) in database.execute("SELECT file FROM source ORDER BY file")]


def lines_of(pyrometer: Run, profile: Path) -> set[str]:
    document = read_json(pyrometer("report", profile, "--lines", "--json"), "report")
    return {line["source"] for line in document["lines"] if line.get("source")}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    path = tmp_path / "project" / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def recorded(one_recorder: Recorder, program: Path) -> Recorded:
    return one_recorder.record(program)


def test_carried_home(pyrometer: Run, recorded: Recorded, program: Path, tmp_path: Path) -> None:
    merged = tmp_path / "job.pyro"
    assert pyrometer("merge", recorded.run, "-o", merged).returncode == 0
    again = tmp_path / "again.pyro"
    assert pyrometer("merge", merged, "-o", again).returncode == 0
    assert again.read_bytes() == merged.read_bytes()
    shutil.rmtree(program.parent)
    assert str(program) in sources_in(merged)
    assert HOT in lines_of(pyrometer, merged)
    assert HOT in pyrometer("lines", merged, "simulate").stdout
    assert HOT not in lines_of(pyrometer, recorded.run)


def test_left_out_when_asked(pyrometer: Run, recorded: Recorded, tmp_path: Path) -> None:
    merged = tmp_path / "job.pyro"
    assert pyrometer("merge", "--no-source", recorded.run, "-o", merged).returncode == 0
    assert sources_in(merged) == []
    assert HOT in lines_of(pyrometer, merged), "read from the disk, as long as it is there"


def test_edited_since(pyrometer: Run, recorded: Recorded, program: Path, tmp_path: Path) -> None:
    program.write_text("# other lines\n" + PROGRAM)
    merged = tmp_path / "job.pyro"
    assert pyrometer("merge", recorded.run, "-o", merged).returncode == 0
    assert str(program) not in sources_in(merged)


def test_a_pipe_in_its_place(
    pyrometer: Run, recorded: Recorded, program: Path, tmp_path: Path
) -> None:
    program.unlink()
    os.mkfifo(program)
    merged = tmp_path / "job.pyro"
    done = pyrometer("merge", recorded.run, "-o", merged, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert sources_in(merged) == []
