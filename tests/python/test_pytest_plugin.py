"""`pytest --pyrometer`: the session is recorded, summed up, and otherwise what it was."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_projects import MODULE, PYTEST, WORK, Project, outcome_of, section_of

SLOW = """
import pytest
from work import busy

@pytest.fixture
def prepared():
    busy(0.2)

def test_slow(prepared):
    busy(0.5)

def test_quick():
    pass
"""
MIXED = """
import pytest, sys, warnings

def test_passes(tmp_path, capsys):
    print("captured")
    assert capsys.readouterr().out == "captured\\n"

def test_fails():
    print("shown")
    print("also shown", file=sys.stderr)
    assert sorted([2, 1]) == [2, 1]

def test_warns():
    warnings.warn("careful")

@pytest.mark.skip(reason="later")
def test_skipped(): ...

@pytest.mark.xfail
def test_known(): assert False

@pytest.fixture
def broken(): raise ValueError("fixture")

def test_error(broken): ...
"""


@pytest.fixture
def project(tmp_path: Path, executable: Path) -> Project:
    project = Project(tmp_path, executable)
    project.write("work.py", WORK)
    return project


@pytest.mark.parametrize("command", [(PYTEST,), MODULE], ids=["pytest", "module"])
def test_the_slowest_test_is_named_with_its_functions_and_lines(
    project: Project, command: tuple[object, ...]
) -> None:
    project.write("test_slow.py", SLOW)
    project.write("pytest.ini", "[pytest]\npythonpath = .\n")
    result = project.run("--pyrometer", "-p", "no:cacheprovider", command=command)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""
    assert "pyrometer: recording to pyrometer-tests/run, memory sampled\n" in result.stdout
    lines = section_of(result)
    assert lines[0] == "hottest functions in tests"
    assert lines[1].split()[3:] == ["busy", "work.py:4"]
    slowest = lines.index("slowest tests") + 1
    assert lines[slowest].endswith(" s  test_slow.py::test_slow") or "ms" in lines[slowest]
    assert lines[slowest + 1].split()[-2:] == ["busy", "work.py:4"]
    assert sum("line work.py:7  sum(range(3000))" in line for line in lines) == 1
    assert not any("_pytest_" in line for line in lines)
    assert "recorded in pyrometer-tests/run   1 process" in lines
    assert lines[-1].endswith("pyrometer-tests/run --region test_slow.py::test_slow")


def test_tests_and_their_phases_are_regions(project: Project) -> None:
    project.write("test_slow.py", SLOW)
    assert project.run("--pyrometer").returncode == 0

    def seconds(region: str) -> float:
        report = project.ask("report", "--region", region, "--metric=cpu")
        [busy] = [row for row in report["functions"] if row["name"] == "busy"]
        return float(busy["total"]) / 1e9

    assert seconds("test_slow.py::test_slow") == pytest.approx(0.7, abs=0.1)
    assert seconds("pytest call") == pytest.approx(0.5, abs=0.1)
    assert seconds("pytest setup") == pytest.approx(0.2, abs=0.1)
    timers = {row["name"]: row["count"] for row in project.ask("report")["timers"]}
    assert timers["pytest teardown"] == 2
    assert timers["test_slow.py::test_quick"] == 1


@pytest.mark.parametrize("words", [[], ["-q"], ["-x", "-vv"], ["-s"], ["--collect-only"]])
def test_output_and_status_are_those_of_pytest(project: Project, words: list[str]) -> None:
    project.write("test_mixed.py", MIXED)
    plain = project.run(*words)
    recorded = project.run("--pyrometer", *words)
    assert recorded.returncode == plain.returncode
    assert outcome_of(recorded) == outcome_of(plain)
    assert recorded.stderr == plain.stderr


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("def test_it(): assert False", 1),
        ("import not_there", 2),
        ("def test_it(): raise KeyboardInterrupt", 2),
        ("def test_it(): import os; os._exit(7)", 7),
        ("", 5),
    ],
)
def test_statuses(project: Project, source: str, status: int) -> None:
    project.write("test_it.py", source)
    assert project.run().returncode == status
    assert project.run("--pyrometer").returncode == status


def test_wrong_words_are_told_by_whom_they_concern(project: Project, tmp_path: Path) -> None:
    project.write("test_slow.py", SLOW)
    assert project.run("--pyrometer", "--no-such-word").returncode == 4
    (tmp_path / "file").touch()
    refused = project.run("--pyrometer", "--pyrometer-dir", "file/folder")
    assert refused.returncode == 4
    assert "--pyrometer-dir: cannot make file/folder: Not a directory." in refused.stderr
    refused = project.run("--pyrometer", "--pyrometer-rate", "0")
    assert refused.returncode == 2
    assert "--rate" in refused.stderr


def test_the_debugger_talks_to_the_user(project: Project) -> None:
    project.write("test_it.py", "def test_it():\n    answer = 42\n    assert answer == 41\n")
    result = project.run("--pyrometer", "--pdb", input="p answer + 100\nq\n")
    assert "142" in result.stdout
    assert result.returncode == 2
    project.write("test_it.py", "def test_it():\n    assert input() == 'yes'\n")
    assert project.run("--pyrometer", "-s", input="yes\n").returncode == 0


def test_an_option_of_the_project(project: Project) -> None:
    project.write("test_slow.py", SLOW)
    project.write("pytest.ini", "[pytest]\naddopts = --pyrometer --pyrometer-dir=out\n")
    assert "recorded in out/run   1 process" in section_of(project.run())
    assert (project.folder / "out" / ".gitignore").read_text() == "*\n"
    assert project.run().returncode == 0  # the run is replaced


def test_a_recorded_session_is_not_recorded_twice(project: Project, tmp_path: Path) -> None:
    project.write("test_slow.py", SLOW)
    command = (project.executable, "run", "-q", "-o", "mine", "--python", sys.executable)
    result = project.run("--pyrometer", command=(*command, "-m", "pytest"))
    assert result.returncode == 0
    assert (
        "pyrometer: recording to mine, no memory, so its limits are not enforced" in result.stdout
    )
    assert "recorded in mine   1 process" in section_of(result)
    assert not (tmp_path / "pyrometer-tests").exists()


def test_a_file_for_each_test(project: Project, tmp_path: Path) -> None:
    project.write("tests/test_slow.py", SLOW)
    lines = section_of(project.run("--pyrometer-per-test"))
    folder = tmp_path / "pyrometer-tests" / "per-test"
    assert "pyrometer-tests/per-test: 2 files" in lines
    assert "busy" in (folder / "tests-test_slow.py-test_slow.svg").read_text()
    project.run("--pyrometer-per-test", "--pyrometer-format", "prof")
    profile = folder / "tests-test_slow.py-test_slow.prof"
    command = [sys.executable, "-m", "pstats", profile]
    shown = subprocess.run(
        command, input="sort time\nstats 3\n", capture_output=True, text=True, timeout=60
    )
    assert "(busy)" in shown.stdout
    refused = project.run("--pyrometer-per-test", "--pyrometer-format", "docx")
    assert refused.returncode == 4
    assert "ERROR: --pyrometer-format=docx: choose a format: svg, prof, " in refused.stderr
    assert "collected" not in refused.stdout


def test_exact_counts_and_lines(project: Project) -> None:
    project.write("test_slow.py", SLOW)
    lines = section_of(project.run("--pyrometer", "--pyrometer-engine", "exact"))
    assert lines[0] == "hottest functions in the session"
    functions = lines[1 : lines.index("slowest tests")]
    assert not any(line.endswith("~") or "pyrometer._agent" in line for line in functions), lines
    [busy] = [row for row in project.ask("report")["functions"] if row["name"] == "busy"]
    assert busy["calls"] == 2
    project.run("--pyrometer", "--pyrometer-engine", "lines", "--pyrometer-rate", "100")
    measured = project.ask("lines", "busy")["functions"]
    assert [row["name"] for row in measured] == ["busy"]


def test_without_the_option_marks_are_known_and_nothing_else_happens(project: Project) -> None:
    project.write(
        "test_it.py",
        """
