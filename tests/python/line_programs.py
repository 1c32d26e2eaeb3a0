"""Runs programs that profile their own lines, or modules of ours as commands."""

import os
import subprocess
from pathlib import Path
from typing import Any

from running import PACKAGE

HEAD = """
import functools, sys, types, warnings
from pyrometer.line_profiler import LineProfiler, LineStats, load_stats
warnings.simplefilter("error")

def rows(profiler, name):
    "The hits of a function's lines, counted from its first one, which is 0."
    [(label, rows)] = [
        item for item in profiler.get_stats().timings.items() if item[0][2] == name
    ]
    return {line - label[1]: hits for line, hits, _ in rows}

def times(profiler, name):
    "The same with times in nanoseconds."
    [(label, rows)] = [
        item for item in profiler.get_stats().timings.items() if item[0][2] == name
    ]
    return {line - label[1]: time for line, _, time in rows}

def names(profiler):
    return sorted(label[2] for label in profiler.get_stats().timings)
"""


class LineRunner:
    """One interpreter in one folder, with the package on its path."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.folder = folder

    def __call__(
        self, *words: object, variables: dict[str, str] | None = None, **keywords: Any
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE), **(variables or {})}
        options = {"capture_output": True, "text": True, "timeout": 100, **keywords}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        command = [str(self.python), *map(str, words)]
        return subprocess.run(command, env=environment, cwd=self.folder, **options)

    def kernprof(self, *words: object, **keywords: Any) -> subprocess.CompletedProcess[str]:
        return self("-m", "pyrometer.kernprof", *words, **keywords)

    def write(self, name: str, source: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def expect(self, body: str) -> None:
        """The body's own assertions hold, and it reaches its end."""
        self.write("program.py", HEAD + body + "\nprint('reached the end')\n")
        done = self("program.py")
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "reached the end"
        assert done.stderr == ""

    def view(self, *words: object) -> str:
        """What our viewer prints."""
        done = self("-m", "pyrometer.line_profiler", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout
