"""Starts Python once more, with the library that counts memory before malloc.

It is the same process with the same words, and once it runs its environment is what it was: the
program and its children see nothing of this.
"""

import os
import sys
import sysconfig

from pyrometer._native import load_agent, native_file

COMMAND = "pyrometer.memory_profiler"
PRELOAD, ALLOCATOR = "LD_PRELOAD", "PYTHONMALLOC"
MARK = "PYROMETER_RESTARTED"  # with the library, which it names
SEPARATORS = ": "  # of LD_PRELOAD
SANITIZERS = ("libasan", "libtsan", "liblsan", "libclang_rt.")  # which refuse to come second


def restart_with_library() -> None:
    """Comes back when that is done, or where it is not possible: find_counters() tells."""
    library = os.environ.pop(MARK, None)
    if library is not None:
        _restore(library)
        load_agent()
        return
    library = _find_library()
    if library is None:
        return
    preloads = os.environ.get(PRELOAD)
    environment = {
        **os.environ,
        MARK: library,
        PRELOAD: library if preloads is None else f"{library}:{preloads}",
        # What a line's objects take is known exactly only if malloc makes them.
        ALLOCATOR: "malloc",
    }
    os.execve(sys.executable, sys.orig_argv, environment)


def _restore(library: str) -> None:
    del os.environ[ALLOCATOR]
    preloads = os.environ[PRELOAD]
    if preloads == library:
        del os.environ[PRELOAD]
    else:
        os.environ[PRELOAD] = preloads.removeprefix(f"{library}:")


def _find_library() -> str | None:
    if (
        not sys.executable
        or not any(word.endswith(COMMAND) for word in sys.orig_argv)  # a program runs us
        or sys.flags.ignore_environment
        or sysconfig.get_config_var("Py_GIL_DISABLED")  # has an allocator of its own
        or ALLOCATOR in os.environ  # the user's choice
        or "PYROMETER_RUN" in os.environ  # the recording would end
        or any(name in os.environ.get(PRELOAD, "") for name in SANITIZERS)
    ):
        return None
    try:
        load_agent()  # so that the library fits this Python, too
        library = native_file("_memory.so")
    except ImportError:
        return None
    path = str(library)
    return None if not library.is_file() or any(each in path for each in SEPARATORS) else path
