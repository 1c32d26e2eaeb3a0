"""Runs programs that record themselves, and reads what they recorded."""

import json
import os
from pathlib import Path
from typing import Any

from profiles import RecordedProfile
from running import BUSY, PACKAGE, Recorded, Result, run_command

HEAD = f"""{BUSY}
import os, sys
import pyrometer
"""


class InsideRunner:
    """One interpreter in one folder, with the package on its path."""

    def __init__(self, executable: Path, python: Path, folder: Path) -> None:
        self.executable = executable
        self.python = python
        self.folder = folder

    def __call__(
        self, source: str, *words: object, variables: dict[str, str] | None = None
    ) -> Result:
        """Runs the source as program.py, whose own assertions must hold where it returns 0."""
        program = self.folder / "program.py"
        program.write_text(HEAD + source)
        return run_command(
            [self.python, program, *words], cwd=self.folder, env=environment(**(variables or {}))
        )

    def expect(self, source: str, *words: object, **variables: str) -> Result:
        done = self(source, *words, variables=variables)
        assert done.returncode == 0, done.stderr
        return done

    def profile(self, run: str) -> RecordedProfile:
        return RecordedProfile(json.loads(self.command("export", run, "--json")))

    def report(self, run: str, *words: object) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.command("report", run, "--json", *words))
        return document

    def command(self, name: str, run: str, *words: object) -> str:
        done = run_command([self.executable, name, self.folder / run, *words])
        assert done.returncode == 0, done.stderr
        output: str = done.stdout
        return output

    def calls(self, run: str) -> dict[str, int]:
        rows = self.report(run)["functions"]
        return {row["name"]: row["calls"] for row in rows}

    def hits(self, run: str) -> dict[str, list[int]]:
        """Of the measured lines of each function that ran, in order."""
        document = json.loads(self.command("export", run, "--json"))
        found: dict[str, dict[int, int]] = {}
        for metric in document["metrics"]:
            for _, function, line, value in metric["lines"] if metric["name"] == "hits" else ():
                name = document["functions"][function]["name"]
                found.setdefault(name, {}).setdefault(line, 0)
                found[name][line] += value
        return {name: [rows[line] for line in sorted(rows)] for name, rows in found.items()}

    def recorded(self, run: str) -> Recorded:
        return Recorded(self.executable, self.folder / run, run_command(["true"]))


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PACKAGE), **variables}
