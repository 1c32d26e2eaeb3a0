"""Lines that a program measures itself, of functions that are not called by their own name."""

from pathlib import Path

import pytest
from inside_programs import InsideRunner


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


METHODS = """
import functools, gc
from pyrometer import profile

class Shape:
    @profile
    @staticmethod
    def unit():
        return 1

    @profile
    @classmethod
    def make(cls):
        return cls()

    @profile
    @property
    def area(self):
        return 2

    def unmeasured(self):
        return 3

@profile
@functools.lru_cache
def cached():
    return 4

def run():
    Shape.unit(), Shape.make().area, Shape().unmeasured(), cached()
"""


def test_decorated_methods_and_properties(program: InsideRunner) -> None:
    """Decorated before the recording began, and nothing keeps them but their class."""
    program.expect(
        METHODS
        + "with pyrometer.recording('part', lines=True): run(); busy(0.05)\n"
        + "from pyrometer._explicit_profiler import decorated_objects\n"
        + "del Shape; gc.collect()\n"
        + "assert len(decorated_objects()) == 1, decorated_objects()\n"
    )
    assert program.hits("part") == {"unit": [1], "make": [1], "area": [1], "cached": [1]}


def test_what_is_suspended_when_it_begins(program: InsideRunner) -> None:
    program.expect(
        "def numbers():\n"
        "    for number in range(4):\n"
        "        yield number\n"
        "class Ready:\n"
        "    def __await__(self): yield\n"
        "async def wait():\n"
        "    await Ready()\n"
        "    return 1\n"
        "generator, coroutine = numbers(), wait()\n"
        "next(generator), coroutine.send(None)\n"
        "with pyrometer.recording('part', lines=[numbers, wait]):\n"
        "    assert list(generator) == [1, 2, 3]\n"
        "    try: coroutine.send(None)\n"
        "    except StopIteration: pass\n"
        "    assert list(numbers()) == [0, 1, 2, 3]; busy(0.05)\n"
        "if sys.version_info < (3, 12): os.mknod('only-later-calls')\n"
    )
    hits = program.hits("part")
    if (program.folder / "only-later-calls").exists():
        assert hits == {"numbers": [5, 4]}
    else:
        assert hits == {"numbers": [4 + 5, 3 + 4], "wait": [1]}
