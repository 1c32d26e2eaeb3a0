"""Tells whether the stacks of a recording are stacks that the program can have had.

The program says behind each line which functions it may call: see programs/legal_stacks.py.
"""

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from profiles import Frame, RecordedProfile, Stack

CODE_NODES = {
    ast.Lambda: "<lambda>",
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


@dataclass
class Verdict:
    checked: int = 0  # call paths with a frame of the program
    foreign: int = 0  # nanoseconds in paths without one: start-up and shutdown
    checked_value: int = 0  # nanoseconds in those that were checked
    seen: set[str] = field(default_factory=set)  # the program's functions in any stack
    illegal: Counter[str] = field(default_factory=Counter)  # nanoseconds by kind of fault
    examples: dict[str, str] = field(default_factory=dict)  # one stack with each

    def describe(self) -> str:
        worst = [
            f"{value} ns: {what} in {self.examples[what]}"
            for what, value in self.illegal.most_common(12)
        ]
        return f"{len(self.illegal)} kinds of impossible stacks\n" + "\n".join(worst)


class StackChecker:
    def __init__(self, program: Path) -> None:
        text = program.read_text()
        self.file = program.name
        self.allowed = {
            number: {name.strip() for name in marked.group(1).split(",")}
            for number, line in enumerate(text.splitlines(), 1)
            if (marked := re.search(r"\S  # -> (.*)$", line))
        }
        self.imports: set[int] = set()
        # (name, first line) of each code object, and its last line.
        self.code: dict[tuple[str, int], int] = {("<module>", 1): text.count("\n")}
        # Where the module's code begins depends on the version: at 0 or 1.
        self.code["<module>", 0] = self.code["<module>", 1]
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.code[node.name, first] = node.end_lineno or node.lineno
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self.imports.add(node.lineno)
            elif isinstance(node, ast.ClassDef):
                self.code[node.name, node.lineno] = node.end_lineno or node.lineno
            elif type(node) in CODE_NODES:
                self.code[CODE_NODES[type(node)], node.lineno] = node.end_lineno or node.lineno

    @property
    def functions(self) -> set[str]:
        """The names that some line calls."""
        return set().union(*self.allowed.values()) - {"threading"}

    def is_ours(self, frame: Frame) -> bool:
        return frame.kind == "python" and Path(frame.file).name == self.file

    def check(self, profile: RecordedProfile, metric: str = "cpu") -> Verdict:
        verdict = Verdict()
        for stack in profile.stacks(metric):
            frames = [frame for frame in stack.frames if frame.kind == "python"]
            if not any(map(self.is_ours, frames)):
                verdict.foreign += stack.value
                continue
            verdict.checked += 1
            verdict.checked_value += stack.value
            verdict.seen |= {frame.name for frame in frames if self.is_ours(frame)}
            for fault in self.faults(stack, frames):
                verdict.illegal[fault] += stack.value
                path = " > ".join(f"{frame.name}:{frame.line}" for frame in stack.frames)
                verdict.examples.setdefault(fault, path)
        return verdict

    def faults(self, stack: Stack, frames: list[Frame]) -> list[str]:
        faults = []
        if not self.is_root(frames):
            names = " > ".join(frame.name for frame in frames[:4])
            faults.append(f"begins wrongly: {names}")
        faults += [
            f"no such place: {frame.name}:{frame.line}"
            for frame in frames
            if self.is_ours(frame) and not self.is_in_code(frame)
        ]
        faults += [
            f"{caller.name}:{caller.line} -> {callee.name}"
            for caller, callee in pairwise(frames)
            if not self.may_call(caller, callee)
        ]
        kinds = [frame.kind for frame in stack.frames]
        if any(kind != "python" for kind in kinds[: len(frames)]):
            faults.append("Python code below what is not Python")
        return faults

    def is_root(self, frames: list[Frame]) -> bool:
        """The program's module, or a thread as threading starts it with our function on top."""
        if self.is_ours(frames[0]):
            return frames[0].name == "<module>"
        names = [frame.name for frame in frames]
        return names[:3] == ["_bootstrap", "_bootstrap_inner", "run"] and names[3] == "worker"

    def is_in_code(self, frame: Frame) -> bool:
        last = self.code.get((frame.name, frame.first_line))
        return last is not None and frame.first_line <= frame.line <= last

    def may_call(self, caller: Frame, callee: Frame) -> bool:
        allowed = self.allowed.get(caller.line, set())
        if self.is_ours(caller):
            if self.is_ours(callee):
                return callee.name in allowed
            if "importlib" in callee.file:
                return caller.line in self.imports
            # threading keeps weak references to its threads, which may die at any line.
            return Path(callee.file).stem in allowed | {"_weakrefset"}
        # From outside only threading calls us; calls among others are not our matter.
        return not self.is_ours(callee) or (caller.name, callee.name) == ("run", "worker")
