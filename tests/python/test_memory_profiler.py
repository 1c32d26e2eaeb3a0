"""`pyrometer.memory_profiler` in the place of memory_profiler, whose table it prints."""

import re
from pathlib import Path

import pytest
from line_programs import LineRunner
from memory_tools import memory_profiler

SCRIPT = """\
import sys

@profile
def grow(n):
    kept = []
    for _ in range(n):
        kept.append(bytearray(8 << 20))
    return kept


class Solver:
    @profile
    def solve(self):
        work = bytearray(16 << 20)
        # nothing is left of it
        del work


@profile
def never():
    pass

print(len(grow(3)), __name__, sys.argv)
Solver().solve()
sys.exit(int(sys.argv[1]) if sys.argv[1:] else 0)
"""
IMPORTED = """\
from memory_profiler import profile, LogFile
import io, logging, sys

out = io.StringIO()

@profile(precision=4)
def first(n):
    return [bytearray(n << 20)]

@profile(stream=out)
def second():
    first(1)

first(8)
second()
second()
sys.stdout.write(out.getvalue())

class Handler(logging.Handler):
    def emit(self, record):
        print(record.levelname, record.name, record.getMessage().rstrip())

logging.getLogger("memory").addHandler(Handler())
logging.getLogger("memory").setLevel(logging.INFO)

@profile(stream=LogFile("memory", reportIncrementFlag=True))
def logged():
    kept = bytearray(8 << 20)
    return 1

logged()
"""
NUMBER = re.compile(r" *-?\d+\.\d+ MiB")


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    runner = LineRunner(python, tmp_path)
    runner.write("script.py", SCRIPT)
    return runner


@pytest.fixture
def both(tmp_path: Path) -> LineRunner:
    """memory_profiler itself and ours, in one environment."""
    runner = LineRunner(memory_profiler() / "python", tmp_path)
    runner.write("script.py", SCRIPT)
    return runner


def run(program: LineRunner, *words: object, **keywords: object) -> str:
    done = program("-m", "pyrometer.memory_profiler", *words, **keywords)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def same_table(ours: str, theirs: str, tolerance: float = 1.5) -> None:
    """All the text, and each increment; levels differ with what is imported."""
    assert NUMBER.sub("   MiB", ours) == NUMBER.sub("   MiB", theirs)
    assert [len(number) for number in NUMBER.findall(ours)] == [
        len(number) for number in NUMBER.findall(theirs)
    ]
    rows = zip(_increments(ours), _increments(theirs), strict=True)
    for our, their in rows:
        assert our == pytest.approx(their, abs=tolerance)


def _increments(text: str) -> list[float]:
    """But for those of the first rows, which are all that was there before."""
    found = re.findall(r"^ *\d+ +-?[\d.]+ MiB +(-?[\d.]+) MiB +\d+   (.*)$", text, re.MULTILINE)
    return [float(value) for value, source in found if "@" not in source]


@pytest.mark.parametrize("words", [[], ["--precision", "1"], ["--backend", "psutil_uss"]])
def test_same_table(both: LineRunner, words: list[str]) -> None:
    real = both("-m", "memory_profiler", *words, "script.py")
    assert real.returncode == 0, real.stderr
    same_table(run(both, *words, "script.py"), real.stdout)


def test_same_tables_of_the_decorator(both: LineRunner) -> None:
    both.write("imported.py", IMPORTED)
    both.write("ours.py", IMPORTED.replace("from memory", "from pyrometer.memory"))
    real, ours = both("imported.py"), both("ours.py")
    assert (real.returncode, ours.returncode) == (0, 0), ours.stderr
    same_table(ours.stdout.replace("ours.py", "imported.py"), real.stdout)
    # Under our command it is ours, too.
    under = run(both, "imported.py")
    same_table(under, real.stdout.replace(f"{both.folder}/imported.py", "imported.py"))


def test_table_of_every_python(program: LineRunner) -> None:
    text = run(program, "script.py")
    assert text.startswith("3 __main__ ['script.py']\nFilename: script.py\n\nLine #    Mem usage")
    assert text.count("Filename: ") == 2
    assert text.endswith("del work\n\n\n")
    found = re.findall(r"MiB +(-?[\d.]+) MiB +\d+ +(\S.*)$", text, re.MULTILINE)
    rows = {source: float(value) for value, source in found}
    assert rows["kept.append(bytearray(8 << 20))"] == pytest.approx(24, abs=1)
    assert rows["work = bytearray(16 << 20)"] == pytest.approx(16, abs=1)
    assert rows["del work"] == pytest.approx(-16, abs=1)


