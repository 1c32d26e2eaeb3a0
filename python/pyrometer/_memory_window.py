"""What a part of the program allocates: every block of it, by the place that made it."""

from typing import NamedTuple

from pyrometer._native import load_agent


class StackFrame(NamedTuple):
    filename: str
    function: str
    lineno: int


class WindowPlace(NamedTuple):
    """One call path, and the bytes of it."""

    at_peak: int
    live: int
    live_blocks: int
    frames: tuple[StackFrame, ...]  # the innermost first


class WindowFigures(NamedTuple):
    peak: int  # bytes that were live at once
    places: list[WindowPlace]


def begin_window(own_thread: bool = False) -> bool:
    """False where memory is not recorded, or somebody else's window is open."""
    return bool(load_agent().begin_memory_window(own_thread))


def end_window() -> WindowFigures | None:
    """None without a window, as in a process that was forked off."""
    told = load_agent().end_memory_window()
    if told is None:
        return None
    peak, rows = told
    places = [
        WindowPlace(at_peak, live, blocks, tuple(StackFrame(*frame) for frame in stack))
        for at_peak, live, blocks, stack in rows
    ]
    return WindowFigures(peak, places)
