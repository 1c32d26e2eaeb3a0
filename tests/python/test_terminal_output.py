"""What reaches a terminal, a pipe or a full disk: colours, progress, errors."""

import math
import os
import pty
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import MakeRun, Run, recordings_in
from running import on_a_calm_machine

ESCAPE = "\x1b"
CLEAR_LINE = "\r\x1b[K"


def on_terminal(
    executable: Path, *arguments: object, stream: str, environment: Mapping[str, str] | None = None
) -> str:
    """What the command writes to a stream that is a terminal, while the other is none."""
    terminal, other_end = pty.openpty()
    streams: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    inherited = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
    pieces: list[bytes] = []

    def read() -> None:
        try:
            while piece := os.read(terminal, 65536):
                pieces.append(piece)
        except OSError:  # the command has closed its end
            pass

    with subprocess.Popen(
        [str(executable), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        env={**inherited, "TERM": "xterm", **(environment or {})},
        **(streams | {stream: other_end}),
    ) as process:
        os.close(other_end)
        reader = threading.Thread(target=read)
        reader.start()
        assert process.wait(timeout=60) == 0
        reader.join(timeout=60)
    os.close(terminal)
    return b"".join(pieces).decode()


def test_colours_on_a_terminal(executable: Path, run_directory: Path) -> None:
    def shown(**environment: str) -> str:
        command = ("report", run_directory)
        return on_terminal(executable, *command, stream="stdout", environment=environment)

    assert ESCAPE in shown()
    assert ESCAPE in shown(NO_COLOR="")  # empty is as good as unset, says no-color.org
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        assert ESCAPE not in shown(**plain), plain


def test_colours_elsewhere(pyrometer: Run, run_directory: Path) -> None:
    def shown(*arguments: str, **environment: str) -> str:
        inherited = {k: v for k, v in os.environ.items() if not k.endswith("_COLOR")}
        result = pyrometer("report", run_directory, *arguments, env=inherited | environment)
        assert result.returncode == 0
        return result.stdout

    assert ESCAPE not in shown()
    assert ESCAPE in shown(FORCE_COLOR="1")
    assert ESCAPE not in shown(FORCE_COLOR="1", NO_COLOR="1")
    assert ESCAPE not in shown("--json", FORCE_COLOR="1")


def test_colours_do_not_change_the_text(executable: Path, run_directory: Path) -> None:
    command = [str(executable), "report", str(run_directory)]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    coloured = on_terminal(executable, *command[1:], stream="stdout").replace("\r\n", "\n")
    for code in ("0", "1", "2", "31", "33"):
        coloured = coloured.replace(f"{ESCAPE}[{code}m", "")
    assert coloured == plain


@pytest.fixture(scope="module")
def slow_input(
    pyrometer: Run, make_run: MakeRun, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    """Takes two seconds to read, on any machine: one large recording named many times."""
    run = make_run(tmp_path_factory.mktemp("slow") / "run", nodes=1000, samples=1_000_000)
    begin = time.monotonic()
    few = 10 * recordings_in(run)
    assert pyrometer("report", *few).returncode == 0
    return few * math.ceil(2 / (time.monotonic() - begin))


def test_progress_on_a_terminal(executable: Path, slow_input: list[Path], tmp_path: Path) -> None:
    for command in (["report"], ["merge", "-o", tmp_path / "all.pyro"]):
        shown = on_terminal(executable, *command, *slow_input, stream="stderr")
        assert f"{CLEAR_LINE}pyrometer: reading " in shown, command
        assert f"of {len(slow_input)}" in shown
        assert shown.endswith(CLEAR_LINE)
        assert "\n" not in shown


def test_no_progress_elsewhere(pyrometer: Run, slow_input: list[Path]) -> None:
    result = pyrometer("report", *slow_input)
    assert result.returncode == 0
    assert result.stderr == ""


def test_no_progress_for_short_work(executable: Path, run_directory: Path) -> None:
    def attempt() -> None:
        assert on_terminal(executable, "report", run_directory, stream="stderr") == ""

    on_a_calm_machine(attempt)


def test_closed_pipe_is_no_error(executable: Path, run_directory: Path) -> None:
    for command in ("report", "dump", "export -F collapsed"):
        line = f'"$1" {command} "$2" | head -1'
        result = subprocess.run(
            ["bash", "-c", line, "-", executable, run_directory],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert result.returncode == 0
        assert result.stdout.count("\n") == 1
        assert result.stderr == "", command


def test_full_disk_behind_standard_output(
    executable: Path, run_directory: Path, recording: Path
) -> None:
    commands: list[list[Path | str]] = [
        ["report", run_directory],
        ["report", run_directory, "--json"],
        ["export", run_directory, "--format", "collapsed"],
        ["dump", recording],
        ["dump", recording, "--json"],
        ["completion", "bash"],
        ["manual"],
        ["--help"],
        ["--version"],
        ["report", "--help"],
    ]
    for command in commands:
        with Path("/dev/full").open("w") as full:
            result = subprocess.run(
                [executable, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
            )
        assert result.returncode == 1, command
        assert result.stderr.startswith("pyrometer: cannot write to standard output"), command
        assert result.stderr.count("\n") == 1


def test_closed_standard_output(executable: Path, run_directory: Path) -> None:
    result = subprocess.run(
        ["bash", "-c", '"$1" report "$2" >&-', "-", executable, run_directory],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert "standard output" in result.stderr
