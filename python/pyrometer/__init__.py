"""Pyrometer tells where a Python program runs hot, without touching the program.

The command `pyrometer` does the work; `python -m pyrometer` is the same command.

    from pyrometer import profile

is a decorator that can stay in a program: it does nothing until somebody records.

    with pyrometer.timed_region("assembly"):
        ...

is a timer that costs some tens of nanoseconds; `pyrometer.summary()` prints them all.

    with pyrometer.recording("run"):
        ...

records a part of the program as `pyrometer run` records all of it.

    %load_ext pyrometer

gives a notebook the magics %pyrun, %lprun, %mprun, %memit and %pyprof.
"""

from pyrometer._explicit_profiler import profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pyrometer._command_line import add_argument
    from pyrometer._loaded_profile import LoadedProfile, load
    from pyrometer._memory_usage import memory_usage
    from pyrometer._memprof import memprof
    from pyrometer._profile_query import LoadError
    from pyrometer._recorded_calls import recording
    from pyrometer._recording import Recording, RecordingError, pause, resume, start, stop
    from pyrometer._timers import (
        Region,
        Timing,
        mark,
        reset_timers,
        summary,
        timed_function,
        timed_region,
        timing,
        timings,
    )
    from pyrometer.cprofile import Profile
    from pyrometer.line_profiler import LineProfiler

    __version__: str

lineprof = profile

__all__ = [
    "LineProfiler",
    "LoadError",
    "LoadedProfile",
    "Profile",
    "Recording",
    "RecordingError",
    "Region",
    "Timing",
    "__version__",
    "add_argument",
    "lineprof",
    "load",
    "mark",
    "memory_usage",
    "memprof",
    "pause",
    "profile",
    "recording",
    "reset_timers",
    "resume",
    "start",
    "stop",
    "summary",
    "timed_function",
    "timed_region",
    "timing",
    "timings",
]

# What takes time to import waits until somebody asks.
_MODULES = {
    "LineProfiler": "line_profiler",
    "LoadError": "_profile_query",
    "LoadedProfile": "_loaded_profile",
    "Profile": "cprofile",
    "load": "_loaded_profile",
    "Recording": "_recording",
    "RecordingError": "_recording",
    "add_argument": "_command_line",
    "pause": "_recording",
    "recording": "_recorded_calls",
    "resume": "_recording",
    "start": "_recording",
    "stop": "_recording",
    "load_ipython_extension": "_notebook",  # of IPython: not for `import *`, which works without
    "memory_usage": "_memory_usage",
    "memprof": "_memprof",
    "Region": "_timers",
    "Timing": "_timers",
    "mark": "_timers",
    "reset_timers": "_timers",
    "summary": "_timers",
    "timed_function": "_timers",
    "timed_region": "_timers",
    "timing": "_timers",
    "timings": "_timers",
}


if not TYPE_CHECKING:  # else a misspelt name would be anything

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            from importlib import import_module

            value: object = getattr(import_module(f"pyrometer.{_MODULES[name]}"), name)
            globals()[name] = value  # the next time it costs nothing
            return value
        if name == "__version__":
            return _version()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pyrometer")
    except PackageNotFoundError:  # used from a checkout, not installed
        return "0+checkout"


def _record_as_environment_says() -> None:
    from os import environ

    if environ.get("PYROMETER_PROFILE"):
        from pyrometer import _command_line

        _command_line.record_as_environment_says()


_record_as_environment_says()
