"""docs/inside.md: its programs and commands do what they say."""

import sys
from pathlib import Path

from guides import run_guide


def test_guide(executable: Path, tmp_path: Path) -> None:
    printed = run_guide("inside.md", tmp_path, executable, path=[Path(sys.executable).parent])
    assert "solving work" in printed
    assert "paused for " in printed
    assert "--profile FILE" in printed
    assert (tmp_path / "pipeline-1.prof").is_file()
    assert (tmp_path / "timed.json").is_file()
