"""`python -m pyrometer.cprofile` in the place of `python -m cProfile`."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from running import PACKAGE

SCRIPT = """\
import sys
from __main__ import __name__ as name

def double(x):
    return 2 * x

class Unhappy(Exception):
    pass

def main():
    print(name, sys.argv, __file__, [double(n) for n in range(int(sys.argv[1]))][-1])
    if len(sys.argv) > 2 and sys.argv[2] == 'raise':
        raise Unhappy('very')
    if len(sys.argv) > 2:
        sys.exit(int(sys.argv[2]))

main()
"""


class Command:
    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.folder = folder
        (folder / "script.py").write_text(SCRIPT)

    def __call__(self, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        command = [self.python, "-m", module, *arguments]
        return subprocess.run(
            command, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=60
        )

    def ours(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self("pyrometer.cprofile", *arguments)


@pytest.fixture
def command(python: Path, tmp_path: Path) -> Command:
    return Command(python, tmp_path)


def without_times(text: str) -> list[str]:
    """The rows in any order (equal times leave it open), times as 0, and the Profiler's name."""
    text = re.sub(r"\d+\.\d{3}", "0.000", text)
    text = re.sub(r"of '[\w.]*Profiler' objects", "of the Profiler", text)
    return sorted(text.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [["script.py", "5"], ["-s", "tottime", "script.py", "3"], ["-m", "script", "4"]],
    ids=["script", "sorted", "module"],
)
def test_output_is_cprofiles(command: Command, arguments: list[str]) -> None:
    theirs, ours = command("cProfile", *arguments), command.ours(*arguments)
    assert ours.returncode == theirs.returncode == 0, ours.stderr
    assert ours.stderr == theirs.stderr
    assert ours.stdout.splitlines()[0] == theirs.stdout.splitlines()[0]
    assert without_times(ours.stdout) == without_times(theirs.stdout)


def test_status_is_the_scripts(command: Command) -> None:
    done = command.ours("script.py", "5", "3")
    assert done.returncode == 3
    assert "(double)" in done.stdout
    assert done.stderr == ""


def test_exceptions_are_shown(command: Command) -> None:
    done = command.ours("script.py", "5", "raise")
    assert done.returncode == 1
    assert "Unhappy: very" in done.stderr
    assert "(double)" in done.stdout


def test_file(command: Command, python: Path) -> None:
    done = command.ours("-o", "out.prof", "script.py", "5", "4")
    assert done.returncode == 4
    assert done.stdout.count("\n") == 1
    check = "import pstats; s = pstats.Stats('out.prof'); s.print_stats('double')"
    read = subprocess.run(
        [python, "-c", check], cwd=command.folder, capture_output=True, text=True, check=True
    )
    assert "script.py:4(double)" in read.stdout


def test_file_that_cannot_be_written(command: Command) -> None:
    """One sentence, no chain of exceptions; the script's own ending counts."""
    for words, status in ((["2"], 1), (["2", "4"], 4)):
        done = command.ours("-o", "no/folder.prof", "script.py", *words)
        assert done.returncode == status
        path = command.folder / "no" / "folder.prof"
        sentence = f"pyrometer.cprofile: cannot write {path}: No such file or directory.\n"
        assert done.stderr == sentence
        assert done.stdout.startswith("__main__ ")


def test_usage(command: Command) -> None:
    assert command.ours().returncode == 2
    assert "usage" in command.ours().stdout.lower()
    missing = command.ours("missing.py")
    assert missing.returncode == 2
    assert missing.stderr == "pyrometer.cprofile: missing.py: No such file or directory.\n"
    wrong = command.ours("-s", "nothing", "script.py", "1")
    assert wrong.returncode == 2
    assert "invalid choice" in wrong.stderr
