"""Files of every released format still load, and say what they said.

PYROMETER_UPDATE_GOLDEN=1 writes the expectations anew; read the difference before you commit it.
"""

import json
import os
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
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_output_is_as_expected(name: str, pyrometer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    result = pyrometer(*OUTPUTS[name])
    assert (result.returncode, result.stderr) == (0, "")
    expected = DATA / f"recording-v1.{name}"
    if os.environ.get("PYROMETER_UPDATE_GOLDEN"):
        expected.write_text(result.stdout, encoding="utf-8")
    assert result.stdout == expected.read_text(encoding="utf-8")


def test_merged_file_of_version_1_says_what_its_recording_says(pyrometer: Run) -> None:
    of_merged, of_recording = (
        json.loads(pyrometer("report", DATA / name, "--json", "--callers", "--lines").stdout)
        for name in ("merged-v1.pyro", "recording-v1.pyr")
    )
    for key in ("functions", "lines", "totals", "findings"):
        assert of_merged[key] == of_recording[key], key
