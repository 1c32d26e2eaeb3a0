"""Completion scripts, in the shells themselves."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from shell_completion import offered
from test_command_line import COMMANDS, output_of

Complete = Callable[[str], list[str]]


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"there is no {name}; on Debian: apt-get install {name}")
    return name


@pytest.fixture
def complete(shell: str, pyrometer: Run, tmp_path: Path) -> Complete:
    """What is offered behind a line, in a folder with a run and a merged file."""
    script = tmp_path / "script"
    script.write_text(output_of(pyrometer, "completion", shell))
    folder = tmp_path / "folder"
    (folder / "my run").mkdir(parents=True)
    (folder / "job.pyro").touch()
    return lambda line: offered(shell, script, f"pyrometer {line}", folder)


def test_commands_and_files(complete: Complete) -> None:
    assert set(complete("")) >= set(COMMANDS)
    assert complete("rep") == ["report"]
    assert "--version" in complete("--")
    assert complete("completion ") in (["bash", "zsh", "fish"], ["bash", "fish", "zsh"])
    assert complete("report jo") == ["job.pyro"]
    assert complete("report m") == ["my run"]
    assert complete("report --json jo") == ["job.pyro"]
    assert complete("manual jo") == []


def test_options_and_their_values(complete: Complete) -> None:
    assert complete("report --bot") == ["--bottom-up"]
    assert complete("report --sort cum") == ["cumtime", "cumulative"]
    assert complete("report --sort=cum") == ["cumtime", "cumulative"]
    assert complete("report -s per") == ["per-call"]
    assert sorted(complete("report --format ")) == ["json", "pstats", "text"]
    assert "speedscope" in complete("export -F ")
    assert complete("run --memory=ex") == ["exact"]
    assert complete("export x.prof -o jo") == ["job.pyro"]
    assert complete("report --limit jo") == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_offered(command: str, complete: Complete, pyrometer: Run) -> None:
    text = output_of(pyrometer, command, "--help").split("Options:")[1]
    names = ",".join(re.findall(r"^  (-[\w,-]+)", text, re.MULTILINE)).split(",")
    documented = {name for name in names if name.startswith("--")}
    assert "--help" in documented
    assert {word.rstrip("=") for word in complete(f"{command} --")} == documented


def test_words_behind_a_program_are_its_own(complete: Complete, shell: str) -> None:
    if shell == "fish":
        pytest.skip("fish offers options everywhere")
    for line in ("run -q job.pyro --", "run --rate 100 x.py --", "run --rate=100 x.py --"):
        assert complete(line) == []
    assert "--memory" in complete("run --rate 100 --mem")
    assert complete("run x.py jo") == complete("run -- x jo") == ["job.pyro"]


def test_several_values(complete: Complete, shell: str) -> None:
    if shell != "bash":
        pytest.skip("only ours for bash completes behind a comma")
    assert complete("report --by file,mod") == ["file,module"]


def test_installation_puts_them_where_shells_look(executable: Path, tmp_path: Path) -> None:
    build = executable.parent.parent
    if not (build / "cmake_install.cmake").is_file():
        pytest.skip("the executable is not in a build folder")
    subprocess.run(
        ["cmake", "--install", build, "--prefix", tmp_path],
        check=True,
        capture_output=True,
        timeout=100,
    )
    installed = tmp_path / "bin" / "pyrometer"
    for file, words in {
        "share/man/man1/pyrometer.1": ["manual"],
        "share/bash-completion/completions/pyrometer": ["completion", "bash"],
        "share/zsh/site-functions/_pyrometer": ["completion", "zsh"],
        "share/fish/vendor_completions.d/pyrometer.fish": ["completion", "fish"],
    }.items():
        said = subprocess.run([installed, *words], check=True, capture_output=True, timeout=60)
        assert (tmp_path / file).read_bytes() == said.stdout
