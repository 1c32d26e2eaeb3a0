"""Where tests allocated, told by lines of the project's own code."""

import os
import sysconfig
from collections import Counter
from pathlib import Path

from pyrometer._executable import PACKAGE
from pyrometer._memory_size import show_size
from pyrometer._memory_window import StackFrame, WindowFigures, WindowPlace

INSTALLED = ("site-packages", "dist-packages")
MOST_LINES = 10
MOST_CALLERS = 3


class OwnPlaces:
    """Knows the project's files from those of others."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}{os.sep}"
        others = (sysconfig.get_path("stdlib"), PACKAGE)
        self._others = tuple(f"{folder}{os.sep}" for folder in others)

    def is_own(self, frame: StackFrame) -> bool:
        name = frame.filename
        is_installed = any(f"{os.sep}{folder}{os.sep}" in name for folder in INSTALLED)
        return (
            name.startswith(self._root) and not is_installed and not name.startswith(self._others)
        )

    def peak_text(self, figures: WindowFigures, limit: str) -> str:
        """By the line of the project that led to it, whoever called malloc in the end."""
        lines: Counter[str] = Counter()
        for place in figures.places:
            lines[self._line(place)] += place.at_peak
        least = figures.peak / 100  # pytest and the interpreter need some bytes themselves
        shown = [(size, line) for line, size in lines.most_common(MOST_LINES) if size >= least]
        rest = figures.peak - sum(size for size, _ in shown)
        if rest >= least:
            shown.append((rest, "in other places"))
        head = f"The test held {show_size(figures.peak)} at once; {limit} allows less."
        return "\n".join([head, *(f"  {show_size(size):>10}  {line}" for size, line in shown)])

    def leak_text(self, leaks: list[WindowPlace], limit: str) -> str:
        """By call path, as the limit is for each of them."""
        leaks = sorted(leaks, key=lambda place: -place.live)
        total = show_size(sum(place.live for place in leaks))
        text = [f"The test keeps {total} that it allocated; {limit} allows less at one place."]
        for place in leaks[:MOST_LINES]:
            blocks = f"{place.live_blocks:,} block{'s' if place.live_blocks != 1 else ''}"
            text.append(f"  {show_size(place.live):>10} in {blocks}  {self._line(place)}")
            text += [f"{'':14}called from {self._show(each)}" for each in self._callers(place)]
        if len(leaks) > MOST_LINES:
            text.append(f"  and at {len(leaks) - MOST_LINES} other places")
        return "\n".join(text)

    def _line(self, place: WindowPlace) -> str:
        if not place.frames:
            return "outside of Python code"
        inner = place.frames[0]
        own = next(filter(self.is_own, place.frames), inner)
        return self._show(own) if own is inner else f"{self._show(own)}, in {self._show(inner)}"

    def _callers(self, place: WindowPlace) -> list[StackFrame]:
        return [*filter(self.is_own, place.frames)][1 : 1 + MOST_CALLERS]

    def _show(self, frame: StackFrame) -> str:
        return f"{frame.filename.removeprefix(self._root)}:{frame.lineno} {frame.function}"
