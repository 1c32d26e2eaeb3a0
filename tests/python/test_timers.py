"""Named timers of a program that is not recorded: regions, functions, figures, the summary."""

import re
import subprocess
from pathlib import Path

import pytest
from line_programs import LineRunner

HEAD = """
import time
from math import isclose
from pyrometer import (
    reset_timers, summary, timed_function, timed_region, timing, timings
)

def counts():
    return {name: row.count for name, row in timings().items()}

def equal(one, other):
    "But for what conversion to seconds rounds off."
    return isclose(one, other, rel_tol=1e-3)
"""


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


def expect(program: LineRunner, body: str, **keywords: object) -> subprocess.CompletedProcess[str]:
    """The body's own assertions hold."""
    program.write("program.py", HEAD + body)
    done = program("program.py", **keywords)
    assert done.returncode == 0, done.stderr
    return done


def test_methods_of_regions_and_of_their_type(program: LineRunner) -> None:
    expect(
        program,
        """
import contextlib
region = timed_region("kept")
with contextlib.ExitStack() as stack:
    assert stack.enter_context(region) is region
assert region.__enter__() is region and region.__exit__(None, None, None) is None
Region = type(region)
assert Region.__enter__(region) is region and Region.__exit__(region) is None
assert counts() == {"kept": 3}
for wrong in (Region.__enter__, lambda: Region.__enter__(1)):
    try:
        wrong()
        raise SystemExit("a method without its region was called")
    except TypeError:
        pass
""",
    )


def test_regions_nest_and_add_up(program: LineRunner) -> None:
    expect(
        program,
        """
for _ in range(2):
    with timed_region("outer") as region:
        time.sleep(0.01)
        with timed_region("inner"):
            time.sleep(0.02)
assert region is timed_region("outer") and region.name == "outer"
assert repr(region) == "timed_region('outer')"
assert counts() == {"outer": 2, "inner": 2}
outer, inner = timings()["outer"], timings()["inner"]
assert inner.self == inner.total >= 0.04 and outer.self >= 0.02
assert equal(outer.total, outer.self + inner.total)
assert 0.03 <= outer.min <= outer.mean <= outer.max and outer.mean == outer.total / 2
assert equal(timing("outer"), outer.total) and equal(timing("outer", total=False), outer.mean)
assert timing("never") == 0.0 == timing("never", total=False)
reset_timers()
assert timings() == {} and timing("outer") == 0.0
""",
    )


def test_recursion_counts_once(program: LineRunner) -> None:
    expect(
        program,
        """
@timed_function
def down(n):
    time.sleep(0.01)
    if n:
        down(n - 1)

down(2)
row = timings()["down"]
assert row.count == 3 and row.total == row.max >= 0.03 and equal(row.self, row.total)
assert row.min < row.max
""",
    )


def test_exceptions_pass_and_are_counted(program: LineRunner) -> None:
    expect(
        program,
        """
@timed_function("fails")
def fails():
    raise KeyError(1)

for _ in range(2):
    try:
        with timed_region("with"):
            fails()
    except KeyError as error:
        assert error.args == (1,)
assert counts() == {"fails": 2, "with": 2}
""",
    )


def test_threads_add_up_and_do_not_nest(program: LineRunner) -> None:
    expect(
        program,
        """
import threading
def work():
    with timed_region("thread"):
        time.sleep(0.02)
with timed_region("main"):
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
assert counts() == {"thread": 3, "main": 1}
assert timing("thread") >= 0.06
main = timings()["main"]
assert main.self == main.total
""",
    )


def test_tasks_that_take_turns_do_not_nest(program: LineRunner) -> None:
    expect(
        program,
        """
import asyncio, contextvars

@timed_function("task")
async def task(name, seconds):
    with timed_region(name):
        await asyncio.sleep(seconds)

async def main():
    await asyncio.gather(*(task(name, 0.02) for name in "ab" for _ in range(2)), task("c", 0.01))

asyncio.run(main())
assert counts() == {"task": 5, "a": 2, "b": 2, "c": 1}
rows = timings()
for name in "abc":
    assert rows[name].self == rows[name].total >= 0.01
assert equal(rows["a"].total, rows["a"].min + rows["a"].max) and rows["a"].min >= 0.02
inside = sum(rows[name].total for name in "abc")
assert rows["task"].total > inside  # none is a recursion of another
assert equal(rows["task"].total, inside + rows["task"].self)

# A context that a thread gets within a region does not end its nesting.
def first_variable():
    with timed_region("outer"):
        contextvars.ContextVar("variable").set(1)
        with timed_region("inner"):
            time.sleep(0.01)
import threading
thread = threading.Thread(target=first_variable); thread.start(); thread.join()
outer, inner = timings()["outer"], timings()["inner"]
assert equal(outer.total, outer.self + inner.total)
""",
    )


