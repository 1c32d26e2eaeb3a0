"""What every test of the commands needs: the executable under test and the interpreters."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def executable() -> Path:
    """The executable under test: the release build, or PYROMETER_EXECUTABLE."""
    chosen = os.environ.get("PYROMETER_EXECUTABLE")
    path = Path(chosen) if chosen else ROOT / "build" / "release" / "bin" / "pyrometer"
    if not path.is_file():
        pytest.fail(f"There is no executable {path}: run ./pyrometer once to build it.")
    return path


@pytest.fixture(scope="session")
def pyrometer(executable: Path) -> Run:
    """Runs pyrometer with the arguments; keywords go to subprocess.run."""

    def run(*arguments: object, **keywords: object) -> subprocess.CompletedProcess[str]:
        options = {"capture_output": True, "text": True, "timeout": 60, **keywords}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([executable, *map(str, arguments)], **options)

    return run


def parse_pythons(text: str) -> dict[str, Path]:
    """`3.11=/usr/bin/python3 3.13=/a path/python` by version; the last of a version counts."""
    entries = re.findall(r"(\d+\.\d+)=(.+?)(?=\s+\d+\.\d+=|\s*$)", text, re.DOTALL)
    return {version: Path(path) for version, path in entries}


@pytest.fixture(scope="session")
def pythons() -> dict[str, Path]:
    """The interpreters to test with by version, from PYROMETER_TEST_PYTHONS."""
    given = parse_pythons(os.environ.get("PYROMETER_TEST_PYTHONS", ""))
    return given or {"{}.{}".format(*sys.version_info): Path(sys.executable)}