def test_output_file_and_status(program: LineRunner) -> None:
    done = program("-m", "pyrometer.memory_profiler", "-o", "out.txt", "script.py", "3")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == "3 __main__ ['script.py', '3']\n"
    assert (program.folder / "out.txt").read_text().count("Filename: script.py\n") == 2


def test_modules(program: LineRunner) -> None:
    program.write("pack/__init__.py", "")
    program.write("pack/__main__.py", "@profile\ndef f():\n    return 1\nf()\nprint(__spec__.name)")
    text = run(program, "pack", "-x")
    assert text.startswith("pack.__main__\n")
    assert re.search(r"^ +3 .* 1       return 1$", text, re.MULTILINE)


def test_time_stamps(program: LineRunner) -> None:
    text = run(program, "--timestamp", "script.py")
    number = r"\d+\.\d{4}"
    lines = text.splitlines()[1:]
    assert [line.split()[1] for line in lines] == ["__main__.grow", "__main__.solve"]
    for line in lines:
        assert re.fullmatch(rf"FUNC \S+ {number} {number} {number} {number} 0", line)
    _, _, before, start, after, end, _ = lines[0].split()
    assert float(after) - float(before) == pytest.approx(24, abs=1)
    assert float(start) <= float(end)


def test_blocks_and_levels_of_time_stamps(program: LineRunner) -> None:
    program.write(
        "levels.py",
        """
import asyncio, threading

@profile
def inner(): pass

@profile
def outer():
    with profile.timestamp("a block"):
        inner()

@profile
def steps():
    yield 1
    inner()

@profile
async def waits():
    await asyncio.sleep(0)
    inner()

outer()
list(steps())
asyncio.run(waits())
thread = threading.Thread(target=inner)
thread.start()
thread.join()
""",
    )
    lines = [line.split() for line in run(program, "--timestamp", "levels.py").splitlines()]
    assert [(line[1].removeprefix("__main__."), line[6]) for line in lines] == [
        ("inner", "2"),
        (".a_block", "1"),
        ("outer", "0"),
        ("inner", "1"),
        ("steps", "0"),
        ("inner", "1"),
        ("waits", "0"),
        ("inner", "0"),
    ]


def test_debugger_at_a_limit(program: LineRunner) -> None:
    text = run(
        program, "--pdb-mmem", "5", "script.py", input="p n + 38\nn\np len(kept)\ncontinue\n"
    )
    assert re.match(
        r"Current memory \d+\.\d\d MiB exceeded the maximum of 5\.00 MiB\n"
        r"Stepping into the debugger \n> .*script.py\(",
        text,
    )
    assert "(Pdb) 41\n" in text
    assert "(Pdb) 0\n" in text
    assert "Filename" not in text


def test_every_kind_of_function(program: LineRunner) -> None:
    program.write(
        "kinds.py",
        """
import asyncio, functools, inspect, warnings
from pyrometer.memory_profiler import LineProfiler, profile

@profile
def steps(n):
    "Counts."
    got = yield n
    return got + 1

@profile
async def waits(n):
    await asyncio.sleep(0)
    return n + 1

@profile
async def stream(n):
    try:
        got = yield n
    except KeyError:
        got = 40
    yield got + 1

@profile
def recursive(n):
    return n and recursive(n - 1)

class Kind:
    @profile
    @classmethod
    def make(cls):
        return cls.__name__

    @profile
    @staticmethod
    def plain():
        return 1

async def main():
    got = await asyncio.gather(waits(1), waits(2))
    source = stream(7)
    got += [await anext(source), await source.asend(4)]
    source = stream(7)
    await anext(source)
    got.append(await source.athrow(KeyError()))
    await source.aclose()
    return got

generator = steps(5)
assert (next(generator), steps.__doc__, inspect.isgeneratorfunction(steps)) == (5, "Counts.", True)
try:
    generator.send(6)
except StopIteration as end:
    assert end.value == 7
assert asyncio.run(main()) == [2, 3, 7, 5, 41]
recursive(2)
assert (Kind.make(), Kind.plain()) == ("Kind", 1)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert profile(len) is len
assert "len> has no lines" in str(caught[0].message), caught[0].message
assert caught[0].filename == __file__

def late():
    return 1

profiler = LineProfiler()
profiler.add_function(late)
late()
assert list(profiler.code_map.items()) == []
with profiler:
    late()
late()
[(name, rows)] = profiler.code_map.items()
assert name == __file__
assert [figures and figures[2] for _, figures in rows] == [1, 1], rows

@profiler
def decorated():
    return 1

with profiler:
    decorated()
decorated()
late()
profiler.disable()
decorated()
assert [[row[2] for row in each.values()] for each in profiler.code_map.values()] == [[2, 2]] * 2
assert profiler.code_map[late.__code__].keys() == {line for line, _ in rows}
""",
    )
    done = program("kinds.py")
    assert (done.returncode, done.stderr) == (0, "")
    functions = re.findall(r"(?:async )?def (\w+)", done.stdout)
    expected = ["steps", "waits", "waits", "stream", "stream", *3 * ["recursive"], "make", "plain"]
    assert sorted(functions) == sorted(expected)
    # Each coroutine's table is its own, though they take turns.
    visits = re.findall(r"MiB +(\d+) +return n \+ 1", done.stdout)
    assert visits == ["1", "1"]
    # The outer calls of a recursion have the inner ones in them.
    visits = re.findall(r"MiB +(\d+) +return n and", done.stdout)
    assert visits == ["1", "2", "3"]


