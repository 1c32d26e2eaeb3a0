"""`python -m pyrometer.memory_profiler`: increments are what lines allocate, to the byte."""

import json
import re
from pathlib import Path

import pytest
from line_programs import LineRunner

MIB = 1 << 20
BLOCK = 40_000  # three of them are no mapping of their own yet, which has whole pages
HEADER = 200  # what a block's object and the allocator take beside its bytes, at most
ROW = re.compile(r"^ *(\d+) +(-?[\d.]+) MiB +(-?[\d.]+) MiB +(\d+)   (.*)$", re.MULTILINE)
DIGITS = 8  # of MiB: less than a byte


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


def run(
    program: LineRunner, source: str, *options: str, variables: dict[str, str] | None = None
) -> str:
    program.write("script.py", source)
    words = ("-m", "pyrometer.memory_profiler", "--precision", DIGITS, *options, "script.py")
    done = program(*words, variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def increments(text: str) -> dict[str, int]:
    """Bytes by the text of the line."""
    return {row[4].strip(): round(float(row[2]) * MIB) for row in ROW.findall(text)}


def occurrences(text: str) -> dict[str, int]:
    return {row[4].strip(): int(row[3]) for row in ROW.findall(text)}


def test_small_blocks_in_a_loop(program: LineRunner) -> None:
    text = run(
        program,
        """
@profile
def fill(n):
    kept = [None] * n
    for i in range(n):
        kept[i] = bytes(1000)
        bytes(3000)
    del kept[n // 2:]
    return kept

fill(2_000)
""",
    )
    added, visits = increments(text), occurrences(text)
    size = round(added["kept[i] = bytes(1000)"] / 2_000)
    assert 1_033 <= size <= 1_033 + 16  # rounded up by malloc, nearly all of them alike
    assert added["kept[i] = bytes(1000)"] == pytest.approx(2_000 * size, abs=HEADER)
    assert added["bytes(3000)"] == 0
    assert added["kept = [None] * n"] == pytest.approx(2_000 * 8, abs=HEADER)
    assert added["del kept[n // 2:]"] == pytest.approx(-1_000 * size, abs=10_000)  # and the list
    assert added["return kept"] == 0
    assert visits["@profile"] == 1
    assert visits["for i in range(n):"] == 2_001
    assert visits["kept[i] = bytes(1000)"] == 2_000
    levels = [float(row[1]) for row in ROW.findall(text)]
    assert all(5 < level < 100 for level in levels)  # of the process
    first = ROW.findall(text)[0]
    assert first[1] == first[2]
    assert max(levels) - levels[0] == pytest.approx(2_000 * size / MIB, abs=0.1)


def test_recursion_counts_once(program: LineRunner) -> None:
    text = run(
        program,
        f"""
@profile
def deep(n):
    held = bytearray({BLOCK})
    kept.append(held)
    if n:
        deep(n - 1)

kept = []
deep(4)
deep(0)
""",
    )
    added = increments(text)
    assert added[f"held = bytearray({BLOCK})"] == pytest.approx(6 * BLOCK, abs=6 * HEADER)
    assert added["deep(n - 1)"] == pytest.approx(4 * BLOCK, abs=4 * HEADER)
    assert occurrences(text)["@profile"] == 6


def test_threads_do_not_see_each_other(program: LineRunner) -> None:
    text = run(
        program,
        f"""
import threading

def churn():
    while not over:
        others.append(bytearray(5_000))
        if len(others) > 50:
            others.clear()

@profile
def work(n):
    mine = []
    for _ in range(n):
        mine.append(bytearray({BLOCK}))
        barrier.wait()
    kept.append(mine)

others, kept, over = [], [], False
barrier = threading.Barrier(4)
background = threading.Thread(target=churn)
background.start()
threads = [threading.Thread(target=work, args=(5,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
over = True
background.join()
""",
    )
    added, visits = increments(text), occurrences(text)
    line = f"mine.append(bytearray({BLOCK}))"
    assert added[line] == pytest.approx(20 * BLOCK, abs=20 * HEADER)
    assert abs(added["barrier.wait()"]) < 20_000
    assert (visits["@profile"], visits[line]) == (4, 20)


def test_generators_and_coroutines_take_turns(program: LineRunner) -> None:
    text = run(
        program,
        f"""
import asyncio

@profile
def steps(n):
    for _ in range(n):
        block = bytearray({BLOCK})
        yield block

@profile
async def waits(n):
    for _ in range(n):
        results.append(bytearray({2 * BLOCK}))
        await asyncio.sleep(0)

@profile
async def stream(n):
    for _ in range(n):
        made = bytearray({3 * BLOCK})
        yield made
        await asyncio.sleep(0)

async def main():
    await asyncio.gather(waits(3), waits(5), waits(2))
    async for made in stream(4):
        results.append((made, bytearray(70_000)))

results = []
for pair in zip(steps(3), steps(3)):
    results.append((pair, bytearray(50_000)))
asyncio.run(main())
""",
    )
    added, visits = increments(text), occurrences(text)
    for line, blocks, size in (
        (f"block = bytearray({BLOCK})", 6, BLOCK),
        (f"results.append(bytearray({2 * BLOCK}))", 10, 2 * BLOCK),
        (f"made = bytearray({3 * BLOCK})", 4, 3 * BLOCK),
    ):
        assert added[line] == pytest.approx(blocks * size, abs=blocks * HEADER), line
        assert visits[line] == blocks
    assert abs(added["yield block"]) < 1_000
    assert abs(added["yield made"]) < 1_000
    assert abs(added["await asyncio.sleep(0)"]) < 20_000


def test_what_is_inside_a_function(program: LineRunner) -> None:
    """Comprehensions, inner functions and classes are rows of the same table."""
    text = run(
        program,
        f"""
import contextlib

@profile
def outer(n):
    def inner():
        kept.append(bytearray({BLOCK}))
        raise KeyError
    blocks = [bytearray({2 * BLOCK}) for _ in range(n)]
    for _ in range(2):
        with contextlib.suppress(KeyError):
            inner()
    class Local:
        size = bytearray({3 * BLOCK})
    return blocks, Local

kept = []
result = outer(4)
""",
    )
    assert text.count("Filename: ") == 1
    added, visits = increments(text), occurrences(text)
    assert added[f"kept.append(bytearray({BLOCK}))"] == pytest.approx(2 * BLOCK, abs=2 * HEADER)
    line = f"blocks = [bytearray({2 * BLOCK}) for _ in range(n)]"
    assert added[line] == pytest.approx(8 * BLOCK, abs=8 * HEADER)
    assert added[f"size = bytearray({3 * BLOCK})"] == pytest.approx(3 * BLOCK, abs=2_000)
    assert visits["def inner():"] == 3  # defined once, called twice


def test_untouched_memory_counts(program: LineRunner) -> None:
    """But not in the resident set, which --backend asks for."""
    source = f"""
import ctypes
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
size = ctypes.c_size_t({64 * MIB})

@profile
def reserve():
    return library.malloc(size)

reserve()
"""
    line = "return library.malloc(size)"
    assert increments(run(program, source))[line] == pytest.approx(64 * MIB, abs=10_000)
    assert increments(run(program, source, "--backend", "psutil"))[line] < 2 * MIB
    # Where Python's objects do not come from malloc, the resident set is all that there is.
    own_choice = {"PYTHONMALLOC": "pymalloc"}
    assert increments(run(program, source, variables=own_choice))[line] < 2 * MIB


def test_imported_decorator(program: LineRunner) -> None:
    """A table for each call, by the same counters."""
    text = run(
        program,
        f"""
from memory_profiler import profile

@profile(precision={DIGITS})
def fill(n):
    kept = []
    for _ in range(n):
        kept.append(bytearray({BLOCK}))
    return kept

fill(3)
""",
    )
    line = f"kept.append(bytearray({BLOCK}))"
    assert increments(text)[line] == pytest.approx(3 * BLOCK, abs=3_000)


def test_line_that_has_not_ended(program: LineRunner) -> None:
    program.write(
        "script.py",
        f"@profile\ndef end():\n    kept = bytearray({BLOCK})\n    raise SystemExit(3)\nend()\n",
    )
    done = program("-m", "pyrometer.memory_profiler", "--precision", DIGITS, "script.py")
    assert (done.returncode, done.stderr) == (3, "")
    assert increments(done.stdout)[f"kept = bytearray({BLOCK})"] >= BLOCK
    assert "raise SystemExit(3)" in occurrences(done.stdout)


ENVIRONMENT = """
import json, os, subprocess, sys
code = "import json, os; print(json.dumps(dict(os.environ)))"
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
print(json.dumps([dict(os.environ), json.loads(child.stdout), sys.argv, sys.flags.dev_mode]))
"""


@pytest.mark.parametrize("preloads", [None, "", "libm.so.6"])
def test_the_environment_is_as_it_was(program: LineRunner, preloads: str | None) -> None:
    program.write("script.py", ENVIRONMENT)
    variables = {} if preloads is None else {"LD_PRELOAD": preloads}
    plain = program("script.py", "-x", variables=variables)
    command = ("-X", "dev", "-W", "ignore", "-m", "pyrometer.memory_profiler", "script.py", "-x")
    ours = program(*command, variables=variables)
    assert ours.returncode == 0, ours.stderr
    expected = json.loads(plain.stdout)
    expected[3] = True
    assert json.loads(ours.stdout) == expected
    assert expected[0].get("LD_PRELOAD") == preloads
