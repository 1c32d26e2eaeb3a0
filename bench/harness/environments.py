"""A virtual environment per tool and Python, kept in the user's cache folder.

Deleting the folder gets newer versions of everything.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.interpreters import version_of


class InstallError(Exception):
    """Something that cannot be installed, in one line."""


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "pyrometer" / "peers"


def make_environment(
    name: str,
    python: Path,
    packages: Sequence[str],
    say: Callable[[str], None],
    cache: Path | None = None,
) -> Path:
    """The environment's folder, made unless it is there with the same packages."""
    folder = (cache or cache_folder()) / f"{name}-{version_of(python)}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    recipe = "\n".join([str(python), *packages])
    complete = folder / "complete.txt"
    with (folder.parent / f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if complete.is_file() and complete.read_text() == recipe:
            return folder
        say(f"installing {', '.join(packages) or 'nothing'} into {folder}")
        shutil.rmtree(folder, ignore_errors=True)
        pip = make_empty_environment(python, folder)
        if packages:
            # A tool that would have to be compiled is as good as not available.
            install([*pip, "install", "-q", "--only-binary", ":all:", *packages])
        complete.write_text(recipe)
    return folder


def make_empty_environment(python: Path, folder: Path) -> list[str]:
    """Makes it, and says how pip is called for it."""
    own = [str(folder / "bin" / "python"), "-m", "pip"]
    if subprocess.run([python, "-m", "venv", folder], capture_output=True).returncode == 0:
        return [*own, "--disable-pip-version-check"]
    # Without ensurepip, as distributions package it, the interpreter's own pip can do it.
    shutil.rmtree(folder, ignore_errors=True)
    install([str(python), "-m", "venv", "--without-pip", str(folder)])
    return [str(python), "-m", "pip", "--disable-pip-version-check", "--python", own[0]]


def install(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        lines = [line for line in (result.stderr or result.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR:")]
        reason = (errors or lines or [f"{command[0]} failed"])[-1]
        raise InstallError(reason.removeprefix("ERROR:").strip())


def installed_version(folder: Path, package: str) -> str | None:
    """Of a package in the environment, by its metadata; None when it is not there."""
    wanted = package.replace("-", "_").lower()
    for metadata in folder.glob("lib/python*/site-packages/*.dist-info"):
        name, _, version = metadata.name.removesuffix(".dist-info").rpartition("-")
        if name.replace("-", "_").lower() == wanted:
            return version
    return None
