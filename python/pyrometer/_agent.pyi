from collections.abc import Callable
from types import CodeType
from typing import NamedTuple, Self, TypeVar, final

_F = TypeVar("_F", bound=Callable[..., object])

class profiler_subentry(NamedTuple):  # noqa: N801
    code: CodeType | str
    callcount: int
    reccallcount: int
    totaltime: float
    inlinetime: float

class profiler_entry(NamedTuple):  # noqa: N801
    code: CodeType | str
    callcount: int
    reccallcount: int
    totaltime: float
    inlinetime: float
    calls: list[profiler_subentry] | None

class Profiler:
    def __init__(
        self,
        timer: Callable[[], float] | None = None,
        timeunit: float = 0.0,
        subcalls: bool = True,
        builtins: bool = True,
    ) -> None: ...
    def enable(self, subcalls: bool = True, builtins: bool = True) -> None: ...
    def disable(self) -> None: ...
    def clear(self) -> None: ...
    def getstats(self) -> list[profiler_entry]: ...

def start(hook: str = "") -> None: ...

# Lines that are measured from now on have memory, too. False where not every byte is counted.
def measure_memory() -> bool: ...

# Bytes of the process, and what this thread allocated less what it freed; None: not counted.
def own_memory() -> tuple[int, int] | None: ...

# The recording of this process, if there is one, gets the text of code that is in no file.
def keep_source(file: str, text: str, /) -> None: ...

class LineTimes:
    # with_inner: the lines of what is defined inside a function are rows of that function's table.
    def __init__(self, with_inner: bool = False) -> None: ...
    # A measured version of the code; its own output comes back as it is. ValueError(reason)
    # where that is impossible.
    def rewrite(self, code: CodeType) -> CodeType: ...
    # Measures activations of this very code object by the interpreter's events.
    def watch(self, code: CodeType) -> None: ...
    def unwatch(self, code: CodeType) -> None: ...
    # Original code, engine ("rewritten", "events", "trace function"), and rows: line, hits,
    # nanoseconds with all callees, nanoseconds without measured callees.
    def stats(self) -> list[tuple[CodeType, str, list[tuple[int, int, int, int]]]]: ...
    # Of each function: code of the table its lines are in, first line, calls, heap at the first
    # and largest heap at any of them, and rows: line, hits, largest heap after it, what it added.
    def memory(
        self,
    ) -> list[tuple[CodeType, int, int, int, int, list[tuple[int, int, int, int]]]]: ...
    def clear(self) -> None: ...

# A named region of the program: `with region:` times what is inside, `@region` a function.
@final
class Region:
    @property
    def name(self) -> str: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def __call__(self, function: _F, /) -> _F: ...
    # Calls the function inside the region, without a Python frame. The second one says how that
    # is pickled, called with it, the region and the function.
    def _wrap(self, function: _F, reduce: Callable[[_F, Region, _F], object], /) -> _F: ...

# One object for each name.
def timed_region(name: str, /) -> Region: ...

# Marks this moment on the timeline of a recording; does nothing without one.
def mark(name: str, /, **values: object) -> None: ...

# By name: count, total, self, min and max in seconds, of regions that ended.
def region_timings() -> dict[str, tuple[int, float, float, float, float]]: ...
def reset_regions() -> None: ...

# Records this process from now on, and the run's directory; RuntimeError says why not. The keys
# are those of pyrometer._recording_request.make_request().
def begin(request: dict[str, object], /) -> str: ...

# Ends that. False when other ranks of the launch still record into the same directory.
def end() -> bool: ...

# Whoever records.
def pause() -> None: ...
def resume() -> None: ...

# The directory of the run that this process is recorded in, by whomever.
def recorded_in() -> str | None: ...

# Follows every block that is made from now on, of this thread or of all. False where memory is not
# recorded, or somebody else does so.
def begin_memory_window(own_thread: bool = False, /) -> bool: ...

# The most bytes that were live at once of what was made since, and the places that held most of it
# or still do: bytes then, bytes and blocks now, and the stack as (file, function, line), the
# innermost first. None without a window.
def end_memory_window(
    most: int = 50, /
) -> tuple[int, list[tuple[int, int, int, list[tuple[str, str, int]]]]] | None: ...

# Everything until now is in the recording's file. False without one.
def write_recording() -> bool: ...