def test_generators_may_leave_regions_out_of_turn(program: LineRunner) -> None:
    expect(
        program,
        """
def numbers():
    with timed_region("open generator"):
        yield 1
        yield 2
generator = numbers()
next(generator)
with timed_region("consumer"):
    generator.close()
assert counts() == {"open generator": 1, "consumer": 1}

# A generator function is timed while it runs, not while its values are used.
@timed_function("generator")
def values():
    time.sleep(0.01)
    try:
        got = yield 1
    except ValueError:
        got = "thrown"
    time.sleep(0.01)
    yield got
    return "returned"

for use in (lambda g: g.send("sent"), lambda g: g.throw(ValueError())):
    reset_timers()
    began = time.perf_counter()
    generator = values()
    assert next(generator) == 1
    time.sleep(0.2)
    assert use(generator) in ("sent", "thrown")
    try:
        next(generator)
    except StopIteration as stop:
        assert stop.value == "returned"
    elapsed = time.perf_counter() - began
    assert counts() == {"generator": 3} and 0.02 <= timing("generator") < elapsed - 0.19
generator = values(); next(generator); generator.close()

import asyncio
@timed_function("async generator")
async def ticks():
    for i in range(2):
        await asyncio.sleep(0.01)
        yield i
async def main():
    assert [i async for i in ticks()] == [0, 1]
asyncio.run(main())
assert timings()["async generator"].count == 3 and timing("async generator") >= 0.02
""",
    )


def test_decorated_functions_stay_what_they_are(program: LineRunner) -> None:
    expect(
        program,
        """
import gc, inspect, pickle, weakref

@timed_region("solve")
def solve(a, *, b=1):
    "Solves."
    return a, b

@timed_function()
def named(): return "named"

class Thing:
    @timed_function
    def method(self, x=1): return self, x
    @timed_function("static")
    @staticmethod
    def static(x): return x
    @timed_function
    @classmethod
    def create(cls): return cls()

assert solve(1, b=2) == (1, 2) and solve.__doc__ == "Solves." and solve.__name__ == "solve"
assert str(inspect.signature(solve)) == "(a, *, b=1)"
assert pickle.loads(pickle.dumps(solve)) is solve and weakref.ref(solve)() is solve
assert named() == "named"
thing = Thing()
assert thing.method(x=3) == (thing, 3) and Thing.method(thing) == (thing, 1)
assert thing.static(5) == Thing.static(6) - 1 and isinstance(Thing.create(), Thing)
assert counts() == {
    "solve": 1, "named": 1, "Thing.method": 2, "static": 2, "Thing.create": 1}, counts()

def make():
    @timed_function("closure")
    def closure(): return closure
    return weakref.ref(closure)
gone = make()
gc.collect()
assert gone() is None

for wrong, words in ((Thing, "decorate its methods"), (7, "not 7")):
    try:
        timed_region("x")(wrong)
    except TypeError as error:
        assert words in str(error), error
    else:
        raise AssertionError(wrong)
""",
    )


def test_what_is_wrapped_can_be_asked(program: LineRunner) -> None:
    expect(
        program,
        """
import functools, operator

@timed_function("cached")
@functools.lru_cache
def cached(x): return x
assert cached(1) == cached(1) == 1 and cached.cache_info().hits == 1
cached.cache_clear()
assert cached.cache_info().hits == 0

@timed_function("plain")
def plain(a, b=2): return a, b
assert plain.__defaults__ == (2,) and plain.__code__ is plain.__wrapped__.__code__
plain.calls = 3
assert plain.calls == 3 and not hasattr(plain.__wrapped__, "calls")
assert timed_function("partial")(functools.partial(plain, 1)).args == (1,)
assert timed_function("operator")(operator.add).__self__ is operator.add.__self__
try:
    plain.absent
except AttributeError as error:
    assert "no attribute 'absent'" in str(error), error
""",
    )


def test_coroutines_made_of_generators_stay_awaitable(program: LineRunner) -> None:
    expect(
        program,
        """
import asyncio, types

@timed_function("old coroutine")
@types.coroutine
def wait(seconds):
    yield from asyncio.sleep(seconds).__await__()
    return "waited"

async def main():
    return await wait(0.02)
assert asyncio.run(main()) == "waited"
assert timings()["old coroutine"].count == 1 and timing("old coroutine") >= 0.02
""",
    )


