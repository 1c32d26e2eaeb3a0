"""Checks of the line engine that need its interpreter; prints, as JSON, what failed by name.

line_engine.py AGENT
"""

import copy
import gc
import inspect
import io
import json
import linecache
import marshal
import pickle
import resource
import sys
import threading
import time
import traceback
import types
from pathlib import Path

from line_corpus import load_agent

agent = load_agent(sys.argv[1])
VERSION = sys.version_info[:2]


def measured(times, function):
    function.__code__ = times.rewrite(function.__code__)
    return function


def rows_of(times, function):
    """By distance from the line of `def`: hits, time and self time."""
    for code, _, rows in times.stats():
        if code.co_qualname == function.__qualname__:
            return {line - code.co_firstlineno: tuple(rest) for line, *rest in rows}
    return {}


def hits_of(times, function):
    return {line: row[0] for line, row in rows_of(times, function).items()}


def make(source, name="f", file="<made>", **names):
    exec(compile(source, file, "exec"), names)
    return names[name]


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def check_recursive_time_is_counted_once():
    times = agent.LineTimes()

    def f(n):
        spin(0.002)
        if n:
            f(n - 1)
        return n

    measured(times, f)
    began = time.perf_counter_ns()
    f(20)
    elapsed = time.perf_counter_ns() - began
    rows = rows_of(times, f)
    assert rows[1][0] == 21, rows
    assert rows[3][0] == 20, rows
    assert all(row[1] <= elapsed for row in rows.values()), (rows, elapsed)
    assert rows[3][1] > 0.8 * elapsed, (rows, elapsed)
    own = sum(row[2] for row in rows.values())
    assert 0.9 * elapsed < own <= elapsed, (own, elapsed)
    assert rows[1][2] > 0.9 * own, rows


def check_mutual_recursion_adds_up():
    times = agent.LineTimes()

    def even(n):
        spin(0.001)
        return n == 0 or odd(n - 1)

    def odd(n):
        spin(0.001)
        return n != 0 and even(n - 1)

    measured(times, even)
    measured(times, odd)
    began = time.perf_counter_ns()
    even(30)
    elapsed = time.perf_counter_ns() - began
    all_rows = [*rows_of(times, even).values(), *rows_of(times, odd).values()]
    assert all(time <= elapsed for _, time, _ in all_rows), all_rows
    own = sum(own for _, _, own in all_rows)
    assert 0.9 * elapsed < own <= elapsed, (own, elapsed)


def check_time_of_callees_and_waiting_generators():
    times = agent.LineTimes()

    def generator():
        spin(0.005)
        yield 1
        spin(0.005)

    def f():
        for _ in generator():
            spin(0.02)

    measured(times, generator)
    measured(times, f)
    f()
    inside, outside = rows_of(times, generator), rows_of(times, f)
    # Suspended, a generator's line takes no time.
    assert inside[2][1] < 2e6, inside
    assert inside[1][1] > 4e6, inside
    assert outside[1][1] > 9e6, outside
    assert outside[1][2] < 2e6, outside
    assert outside[2][2] > 19e6, outside


