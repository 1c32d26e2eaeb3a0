"""Timers where the agent cannot be: in interpreters besides a process's first. Nothing is timed."""

from collections.abc import Callable
from typing import Any, Self, TypeVar

F = TypeVar("F", bound=Callable[..., object])


class Region:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a region is a string, not {name!r}")
        self.name = name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __call__(self, function: F, /) -> F:
        return function

    def __reduce__(self) -> tuple[Callable[[str], "Region"], tuple[str]]:
        return timed_region, (self.name,)

    def __repr__(self) -> str:
        return f"timed_region({self.name!r})"


def timed_region(name: str, /) -> Region:
    return Region(name)


def mark(name: str, /, **values: object) -> None:
    pass


def region_timings() -> dict[str, Any]:
    return {}


def reset_regions() -> None:
    pass


for public in (Region, timed_region, mark):
    public.__module__ = "pyrometer"  # where pickles find them
