"""Help, version, completion, the man page and wrong usage: all from one description."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Run, expect_refusal

COMMANDS = (
    *("run", "report", "lines", "export", "diff", "scale", "merge", "dump", "completion", "manual"),
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
    for line in text.splitlines():
        if re.match(r"  -", line) and len(line) > 28:
            assert re.search(r"\S {2,}\S|^\S*$", line.strip()), f"no description: {line}"


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
    ],
)
def test_wrong_usage(arguments: list[str], words: str, pyrometer: Run, tmp_path: Path) -> None:
    expect_refusal(pyrometer(*arguments, cwd=tmp_path), words, status=2)
    assert list(tmp_path.iterdir()) == []


def complete_in_bash(pyrometer: Run, folder: Path, *words: str) -> list[str]:
    script = folder / "completion.bash"
    script.write_text(output_of(pyrometer, "completion", "bash"))
    program = """
        source "$1"; shift
        complete -p pyrometer >/dev/null || exit 1
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        _pyrometer pyrometer "${@: -1}" "${@: -2:1}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    result = subprocess.run(
        ["bash", "--norc", "-c", program, "-", script, *words],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split("\n")[:-1]


def test_completion_in_bash(pyrometer: Run, tmp_path: Path) -> None:
    (tmp_path / "my run").mkdir()
    (tmp_path / "job.pyro").touch()

    def complete(*words: str) -> list[str]:
        return complete_in_bash(pyrometer, tmp_path, "pyrometer", *words)

    assert set(complete("")) >= {*COMMANDS, "--help", "--version"}
    assert complete("rep") == ["report"]
    for command in COMMANDS:
        documented = options_in(output_of(pyrometer, command, "--help").split("Options:")[1])
        offered = {word for word in complete(command, "--") if word}
        assert offered <= documented | {"--help"}
        assert "--help" in offered
    assert complete("report", "--bot") == ["--bottom-up"]
    assert complete("report", "--sort", "cum") == ["cumtime", "cumulative"]
    assert complete("report", "-s", "per") == ["per-call"]
    assert complete("report", "--format", "") == ["text", "json", "pstats"]
    assert "speedscope" in complete("export", "-F", "")
    assert complete("report", "my") == ["my run"]
    assert complete("report", "--json", "jo") == ["job.pyro"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_everything(shell: str, pyrometer: Run, tmp_path: Path) -> None:
    text = output_of(pyrometer, "completion", shell)
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", text)
        for option in options_in(output_of(pyrometer, command, "--help").split("Options:")[1]):
            word = f"-l {option[2:]}" if shell == "fish" else option
            assert word in text or option in {"--format", "--json"}, (command, option)
    if program := shutil.which(shell):
        script = tmp_path / "script"
        script.write_text(text)
        result = subprocess.run([program, "-n", script], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")


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
