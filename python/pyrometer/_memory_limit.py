"""`--pdb-mmem`: a debugger where a decorated function goes beyond so much memory."""

import sys
from collections.abc import Callable
from types import CodeType, FrameType

from pyrometer._line_events import watch
from pyrometer._process_memory import MIB


class MemoryLimit:
    """Looks at the end of every line."""

    def __init__(self, limit: float, read: Callable[[], int]) -> None:
        self._limit = limit  # MiB
        self._read = read
        self._is_over = False

    def add(self, code: CodeType) -> None:
        watch([code], self)

    def line(self, frame: FrameType, line: int) -> None:  # noqa: ARG002
        self._check(frame)

    def leave(self, frame: FrameType) -> None:
        self._check(frame)

    def enter(self, frame: FrameType) -> None: ...

    def suspend(self, frame: FrameType) -> None: ...

    def resume(self, frame: FrameType) -> None: ...

    def _check(self, frame: FrameType) -> None:
        memory = self._read() / MIB
        if self._is_over or memory < self._limit:
            return
        self._is_over = True  # the debugger goes on by itself
        sys.stdout.write(
            f"Current memory {memory:.2f} MiB exceeded the maximum of {self._limit:.2f} MiB\n"
            "Stepping into the debugger \n"
        )
        import pdb

        pdb.Pdb().set_trace(frame)
