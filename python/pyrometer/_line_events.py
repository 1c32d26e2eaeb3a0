"""Calls and lines of chosen code objects, told to whoever listens.

From 3.12 on by sys.monitoring, at no cost for other code; before, or where no tool id is free, by
a trace function in the threads that ask and in new ones.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import CodeType, FrameType
from typing import Protocol


class Listener(Protocol):
    def enter(self, frame: FrameType) -> None: ...
    def line(self, frame: FrameType, line: int) -> None: ...
    def suspend(self, frame: FrameType) -> None: ...  # a yield or an await
    def resume(self, frame: FrameType) -> None: ...
    def leave(self, frame: FrameType) -> None: ...


FindListeners = Callable[[CodeType], tuple[Listener, ...]]


class Engine(Protocol):
    """Once for each thread that asks begin() and end(), and watch() and unwatch() between them."""

    def begin(self) -> None: ...
    def watch(self, code: CodeType) -> None: ...
    def unwatch(self, code: CodeType) -> None: ...
    def end(self, is_last: bool) -> None: ...


# By the id of the code, which is kept alive: equal code need not be the same.
_watched: dict[int, tuple[CodeType, tuple[Listener, ...]]] = {}
_lock = threading.RLock()
_engine: Engine | None = None  # while anything is watched


def watch(codes: Iterable[CodeType], listener: Listener) -> None:
    global _engine
    with line_lock():
        if _engine is None:
            _engine = _make_engine()
        _engine.begin()
        for code in codes:
            known = find_listeners(code)
            _watched[id(code)] = (code, (*known, listener))
            if not known:
                _engine.watch(code)


def unwatch(codes: Iterable[CodeType], listener: Listener) -> None:
    """As often as watch(), and in the same thread."""
    global _engine
    with line_lock():
        if _engine is None:
            return
        for code in codes:
            left = tuple(each for each in find_listeners(code) if each is not listener)
            if left:
                _watched[id(code)] = (code, left)
            elif _watched.pop(id(code), None):
                _engine.unwatch(code)
        _engine.end(is_last=not _watched)
        if not _watched:
            _engine = None


def line_lock() -> AbstractContextManager[bool]:
    """Of all that is known of lines. Reentrant, as a destructor may be one of the functions."""
    return _lock


def _renew_lock() -> None:
    """A thread that held it does not exist in a forked child."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)


def find_listeners(code: CodeType) -> tuple[Listener, ...]:
    known = _watched.get(id(code))
    return () if known is None else known[1]


def _make_engine() -> Engine:
    if hasattr(sys, "monitoring"):
        from pyrometer._line_monitoring import Monitoring

        engine = Monitoring(find_listeners)
        if engine.take_tool():
            return engine
    from pyrometer._line_tracing import Tracing

    return Tracing(find_listeners)
