"""Projects with tests of their own, which a real pytest runs with our plugin."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from running import PACKAGE, Result

PYTEST = Path(sys.executable).with_name("pytest")
MODULE = (sys.executable, "-m", "pytest")
# The checkout is not installed, so nothing tells pytest of the plugin by itself.
PLUGIN = "pyrometer.pytest_plugin"

# busy(s) takes s seconds of CPU on its last line, which is the hottest.
WORK = """
import time

def busy(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(3000))
"""


class Project:
    def __init__(self, folder: Path, executable: Path) -> None:
        self.folder = folder
        self.executable = executable
        (folder / "pytest.ini").write_text("[pytest]\n")

    def write(self, name: str, source: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)

    def run(
        self,
        *words: object,
        command: tuple[object, ...] = MODULE,
        environment: Mapping[str, str] = {},
        **keywords: Any,
    ) -> Result:
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
        }
        variables |= {"PYTHONPATH": str(PACKAGE), "PYTEST_PLUGINS": PLUGIN, **environment}
        keywords = {"stdin": subprocess.DEVNULL, **keywords}
        if "input" in keywords:
            del keywords["stdin"]
        return subprocess.run(
            [*map(str, command), *map(str, words)],
            cwd=self.folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=100,
            **keywords,
        )

    def ask(self, command: str, *words: str, run: str = "pyrometer-tests/run") -> dict[str, Any]:
        """Of what was recorded."""
        done = subprocess.run(
            [self.executable, command, self.folder / run, "--json", *words],
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(done.stdout)
        return document


def section_of(result: Result) -> list[str]:
    """The lines of the section "pyrometer", which is there once."""
    found: list[str] = re.findall(
        r"^=+ pyrometer =+\n(.*?)^=", result.stdout, re.MULTILINE | re.DOTALL
    )
    assert len(found) == 1, result.stdout + result.stderr
    return found[0].rstrip().splitlines()


def outcome_of(result: Result) -> str:
    """What pytest says of the tests, without times and without our own words."""
    text = re.sub(
        r"^=+ pyrometer =+\n(.*?)(?=^=)", "", result.stdout, flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^pyrometer: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"=+|0x[0-9a-f]+", "", text)
    return re.sub(r"in \d+\.\d+s", "in N", text)
