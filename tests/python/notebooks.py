"""Notebooks that Jupyter executes: a real kernel, cell by cell, and what each cell gave."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import pytest
from harness.environments import InstallError, cache_folder, make_environment
from nbclient import NotebookClient
from running import PACKAGE, Recorded, Result, run_command

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Cell:
    """What came out of one cell."""

    printed: str = ""
    complaint: str = ""  # on standard error
    bundles: list[dict[str, str]] = field(default_factory=list)  # by MIME type
    value: str = ""  # what Out[] shows
    error: str = ""  # the name of an exception that ended it
    traceback: str = ""

    @property
    def view(self) -> str:
        """The HTML of the one thing that was displayed."""
        [bundle] = self.bundles
        return bundle["text/html"]


class Notebook:
    """A folder in which notebooks run, with the package and executable under test."""

    def __init__(self, folder: Path, executable: Path) -> None:
        self.folder = folder
        self._executable = executable
        path = os.pathsep.join([str(executable.parent), os.environ["PATH"]])
        # Settings of whoever runs the tests are not wanted.
        settings = {"IPYTHONDIR": str(folder / ".ipython"), "JUPYTER_CONFIG_DIR": str(folder)}
        package = {"PYTHONPATH": str(PACKAGE), "PATH": path}
        self._environment = {**os.environ, **settings, **package}

    def run(self, *sources: str) -> list[Cell]:
        """In one kernel that has loaded the extension."""
        return self.execute(["%load_ext pyrometer", *sources])[1:]

    def execute(self, sources: Sequence[str]) -> list[Cell]:
        notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
        client = NotebookClient(
            notebook,
            timeout=100,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(self.folder)}},
        )
        client.execute(env=self._environment)
        return [_read(cell["outputs"]) for cell in notebook["cells"]]

    def recorded(self, name: str) -> Recorded:
        """What a cell kept."""
        done = subprocess.CompletedProcess[Any]([], 0, "", "")
        return Recorded(self._executable, self.folder / name, done)

    def in_terminal(self, *lines: str, under: Sequence[object] = ()) -> Result:
        """By IPython without a kernel, up to the first line that fails; with words before it."""
        return self._run_ipython([*under, sys.executable], "pyrometer", lines)

    def of_package(self, extension: str, packages: Sequence[str], *lines: str) -> Result:
        """The same with the magics of another package, in an environment of its own."""
        cache = cache_folder().parent / "viewers"
        name, wanted = f"{extension}-notebook", [*packages, "ipython"]
        try:
            folder = make_environment(name, Path(sys.executable), wanted, print, cache)
        except InstallError as error:
            pytest.skip(f"{extension} cannot be installed: {error}")
        return self._run_ipython([folder / "bin" / "python"], extension, lines)

    def _run_ipython(
        self, python: Sequence[object], extension: str, lines: Sequence[str]
    ) -> Result:
        script = self.folder / "session.ipy"
        script.write_text("\n".join([f"%load_ext {extension}", *lines, ""]))
        options = ["--no-banner", "--colors=NoColor", "--quick"]
        return run_command(
            [*python, "-m", "IPython", *options, script],
            cwd=self.folder,
            env={**self._environment, "PAGER": "cat", "TERM": "dumb"},
        )


def _read(outputs: list[Any]) -> Cell:
    cell = Cell()
    for output in outputs:
        match output["output_type"]:
            case "stream" if output["name"] == "stdout":
                cell.printed += output["text"]
            case "stream":
                cell.complaint += output["text"]
            case "display_data":
                cell.bundles.append(dict(output["data"]))
            case "execute_result":
                cell.value = output["data"]["text/plain"]
            case "error":
                cell.error = output["ename"]
                cell.traceback = COLOURS.sub("", "\n".join(output["traceback"]))
    return cell


def cells_of(file: Path) -> list[str]:
    """The code of a notebook's file."""
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
