"""What the magics that measure functions have in common."""

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from IPython.core.error import UsageError

ABSENT = object()


def find_functions(shell: Any, expressions: list[str]) -> list[Any]:
    """What the user names, which may be any expression."""
    functions = []
    for expression in expressions:
        try:
            functions.append(eval(expression, shell.user_global_ns, shell.user_ns))
        except Exception as error:
            raise UsageError(
                f"Could not find function {expression}.\n{type(error).__name__}: {error}"
            ) from None
    return functions


@contextmanager
def named_profile(profiler: object) -> Iterator[None]:
    """Code that runs meanwhile finds the profiler as the decorator @profile."""
    before = getattr(builtins, "profile", ABSENT)
    builtins.profile = profiler  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if before is ABSENT:
            del builtins.profile  # type: ignore[attr-defined]
        else:
            builtins.profile = before  # type: ignore[attr-defined]


class Interruption:
    """SystemExit and Ctrl-C end the statement, not the magic: `with` it, then ask what it was."""

    sentence = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        if kind is None or not issubclass(kind, SystemExit | KeyboardInterrupt):
            return False
        self.sentence = f"{kind.__name__} exception caught in code being profiled."
        return True
