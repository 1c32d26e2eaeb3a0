from collections.abc import Callable
from types import CodeType
from typing import NamedTuple

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

class LineTimes:
    # A measured version of the code; its own output comes back as it is. ValueError(reason)
    # where that is impossible.
    def rewrite(self, code: CodeType) -> CodeType: ...
    # Measures activations of this very code object by the interpreter's events.
    def watch(self, code: CodeType) -> None: ...
    def unwatch(self, code: CodeType) -> None: ...
    # Original code, engine ("rewritten", "events", "trace function"), and rows: line, hits,
    # nanoseconds with all callees, nanoseconds without measured callees.
    def stats(self) -> list[tuple[CodeType, str, list[tuple[int, int, int, int]]]]: ...
    def clear(self) -> None: ...
