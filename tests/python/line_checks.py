"""Runs the programs that look at the line engine from inside, with any interpreter."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from running import PROGRAMS


def agent_of(executable: Path) -> Path:
    return executable.parents[1] / "libexec" / "pyrometer" / "_agent.abi3.so"


def run_program(python: Path, program: str, *words: object, **keywords: Any) -> str:
    command = [python, "-W", "ignore", PROGRAMS / program, *map(str, words)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=110,
        **keywords,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def run_json(python: Path, program: str, *words: object, **keywords: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run_program(python, program, *words, **keywords))
    return answer


def differences(expected: dict[str, int], found: dict[str, int]) -> dict[str, Any]:
    """By line: the hits that were expected, and those that were counted."""
    lines = sorted(expected.keys() | found.keys(), key=int)
    return {
        line: (expected.get(line), found.get(line))
        for line in lines
        if expected.get(line) != found.get(line)
    }
