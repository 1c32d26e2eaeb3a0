"""The decorator that stays in the program: `from pyrometer import memprof`.

It does nothing until somebody measures: MEMORY_PROFILE=1, `python -m pyrometer.memory_profiler`,
`python -m pyrometer.mprof run` or `pyrometer run --lines`.
"""

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, overload

from pyrometer._explicit_profiler import is_set

F = TypeVar("F")


@overload
def memprof(
    func: F, *, stream: Any = ..., precision: int = ..., backend: str | None = ...
) -> F: ...
@overload
def memprof(
    func: None = None, *, stream: Any = ..., precision: int = ..., backend: str | None = ...
) -> Callable[[F], F]: ...
def memprof(
    func: Any = None, *, stream: Any = None, precision: int = 1, backend: str | None = None
) -> Any:
    """Memory of each line of the function, or of all methods of the class, as memory_profiler
    prints it, if somebody measures.
    """
    if func is None:
        return partial(memprof, stream=stream, precision=precision, backend=backend)
    active: Any = getattr(builtins, "profile", None)
    if hasattr(active, "__pyrometer__"):
        return active(func)
    if hasattr(active, "measures_memory"):
        return _decorate(func, active)
    if is_set("MEMORY_PROFILE"):
        from pyrometer.memory_profiler import profile

        measure = partial(profile, stream=stream, precision=precision, backend=backend)
        return _decorate(func, measure)
    return func


def _decorate(target: Any, measure: Callable[[Any], Any]) -> Any:
    """The function, or the class with each of its own functions, measured."""
    from pyrometer._line_targets import find_functions, is_in_scope

    if isinstance(target, type):
        for name, member in list(vars(target).items()):
            if is_in_scope("children", target, member):
                setattr(target, name, _decorate(member, measure))
        return target
    try:
        has_lines = bool(find_functions(target))
    except TypeError:  # a descriptor of somebody else's
        has_lines = False
    return measure(target) if has_lines else target
