"""What programs do with a Profile object, and what cProfile gets wrong."""

import os
import subprocess
from pathlib import Path

import pytest
from running import PACKAGE

HEAD = """
import contextlib, io, pstats, sys, threading
from pyrometer.cprofile import Profile, run, runctx

def leaf(): return 1
def work(count):
    for _ in range(count): leaf()
def row(profile, name):
    profile.create_stats()
    return next(row for label, row in profile.stats.items() if name in label[2])
"""


class Runner:
    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.folder = folder

    def __call__(self, body: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        script = self.folder / "program.py"
        script.write_text(HEAD + body)
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        command = [self.python, script, *arguments]
        return subprocess.run(
            command, env=environment, cwd=self.folder, capture_output=True, text=True, timeout=100
        )

    def expect(self, body: str) -> None:
        """The body's own assertions hold, and it reaches its end."""
        done = self(body + "\nprint('reached the end')\n")
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "reached the end"
        assert done.stderr == ""


@pytest.fixture
def program(python: Path, tmp_path: Path) -> Runner:
    return Runner(python, tmp_path)


def test_threads_do_not_mix(program: Runner) -> None:
    """cProfile of 3.12 and later puts all threads on one stack."""
    program.expect("""
results = {}
def one(number):
    profile = Profile()
    profile.enable()
    work(20_000 + number)
    profile.disable()
    results[number] = profile
threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
for number, profile in results.items():
    assert row(profile, 'leaf')[:2] == (20_000 + number,) * 2
    primitive, calls, own, total, callers = row(profile, 'work')
    assert (primitive, calls) == (1, 1)
    assert total >= own
    assert [caller[2] for caller in row(profile, 'leaf')[4]] == ['work']
""")


def test_only_the_enabling_thread_is_counted(program: Runner) -> None:
    program.expect("""
profile = Profile()
profile.enable()
thread = threading.Thread(target=work, args=(1000,))
thread.start()
thread.join()
work(10)
profile.disable()
assert row(profile, 'leaf')[1] == 10
""")


def test_functions_that_look_the_same_are_added_up(program: Runner) -> None:
    program.expect("""
one, other = (lambda: 1), (lambda: 2)
profile = Profile()
profile.enable()
for _ in range(10): one()
for _ in range(5): other()
profile.disable()
assert row(profile, '<lambda>')[:2] == (15, 15)
names = [getattr(entry.code, 'co_name', '') for entry in profile.getstats()]
assert names.count('<lambda>') == 2
""")


@pytest.mark.parametrize("where", ["constructor", "enable"])
def test_builtins_can_be_left_out(program: Runner, where: str) -> None:
    given, at_enable = ("builtins=False", "") if where == "constructor" else ("", "builtins=False")
    program.expect(f"""
def numbers():
    yield len('a')
    yield sorted([2, 1], key=lambda x: x)
async def nothing(): return 1
profile = Profile({given})
profile.enable({at_enable})
list(numbers()); work(3)
try: nothing().send(None)
except StopIteration: pass
profile.disable()
profile.create_stats()
assert not [label for label in profile.stats if label[0] == '~'], profile.stats
assert row(profile, 'leaf')[1] == 3
assert row(profile, 'numbers')[1] == 3
assert row(profile, '<lambda>')[1] == 2
assert row(profile, 'nothing')[1] == 1
""")


def test_deep_recursion_without_builtins(program: Runner) -> None:
    """On 3.11 each call takes room on the C stack, until there is little left."""
    program.expect("""
sys.setrecursionlimit(70_000)
def down(n):
    if n == 30_000: leaf()
    return 0 if n == 0 else 1 + down(n - 1)
profile = Profile(builtins=False)
assert profile.runcall(down, 60_000) == 60_000
assert row(profile, 'down')[:2] == (1, 60_001)
assert row(profile, 'leaf')[:2] == (1, 1)
again = Profile(builtins=False)
again.enable(); down(10); work(4)
again.disable()
work(1)
assert row(again, 'down')[:2] == (1, 11)
assert row(again, 'leaf')[1] == 4
""")


def test_threads_beside_one_without_builtins(program: Runner) -> None:
    program.expect("""
sys.setrecursionlimit(70_000)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
profile = Profile(builtins=False)
profile.enable()
threading.stack_size(1 << 20)
thread = threading.Thread(target=down, args=(30_000,))
thread.start()
thread.join()
work(20)
profile.disable()
assert row(profile, 'leaf')[1] == 20
assert 'down' not in {label[2] for label in profile.stats}
""")


def test_callers_can_be_left_out(program: Runner) -> None:
    program.expect("""
profile = Profile(subcalls=False)
profile.runcall(work, 3)
assert row(profile, 'leaf')[4] == {}
assert all(entry.calls is None for entry in profile.getstats())
""")


@pytest.mark.parametrize("other", ["profile", "Profile()"])
def test_nested_profiling_is_an_error(program: Runner, other: str) -> None:
    program.expect(f"""
profile = Profile()
profile.enable()
try:
    ({other}).enable()
except ValueError as error:
    assert 'already active' in str(error)
else:
    raise AssertionError('no error')
work(3)
profile.disable()
profile.disable()
assert row(profile, 'leaf')[1] == 3
profile.enable()
work(4)
profile.disable()
assert row(profile, 'leaf')[1] == 7
""")


def test_functions_that_start_and_stop_it(program: Runner) -> None:
    program.expect("""
profile = Profile()
def starts():
    profile.enable()
    leaf()
def stops():
    leaf()
    profile.disable()
def both():
    starts()
    work(2)
    stops()
for _ in range(3): both()
assert row(profile, 'leaf')[1] == 12
assert row(profile, 'stops')[:2] == (3, 3)
names = {label[2] for label in profile.stats}
assert 'starts' not in names and 'both' not in names
""")


def test_recursion_as_deep_as_it_goes(program: Runner) -> None:
    program.expect("""
sys.setrecursionlimit(70_000)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
profile = Profile()
assert profile.runcall(down, 60_000) == 60_000
assert row(profile, 'down')[:2] == (1, 60_001)
sys.setrecursionlimit(1000)
def for_ever(): for_ever()
profile = Profile()
try: profile.runcall(for_ever)
except RecursionError: pass
primitive, calls, own, total, callers = row(profile, 'for_ever')
assert primitive == 1 and 900 < calls <= 1000
assert own <= total
""")


def test_many_paths_are_folded_without_loss(program: Runner) -> None:
    program.expect("""
names = {}
for i in range(30):
    exec(f'''def f{i}(n):
    if n: [g(n - 1) for g in (f{(i * 7 + 1) % 30}, f{(i * 11 + 3) % 30})]''', names)
profile = Profile()
profile.runcall(names['f0'], 17)
profile.create_stats()
calls = sum(row[1] for label, row in profile.stats.items() if label[2].startswith('f'))
assert calls == 2 ** 18 - 1, calls
own = sum(row[2] for row in profile.stats.values())
assert abs(own - row(profile, 'f0')[3]) < 0.1 * own
""")


def test_own_timer(program: Runner) -> None:
    program.expect("""
ticks = iter(range(10 ** 9))
profile = Profile(lambda: next(ticks), 0.5)
profile.runcall(work, 4)
primitive, calls, own, total, callers = row(profile, 'leaf')
assert (calls, own) == (4, 4 * 0.5)
seconds = iter(range(10 ** 9))
profile = Profile(lambda: float(next(seconds)))
profile.runcall(work, 4)
assert row(profile, 'leaf')[2] == 4.0
try: Profile(timer=3)
except TypeError: pass
else: raise AssertionError('no error')
""")


def test_everything_else_of_the_interface(program: Runner) -> None:
    program.expect("""
with Profile() as profile:
    work(5)
out = io.StringIO()
with contextlib.redirect_stdout(out):
    profile.print_stats('cumulative')
assert 'Ordered by: cumulative time' in out.getvalue()
assert ' program.py:' in out.getvalue() and '(leaf)' in out.getvalue()
out = io.StringIO()
pstats.Stats(profile, stream=out).sort_stats('tottime').print_stats('leaf')
assert '(leaf)' in out.getvalue()
profile.dump_stats('out.prof')
assert any(label[2] == 'leaf' for label in pstats.Stats('out.prof').stats)
profile.clear()
assert profile.getstats() == []

out = io.StringIO()
with contextlib.redirect_stdout(out):
    run('work(6)')
    runctx('work(n)', globals(), {'n': 7}, sort='name')
    run('work(2); sys.exit(1)')
assert '6    0.0' in out.getvalue() and '7    0.0' in out.getvalue()
run('work(6)', 'run.prof')
assert pstats.Stats('run.prof').total_calls >= 8

profile = Profile()
profile.enable()
work(3)
profile.snapshot_stats()
assert next(row for label, row in profile.stats.items() if label[2] == 'leaf')[1] == 3
work(3)
profile.disable()
assert row(profile, 'leaf')[1] == 6
assert profile.runcall(lambda a, *, b: (a, b), 1, b=2) == (1, 2)
entry = next(entry for entry in profile.getstats() if getattr(entry.code, 'co_name', '') == 'work')
assert entry.callcount == 2 and entry.reccallcount == 0 and entry.calls[0].code is leaf.__code__
""")


def test_disabled_by_another_thread(program: Runner) -> None:
    program.expect("""
profile = Profile()
profile.enable()
thread = threading.Thread(target=profile.disable)
thread.start()
thread.join()
work(5)
del profile, thread
work(5)
second = Profile()
second.runcall(work, 5)
assert row(second, 'leaf')[1] == 5
""")


def test_beside_other_tools(program: Runner, python_version: str) -> None:
    if python_version == "3.11":
        program.expect("""
import cProfile
theirs = cProfile.Profile()
theirs.enable()
try: Profile().enable()
except ValueError as error: assert 'already active' in str(error)
else: raise AssertionError('no error')
work(3)
theirs.disable()
assert row(theirs, 'leaf')[1] == 3
""")
    else:
        program.expect("""
import cProfile
theirs, ours = cProfile.Profile(), Profile()
theirs.enable()
ours.enable()
work(3)
ours.disable()
theirs.disable()
assert row(theirs, 'leaf')[1] == row(ours, 'leaf')[1] == 3
""")


def test_the_package_has_it_too() -> None:
    import pyrometer
    from pyrometer import cprofile

    assert pyrometer.Profile is cprofile.Profile
