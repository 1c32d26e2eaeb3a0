"""Asks the executable about profiles; it answers in JSON."""

import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any, TypeAlias

from pyrometer._executable import NAME, NOT_FOUND, find_executable

Document: TypeAlias = dict[str, Any]


class LoadError(Exception):
    """Why a profile cannot be read, in the executable's words."""


def ask(command: str, profiles: Sequence[str], *options: str) -> Document:
    """The document of `pyrometer COMMAND PROFILE... --json`."""
    document: Document = json.loads(run_command(command, *profiles, "--json", *options))
    return document


def run_command(command: str, *words: str) -> bytes:
    """What `pyrometer COMMAND WORDS...` prints."""
    executable = find_executable()
    if executable is None:
        raise LoadError(NOT_FOUND)
    try:
        done = subprocess.run(
            [str(executable), command, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**os.environ, "NO_COLOR": "1"},  # a notebook's kernel forces colours
        )
    except OSError as error:
        raise LoadError(f"cannot run {executable}: {error.strerror}") from None
    if done.returncode != 0:
        raise LoadError(_sentence(done.stderr) or f"{NAME} {command} {_ending(done.returncode)}")
    return done.stdout


def _sentence(errors: bytes) -> str:
    """The last thing said: before it there may be remarks about the files."""
    lines = errors.decode(errors="replace").splitlines()
    return lines[-1].removeprefix(f"{NAME}: ") if lines else ""


def _ending(status: int) -> str:
    return f"was ended by signal {-status}" if status < 0 else f"failed with status {status}"
