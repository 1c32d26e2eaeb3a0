"""docs/pytest.md: its project and its commands do what they say."""

import os
import re
from pathlib import Path

from guides import run_guide
from pytest_projects import PLUGIN, PYTEST


def test_guide(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    # The checkout is not installed; and whoever runs this test is not the reader.
    environment = {name: "" for name in os.environ if name.startswith("PYTEST_")}
    environment["PYTEST_PLUGINS"] = PLUGIN
    told = run_guide(
        "pytest.md", tmp_path, executable, path=[PYTEST.parent], environment=environment
    )
    assert "3 passed" in told
    assert re.search(r"^ +\d+ ms +smooth.* +heat.py:\d$", told, re.MULTILINE)
    assert "recorded in artifacts/run   3 processes" in told
    assert "test_heat.py-test_stays_warm.svg" in told
    assert (tmp_path / "tests.html").stat().st_size > 10_000
