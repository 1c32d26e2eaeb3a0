"""Calls and lines by a trace function, for _line_events.py."""

import dis
import sys
import threading
from functools import lru_cache
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyrometer._line_events import FindListeners

YIELD_VALUE = dis.opmap["YIELD_VALUE"]
GENERATORS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR


class Tracing:
    """Stands beside the trace function that is there already."""

    def __init__(self, find_listeners: "FindListeners") -> None:
        self._listeners = find_listeners
        self._thread = threading.local()
        self._trace = self._on_call  # one and the same object
        self._other_of_threads = threading.gettrace()
        threading.settrace(self._trace)  # for threads to come

    def begin(self) -> None:
        thread = self._thread
        thread.depth = getattr(thread, "depth", 0) + 1
        if thread.depth == 1:
            thread.before = sys.gettrace()
            if thread.before is not self._trace:
                thread.other = thread.before
            sys.settrace(self._trace)

    def watch(self, code: CodeType) -> None: ...

    def unwatch(self, code: CodeType) -> None: ...

    def end(self, is_last: bool) -> None:
        thread = self._thread
        thread.depth = getattr(thread, "depth", 1) - 1
        if thread.depth == 0 and sys.gettrace() is self._trace:
            sys.settrace(getattr(thread, "before", None))
        if is_last:
            threading.settrace(self._other_of_threads)

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Hears of calls only; the frame itself remembers who hears of the rest."""
        other: Any = getattr(self._thread, "other", self._other_of_threads)
        local = other(frame, event, argument) if other else None
        listeners = self._listeners(frame.f_code)
        if not listeners:
            return local
        known = frame.f_trace
        if isinstance(known, Activation):
            known.resume(frame)
            return known
        for listener in listeners:
            listener.enter(frame)
        return Activation(frame.f_code, local, self._listeners)


class Activation:
    """The trace function of one frame."""

    def __init__(self, code: CodeType, other: Any, find_listeners: "FindListeners") -> None:
        self._other = other
        self._listeners = find_listeners
        self._raised_at = -1
        self._is_suspended = False
        self._yields = find_yields(code) if code.co_flags & GENERATORS else frozenset[int]()

    def resume(self, frame: FrameType) -> None:
        if self._is_suspended:
            self._is_suspended = False
            for listener in self._listeners(frame.f_code):
                listener.resume(frame)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._other:
            self._other = self._other(frame, event, argument)
        self.resume(frame)  # generator.throw() is no call
        if event == "exception":
            self._raised_at = frame.f_lasti
        elif event == "line":
            self._raised_at = -1
            for listener in self._listeners(frame.f_code):
                listener.line(frame, frame.f_lineno)
        elif event == "return":
            # Also when an exception leaves the frame, or was thrown in where it yields.
            at = frame.f_lasti
            self._is_suspended = at in self._yields and at != self._raised_at
            for listener in self._listeners(frame.f_code):
                (listener.suspend if self._is_suspended else listener.leave)(frame)
        return frame.f_trace  # a listener may have called a debugger


@lru_cache(256)
def find_yields(code: CodeType) -> frozenset[int]:
    return frozenset(at for at in range(0, len(code.co_code), 2) if code.co_code[at] == YIELD_VALUE)
