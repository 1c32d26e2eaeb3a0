"""`with recording():` and `@recording()`: a part of a program, or each call of a function."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pyrometer._recording import Recording, RecordingError, start

if TYPE_CHECKING:
    from pyrometer._recording_request import Lines, Output

__all__ = ["recording"]

F = TypeVar("F")


class recording:  # noqa: N801  used like a function
    """`with recording("run") as r:` records what is inside, `@recording(...)` each call of a
    function. Takes the arguments of start().
    """

    def __init__(
        self,
        output: "Output | None" = None,
        *,
        rate: int | None = None,
        exact: bool = False,
        lines: "Lines" = False,
        memory: bool | str = False,
        overwrite: bool = False,
        quiet: bool = True,
    ) -> None:
        if output is not None and not isinstance(output, (str, os.PathLike)):
            raise TypeError(
                f"recording takes the name of an output, not {output!r}; as a decorator it is "
                "written with parentheses: @pyrometer.recording()"
            )
        self._start: Callable[[], Recording] = lambda: start(
            output,
            rate=rate,
            exact=exact,
            lines=lines,
            memory=memory,
            overwrite=overwrite,
            quiet=quiet,
        )
        self._entered: list[Recording] = []

    def __enter__(self) -> Recording:
        self._entered.append(self._start())
        return self._entered[-1]

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        _stop(self._entered.pop(), error)

    def __call__(self, function: F) -> F:
        """A generator or coroutine is recorded from its first step to its last."""
        from pyrometer._context_wrappers import can_be_wrapped, wrap

        if not can_be_wrapped(function):
            is_class = isinstance(function, type)
            what = "a class: decorate its methods" if is_class else repr(function)
            raise TypeError(f"a function can be recorded, not {what}")
        wrapped: F = wrap(function, lambda: _Call(self._start))
        return wrapped


class _Call:
    """One call: several may run at once, and each ends its own."""

    def __init__(self, begin: Callable[[], Recording]) -> None:
        self._begin = begin

    def __enter__(self) -> None:
        self._recording = self._begin()

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        _stop(self._recording, error)


def _stop(own: Recording, error: BaseException | None) -> None:
    """What the program itself raises goes on, whatever is wrong with the recording."""
    try:
        own.stop()
    except RecordingError as problem:
        if error is None:
            raise
        if sys.stderr is not None:
            sys.stderr.write(f"pyrometer: {problem}\n")