def test_says_what_is_wrong(program: LineRunner) -> None:
    expect(
        program,
        """
for wrong in (1, None, b"x"):
    try:
        timed_region(wrong)
    except TypeError as error:
        assert str(error) == f"the name of a region is a string, not {wrong!r}", error
    else:
        raise AssertionError(wrong)
try:
    timed_region([])
except TypeError:
    pass
try:
    timed_region("x").__exit__(None, None, None)
except RuntimeError as error:
    assert str(error) == "the region 'x' is not open"
else:
    raise AssertionError
""",
    )


def test_reset_inside_a_region_counts_from_there(program: LineRunner) -> None:
    expect(
        program,
        """
with timed_region("main"):
    with timed_region("warm-up"):
        time.sleep(0.2)
    began = time.perf_counter()
    reset_timers()
    with timed_region("step"):
        time.sleep(0.01)
elapsed = time.perf_counter() - began
assert counts() == {"step": 1, "main": 1}
main, step = timings()["main"], timings()["step"]
assert equal(main.total, main.self + step.total)
assert step.total < main.total < elapsed * 1.01
""",
    )


def test_summary_is_a_table_with_the_longest_first(program: LineRunner) -> None:
    expect(
        program,
        """
import io
with timed_region("long\\n"), timed_region("short"):
    pass
out = io.StringIO()
summary(file=out)
summary(file="summary.txt")
assert open("summary.txt").read() == out.getvalue()
heading, titles, *rows = out.getvalue().splitlines()
assert heading == "Timers, in seconds"
assert titles.split() == ["count", "total", "self", "mean", "min", "max", "region"]
assert [row.split()[-1] for row in rows] == ["long\\\\n", "short"], rows
assert {len(row.rpartition("  ")[0]) for row in [titles, *rows]} == {12 + 5 * 14}
summary()
""",
    )


def test_summary_as_comma_separated_values(program: LineRunner) -> None:
    """As PyOP2 writes it to a file."""
    expect(
        program,
        """
import csv, pathlib
with timed_region('outer, "quoted"'), timed_region("inner\\udc80"):
    time.sleep(0.001)
summary(pathlib.Path("timers.csv"))
summary("timers.csv")
titles, outer, inner = csv.reader(open("timers.csv"))
assert titles == ["count", "total", "self", "mean", "min", "max", "region"]
assert outer[0] == "1" and outer[6] == 'outer, "quoted"' and inner[6].startswith("inner")
assert equal(float(outer[1]), timing('outer, "quoted"'))
assert float(inner[1]) == float(inner[2]) >= 0.001
""",
    )


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"PYROMETER_PRINT_SUMMARY": "1"}, r"Timers, in seconds\n.*\n +1 .*  step\n"),
        (
            {"PYROMETER_PRINT_SUMMARY": "1", "PYROMETER_RANK": "3", "PYROMETER_SIZE": "4"},
            r"Timers of rank 3, in seconds\n.*\n +1 .*  step\n",
        ),
        ({"PYROMETER_PRINT_SUMMARY": "0"}, ""),
        ({"PYROMETER_PRINT_SUMMARY": "False"}, ""),
        ({"PYROMETER_PRINT_SUMMARY": "off"}, ""),
        ({}, ""),
    ],
)
def test_summary_at_exit(program: LineRunner, variables: dict[str, str], expected: str) -> None:
    body = "import os\nwith timed_region('step'): pass\n"
    done = expect(
        program, body + "if os.fork() == 0: raise SystemExit\nos.wait()\n", variables=variables
    )
    assert re.fullmatch(expected, done.stderr), done.stderr
    assert done.stdout == ""


def test_summary_where_a_name_has_no_encoding(program: LineRunner) -> None:
    done = expect(
        program,
        "with timed_region('r\u00e9solution \u00d7'): pass\nsummary()\n",
        variables={"PYTHONIOENCODING": "ascii", "PYROMETER_PRINT_SUMMARY": "1"},
    )
    assert done.stdout.endswith("  r\\xe9solution \\xd7\n")
    assert done.stdout == done.stderr


def test_nothing_to_summarize(program: LineRunner) -> None:
    done = expect(program, "summary()\n")
    assert done.stdout == "Timers: no region ended.\n"


def test_other_interpreters_run_without_timers(program: LineRunner) -> None:
    program.write(
        "other.py",
        """
from pyrometer import mark, summary, timed_function, timed_region, timings
@timed_function("solve")
def solve(x): return x + 1
with timed_region("step") as region:
    mark("here", value=1)
    assert solve(1) == 2 and region.name == "step"
timings()
summary(file="other.txt")
""",
    )
    expect(
        program,
        """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
problem = interpreters.run_string(interpreters.create(), open("other.py").read())
assert problem is None, problem
""",
    )
