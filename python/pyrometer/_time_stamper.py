"""When functions ran, and the memory before and after: mprof's brackets."""

import os
import sys
import time
from contextvars import ContextVar
from typing import IO, Any

from pyrometer._context_wrappers import can_be_wrapped, wrap
from pyrometer._line_targets import find_functions
from pyrometer._process_memory import MIB, own_reader

# How many brackets are open around; each thread and each task has its own.
_level: ContextVar[int] = ContextVar("level", default=0)


class TimeStamper:
    """A decorator. Calls are written to the stream as they end, if there is one, so that those
    of a program that is killed are not lost; otherwise show_results() does it.
    """

    measures_memory = True

    def __init__(
        self,
        backend: str | None = None,
        include_children: bool = False,
        stream: IO[str] | None = None,
    ) -> None:
        self.read = own_reader(backend, include_children)
        self._stream = stream
        self._lines: list[str] = []
        self._owner = os.getpid()

    def __call__(self, func: Any = None, precision: int = 1) -> Any:  # noqa: ARG002
        if func is None:
            return self
        if not can_be_wrapped(func):
            raise ValueError("only functions can be decorated")
        name = _name_of(func)
        return wrap(func, lambda: Bracket(self, name))

    def timestamp(self, name: str = "<block>") -> "Bracket":
        """For a block of code: `with profile.timestamp("name"):`."""
        return Bracket(self, f".{name}")

    def add(self, line: str) -> None:
        if os.getpid() != self._owner:
            return  # the file is about the parent
        if self._stream is None:
            self._lines.append(line)
        else:
            self._stream.write(line)
            self._stream.flush()

    def show_results(self, stream: IO[str] | None = None) -> None:
        (stream or sys.stdout).writelines(self._lines)


def _name_of(target: Any) -> str:
    """Its own, or that of the function behind a property, a partial object and the like."""
    named: Any = next(iter(find_functions(target)), target)
    name = getattr(named, "__name__", type(named).__name__)
    return f"{named.__module__}.{name}"


class Bracket:
    """One call, or one visit of a block."""

    def __init__(self, stamper: TimeStamper, name: str) -> None:
        self._stamper = stamper
        self._name = "_".join(name.split())  # the file's fields end at blanks

    def __enter__(self) -> None:
        self._level = _level.get()
        _level.set(self._level + 1)
        self._before = self._now()

    def __exit__(self, *exception: object) -> None:
        _level.set(_level.get() - 1)
        self._stamper.add(f"FUNC {self._name} {self._before} {self._now()} {self._level}\n")

    def _now(self) -> str:
        return f"{self._stamper.read() / MIB:.4f} {time.time():.4f}"
