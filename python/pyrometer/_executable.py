"""Finds the `pyrometer` executable that belongs to this package."""

import os
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

NAME = "pyrometer"
PACKAGE = Path(__file__).resolve().parent
NOT_FOUND = (
    "the pyrometer executable is not where this package was installed; reinstall the package, or "
    "run ./pyrometer once in a checkout"
)


def find_executable() -> Path | None:
    """The first candidate that can be run, or None."""
    for candidate in _candidates():
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    return None


def _candidates() -> Iterator[Path]:
    yield from _recorded_by_installer()
    # `pip install --target` puts the scripts below the packages.
    yield PACKAGE.parent / "bin" / NAME
    # A checkout: python/pyrometer beside build/.
    yield PACKAGE.parent.parent / "build" / "release" / "bin" / NAME
    # Distributions drop the installer's record, but follow a scheme that Python knows.
    for scheme in sysconfig.get_scheme_names():
        if Path(sysconfig.get_path("purelib", scheme)).resolve() == PACKAGE.parent:
            yield Path(sysconfig.get_path("scripts", scheme)) / NAME
    # An editable install keeps the package elsewhere.
    yield Path(sysconfig.get_path("scripts")) / NAME


def _recorded_by_installer() -> Iterator[Path]:
    """Right for every scheme: system, user, virtual environment, prefix."""
    try:
        installed = distribution("pyrometer")
    except PackageNotFoundError:
        return
    if Path(str(installed.locate_file("pyrometer"))).resolve() != PACKAGE:
        return  # another copy than this one
    for file in installed.files or ():
        if file.name == NAME and file.parent.name == "bin":
            yield Path(str(file.locate())).resolve()
