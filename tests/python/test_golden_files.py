"""Files of every released format still load, and say what they said.

PYROMETER_UPDATE_GOLDEN=1 writes the expectations anew; read the difference before you commit it.
"""

import gzip
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

DATA = Path(__file__).parent.parent / "data"
EVERY_VIEW = (
    *("--callers", "--callees", "--lines", "--tree"),
    *("--bottom-up", "--threads", "--processes"),
)
OUTPUTS: dict[str, tuple[str, ...]] = {
    "report.txt": ("report", "recording-v1.pyr"),
    "views.txt": ("report", "recording-v1.pyr", *EVERY_VIEW),
    "dump.txt": ("dump", "recording-v1.pyr"),
    "collapsed": ("export", "recording-v1.pyr", "--format", "collapsed"),
    "speedscope.json": ("export", "recording-v1.pyr", "--format", "speedscope"),
    "export.json": ("export", "recording-v1.pyr", "--format", "json"),
    "firefox.json": ("export", "recording-v1.pyr", "--format", "firefox"),
    "trace.json": ("export", "recording-v1.pyr", "--format", "chrome"),
    "callgrind": ("export", "recording-v1.pyr", "--format", "callgrind"),
    "svg": ("export", "recording-v1.pyr", "--format", "flamegraph"),
    "csv": ("export", "recording-v1.pyr", "--format", "csv"),
    "lines.csv": ("export", "recording-v1.pyr", "--format", "csv-lines"),
    "prof": ("export", "recording-v1.pyr", "--format", "pstats"),
    "pb": ("export", "recording-v1.pyr", "--format", "pprof"),
    "sql": ("export", "recording-v1.pyr", "--format", "sqlite"),
}


def dump(database: bytes) -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.deserialize(database)
        return "\n".join(connection.iterdump()).encode()


# What libraries may write in another way when they are newer is compared as what it means.
MEANINGS: dict[str, Callable[[bytes], bytes]] = {"pb": gzip.decompress, "sql": dump}


@pytest.mark.parametrize("name", OUTPUTS)
def test_output_is_as_expected(name: str, pyrometer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    result = pyrometer(*OUTPUTS[name], text=False)
    assert (result.returncode, result.stderr) == (0, b"")
    written = MEANINGS.get(name, bytes)(result.stdout)  # type: ignore[arg-type]
    expected = DATA / f"recording-v1.{name}"
    if os.environ.get("PYROMETER_UPDATE_GOLDEN"):
        expected.write_bytes(written)
    assert written == expected.read_bytes()


@pytest.mark.parametrize("version", [1, 2])
def test_merged_files_of_old_versions_say_what_their_recording_says(
    version: int, pyrometer: Run
) -> None:
    of_merged, of_recording = (
        json.loads(pyrometer("report", DATA / name, "--json", "--callers", "--lines").stdout)
        for name in (f"merged-v{version}.pyro", "recording-v1.pyr")
    )
    for key in ("functions", "lines", "totals", "findings"):
        assert of_merged[key] == of_recording[key], key
