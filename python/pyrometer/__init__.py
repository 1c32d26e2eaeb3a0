"""Pyrometer tells where a Python program runs hot, without touching the program.

The command `pyrometer` does the work; `python -m pyrometer` is the same command.

    from pyrometer import profile

is a decorator that can stay in a program: it does nothing until somebody records.
"""

from pyrometer._explicit_profiler import profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pyrometer.line_profiler import LineProfiler

    __version__: str

lineprof = profile

__all__ = ["LineProfiler", "__version__", "lineprof", "profile"]


def __getattr__(name: str) -> object:
    """What takes time to import waits until somebody asks."""
    if name == "LineProfiler":
        from pyrometer.line_profiler import LineProfiler

        return LineProfiler
    if name == "__version__":
        return _version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pyrometer")
    except PackageNotFoundError:  # used from a checkout, not installed
        return "0+checkout"
