"""The promised speed, with room for a busy machine."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


@pytest.mark.long
@pytest.mark.timeout(600)
def test_reading_and_merging(executable: Path) -> None:
    assert executable.with_name("load_benchmark").is_file()
    script = ROOT / "bench" / "reading_and_merging.py"
    result = subprocess.run(
        [sys.executable, script, "--check", "2"], capture_output=True, text=True, timeout=600
    )
    assert result.returncode == 0, result.stdout + result.stderr
