"""memory_profiler as it is on PyPI, in an environment of its own: the oracle of its text."""

import sys
from pathlib import Path

import pytest
from harness.environments import InstallError, cache_folder, make_environment

# setuptools has the module distutils, which memory_profiler imports.
PACKAGES = ("memory_profiler==0.61.0", "psutil==6.1.1", "setuptools==75.8.0")


def memory_profiler(*others: str) -> Path:
    """The folder with its commands, and with other packages in the same environment."""
    name = "-".join([PACKAGES[0], *(other.partition("=")[0] for other in others)])
    cache = cache_folder().parent / "viewers"
    try:
        folder = make_environment(name, Path(sys.executable), [*PACKAGES, *others], print, cache)
    except InstallError as error:
        pytest.skip(f"memory_profiler cannot be installed: {error}")
    return folder / "bin"