def check_threads_lose_nothing():
    times = agent.LineTimes()

    def f(count):
        total = 0
        for n in range(count):
            total += n
        return total

    measured(times, f)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=f, args=(20_000,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert hits_of(times, f) == {1: 6, 2: 6 * 20_001, 3: 6 * 20_000, 4: 6}, hits_of(times, f)


def check_recursion_limit_is_plain():
    def f(n):
        try:
            return f(n + 1)
        except RecursionError:
            return n

    plain = f(0)
    times = agent.LineTimes()
    measured(times, f)
    assert f(0) == plain
    assert f(0) == plain  # and nothing was left behind


def check_tracebacks_are_plain():
    source = (
        "def f(values):\n"
        "    def inner(n):\n"
        "        return (values[n] +\n"
        "                values[n + 1])\n"
        "    return [inner(n) for n in (0,\n"
        "        len(values) - 1)]\n"
    )
    linecache.cache["<made>"] = (len(source), None, source.splitlines(keepends=True), "<made>")
    f = make(source)

    def text():
        try:
            f([1, 2])
        except IndexError:
            return traceback.format_exc()

    plain = text()
    measured(agent.LineTimes(), f)
    assert text() == plain
    assert "^" in plain
    assert inspect.getsource(f) == source


def check_source_and_introspection():
    def f(a, b: int = 2, *c, d, **e) -> int:
        """Of f."""
        return lambda: (a, b, c, d, e)

    plain = [inspect.getsource(f), str(inspect.signature(f)), f.__doc__, f.__qualname__]
    code = f.__code__
    measured(agent.LineTimes(), f)
    assert plain == [inspect.getsource(f), str(inspect.signature(f)), f.__doc__, f.__qualname__]
    for name in (
        "co_argcount",
        "co_varnames",
        "co_names",
        "co_freevars",
        "co_cellvars",
        "co_flags",
    ):
        assert getattr(f.__code__, name) == getattr(code, name), name
    assert {line for *_, line in f.__code__.co_lines()} == {line for *_, line in code.co_lines()}


def check_trace_functions_see_the_same_lines():
    def f(values):
        total = 0
        for value in values:
            try:
                total += 10 // value
            except ZeroDivisionError:
                with memoryview(b"a") as view:
                    total += len(view)
        return [n + 1 for n in (total, 1)]

    def events():
        seen = []

        def trace(frame, event, _):
            if frame.f_code.co_name not in ("f", "<listcomp>"):
                return None
            seen.append((event, frame.f_lineno))
            return trace

        sys.settrace(trace)
        f([1, 0, 5])
        sys.settrace(None)
        return seen

    plain = events()
    times = agent.LineTimes()
    measured(times, f)
    assert events() == plain, (events(), plain)
    assert hits_of(times, f)[4] >= 3


def check_pdb_steps_through_the_same_lines():
    import pdb

    source = "def f(n):\n    a = n + 1\n    for _ in range(2):\n        a += 1\n    return a\n"
    linecache.cache["<made>"] = (len(source), None, source.splitlines(keepends=True), "<made>")
    f = make(source)

    def session():
        out = io.StringIO()
        debugger = pdb.Pdb(stdin=io.StringIO("s\ns\ns\np a\nn\nn\nn\nn\nc\n"), stdout=out)
        debugger.use_rawinput = False
        debugger.runcall(f, 3)
        return out.getvalue()

    plain = session()
    measured(agent.LineTimes(), f)
    assert "a += 1" in plain
    assert session() == plain


def check_copies_of_code():
    times = agent.LineTimes()

    def f(n):
        k = n + 1
        return k * 2

    code = times.rewrite(f.__code__)
    replaced = code.replace(co_name="other")
    constants = pickle.loads(pickle.dumps(code.co_consts))
    fields = ["co_code", "co_consts", "co_names", "co_varnames", "co_filename", "co_name"]
    rebuilt = code.replace(**{name: getattr(code, name) for name in fields})
    elsewhere = code.replace(co_consts=constants)
    for each in (code, replaced, rebuilt, elsewhere):
        assert types.FunctionType(each, {})(3) == 8
    assert hits_of(times, f) == {1: 3, 2: 3}, hits_of(times, f)


def check_functions_are_pickled_by_name():
    plain = pickle.dumps(spin)
    original = spin.__code__
    measured(agent.LineTimes(), spin)
    assert pickle.dumps(spin) == plain
    assert pickle.loads(plain) is spin
    assert copy.deepcopy(spin) is spin
    spin.__code__ = original
    marshal.loads(marshal.dumps(original))


def check_code_swapped_while_it_runs():
    times = agent.LineTimes()
    swapped = []

    def f(depth):
        if depth == 1 and not swapped:
            swapped.append(f.__code__)
            f.__code__ = times.rewrite(f.__code__)
        if depth < 3:
            f(depth + 1)
        return depth

    assert f(0) == 0
    assert hits_of(times, f) == {1: 2, 4: 2, 5: 1, 6: 2}, hits_of(times, f)
    f.__code__ = swapped[0]
    assert f(2) == 2
    assert hits_of(times, f)[1] == 2


def check_generator_suspended_while_swapped():
    times = agent.LineTimes()

    def f():
        yield 1
        yield 2
        return 3

    original = f.__code__
    old = f()
    next(old)
    measured(times, f)
    new = f()
    next(new)
    f.__code__ = original
    assert [*old] == [2]
    assert [*new] == [2]
    assert hits_of(times, f) == {1: 1, 2: 1, 3: 1}, hits_of(times, f)
    left = f()
    del left
    gc.collect()


def check_probes_outlive_their_owner():
    times = agent.LineTimes()

    def f(n):
        for _ in range(n):
            yield n

    measured(times, f)
    running = f(3)
    next(running)
    del times
    gc.collect()
    assert [*running] == [3, 3]
    assert [*f(2)] == [2, 2]


def check_two_owners_of_one_function():
    first, second = agent.LineTimes(), agent.LineTimes()

    def f(n):
        if n:
            return f(n - 1)
        return n

    measured(first, f)
    once = f.__code__
    assert first.rewrite(once) is once
    measured(second, f)
    f(4)
    assert hits_of(first, f) == {1: 5, 2: 4, 3: 1}, hits_of(first, f)
    f.__code__ = once
    f(4)
    assert hits_of(first, f) == {1: 10, 2: 8, 3: 2}
    times = agent.LineTimes()
    times.watch(f.__code__)
    f(1)
    times.unwatch(f.__code__)
    assert hits_of(times, f) == {1: 2, 2: 1, 3: 1}, hits_of(times, f)
    assert hits_of(first, f) == {1: 12, 2: 9, 3: 3}


def check_clear_and_same_result():
    times = agent.LineTimes()

    def f():
        return 1

    code = f.__code__
    assert times.rewrite(code) is times.rewrite(code)
    measured(times, f)()
    times.clear()
    assert hits_of(times, f) == {}
    f()
    assert hits_of(times, f) == {1: 1}


def check_wrong_arguments_are_refused():
    times = agent.LineTimes()
    for wrong in (None, 5, check_clear_and_same_result, "code"):
        for method in (times.rewrite, times.watch, times.unwatch):
            told = None
            try:
                method(wrong)
            except TypeError as error:
                told = str(error)
            assert told is not None
            assert "code object" in told


def check_long_code():
    """More than 255 constants, and jumps over more than 65,536 units."""
    lines = [f"        x += {n}.5 if x else {n}.25" for n in range(9000)]
    body = "\n".join(lines)
    source = (
        "def f(count):\n    x = 0\n    for _ in range(count):\n"
        f"        try:\n            x += 1\n        except KeyError:\n            x = 0\n{body}\n"
        "    return x\n"
    )
    f = make(source)
    plain = f(2)
    assert len(f.__code__.co_code) > 2 * 65536
    times = agent.LineTimes()
    measured(times, f)
    assert f(2) == plain
    hits = hits_of(times, f)
    assert hits[2] == 3, hits[2]
    assert {hits[7 + n] for n in range(9000)} == {2}
    assert hits[9007] == 1


def check_rewriting_leaks_nothing():
    """On 3.14 probes are immortal: a few bytes each, and what they keep."""
    source = "def f(n):\n    k = n\n    for _ in range(k):\n        k += 1\n    return k\n"

    def rewrite_many(count):
        for _ in range(count):
            f = make(source)
            measured(agent.LineTimes(), f)(2)

    rewrite_many(500)
    gc.collect()
    before, objects = resident_bytes(), len(gc.get_objects())
    rewrite_many(10_000)
    gc.collect()
    grown = resident_bytes() - before
    assert len(gc.get_objects()) - objects < 50
    limit = 40e6 if VERSION == (3, 14) else 3e6
    assert grown < limit, grown


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def check_references_of_results():
    """Neither None nor the results are counted wrongly."""
    times = agent.LineTimes()

    def f(value):
        kept = value
        yield kept
        return kept

    measured(times, f)
    value, none = object(), sys.getrefcount(None)
    for _ in range(5000):
        for _ in f(value):
            pass
    assert sys.getrefcount(value) <= 3
    assert abs(sys.getrefcount(None) - none) < 100


def check_events_begin_in_the_middle():
    times = agent.LineTimes()

    def f(count):
        for n in range(count):
            if n == 2:
                times.watch(f.__code__)
            total = n
        return total

    f(6)
    times.unwatch(f.__code__)
    seen = hits_of(times, f)
    f(2)
    assert hits_of(times, f) == seen
    if VERSION >= (3, 12):  # the trace function of 3.11 needs the next call
        assert seen[4] in (3, 4), seen
        assert seen[5] == 1


def main():
    failed = {}
    checks = {name: each for name, each in globals().items() if name.startswith("check_")}
    for name, check in checks.items():
        try:
            check()
            failed[name] = None
        except BaseException:
            failed[name] = traceback.format_exc()
        finally:
            sys.settrace(None)
    json.dump(failed, sys.stdout)


if __name__ == "__main__":
    main()
