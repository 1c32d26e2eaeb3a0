"""Memory of every line of chosen functions: how much there was after it, how much it added."""

import threading
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import NamedTuple, Protocol, TypeAlias

from pyrometer._line_events import line_lock, unwatch, watch

# Bytes of the process, and the number whose changes are what lines add; often the same.
Reading: TypeAlias = tuple[int, int]


class LineRow(NamedTuple):
    memory: int  # bytes, the most seen after the line
    increment: int  # bytes, over all visits, what the line calls included
    occurrences: int


class Lines(Protocol):
    """What measures lines. Functions may be added, and it may be started, again and again."""

    def add(self, function: FunctionType) -> CodeType: ...  # by which its rows are known
    def start(self) -> None: ...
    def stop(self) -> None: ...  # in the thread that started
    def rows(self, code: CodeType) -> dict[int, LineRow]: ...


class _Activation:
    """One call. A value before each line of its own, so that others cannot spoil it."""

    __slots__ = ("banked", "is_outermost", "line", "start", "table")

    def __init__(self, table: "_Table") -> None:
        self.table = table
        self.line = 0  # none yet
        self.start = 0
        self.banked = 0  # of the line, before it was suspended
        self.is_outermost = True


class _Table:
    """The lines of one function, with all that is defined inside it."""

    def __init__(self) -> None:
        self.rows: dict[int, LineRow] = {}

    def add(self, line: int, memory: int, increment: int) -> None:
        old = self.rows.get(line, LineRow(0, 0, 0))
        self.rows[line] = LineRow(
            max(old.memory, memory), old.increment + increment, old.occurrences + 1
        )


class LineMemory:
    """Measures between start() and stop(); what was measured before is kept.

    A line that is running further up in the same thread counts once: what an inner call adds is
    part of what the outer one added. With `below`, only calls made by that frame count.
    """

    def __init__(self, read: Callable[[], Reading], below: FrameType | None = None) -> None:
        self._read = read
        self._below = below
        self._tables: dict[int, _Table] = {}  # by the id of the code
        self._codes: list[CodeType] = []  # of all of them, kept alive
        self._is_started = False
        self._watched: list[list[CodeType]] = []
        self._activations: dict[FrameType, _Activation | None] = {}  # None: not of our calls
        self._running: dict[tuple[int, int, int], int] = {}  # thread, table, line: how many

    def add(self, function: FunctionType) -> CodeType:
        """With those inside it."""
        code = function.__code__
        known = len(self._codes)
        if id(code) not in self._tables:
            self._add(code, _Table())
        if self._is_started and len(self._codes) > known:
            self._watch(self._codes[known:])
        return code

    def start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self._watch(list(self._codes))

    def stop(self) -> None:
        self._is_started = False
        for codes in reversed(self._watched):
            unwatch(codes, self)
        self._watched.clear()
        with line_lock():
            self._activations.clear()
            self._running.clear()

    def rows(self, code: CodeType) -> dict[int, LineRow]:
        table = self._tables.get(id(code))
        return {} if table is None else dict(table.rows)

    def _watch(self, codes: list[CodeType]) -> None:
        self._watched.append(codes)
        watch(codes, self)

    def _add(self, code: CodeType, table: _Table) -> None:
        self._tables[id(code)] = table
        self._codes.append(code)
        for constant in code.co_consts:
            if isinstance(constant, CodeType) and id(constant) not in self._tables:
                self._add(constant, table)

    # ---- what happens in the functions

    def enter(self, frame: FrameType) -> None:
        level, _ = self._read()
        with line_lock():
            activation = self._find(frame)
            if activation:
                # The first row shows what was there before, so that all rows add up.
                is_first = not activation.table.rows
                activation.table.add(frame.f_code.co_firstlineno, level, level if is_first else 0)

    def line(self, frame: FrameType, line: int) -> None:
        level, now = self._read()
        with line_lock():
            activation = self._find(frame)
            if activation:
                self._finish(activation, level, now)
                activation.line = line
                activation.banked = 0
                self._go(activation, now)

    def suspend(self, frame: FrameType) -> None:
        _, now = self._read()
        with line_lock():
            activation = self._activations.get(frame)
            if activation:
                self._rest(activation, now)

    def resume(self, frame: FrameType) -> None:
        _, now = self._read()
        with line_lock():
            activation = self._activations.get(frame)
            if activation:
                self._go(activation, now)

    def leave(self, frame: FrameType) -> None:
        level, now = self._read()
        with line_lock():
            activation = self._activations.pop(frame, None)
            if activation:
                self._finish(activation, level, now)

    def _find(self, frame: FrameType) -> _Activation | None:
        """A function that was running before has none yet."""
        if frame not in self._activations:
            is_ours = self._below is None or _is_below(frame, self._below)
            table = self._tables[id(frame.f_code)]
            self._activations[frame] = _Activation(table) if is_ours else None
        return self._activations[frame]

    def _go(self, activation: _Activation, now: int) -> None:
        key = (threading.get_ident(), id(activation.table), activation.line)
        count = self._running.get(key, 0)
        self._running[key] = count + 1
        activation.is_outermost = count == 0
        activation.start = now

    def _rest(self, activation: _Activation, now: int) -> None:
        if activation.is_outermost:
            activation.banked += now - activation.start
        key = (threading.get_ident(), id(activation.table), activation.line)
        count = self._running.get(key, 1) - 1
        if count > 0:
            self._running[key] = count
        else:
            self._running.pop(key, None)

    def _finish(self, activation: _Activation, level: int, now: int) -> None:
        if activation.line:
            self._rest(activation, now)
            activation.table.add(activation.line, level, activation.banked)


def _is_below(frame: FrameType, above: FrameType) -> bool:
    step: FrameType | None = frame
    while step is not None:
        if step is above:
            return True
        step = step.f_back
    return False
