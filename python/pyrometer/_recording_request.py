"""What a recording from inside asks the agent for."""

import _thread
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeAlias

from pyrometer._line_targets import find_functions
from pyrometer._output_name import expand_name

Output: TypeAlias = str | os.PathLike[str]
Lines: TypeAlias = bool | str | Callable[..., Any] | Iterable[str | Callable[..., Any]]

FOLDER = Path(__file__).parent
MAGICS_FILE = str(FOLDER / "_notebook.py")
NOTEBOOK_KERNELS = ("ipykernel_launcher", "colab_kernel_launcher")
NOTEBOOK_PACKAGES = ("ipykernel", "IPython", "zmq", "tornado")
FASTEST_RATE = 20_000
MEMORY_MODES = ("sampled", "exact", "objects")


class RecordingError(Exception):
    """Why a program cannot record itself, or what it recorded cannot be written."""


def make_request(
    output: str,
    derived: str | None,
    *,
    rate: int | None,
    exact: bool,
    lines: Lines,
    memory: bool | str,
    overwrite: bool,
) -> dict[str, object]:
    """The request for the agent's begin()."""
    if rate is not None and not (isinstance(rate, int) and 1 <= rate <= FASTEST_RATE):
        raise RecordingError(f"rate is between 1 and {FASTEST_RATE} samples per second, not {rate}")
    if exact and (rate is not None or lines is not False):
        other = "lines" if rate is None else "rate"
        raise RecordingError(f"exact counts calls and takes no samples: leave {other} out")
    targets, functions = _targets_and_functions(lines)
    folder = ""
    if derived is not None:
        folder = str(_expand(derived).parent)
    return {
        "output": "" if derived is not None else output,
        "folder": folder,
        "script": script_name(),
        "argv": list(getattr(sys, "orig_argv", sys.argv)),
        "pid": os.getpid(),
        "replace": overwrite,
        "rate": rate,
        "exact": exact,
        "lines": targets,
        "functions": functions,
        "memory": _memory_mode(memory),
        "threads": _threads(),
        "left_out": [] if exact else _threads_of_notebook(),
        "codes": _own_codes() if exact else [],
        "targets_file": str(FOLDER / "_line_targets.py"),
    }


def script_name() -> str:
    """As `pyrometer run` would call the program: a script's or module's name."""
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        name = str(spec.name).removesuffix(".__main__")
        return "notebook" if name in NOTEBOOK_KERNELS else name
    first = sys.argv[0] if getattr(sys, "argv", None) else ""
    return {"-c": "code", "-": "stdin", "": "python"}.get(first) or Path(first).stem


def _expand(pattern: str) -> Path:
    try:
        return expand_name(pattern, script_name(), one_of_ranks=False)
    except ValueError as error:
        raise RecordingError(str(error)) from None


def _memory_mode(memory: bool | str) -> str:
    if isinstance(memory, bool):
        return "sampled" if memory else ""
    if memory not in MEMORY_MODES:
        raise RecordingError(f"memory is one of {', '.join(MEMORY_MODES)}, not {memory!r}")
    return memory


def _targets_and_functions(lines: Lines) -> tuple[list[str] | None, list[FunctionType]]:
    """Names that select functions, and functions themselves; no names at all without lines."""
    if lines is False:
        return None, []
    if lines is True:
        from pyrometer._explicit_profiler import decorated_objects

        return [], _functions_behind(decorated_objects())
    given = [lines] if isinstance(lines, str) or callable(lines) else list(lines)
    targets = [each for each in given if isinstance(each, str)]
    others = [each for each in given if not isinstance(each, str)]
    functions = _functions_behind(others)
    if others and not functions:
        raise RecordingError(f"{others[0]!r} has no lines that run as Python")
    return (targets, functions) if given else (None, [])


def _functions_behind(targets: Iterable[object]) -> list[FunctionType]:
    found: dict[int, FunctionType] = {}
    for target in targets:
        try:
            found.update((id(function), function) for function in find_functions(target))
        except TypeError as error:
            raise RecordingError(str(error)) from None
    return list(found.values())


def _threads() -> list[tuple[int, str, str]]:
    """The kernel's number, the name and the kind of threads that Python knows; our own first."""
    own = _thread.get_native_id()
    first = "MainThread" if own == os.getpid() else "thread"
    rows = {own: (own, first, first)}
    for number, thread, target in _known_threads():
        kind = getattr(target, "__qualname__", None) or type(thread).__qualname__
        name = str(getattr(thread, "_name", "thread"))
        rows[number] = (number, name, "MainThread" if number == os.getpid() else str(kind))
    return list(rows.values())


def _threads_of_notebook() -> list[int]:
    """A kernel's own: half a dozen that wait all the time or send what cells print, which is no
    time of the program's. Where calls are counted they stay, as what only waits has none.
    """
    own = _thread.get_native_id()
    return [
        number
        for number, thread, target in _known_threads()
        if number != own and _serves_notebook(thread, target)
    ]


def _known_threads() -> Iterator[tuple[int, object, object]]:
    """Number, object and function. Private attributes, as the public ones could be the program's
    code.
    """
    threading = sys.modules.get("threading")  # to import it first in another thread confuses it
    for thread in threading.enumerate() if threading else ():
        number = getattr(thread, "_native_id", None)
        if number is not None:
            yield number, thread, getattr(thread, "_target", None)


def _serves_notebook(thread: object, target: object) -> bool:
    module = getattr(target, "__module__", None) or type(thread).__module__
    return str(module).partition(".")[0] in NOTEBOOK_PACKAGES


def _own_codes() -> list[CodeType]:
    """What this thread is inside of, the outermost first."""
    codes: list[CodeType] = []
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001
    # A cell's frames begin where IPython calls the magic.
    while frame is not None and frame.f_code.co_filename != MAGICS_FILE:
        codes.append(frame.f_code)
        frame = frame.f_back
    return codes[::-1]
