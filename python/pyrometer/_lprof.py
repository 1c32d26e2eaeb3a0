"""Files of line_profiler (`.lprof`): written as it writes them, read without unpickling.

Such a file is the pickle of one LineStats object. Reading interprets the few instructions that a
pickle of just that shape has, and refuses all others: nothing is imported, called or built but
plain values.
"""

import pickle
import pickletools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

Label: TypeAlias = tuple[str, int, str]  # file, first line, name
Row: TypeAlias = tuple[int, int, int]  # line, hits, time in units
Timings: TypeAlias = dict[Label, list[Row]]

# The class has moved; versions 4 and 5 both find it here.
WRITTEN_CLASS = ("line_profiler._line_profiler", "LineStats")
KNOWN_CLASSES = {
    WRITTEN_CLASS,
    ("line_profiler.line_profiler", "LineStats"),
    ("_line_profiler", "LineStats"),
}
TEXTS = {"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"}
NUMBERS = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
PUTS = {"MEMOIZE", "BINPUT", "LONG_BINPUT"}
GETS = {"BINGET", "LONG_BINGET"}


class LprofError(ValueError):
    """A file that is not what it should be, in one sentence."""


class _Mark:
    """Begins a group of values."""


class _Class:
    """Stands for LineStats."""


class _Stats:
    """Stands for a LineStats object."""

    state: Any = None


def write_lprof(file: str | Path, timings: Timings, unit: float) -> None:
    """In the form that line_profiler 4 and 5 load; it need not be installed."""
    module, name = WRITTEN_CLASS
    state = pickle.dumps({"timings": timings, "unit": unit}, protocol=2)
    content = b"\x80\x02c%s\n%s\n)\x81%sb." % (module.encode(), name.encode(), state[2:-1])
    Path(file).write_bytes(content)


def read_lprof(file: str | Path) -> tuple[Timings, float]:
    """The timings and their unit in seconds; LprofError when the file holds anything else."""
    content = Path(file).read_bytes()
    try:
        result = _interpret(content)
        return _checked(result.state)
    except LprofError:
        raise
    except Exception as error:
        raise LprofError(f"{file} is not a file of line_profiler: {error}.") from None


def _interpret(content: bytes) -> _Stats:
    """Runs the instructions of a pickle as far as they are harmless."""
    stack: list[Any] = []
    memo: dict[Any, Any] = {}
    for instruction, argument, _ in pickletools.genops(content):
        name = instruction.name
        if name in TEXTS or name in NUMBERS:
            stack.append(argument)
        elif name in PUTS:
            memo[len(memo) if argument is None else argument] = stack[-1]
        elif name in GETS:
            # What can be changed is not shared in such files, and could be made huge by sharing.
            if isinstance(memo[argument], list | dict | _Stats):
                raise ValueError("it has shared tables")
            stack.append(memo[argument])
        elif name in TUPLES:
            stack[-TUPLES[name] :] = [tuple(_top(stack, TUPLES[name]))]
        elif name == "STOP":
            break
        else:
            _apply(name, argument, stack)
    [result] = stack
    if not isinstance(result, _Stats):
        raise ValueError("it is a pickle of something else")
    return result


def _apply(name: str, argument: Any, stack: list[Any]) -> None:
    match name:
        case "PROTO" | "FRAME":
            pass
        case "MARK":
            stack.append(_Mark)
        case "EMPTY_TUPLE":
            stack.append(())
        case "EMPTY_LIST":
            stack.append([])
        case "EMPTY_DICT":
            stack.append({})
        case "TUPLE":
            stack.append(tuple(_pop_group(stack)))
        case "APPEND":
            value = stack.pop()
            _expect(stack[-1], list).append(value)
        case "APPENDS":
            values = _pop_group(stack)
            _expect(stack[-1], list).extend(values)
        case "SETITEM":
            value, key = stack.pop(), stack.pop()
            _expect(stack[-1], dict)[key] = value
        case "SETITEMS":
            pairs = _pop_group(stack)
            _expect(stack[-1], dict).update(zip(pairs[::2], pairs[1::2], strict=True))
        case "GLOBAL":
            stack.append(_known_class(argument.split(" ")))
        case "STACK_GLOBAL":
            attribute, module = stack.pop(), stack.pop()
            stack.append(_known_class([module, attribute]))
        case "NEWOBJ":
            arguments, kind = stack.pop(), stack.pop()
            if arguments != () or kind is not _Class:
                raise ValueError("it makes other objects than statistics")
            stack.append(_Stats())
        case "BUILD":
            state = stack.pop()
            _expect(stack[-1], _Stats).state = state
        case _:
            raise ValueError(f"it has the instruction {name}, which such files do not need")


def _top(stack: list[Any], count: int) -> list[Any]:
    if len(stack) < count or any(value is _Mark for value in stack[-count:]):
        raise ValueError("it is cut or damaged")
    return stack[-count:]


def _pop_group(stack: list[Any]) -> list[Any]:
    place = len(stack) - 1
    while stack[place] is not _Mark:
        place -= 1
        if place < 0:
            raise ValueError("it is cut or damaged")
    group = stack[place + 1 :]
    del stack[place:]
    return group


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError("it is cut or damaged")
    return value


def _known_class(path: Iterable[object]) -> type:
    words = tuple(path)
    if words not in KNOWN_CLASSES:
        raise ValueError(f"it asks for {'.'.join(map(repr, words))}")
    return _Class


def _checked(state: Any) -> tuple[Timings, float]:
    if not isinstance(state, dict) or set(state) != {"timings", "unit"}:
        raise ValueError("it holds no timings")
    timings, unit = state["timings"], state["unit"]
    if not isinstance(timings, dict) or not isinstance(unit, float | int) or not 0 < unit < 1e9:
        raise ValueError("its timings are not in the known form")
    for label, rows in timings.items():
        if not _has_form(label, (str, int, str)) or not isinstance(rows, list):
            raise ValueError("its timings are not in the known form")
        if not all(_has_form(row, (int, int, int | float)) for row in rows):
            raise ValueError("its timings are not in the known form")
    return timings, float(unit)


def _has_form(value: object, kinds: tuple[Any, ...]) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(kinds)
        and all(isinstance(part, kind) for part, kind in zip(value, kinds, strict=True))
    )
