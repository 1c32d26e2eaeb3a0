"""Runs pytest anew under `pyrometer run`: the same words, so that nothing is missed, not even
imports, and workers of pytest-xdist are processes of the same run.
"""

import os
import sys
from argparse import Namespace
from pathlib import Path
from types import FrameType

import pytest

from pyrometer._executable import NOT_FOUND, find_executable

RUN = "PYROMETER_RUN"  # in the environment of whatever is recorded
COMMANDS = ("console_main", "_console_main")  # what `pytest` and `python -m pytest` call


def restart_recorded(options: Namespace) -> None:
    """Comes back where the session is recorded already, or is a part of another program."""
    if RUN in os.environ or not _is_command(sys._getframe()):  # noqa: SLF001
        return
    if sys.flags.ignore_environment:
        raise pytest.UsageError(
            "--pyrometer needs Python to look at its environment; start it without -E and -I."
        )
    executable = find_executable()
    if executable is None:
        raise pytest.UsageError(f"--pyrometer: {NOT_FOUND}.")
    folder = make_folder(options)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    words = [str(executable), *run_words(options, folder), "--", sys.executable, *sys.orig_argv[1:]]
    os.execv(executable, words)


def run_words(options: Namespace, folder: Path) -> list[str]:
    """Of `pyrometer run`; what is wrong with them it says itself."""
    words = ["run", "--quiet", "--replace", f"--output={output_name(folder)}"]
    if options.pyrometer_engine != "sampling":
        words.append(f"--{options.pyrometer_engine}")
    if options.pyrometer_rate is not None:
        words.append(f"--rate={options.pyrometer_rate}")
    if options.pyrometer_memory != "none":
        words.append(f"--memory={options.pyrometer_memory}")
    return words


def output_name(folder: Path) -> str:
    """Nothing in it is filled in."""
    return str(folder / "run").replace("%", "%%")


def make_folder(options: Namespace) -> Path:
    """Where everything goes; a new one is left alone by version control."""
    folder = Path(options.pyrometer_dir)
    try:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            (folder / ".gitignore").write_text("*\n")
    except OSError as error:
        raise pytest.UsageError(
            f"--pyrometer-dir: cannot make {folder}: {error.strerror}."
        ) from None
    return folder


def _is_command(frame: FrameType | None) -> bool:
    """Whether the innermost pytest on the stack was started by its command, not by a program."""
    while frame is not None and not _is_main(frame, "main", "_main"):
        frame = frame.f_back
    while frame is not None and _is_main(frame, "main", "_main"):
        frame = frame.f_back
    return frame is not None and _is_main(frame, *COMMANDS)


def _is_main(frame: FrameType, *names: str) -> bool:
    module = frame.f_globals.get("__name__")
    return module == "_pytest.config" and frame.f_code.co_name in names
