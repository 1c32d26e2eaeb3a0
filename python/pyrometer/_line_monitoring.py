"""Calls and lines by sys.monitoring, for _line_events.py."""

import sys
from sys import _getframe
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyrometer._line_events import FindListeners

# 3.12 tells of a line again when a Python function that it called returns and a jump leads there.
TELLS_TWICE = sys.version_info[:2] == (3, 12)
# Debuggers, coverage and profilers have numbers of their own; the agent takes 4 and 3.
TOOLS = (5, 3, 4)


class Monitoring:
    """Events are local to the code that is watched, but for what an exception does."""

    def __init__(self, find_listeners: "FindListeners") -> None:
        self._listeners = find_listeners
        self._monitoring: Any = vars(sys)["monitoring"]
        self._tool = -1
        self._lines: dict[int, dict[int, int]] = {}  # of watched code: instruction to line
        self._last: dict[FrameType, int] = {}  # line, of what runs, where it is told twice
        events = self._monitoring.events
        self._callbacks: dict[int, Callable[..., None]] = {
            events.PY_START: self._on_start,
            events.PY_RESUME: self._on_resume,
            events.PY_YIELD: self._on_yield,
            events.PY_RETURN: self._on_leave,
            events.LINE: self._on_line,
            events.JUMP: self._on_jump,
            events.PY_THROW: self._on_throw,
            events.PY_UNWIND: self._on_leave,
        }
        self._everywhere = events.PY_THROW | events.PY_UNWIND
        self._local = sum(self._callbacks) & ~self._everywhere

    def take_tool(self) -> bool:
        """False when all are taken."""
        for tool in TOOLS:
            if self._monitoring.get_tool(tool) is None:
                self._monitoring.use_tool_id(tool, "pyrometer")
                self._tool = tool
                for event, callback in self._callbacks.items():
                    self._monitoring.register_callback(tool, event, callback)
                self._monitoring.set_events(tool, self._everywhere)
                return True
        return False

    def begin(self) -> None: ...

    def watch(self, code: CodeType) -> None:
        self._lines[id(code)] = {
            offset: line or 0
            for start, end, line in code.co_lines()
            for offset in range(start, end, 2)
        }
        self._monitoring.set_local_events(self._tool, code, self._local)

    def unwatch(self, code: CodeType) -> None:
        self._monitoring.set_local_events(self._tool, code, 0)
        del self._lines[id(code)]

    def end(self, is_last: bool) -> None:
        if is_last:
            self._monitoring.set_events(self._tool, 0)
            for event in self._callbacks:
                self._monitoring.register_callback(self._tool, event, None)
            self._monitoring.free_tool_id(self._tool)

    # ---- called by the interpreter, from the frame that the event is of

    def _on_start(self, code: CodeType, _offset: int) -> None:
        for listener in self._listeners(code):
            listener.enter(_getframe(1))

    def _on_resume(self, code: CodeType, _offset: int) -> None:
        for listener in self._listeners(code):
            listener.resume(_getframe(1))

    def _on_throw(self, code: CodeType, _offset: int, _error: object) -> None:
        for listener in self._listeners(code):
            listener.resume(_getframe(1))

    def _on_yield(self, code: CodeType, _offset: int, _value: object) -> None:
        for listener in self._listeners(code):
            listener.suspend(_getframe(1))

    def _on_leave(self, code: CodeType, _offset: int, _value: object) -> None:
        if TELLS_TWICE:
            self._last.pop(_getframe(1), None)
        for listener in self._listeners(code):
            listener.leave(_getframe(1))

    def _on_line(self, code: CodeType, line: int) -> None:
        if TELLS_TWICE and self._is_told_again(_getframe(1), line):
            return
        for listener in self._listeners(code):
            listener.line(_getframe(1), line)

    def _is_told_again(self, frame: FrameType, line: int) -> bool:
        before = self._last.get(frame)
        self._last[frame] = line
        return before == line

    def _on_jump(self, code: CodeType, source: int, target: int) -> None:
        """A loop on one line begins it anew each time, as for a trace function."""
        lines = self._lines.get(id(code), {})
        line = lines.get(target)
        if target <= source and line and line == lines.get(source):
            for listener in self._listeners(code):
                listener.line(_getframe(1), line)