import os, sys, pytest

@pytest.mark.limit_memory("1 KB")
@pytest.mark.limit_leaks("1 KB")
def test_it():
    assert "PYROMETER_RUN" not in os.environ
    assert "pyrometer._pytest_session" not in sys.modules
    assert len(bytearray(10**6)) == 10**6
""",
    )
    result = project.run("--strict-markers", "-W", "error")
    assert result.returncode == 0, result.stdout
    assert "limit_memory(size" in project.run("--markers").stdout


def program_of(*words: str) -> str:
    return f"import pytest, sys; sys.exit(pytest.main({['--pyrometer', *words]}))"


def test_pytest_inside_a_program(project: Project) -> None:
    """It cannot be started anew, but the program can be recorded."""
    project.write("test_slow.py", SLOW)
    program = program_of("test_slow.py", "-n", "2")
    refused = project.run(command=(sys.executable, "-c", program))
    assert refused.returncode == 4
    assert "inside a program; start that program with 'pyrometer run --memory'" in refused.stderr
    program = program_of("test_slow.py")
    inside = project.run(command=(sys.executable, "-c", program))
    assert inside.returncode == 0, inside.stdout + inside.stderr
    assert "recording to pyrometer-tests/run, memory sampled" in inside.stdout
    lines = section_of(inside)
    assert lines[1].split()[3:] == ["busy", "work.py:4"]
    assert "recorded in pyrometer-tests/run   1 process" in lines
    command = (project.executable, "run", "-q", "-o", "mine", "--memory", "--python")
    recorded = project.run(command=(*command, sys.executable, "-c", program))
    assert recorded.returncode == 0
    assert "recorded in mine   1 process" in section_of(recorded)
