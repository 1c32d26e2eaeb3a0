"""`pyrometer run --region`: functions that are timed without being edited."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal
from region_recordings import counts, record, timers
from running import PACKAGE, Recorder

LIBRARY = """
import functools
def solve(n): return sum(range(n))
class Mesh:
    def refine(self): return self
    @staticmethod
    def load(): return 2
    @classmethod
    def make(cls): return cls()
async def wait(): return 3
class Net:
    def __call__(self): return 4
    def __len__(self): return 5
net = Net()
@functools.lru_cache
def table(n): return n
"""
USER = """
import asyncio
from library import Mesh, Net, net, solve, table, wait
assert [solve(10) for _ in range(3)] == [45] * 3
mesh = Mesh.make()
assert mesh.refine() is mesh and Mesh.load() == mesh.load() == 2
assert asyncio.run(wait()) == 3
assert net() == 4 and len(net) == 5 and isinstance(net, Net)
assert table(1) == 1 and table.cache_info().misses == 1
"""


def test_functions_that_cannot_be_edited(recorder: Recorder) -> None:
    recorder.write(LIBRARY, "library.py")
    targets = {
        "a solver": "library:solve",
        "refine": "library:Mesh.refine",
        "load": "library:Mesh.load",
        "make": "library:Mesh.make",
        "wait": "library:wait",
        "table": "library:table",
    }
    wrong = {
        "none": "absent:solve",
        "no function": "library:Mesh.absent",
        "value": "library:__file__",
        "class": "library:Mesh",
        "object": "library:net",
    }
    options = [f"--region={name}={place}" for name, place in {**targets, **wrong}.items()]
    recorded = record(recorder, USER, *options)
    assert recorded.result.returncode == 0, recorded.complaint
    assert counts(timers(recorded)) == {
        "a solver": 3,
        "refine": 1,
        "load": 2,
        "make": 1,
        "wait": 1,
        "table": 1,
    }
    said = [line for line in recorded.result.stderr.splitlines() if " has no figures: " in line]
    assert said == [
        f"pyrometer: the region {name} has no figures: no module {place.split(':')[0]} with a "
        f"function {place.split(':')[1]} was imported"
        for name, place in wrong.items()
    ]
    report = recorded.command("report", recorded.run)
    assert "library:Mesh.absent is not timed: there is no absent in Mesh" in report
    assert "library:__file__ is not timed: a function can be timed, not " in report
    assert "library:Mesh is not timed: a function can be timed, not a class" in report
    assert "library:net is not timed: a function can be timed, not an object of Net" in report


def test_ufuncs_stay_what_they_are(executable: Path, tmp_path: Path) -> None:
    recorder = Recorder(executable, Path(sys.executable), tmp_path)
    source = "import numpy\nassert isinstance(numpy.add, numpy.ufunc)\n"
    source += "assert numpy.add.reduce([1, 2]) == 3 == numpy.sum([1, 2])\n"
    options = ["--region=add=numpy:add", "--region=sum=numpy:sum"]
    recorded = record(recorder, source, *options)
    assert recorded.result.returncode == 0, recorded.complaint
    assert counts(timers(recorded)) == {"sum": 1}
    report = recorded.command("report", recorded.run)
    assert "numpy:add is not timed: a function can be timed, not an object of ufunc" in report


@pytest.mark.parametrize(
    "text", ["solve", "=fem:solve", "solve=fem", "solve=:f", "solve=fem:", "solve=a:b:c"]
)
def test_refuses_what_is_no_target(pyrometer: Run, text: str) -> None:
    refused = pyrometer("run", f"--region={text}", "-c", "pass")
    expect_refusal(refused, "NAME=module:function", repr(text), status=2)


SCRIPT = """
import asyncio, sys
class Mesh:
    def refine(self): return self
    @staticmethod
    def load(): return "\\d"
try:
    def solve(n):
        "Adds up."
        return sum(range(n))
finally:
    pass
async def wait(): return 3
def lines_are_right():
    code = getattr(solve, "__wrapped__", solve).__code__
    return sys._getframe().f_lineno, solve.__doc__, code.co_firstlineno, solve.__name__
if __name__ == "__main__":
    assert [solve(10) for _ in range(3)] == [45] * 3
    assert Mesh().refine() is not None and Mesh.load()
    assert asyncio.run(wait()) == 3
    print(lines_are_right())
"""


@pytest.mark.parametrize("way", ["script", "module", "lines"])
def test_functions_of_the_script_itself(recorder: Recorder, way: str) -> None:
    program = recorder.write(SCRIPT)
    targets = {"solve": "solve", "refine": "Mesh.refine", "load": "Mesh.load", "wait": "wait"}
    options = [f"--region={name}=__main__:{place}" for name, place in targets.items()]
    options += ["--region=none=__main__:absent", "--region=inner=__main__:solve.n"]
    if way == "lines":
        options += ["--lines=lines_are_right"]
    words = ["-m", program.stem] if way == "module" else [program]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    keywords: dict[str, Any] = {"env": environment, "cwd": program.parent}
    recorded = recorder.record(*words, options=options, **keywords)
    plain = recorder.plain(*words, **keywords)
    assert recorded.result.returncode == 0, recorded.complaint
    assert recorded.result.stdout == plain.stdout
    assert counts(timers(recorded)) == {"solve": 3, "refine": 1, "load": 1, "wait": 1}
    report = recorded.command("report", recorded.run)
    assert "__main__:absent is not timed: the script does not define it" in report
    warnings = [line for line in plain.stderr.splitlines() if "SyntaxWarning" in line]
    said = [line for line in recorded.result.stderr.splitlines() if "SyntaxWarning" in line]
    assert said == warnings


def test_functions_of_a_command_have_no_source(one_recorder: Recorder) -> None:
    words = ("-c", "def f(): pass\nf()\nsum(range(2_000_000))")
    recorded = one_recorder.record(*words, options=["--region=f=__main__:f"])
    assert recorded.result.returncode == 0
    assert "the region f has no figures" in recorded.result.stderr
