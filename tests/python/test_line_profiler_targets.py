"""Everything that a LineProfiler can be given: the functions behind it are measured."""

import subprocess
from pathlib import Path

import pytest
from line_programs import LineRunner
from running import PACKAGE


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    return LineRunner(python, tmp_path)


def test_members_of_classes(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
class Thing:
    size = 3
    @profiler
    def method(self):
        return self.size
    @profiler
    @classmethod
    def made(cls):
        return cls()
    @classmethod
    @profiler
    def made_inside(cls):
        return cls()
    @profiler
    @staticmethod
    def static(x):
        return x
    @profiler
    @property
    def value(self):
        return self.size
    @value.setter
    def value(self, new):
        self.size = new
    @profiler
    @functools.cached_property
    def cached(self):
        return self.size * 2
    def add(self, a, b):
        return a + b
    add_one = profiler(functools.partialmethod(add, 1))
thing = Thing.made()
assert isinstance(Thing.made_inside(), Thing)
results = thing.method(), thing.static(1), thing.value, thing.cached, thing.add_one(2)
assert results == (3, 1, 3, 6, 3)
assert isinstance(vars(Thing)["made"], classmethod)
assert isinstance(vars(Thing)["value"], property)
expected = ["add", "cached", "made", "made_inside", "method", "static", "value"]
assert names(profiler) == [f"Thing.{name}" for name in expected], names(profiler)
assert all(rows for rows in profiler.get_stats().timings.values())
""")


def test_callables(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
class Callable:
    def __call__(self): return 1
    def bound(self): return 2
@functools.lru_cache
def cached(n): return n
def decorator(function):
    @functools.wraps(function)
    def wrapper(*args): return function(*args)
    return wrapper
@decorator
def wrapped(): return 4
def whole(a, b): return a
partial = functools.partial(whole, 1)
anonymous = lambda: 5
instance = Callable()
for target in (instance, instance.bound, cached, wrapped, partial, anonymous):
    assert profiler(target) is target
instance(), instance.bound(), cached(1), wrapped(), partial(2), anonymous()
expected = ["<lambda>", "Callable.__call__", "Callable.bound", "cached", "whole", "wrapped"]
assert names(profiler) == expected, names(profiler)
assert all(rows for rows in profiler.get_stats().timings.values())
assert profiler.add_callable(len) == 0
assert profiler(len) is len
assert profiler.add_callable(whole, guard=lambda function: True) == 0
try:
    profiler.add_callable(3)
except TypeError as error:
    assert "not callable" in str(error)
else:
    assert False
""")


def test_wrapper_itself_can_be_added(program: LineRunner) -> None:
    program.expect("""
def inner(): return 1
@functools.wraps(inner)
def outer(): return inner()
profiler = LineProfiler()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    profiler.add_function(outer)
assert "__wrapped__" in str(caught[0].message)
with profiler: outer()
assert profiler.functions == [outer]
""")


def test_class_as_a_whole(program: LineRunner) -> None:
    program.expect("""
profiler = LineProfiler()
def outside(self): return 0
@profiler
class Whole:
    size: int
    def one(self): return 1
    @property
    def two(self): return 2
    @staticmethod
    def three(): return 3
    class Inner:
        def four(self): return 4
    borrowed = outside
    text = str
assert isinstance(Whole, type)
Whole().one(), Whole().two, Whole.three(), Whole.Inner().four(), Whole().borrowed()
expected = ["Whole.Inner.four", "Whole.one", "Whole.three", "Whole.two"]
assert names(profiler) == expected, names(profiler)
assert all(rows for rows in profiler.get_stats().timings.values())
""")


MODULES = {
    "pack/__init__.py": "from pack import deep\ndef top(): return 1\n",
    "pack/deep.py": "from textwrap import dedent\n"
    "from pack.other import helper, Other\n"
    "def local(): return helper()\n"
    "class Thing(Other):\n"
    "    def method(self): return 1\n"
    "    class Inner:\n"
    "        def method(self): return 1\n",
    "pack/other.py": "def helper(): return 1\nclass Other:\n    def inherited(self): return 1\n",
}