def test_memprof_stays_in_the_program(program: LineRunner) -> None:
    program.write(
        "stays.py",
        "from pyrometer import memprof\n@memprof\ndef work():\n    return 1\n"
        "@memprof(precision=2)\ndef other():\n    return 1\nwork()\nother()\nprint('done')\n",
    )
    assert program("stays.py").stdout == "done\n"
    asked = program("stays.py", variables={"MEMORY_PROFILE": "1"})
    assert asked.stdout.count("Occurrences") == 2
    assert asked.stdout.endswith("\n\ndone\n")
    under = run(program, "stays.py")
    assert under.startswith("done\nFilename: ")
    assert under.count("Occurrences") == 2
    stamped = run(program, "--timestamp", "stays.py").splitlines()
    assert [line.split()[0] for line in stamped] == ["done", "FUNC", "FUNC"]


def test_refusals(program: LineRunner) -> None:
    for words, complaint in (
        ([], "memory_profiler: name a script or a module to run; -h helps.\n"),
        (["no.py"], "memory_profiler: Could not find script 'no.py'.\n"),
        (["no.module"], "memory_profiler: Could not find module `no.module`.\n"),
        (["-o", "no/x", "script.py"], "memory_profiler: no/x: No such file or directory.\n"),
        (["-o", "%q", "script.py"], "memory_profiler: '%q' in the name '%q' stands for nothing"),
    ):
        done = program("-m", "pyrometer.memory_profiler", *words)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith(complaint)
        assert done.stderr.count("\n") == 1


WRAPPED = """
import functools
from pyrometer import memprof, timed_function
class Thing:
    @memprof
    @property
    def value(self): return 1
    @value.setter
    def value(self, new): pass
    @memprof
    @functools.cached_property
    def cached(self): return 2
    @memprof
    @timed_function
    def timed(self): return 3
def add(a, b): return a + b
add_one = memprof(functools.partial(add, 1))
@memprof
@functools.lru_cache
def table(n): return n
memprof(len)
thing = Thing()
thing.value = 5
assert (thing.value, thing.cached, thing.cached, thing.timed()) == (1, 2, 2, 3)
assert add_one(2) == 3 and add_one.args == (1,)
assert table(1) == table(1) == 1 and table.cache_info().hits == 1
"""


def test_memprof_above_whatever_is_called(program: LineRunner) -> None:
    program.write("stays.py", WRAPPED)
    asked = program("stays.py", variables={"MEMORY_PROFILE": "1"})
    assert (asked.returncode, asked.stderr) == (0, "")
    under = run(program, "stays.py")
    for text in (asked.stdout, under):
        for source in ("return 1", "return 2", "return 3", "return a + b", "return n"):
            assert re.search(rf"MiB +\d+ .*{re.escape(source)}", text), (source, text)
    stamped = run(program, "--timestamp", "stays.py").splitlines()
    named = {line.split()[1].rpartition(".")[2] for line in stamped}
    assert named == {"value", "cached", "timed", "add", "table"}
