"""line_profiler as it is on PyPI, in environments of its own: the oracle of its format and text."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from harness.environments import InstallError, cache_folder, make_environment

# The classes that files name changed with 5.0.1, the text with 5.0.0.
VERSIONS = ("4.0.3", "4.2.0", "5.0.0", "5.0.2")
NEWEST = VERSIONS[-1]

Timings = dict[tuple[str, int, str], list[tuple[int, int, int]]]

WRITE = """
import json, pickle, sys
from line_profiler import line_profiler
path, protocol, unit, entries = json.load(sys.stdin)
Stats = getattr(line_profiler, "LineStats", None)
if Stats is None:
    from line_profiler._line_profiler import LineStats as Stats
timings = {tuple(key): [tuple(line) for line in lines] for key, lines in entries}
with open(path, "wb") as file:
    pickle.dump(Stats(timings, unit), file, protocol)
"""
READ = """
import json, pickle, sys
with open(sys.argv[1], "rb") as file:
    stats = pickle.load(file)
json.dump([stats.unit, list(stats.timings.items())], sys.stdout)
"""


class LineProfiler:
    """One version of it."""

    def __init__(self, python: Path) -> None:
        self.python = python

    def run(self, *words: object, **keywords: Any) -> str:
        result = subprocess.run(
            [self.python, *map(str, words)],
            capture_output=True,
            text=True,
            timeout=100,
            **keywords,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    def write(self, path: Path, timings: Timings, unit: float = 1e-9, protocol: int = -1) -> Path:
        self.run("-c", WRITE, input=json.dumps([str(path), protocol, unit, list(timings.items())]))
        return path

    def read(self, path: Path) -> tuple[float, Timings]:
        unit, entries = json.loads(self.run("-c", READ, path))
        return unit, {tuple(key): [tuple(line) for line in lines] for key, lines in entries}

    def show(self, words: Sequence[object], **keywords: Any) -> str:
        return self.run("-m", "line_profiler", *words, **keywords)


def line_profiler(version: str) -> LineProfiler:
    cache = cache_folder().parent / "viewers"
    package = f"line_profiler=={version}"
    try:
        folder = make_environment(package, Path(sys.executable), [package], print, cache)
    except InstallError as error:
        pytest.skip(f"line_profiler {version} cannot be installed: {error}")
    return LineProfiler(folder / "bin" / "python")
