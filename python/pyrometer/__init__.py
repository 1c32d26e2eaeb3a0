"""Pyrometer tells where a Python program runs hot, without touching the program.

The command `pyrometer` does the work; `python -m pyrometer` is the same command.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("pyrometer")
except PackageNotFoundError:  # used from a checkout, not installed
    __version__ = "0+checkout"

__all__ = ["__version__"]
