"""Memory of lines: figures of programs whose memory is known, with every interpreter."""

from pathlib import Path

import pytest
from line_programs import LineRunner

# The memory is a number that the program itself changes, so figures are exact.
HEAD = """
import asyncio, contextlib, sys, threading, types
from pyrometer._memory_lines import LineMemory

level = 1000

def grow(n):
    global level
    level += n

def measure(*functions):
    lines = LineMemory(lambda: (level, level))
    for function in functions:
        lines.add(function)
    lines.start()
    return lines

def figures(lines, function):
    "Memory, increment and visits by line, counted from the first one, which is 0."
    first = function.__code__.co_firstlineno
    rows = lines.rows(function.__code__)
    return {line - first: tuple(row) for line, row in sorted(rows.items())}
"""


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


def expect(program: LineRunner, body: str) -> None:
    """The body's own assertions hold."""
    program.write("program.py", HEAD + body + "\nprint('reached the end')\n")
    done = program("program.py")
    assert (done.stdout, done.stderr) == ("reached the end\n", "")


def test_plain_function(program: LineRunner) -> None:
    expect(
        program,
        """
def work(n):
    grow(5)
    for i in range(n):
        grow(1)
    grow(-3)

lines = measure(work)
work(3)
grow(100)  # nobody's
work(1)
lines.stop()
work(7)
assert figures(lines, work) == {
    0: (1105, 1000, 2),
    1: (1110, 10, 2),
    2: (1111, 0, 6),
    3: (1111, 4, 4),
    4: (1108, -6, 2),
}, figures(lines, work)
""",
    )


def test_recursion_counts_once(program: LineRunner) -> None:
    expect(
        program,
        """
def deep(n):
    grow(2)
    if n:
        deep(n - 1)

lines = measure(deep)
deep(4)
lines.stop()
assert figures(lines, deep) == {
    0: (1008, 1000, 5), 1: (1010, 10, 5), 2: (1010, 0, 5), 3: (1010, 8, 4)
}, figures(lines, deep)
""",
    )


def test_generators_are_not_charged_for_others(program: LineRunner) -> None:
    expect(
        program,
        """
def count(n):
    for i in range(n):
        grow(1)
        yield i

lines = measure(count)
for _ in zip(count(3), count(3)):
    grow(100)
closed = count(3)
next(closed)
grow(100)
closed.close()
thrown = count(3)
next(thrown)
with contextlib.suppress(KeyError):
    thrown.throw(KeyError)
next(count(3))  # collected
lines.stop()
assert not lines._activations
got = {line: row[1:] for line, row in figures(lines, count).items()}
assert got == {0: (1000, 5), 1: (0, 10), 2: (9, 9), 3: (0, 9)}, got
""",
    )


def test_coroutines_take_turns(program: LineRunner) -> None:
    expect(
        program,
        """
async def work(n):
    for i in range(n):
        grow(10)
        await asyncio.sleep(0)
    return i

async def steps(n):
    for i in range(n):
        grow(1)
        yield i
        await asyncio.sleep(0)

async def main():
    lines = measure(work, steps)
    await asyncio.gather(work(3), work(5), work(2))
    async for _ in steps(3):
        grow(50)
    lines.stop()
    return lines

lines = asyncio.run(main())
got = {line: row[1:] for line, row in figures(lines, work).items()}
assert got == {0: (1000, 3), 1: (0, 13), 2: (100, 10), 3: (0, 10), 4: (0, 3)}, got
got = {line: row[1:] for line, row in figures(lines, steps).items()}
assert got == {0: (1100, 1), 1: (0, 4), 2: (3, 3), 3: (0, 3), 4: (0, 3)}, got
""",
    )


