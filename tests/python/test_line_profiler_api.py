"""What programs do with a LineProfiler, and what line_profiler gets wrong."""

from pathlib import Path

import pytest
from line_programs import LineRunner


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


SUM = """
def total(count):
    result = 0
    for number in range(count):
        result += add_one(number)
    return result

def add_one(number):
    return number + 1
"""


def test_decorated_function(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
@profiler
def square(x):
    y = x * x
    return y
assert [square(n) for n in range(5)] == [0, 1, 4, 9, 16]
assert rows(profiler, "square") == {2: 5, 3: 5}
stats = profiler.get_stats()
assert stats.unit == profiler.timer_unit == 1e-9
assert list(stats.timings) == [(square.__code__.co_filename, 24, "square")], stats
assert all(time > 0 for time in times(profiler, "square").values())
assert profiler.engines == {(square.__code__.co_filename, 24, "square"): "rewritten"}
""")


def test_decorated_function_stays_the_same_object(program: LineRunner) -> None:
    program.expect("""
def plain(a, /, b, *, c=3): "Text." ; return a
before = dict(vars(plain)), plain.__name__, plain.__defaults__, plain.__kwdefaults__
own = plain.__code__
profiler = LineProfiler()
assert profiler(plain) is plain
assert before == (dict(vars(plain)), plain.__name__, plain.__defaults__, plain.__kwdefaults__)
assert plain.__code__ is not own
profiler.disable()
assert plain.__code__ is own
""")


def test_added_functions_count_while_enabled(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
profiler = LineProfiler(total)
profiler.add_function(add_one)
own = total.__code__
total(3)
assert set(map(bool, profiler.get_stats().timings.values())) == {False}
with profiler as same:
    assert same is profiler
    total(3)
assert total.__code__ is own
total(100)
assert rows(profiler, "total") == {1: 1, 2: 4, 3: 3, 4: 1}
profiler.enable()
total(2)
profiler.disable()
assert profiler.runcall(total, 4) == 10
assert profiler.runctx("total(1)", globals(), {}) is profiler
profiler.run("total(1)")
assert rows(profiler, "total") == {1: 5, 2: 16, 3: 11, 4: 5}
assert rows(profiler, "add_one") == {1: 11}
assert profiler.functions == [total, add_one]
"""
    )


def test_enabling_is_counted(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
profiler = LineProfiler(add_one)
profiler.enable_by_count()
profiler.enable_by_count()
assert profiler.enable_count == 2
profiler.disable_by_count()
add_one(1)
profiler.disable_by_count()
add_one(1)
profiler.disable_by_count()
assert profiler.enable_count == 0
assert rows(profiler, "add_one") == {1: 1}
"""
    )


def test_first_decoration_measures_added_functions(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
profiler = LineProfiler(add_one)
measured = profiler(total)
measured(5)
with profiler:
    pass
measured(5)
assert rows(profiler, "add_one") == {1: 10}
profiler.disable()
measured(5)
assert rows(profiler, "add_one") == {1: 10}
"""
    )


def test_time_of_recursive_lines_is_not_lost(program: LineRunner) -> None:
    program.expect("""
import time
profiler = LineProfiler()
@profiler
def descend(depth):
    if depth:
        descend(depth - 1)
    else:
        time.sleep(0.05)
descend(4)
assert rows(profiler, "descend") == {2: 5, 3: 4, 5: 1}
line = times(profiler, "descend")
assert line[3] > 45e6, line
assert line[5] > 45e6, line
""")


def test_interleaved_generators_keep_their_hits(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
@profiler
def count(limit):
    for number in range(limit):
        yield number
        number += 1
pairs = list(zip(count(3), count(3)))
assert pairs == [(0, 0), (1, 1), (2, 2)]
assert rows(profiler, "count") == {2: 7, 3: 6, 4: 5}, rows(profiler, "count")
""")


def test_decorated_generator_keeps_its_return_value(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
@profiler
def inner():
    received = yield 1
    try:
        yield received
    except KeyError:
        yield "caught"
    return "value"
def outer():
    return (yield from inner())
generator = outer()
assert next(generator) == 1
assert generator.send("sent") == "sent"
assert generator.throw(KeyError()) == "caught"
try:
    next(generator)
except StopIteration as end:
    assert end.value == "value"
""")


def test_coroutines(program: LineRunner) -> None:
    program.expect("""
import asyncio
profiler = LineProfiler()
@profiler
async def wait(number):
    await asyncio.sleep(0.001)
    return number
@profiler
async def numbers(count):
    for number in range(count):
        yield await wait(number)
async def main():
    several = await asyncio.gather(wait(1), wait(2), wait(3))
    return several + [number async for number in numbers(2)]
assert asyncio.run(main()) == [1, 2, 3, 0, 1]
assert rows(profiler, "wait") == {2: 5, 3: 5}
assert rows(profiler, "numbers")[3] == 2
""")


