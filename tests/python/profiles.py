"""What a recorded run holds, as `pyrometer export --json` tells it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Frame:
    name: str
    qualified_name: str
    file: str
    first_line: int
    kind: str  # python, builtin, native or label
    line: int


@dataclass(frozen=True)
class Stack:
    """A call path from its root, and what it cost by itself in one thread."""

    frames: tuple[Frame, ...]
    thread: int
    value: int

    @property
    def python_frames(self) -> list[Frame]:
        return [frame for frame in self.frames if frame.kind == "python"]

    @property
    def innermost(self) -> Frame | None:
        """The Python code at work: a native leaf or a wait belongs to the line that called it."""
        frames = self.python_frames
        return frames[-1] if frames else None


class RecordedProfile:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.values = {metric["name"]: metric["values"] for metric in document["metrics"]}

    @cached_property
    def paths(self) -> list[tuple[Frame, ...]]:
        """The call path of every node."""
        functions = self.document["functions"]
        paths: list[tuple[Frame, ...]] = []
        for node in self.document["nodes"]:
            above = () if node["parent"] is None else paths[node["parent"]]
            function = functions[node["function"]]
            frame = Frame(
                name=function["name"],
                qualified_name=function["qualified_name"] or function["name"],
                file=function["file"],
                first_line=function["line"],
                kind=function["kind"],
                line=node["line"],
            )
            paths.append((*above, frame))
        return paths

    def stacks(self, metric: str) -> Iterator[Stack]:
        for thread, node, value in self.values.get(metric, []):
            yield Stack(self.paths[node], thread, value)

    def total(self, metric: str) -> int:
        return sum(value for _, _, value in self.values.get(metric, []))

    def by_thread(self, metric: str) -> Counter[str]:
        totals: Counter[str] = Counter()
        for thread, _, value in self.values.get(metric, []):
            totals[self.thread_names[thread]] += value
        return totals

    def pid_of(self, thread: int) -> int:
        pid: int = self.document["processes"][self.document["threads"][thread]["process"]]["pid"]
        return pid

    def by_process(self, metric: str) -> Counter[int]:
        totals: Counter[int] = Counter()
        for thread, _, value in self.values.get(metric, []):
            totals[self.pid_of(thread)] += value
        return totals

    def by_function(self, metric: str) -> Counter[str]:
        """Self values by the name of the Python function; comprehensions are their function's."""
        totals: Counter[str] = Counter()
        for stack in self.stacks(metric):
            names = [frame.name for frame in stack.python_frames if frame.name[0] != "<"]
            totals[names[-1] if names else ""] += stack.value
        return totals

    def by_line(self, metric: str, file: str) -> Counter[int]:
        """Self values of the lines of a file that were at work."""
        totals: Counter[int] = Counter()
        for stack in self.stacks(metric):
            frame = stack.innermost
            if frame and frame.file.endswith(file):
                totals[frame.line] += stack.value
        return totals

    def by_label(self, metric: str) -> Counter[str]:
        totals: Counter[str] = Counter()
        for stack in self.stacks(metric):
            leaf = stack.frames[-1]
            if leaf.kind == "label":
                totals[leaf.name] += stack.value
        return totals

    @property
    def function_names(self) -> set[str]:
        return {function["name"] for function in self.document["functions"]}

    @property
    def thread_names(self) -> list[str]:
        return [thread["name"] for thread in self.document["threads"]]

    @property
    def pids(self) -> list[int]:
        return [process["pid"] for process in self.document["processes"]]


def shares(values: Counter[str], names: Iterator[str] | list[str]) -> dict[str, float]:
    """What each of the names has of their sum, in percent."""
    names = list(names)
    whole = sum(values[name] for name in names)
    return {name: 100 * values[name] / whole if whole else 0.0 for name in names}
