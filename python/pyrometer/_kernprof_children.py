"""Forked children of a program under kernprof: each leaves a file of its own."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyrometer._output_name import with_part

STUCK = 1.0  # s after a signal that Python has not handled


class Children:
    """Hears of forks until stop(). `clear` and `write` are called in the children."""

    def __init__(
        self, outfile: Path, clear: Callable[[], None], write: Callable[[Path], None]
    ) -> None:
        self._outfile = outfile.absolute()  # the program may change the directory
        self._clear = clear
        self._write = write
        self._parent: int | None = os.getpid()
        self._began = time.time()
        os.register_at_fork(after_in_child=self._begin)

    @property
    def is_child(self) -> bool:
        return self._parent is not None and os.getpid() != self._parent

    def stop(self) -> None:
        self._parent = None

    def write(self) -> None:
        """What this child has measured."""
        self._write(with_part(self._outfile, str(os.getpid())))

    def files(self) -> list[Path]:
        """Of the children that this run had."""
        name = with_part(self._outfile, "*").name
        found = sorted(self._outfile.parent.glob(name))
        return [file for file in found if self._is_of_child(file)]

    def _is_of_child(self, file: Path) -> bool:
        start = len(self._outfile.stem) + 1
        pid = file.name[start : len(file.name) - len(self._outfile.suffix)]
        # Clocks of file systems may be a little behind.
        return pid.isdigit() and file.stat().st_mtime >= self._began - 0.01

    def _begin(self) -> None:
        """In a new child, which has its parent's figures so far."""
        if self._parent is None:
            return
        self._clear()
        # Children of multiprocessing end without Python's own end; they have one of their own.
        util: Any = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, Children._begin_process)

    def _begin_process(self) -> None:
        from multiprocessing.util import Finalize

        Finalize(None, self.write, exitpriority=-100)
        try:
            # A pool ends its workers by a signal.
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                signal.signal(signal.SIGTERM, self._terminate)
                self._watch_for_signal()
        except ValueError:
            pass  # not in the main thread

    def _watch_for_signal(self) -> None:
        """A signal that comes just before a call that blocks would be heard when that ends, which
        may be never. A thread hears of it in any case."""
        from _thread import start_new_thread

        end, start = os.pipe()
        os.set_blocking(start, False)
        others = signal.set_wakeup_fd(start, warn_on_full_buffer=False)
        if others != -1:
            signal.set_wakeup_fd(others)
            os.close(start)
            os.close(end)
            return
        start_new_thread(self._die_if_stuck, (end,))

    def _die_if_stuck(self, end: int) -> None:
        while signal.SIGTERM not in os.read(end, 1):
            pass
        time.sleep(STUCK)
        self.write()
        os.kill(os.getpid(), signal.SIGKILL)

    def _terminate(self, *_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self.write()
        os.kill(os.getpid(), signal.SIGTERM)