@pytest.mark.parametrize(
    ("policy", "count", "found"),
    [
        (None, 4, "Other.inherited Thing.Inner.method Thing.method helper local"),
        ("exact", 1, "local"),
        ("children", 2, "Thing.Inner.method Thing.method local"),
        ("descendants", 2, "Thing.Inner.method Thing.method local"),
        ("SIBLINGS", 4, "Other.inherited Thing.Inner.method Thing.method helper local"),
        ("none", 5, "Other.inherited Thing.Inner.method Thing.method dedent helper local"),
    ],
)
def test_modules_by_policy(program: LineRunner, policy: str | None, count: int, found: str) -> None:
    for name, source in MODULES.items():
        program.write(name, source)
    program.expect(f"""
import pack.deep
profiler = LineProfiler()
assert profiler.add_module(pack.deep, scoping_policy={policy!r}) == {count}
assert names(profiler) == {sorted(found.split())}, names(profiler)
""")


def test_policies_of_classes(program: LineRunner) -> None:
    program.expect("""
class Base:
    def base(self): return 1
class Thing(Base):
    def own(self): return 1
    sibling = Base.base
    class Inner:
        def deep(self): return 1
    text = __import__("textwrap").dedent
def added(policy):
    profiler = LineProfiler()
    count = profiler.add_class(Thing, scoping_policy=policy)
    return count, names(profiler)
deep, own = "Thing.Inner.deep", "Thing.own"
assert added("exact") == (1, [own])
assert added("children") == added("descendants") == (2, [deep, own])
assert added(None) == added("siblings") == (3, ["Base.base", deep, own])
assert added("none") == (4, ["Base.base", deep, own, "dedent"])
mixed = {"func": "exact", "class": "none", "module": "exact"}
assert added(mixed) == (2, [deep, own])
for wrong, kind in (("all", ValueError), ({"func": "exact"}, KeyError)):
    try:
        added(wrong)
    except kind:
        pass
    else:
        assert False
profiler = LineProfiler()
profiler.add_class(Thing, wrap=True)
Thing().own()
assert rows(profiler, "Thing.own") == {0: 1}
""")


def test_compiled_functions_are_named(program: LineRunner) -> None:
    """Stand-ins with the types' names: neither package is needed to tell them."""
    program.expect("""
def kernel(x): return x
class Dispatcher:
    py_func = kernel
    __wrapped__ = kernel
    def __call__(self, x): return x
Dispatcher.__module__ = "numba.core.registry"
class cython_function_or_method:
    __qualname__ = "fast"
    def __call__(self): return 1
dispatcher = Dispatcher()
dispatcher.__name__ = "kernel"
compiled = cython_function_or_method()
own = kernel.__code__
profiler = LineProfiler()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert profiler(dispatcher) is dispatcher
    assert profiler(compiled) is compiled
told = [str(warning.message) for warning in caught]
assert told[0].startswith("kernel is compiled by numba: its lines cannot be measured"), told
assert "kernel.py_func" in told[0]
assert "is compiled by Cython: its lines cannot be measured." in told[1], told
assert kernel.__code__ is own
assert [warning.filename for warning in caught] == [__file__, __file__]
""")


def test_targets_load_alone(python: Path) -> None:
    """Programs under `pyrometer run --lines` get a copy of this file and nothing else."""
    source = (PACKAGE / "pyrometer" / "_line_targets.py").read_text()
    check = (
        "import sys; before = set(sys.modules);"
        "names = {'__name__': 'alone'}; exec(compile(sys.stdin.read(), 'alone', 'exec'), names);"
        "assert names['find_functions'](print) == [];"
        "print(set(sys.modules) - before <= {'__future__', '_types', 'types'})"
    )
    words = [python, "-I", "-S", "-c", check]
    done = subprocess.run(words, input=source, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\n", "")