def test_callees_that_are_not_measured_run_as_ever(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
own = add_one.__code__
profiler = LineProfiler()
profiler(total)
total(5)
assert add_one.__code__ is own
assert sys.gettrace() is None
if hasattr(sys, "monitoring"):
    tools = [tool for tool in range(6) if sys.monitoring.get_tool(tool)]
    assert not any(sys.monitoring.get_events(tool) for tool in tools)
assert names(profiler) == ["total"]
"""
    )


def test_decorated_call_costs_nanoseconds(program: LineRunner) -> None:
    """line_profiler: 1 µs on 3.11, 13 µs later."""
    program.expect("""
import time
def plain(): return 1
def decorated(): return 1
LineProfiler()(decorated)
def cost(function):
    def once():
        begin = time.thread_time_ns()
        for _ in range(20_000): function()
        return (time.thread_time_ns() - begin) / 20_000
    return min(once() for _ in range(7))
assert cost(decorated) - cost(plain) < 400
""")


def test_threads(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
import threading
profiler = LineProfiler(total, add_one)
with profiler:
    threads = [threading.Thread(target=total, args=(1000,)) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
assert rows(profiler, "total") == {1: 4, 2: 4004, 3: 4000, 4: 4}
assert rows(profiler, "add_one") == {1: 4000}
"""
    )


def test_function_that_is_running_when_enabled(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
def main():
    profiler.add_function(main)
    profiler.enable()
    for number in range(3):
        str(number)
    profiler.disable()
own = main.__code__
main()
assert main.__code__ is own
hits = rows(profiler, "main")
assert hits[4] == 3, hits
""")


def test_suspended_generator_when_enabled(program: LineRunner) -> None:
    program.expect("""
if not hasattr(sys, "monitoring"):
    print("reached the end"); sys.exit()  # a trace function would slow everything
def count():
    for number in range(5):
        yield number
profiler = LineProfiler(count)
begun = count()
next(begun)
with profiler:
    list(begun)
assert rows(profiler, "count")[2] == 4, rows(profiler, "count")
""")


def test_two_profilers_of_one_function(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
own = add_one.__code__
first, second = LineProfiler(add_one), LineProfiler(add_one)
first.enable()
add_one(1)
second.enable()
add_one(1)
first.disable()
add_one(1)
assert add_one.__code__ is not own
second.disable()
assert add_one.__code__ is own
add_one(1)
assert rows(first, "add_one") == {1: 2}
# It measures the first one's probes too, which stand on the line of the `def`.
assert rows(second, "add_one")[1] == 2
"""
    )


def test_code_that_somebody_else_changed_is_left_alone(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
profiler = LineProfiler(add_one)
profiler.enable()
add_one.__code__ = (lambda number: number + 2).__code__
profiler.disable()
assert add_one(1) == 3
"""
    )


def test_functions_are_not_kept_alive(program: LineRunner) -> None:
    program.expect("""
import gc, weakref
profiler = LineProfiler()
def make(n):
    @profiler
    def inner():
        return n
    return inner
alive = [weakref.ref(make(n)) for n in range(100)]
assert [make(n)() for n in range(100)] == list(range(100))
gc.collect()
assert not any(function() for function in alive)
assert rows(profiler, "make.<locals>.inner") == {2: 100}
assert profiler.functions == []
""")


def test_results_accumulate_and_clear(program: LineRunner) -> None:
    program.expect(
        SUM
        + """
profiler = LineProfiler(add_one)
for _ in range(50):
    with profiler:
        add_one(1)
assert rows(profiler, "add_one") == {1: 50}
[lines] = profiler.code_map.values()
assert [line["nhits"] for line in lines.values()] == [50]
profiler.clear()
assert rows(profiler, "add_one") == {}
with profiler:
    add_one(1)
assert rows(profiler, "add_one") == {1: 1}
"""
    )


def test_signatures_are_line_profilers(program: LineRunner) -> None:
    program.expect("""
import inspect
expected = {
    "add_callable": ["self", "func", "guard", "name"],
    "add_class": ["self", "cls", "scoping_policy", "wrap"],
    "add_module": ["self", "mod", "scoping_policy", "wrap"],
    "print_stats": ["self", "stream", "output_unit", "stripzeros", "details", "summarize", "sort",
                    "rich", "config"],
    "dump_stats": ["self", "filename"],
    "runctx": ["self", "cmd", "globals", "locals"],
    "__init__": ["self", "functions", "wrap_trace", "set_frame_local_trace"],
}
for name, parameters in expected.items():
    assert list(inspect.signature(getattr(LineProfiler, name)).parameters) == parameters, name
""")
