"""`with recording():` and `@recording()` around whatever a program has, and what may go wrong."""

from pathlib import Path

import pytest
from inside_programs import InsideRunner, environment
from running import run_command


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


def test_every_kind_of_function(program: InsideRunner) -> None:
    program.expect(
        "import asyncio, functools, glob\n"
        "each = pyrometer.recording('%s-%n.json')\n"
        "@each\n"
        "def numbers():\n"
        "    busy(0.03); got = yield 1; yield got\n"
        "@each\n"
        "async def ticks(): yield 1\n"
        "class Thing:\n"
        "    @each\n"
        "    def method(self): return 1\n"
        "    @each\n"
        "    @staticmethod\n"
        "    def static(): return 2\n"
        "    @each\n"
        "    @classmethod\n"
        "    def of_class(cls): return cls\n"
        "    @each\n"
        "    @property\n"
        "    def value(self): return 4\n"
        "@each\n"
        "@functools.lru_cache\n"
        "def cached(x): return x\n"
        "generator = numbers()\n"
        "assert next(generator) == 1 and generator.send(5) == 5 and list(generator) == []\n"
        "async def use(): return [i async for i in ticks()]\n"
        "assert asyncio.run(use()) == [1]\n"
        "thing = Thing()\n"
        "assert (thing.method(), thing.static(), thing.value) == (1, 2, 4)\n"
        "assert Thing.of_class() is Thing and each(functools.partial(pow, 2))(3) == 8\n"
        "assert cached(1) == 1 and cached.cache_info().misses == 1\n"
        "assert len(glob.glob('program-*.json')) == 8, glob.glob('*')\n"
    )


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ("recording(work)", "written with parentheses: @pyrometer.recording()"),
        ("recording()(Thing)", "a function can be recorded, not a class: decorate its methods"),
        ("recording()(5)", "a function can be recorded, not 5"),
    ],
)
def test_what_cannot_be_decorated(program: InsideRunner, use: str, words: str) -> None:
    program.expect(
        "def work(): pass\nclass Thing: pass\n"
        f"try: pyrometer.{use}\n"
        f"except TypeError as error: assert {words!r} in str(error), error\n"
        "else: raise AssertionError\n"
    )


def test_the_programs_own_exception_is_never_replaced(program: InsideRunner) -> None:
    done = program(
        "os.mkdir('a.json')\n"
        "with pyrometer.recording('a.json'):\n    busy(0.05); raise SystemExit(7)\n"
    )
    assert done.returncode == 7
    assert done.stderr.startswith("pyrometer: cannot write ")
    assert done.stderr.count("\n") == 1
    done = program("@pyrometer.recording('a.json')\ndef f(): raise KeyError('own')\nf()\n")
    assert done.stderr.endswith("KeyError: 'own'\n")
    done = program("with pyrometer.recording('a.json'): busy(0.05)\n")
    assert "RecordingError: cannot write " in done.stderr


def test_in_a_folder_that_is_gone(program: InsideRunner) -> None:
    gone = "mkdir gone; cd gone; rmdir ../gone; "
    for output, expected in (("x.json", "PYROMETER_PROFILE=x.json: "), ("{}/x.json", "recorded")):
        file = output.format(program.folder)
        python = f"{program.python} -c 'import pyrometer; print(sum(range(10**6)) > 0)'"
        done = run_command(
            ["sh", "-c", gone + python],
            cwd=program.folder,
            env=environment(PYROMETER_PROFILE=file),
        )
        assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
        [line] = [line for line in done.stderr.splitlines() if "getcwd" not in line]
        assert line.startswith(f"pyrometer: {expected}"), line


def test_paths_are_told_from_where_the_user_is(program: InsideRunner) -> None:
    done = program.expect(
        "r = pyrometer.start('a.json', quiet=False)\n"
        "busy(0.05); os.mkdir('b'); os.chdir('b'); os.rmdir('../b')\n"
        "r.stop()\n"
    )
    run = "pyrometer-program-1"
    expected = f"pyrometer: recorded in {run} and a.json; next: pyrometer report {run}\n"
    assert done.stderr == expected


def test_tables_of_an_outer_run_that_goes_on(program: InsideRunner) -> None:
    source = program.folder / "inner.py"
    source.write_text(
        "import time, pyrometer\n"
        "def work():\n    end = time.thread_time() + 0.3\n"
        "    while time.thread_time() < end: sum(range(1000))\n"
        "with pyrometer.recording('part') as r: work()\n"
        "assert any(f.name == 'work' for f in r.load().functions)\n"
    )
    words = ["run", "-q", "-o", "outer", "--python", program.python, source]
    done = run_command([program.executable, *words], env=environment(), cwd=program.folder)
    assert done.returncode == 0, done.stderr
