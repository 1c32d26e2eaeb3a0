"""What a reader says of a file, in the form of the manifest.

Times are nanoseconds, memory is bytes, the rest are counts. A function is a name in a file,
whatever lines of it were seen; its total counts recursion once.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

TOP = 3


class Place(NamedTuple):
    """A function; its first line where the file tells, which most do not."""

    name: str
    file: str = ""
    line: int = 0

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"name": self.name, "file": self.file}
        return facts | ({"line": self.line} if self.line else {})


class Stack(NamedTuple):
    frames: tuple[Place, ...]  # from the root
    weight: float
    thread: Hashable = 0
    process: Hashable = 0


def make_truth(
    metric: str, unit: str, total: float, top: Iterable[dict[str, Any]], **facts: Any
) -> dict[str, Any]:
    return {"metric": metric, "unit": unit, "total": total, **facts, "top": list(top)}


def truth_of_stacks(
    stacks: Iterable[Stack], metric: str, unit: str, **facts: Any
) -> dict[str, Any]:
    own: defaultdict[Place, float] = defaultdict(float)
    whole: defaultdict[Place, float] = defaultdict(float)
    threads, processes = set(), set()
    sum_of_weights: float = 0
    for stack in stacks:
        sum_of_weights += stack.weight
        threads.add((stack.process, stack.thread))
        processes.add(stack.process)
        if stack.frames:
            own[stack.frames[-1]] += stack.weight
        for place in set(stack.frames):
            whole[place] += stack.weight
    top = [
        {**place.facts(), "self": tidy(value), "total": tidy(whole[place])}
        for place, value in sorted(own.items(), key=lambda item: -item[1])[:TOP]
        if value > 0
    ]
    functions = len([value for value in whole.values() if value])
    counts = {"functions": functions, "threads": len(threads), "processes": len(processes)}
    return make_truth(metric, unit, tidy(sum_of_weights), top, **counts, **facts)


def tidy(value: float) -> float:
    return int(value) if value == int(value) else round(value, 6)