def test_threads_keep_their_own_lines(program: LineRunner) -> None:
    expect(
        program,
        """
def work(mine, others):
    for i in range(3):
        mine.wait()
        mine.clear()
        others.set()

one, other = threading.Event(), threading.Event()
lines = measure(work)
threads = [
    threading.Thread(target=work, args=pair) for pair in ((one, other), (other, one))
]
for thread in threads:
    thread.start()
one.set()
for thread in threads:
    thread.join()
lines.stop()
assert not lines._activations and not lines._running
got = {line: row[1:] for line, row in figures(lines, work).items()}
assert got == {0: (1000, 2), 1: (0, 8), 2: (0, 6), 3: (0, 6), 4: (0, 6)}, got
""",
    )


def test_exceptions_and_what_is_inside_a_function(program: LineRunner) -> None:
    expect(
        program,
        """
def work():
    def inner(n):
        grow(n)
        raise KeyError
    try:
        inner(7)
    except KeyError:
        grow(1)
    with contextlib.suppress(ValueError):
        raise ValueError
    inner(3)

lines = measure(work)
with contextlib.suppress(KeyError):
    work()
lines.stop()
got = {line: row[1:] for line, row in figures(lines, work).items()}
assert got[1] == (0, 3)  # defined once, called twice
assert (got[2], got[3]) == ((10, 2), (0, 2))
assert (got[5], got[7], got[10]) == ((7, 1), (1, 1), (3, 1))
assert not lines._activations
""",
    )


def test_visits_are_those_of_a_trace_function(program: LineRunner) -> None:
    expect(
        program,
        """
def work(n):
    total = sum([i * i for i in range(n)])
    while total > 0: total -= 1
    names = {k: v for k, v in
             zip("abc", range(n))}
    pick = sorted(names, key=lambda name: -names[name])
    for name in pick: total += names[name]
    with contextlib.nullcontext(
    ), contextlib.nullcontext():
        total += 1
    return [
        x
        for x in range(n)
        if x > 1
    ]

expected = {}
def codes(code):
    return [code, *(c for each in code.co_consts if isinstance(each, types.CodeType)
                    for c in codes(each))]
known = [id(code) for code in codes(work.__code__)]
def trace(frame, event, _):
    if id(frame.f_code) in known:
        if event in ("call", "line"):
            line = frame.f_lineno - work.__code__.co_firstlineno
            expected[line] = expected.get(line, 0) + 1
        return trace
sys.settrace(trace)
work(4)
sys.settrace(None)

lines = measure(work)
work(4)
lines.stop()
visits = {line: row[2] for line, row in figures(lines, work).items()}
assert visits == dict(sorted(expected.items())), (visits, expected)
""",
    )


def test_beside_a_debugger_and_each_other(program: LineRunner) -> None:
    expect(
        program,
        """
def work():
    grow(1)
    grow(2)

seen = []
def trace(frame, event, _):
    if frame.f_code is work.__code__:
        seen.append(event)
        return trace

sys.settrace(trace)
one = measure(work)
other = measure(work)
work()
other.stop()
work()
one.stop()
assert sys.gettrace() is trace
sys.settrace(None)
assert seen == 2 * ["call", "line", "line", "return"], seen
assert {line: row[1:] for line, row in figures(one, work).items()} == {
    0: (1000, 2), 1: (2, 2), 2: (4, 2)
}
assert {line: row[1:] for line, row in figures(other, work).items()} == {
    0: (1000, 1), 1: (1, 1), 2: (2, 1)
}
""",
    )


def test_many_threads_and_forks(program: LineRunner) -> None:
    expect(
        program,
        """
import os, warnings
warnings.simplefilter("ignore")  # of forks beside threads

def work(n):
    for i in range(n):
        pass

lines = measure(work)
threads = [threading.Thread(target=lambda: [work(9) for _ in range(100)]) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        work(3)
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
for thread in threads:
    thread.join()
lines.stop()
got = {line: row[1:] for line, row in figures(lines, work).items()}
assert got == {0: (1000, 400), 1: (0, 4000), 2: (0, 3600)}, got
""",
    )
