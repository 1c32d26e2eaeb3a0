"""Help, version, completion, the man page and wrong usage: all from one description."""

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT, Run, expect_refusal

COMMANDS = (
    *(
        "run",
        "view",
        "report",
        "lines",
        "memory",
        "export",
        "ranks",
        "graph",
        "diff",
        "scale",
        "merge",
        "dump",
        "completion",
        "manual",
    ),
)


def output_of(pyrometer: Run, *arguments: object) -> str:
    result = pyrometer(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("\n")
    return result.stdout


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def test_help_lists_every_command(pyrometer: Run) -> None:
    text = output_of(pyrometer, "--help")
    assert output_of(pyrometer, "-h") == text
    for command in COMMANDS:
        assert re.search(rf"^  {command} +\S.*", text, re.MULTILINE), command


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command: str, pyrometer: Run) -> None:
    text = output_of(pyrometer, command, "--help")
    assert f"pyrometer {command}" in text
    assert options_in(text)
    for line, below in pairwise(text.splitlines()):
        if line.startswith("  -"):
            # Long names have their description below them.
            described = re.match(r".{29} \S", line) or re.match(r" {30}\S", below)
            assert described, f"no description: {line}"


def test_version(pyrometer: Run) -> None:
    stated = re.search(
        r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(")[1]
    )
    assert stated
    assert output_of(pyrometer, "--version") == f"pyrometer {stated[1]}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no command"),
        (["bogus"], "no command 'bogus'"),
        (["Report"], "no command 'Report'"),
        (["--bogus"], "--help"),
        (["run"], "no program"),
        (["run", "-q"], "no program"),
        (["run", "--"], "no program"),
        (["run", "-m"], "module"),
        (["run", "-c"], "code"),
        (["run", "--bogus", "x.py"], "--bogus"),
        (["run", "-o"], "--output"),
        (["run", "--rate", "0", "x.py"], "--rate"),
        (["run", "--rate", "20001", "x.py"], "--rate"),
        (["run", "--clock", "sun", "x.py"], "--clock"),
        (["report"], "PROFILE"),
        (["report", "--bogus", "x"], "--bogus"),
        (["report", "x", "--sort", "luck"], "luck"),
        (["report", "x", "--limit", "many"], "--limit"),
        (["report", "x", "--limit", "-1"], "--limit"),
        (["report", "x", "--limit", "1.5"], "--limit"),
        (["report", "x", "--depth", "-1"], "--depth"),
        (["report", "x", "--limit"], "--limit"),
        (["report", "x", "--json=perhaps"], "--json"),
        (["export", "x"], "--format"),
        (["export", "x", "--format", "xml"], "'xml'"),
        (["export", "x", "-o", "x.unknown"], "--format"),
        (["merge", "x"], "--output"),
        (["merge", "-o", "x.pyro"], "PROFILE"),
        (["merge", "x", "-o", "%q.pyro"], "%q"),
        (["dump"], "RECORDING"),
        (["completion"], "SHELL"),
        (["completion", "tcsh"], "bash, zsh or fish"),
        (["manual", "extra"], "extra"),
        (["report", "x.prof", "--limit", "abc"], "'abc' is nothing that --limit takes; see"),
        (["report", "x.prof", "--depth", "-1"], "'-1' is nothing that --depth takes; see"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str, pyrometer: Run, tmp_path: Path) -> None:
    expect_refusal(pyrometer(*arguments, cwd=tmp_path), words, status=2)
    assert list(tmp_path.iterdir()) == []


def test_manual_says_what_help_says(pyrometer: Run) -> None:
    page = output_of(pyrometer, "manual").replace("\\-", "-").replace("\\fB", " ")
    for command in COMMANDS:
        assert f".SS pyrometer {command}\n" in page
        assert options_in(output_of(pyrometer, command, "--help")) <= options_in(page)


def test_manual_is_sound(pyrometer: Run, tmp_path: Path) -> None:
    page = tmp_path / "pyrometer.1"
    page.write_text(output_of(pyrometer, "manual"))
    checkers: dict[str, list[Path | str]] = {
        "mandoc": ["mandoc", "-Tlint", "-Wwarning", page],
        "groff": ["groff", "-man", "-ww", "-z", "-Tutf8", page],
        "man": ["man", "--warnings", "-E", "UTF-8", "-l", page],
    }
    for name, command in checkers.items():
        if not shutil.which(name):
            continue
        result = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
        )
        assert (result.returncode, result.stderr) == (0, ""), name
