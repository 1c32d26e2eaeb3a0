"""`pytest --pyrometer -n 2`: workers are processes of the same run."""

from pathlib import Path

from pytest_projects import WORK, Project, section_of

TESTS = """
import os, pytest
from work import busy

@pytest.mark.parametrize("number", range(4))
def test_slow(number):
    busy(0.25)
"""


def test_workers_are_one_run(tmp_path: Path, executable: Path) -> None:
    project = Project(tmp_path, executable)
    project.write("work.py", WORK)
    project.write("test_slow.py", TESTS)
    result = project.run("--pyrometer", "-n", "2")
    assert result.returncode == 0, result.stdout + result.stderr
    lines = section_of(result)
    assert "recorded in pyrometer-tests/run   3 processes" in lines
    assert sum("test_slow.py::test_slow[" in line for line in lines) == 5  # and the next command
    report = project.ask("report", "--region=pytest call", "--metric=cpu")
    [busy] = [row for row in report["functions"] if row["name"] == "busy"]
    assert 0.9e9 < busy["total"] < 1.3e9
    assert sum(process["value"] > 0 for process in report["processes"]) == 2
    timers = {row["name"]: row for row in project.ask("report")["timers"]}
    assert timers["pytest call"]["count"] == 4
    assert timers["pytest call"]["processes"] == 2
