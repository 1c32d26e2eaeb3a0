"""The files of mprof: which ones there are, and what is in them."""

import contextlib
import re
from pathlib import Path
from typing import NamedTuple

PATTERN = "mprofile_??????????????.dat"


class Call(NamedTuple):
    """Of a function, with the memory before and after."""

    start: float
    end: float
    before: float
    after: float


class Memory(NamedTuple):
    """MiB, and seconds since 1970."""

    points: list[tuple[float, float]]
    children: dict[str, list[float]]
    calls: dict[str, list[Call]]


class MprofError(Exception):
    """What is wrong, in one sentence."""


def all_files() -> list[str]:
    """Of this folder, oldest first."""
    return sorted(str(path) for path in Path().glob(PATTERN))


def with_time_stamps(names: list[str]) -> list[str]:
    """Old versions of mprof wrote functions into a second file."""
    seconds = [str(Path(name).with_stem(f"{Path(name).stem}_ts")) for name in reversed(names)]
    return [*names, *(each for each in seconds if Path(each).is_file() and each not in names)]


def find_files(words: list[str]) -> list[str]:
    """Files by name, or by their number in the list, from its end if negative; each once."""
    known = all_files()
    found: list[str] = []
    for word in words:
        if Path(word).is_file():
            name = word
        elif re.fullmatch(r"-?\d+", word):
            try:
                name = known[int(word)]
            except IndexError:
                raise MprofError(f"there is no profile number {word}; see mprof list") from None
        elif Path(word).is_dir():
            raise MprofError(f"{word} is a folder, not a profile")
        else:
            raise MprofError(f"there is no file {word}")
        if name not in found:
            found.append(name)
    return found


def chosen_or_newest(words: list[str]) -> list[str]:
    if words:
        return find_files(words)
    known = all_files()
    if not known:
        raise MprofError(f"there is no {PATTERN} here; mprof run makes one")
    print("Using last profile data.")
    return known[-1:]


def read_memory(name: str) -> Memory:
    memory = Memory([], {}, {})
    try:
        lines = Path(name).read_text(errors="replace").splitlines()
    except OSError as error:
        raise MprofError(f"{name}: {error.strerror}") from None
    for line in lines:
        # The last line of a program that was killed may be cut.
        with contextlib.suppress(ValueError, IndexError):
            _read_line(line.split(" "), memory)
    if not memory.points:
        raise MprofError(f"{name} has no values of memory; mprof rm {name} deletes it")
    return memory


def _read_line(words: list[str], memory: Memory) -> None:
    if words[0] == "MEM":
        memory.points.append((float(words[1]), float(words[2])))
    elif words[0] == "CHLD":
        memory.children.setdefault(words[1], []).append(float(words[2]))
    elif words[0] == "FUNC":
        before, start, after, end = map(float, words[2:6])
        memory.calls.setdefault(words[1], []).append(Call(start, end, before, after))


def peak_in(memory: Memory, function: str | None) -> float:
    """NaN for a function that was not called."""
    if function is None:
        return max(value for value, _ in memory.points)
    calls = memory.calls.get(function, [])
    inside = [
        value
        for value, time in memory.points
        if any(call.start <= time <= call.end for call in calls)
    ]
    # Calls that are shorter than the interval have only their own two values.
    return max(inside or [max(call.before, call.after) for call in calls], default=float("nan"))
