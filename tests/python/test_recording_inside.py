"""A program records a part of itself: what is in the recording, and what is left afterwards."""

import json
import os
import pstats
import sys
from pathlib import Path

import pytest
from inside_programs import InsideRunner

WORK = """
def before(): busy(0.3)
def inside(): busy(0.3)
def after(): busy(0.3)
"""
SECOND = 1_000_000_000


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


@pytest.mark.parametrize(
    "way",
    [
        "with pyrometer.recording('part') as r: inside()",
        "r = pyrometer.start('part'); inside(); assert pyrometer.stop() is r",
        "r = pyrometer.start('part'); inside(); r.stop(); r.stop()",
        "pyrometer.recording('part')(inside)(); r = None",
    ],
)
def test_only_the_part_is_recorded(program: InsideRunner, way: str) -> None:
    program.expect(
        WORK
        + "before()\n"
        + way
        + "\nafter()\n"
        + "assert r is None or str(r.path) == os.path.abspath('part')\n"
        + "assert r is None or r.load().functions[0].name == 'busy'\n"
    )
    profile = program.profile("part")
    callers = {frame.name for stack in profile.stacks("cpu") for frame in stack.frames}
    assert {"inside", "busy"} <= callers
    assert not callers & {"before", "after", "start", "stop", "__enter__", "__exit__", "recorded"}
    assert 0.2 * SECOND < profile.total("cpu") < 0.5 * SECOND
    wall = profile.by_thread("wall")["MainThread"]
    assert wall > 0.2 * SECOND
    [process] = program.report("part")["processes"]
    assert process["status"] == "finished"


def test_one_after_another(program: InsideRunner) -> None:
    done = program.expect(
        "def one(): busy(0.1)\ndef two(): busy(0.1)\n"
        "for work in (one, two):\n"
        "    with pyrometer.recording() as r: work()\n"
        "    print(r.path.name)\n"
    )
    assert done.stdout.split() == ["pyrometer-program-1", "pyrometer-program-2"]
    assert "one" in program.profile("pyrometer-program-1").function_names
    second = program.profile("pyrometer-program-2")
    assert "two" in second.function_names
    assert "one" not in second.function_names


def test_threads_that_run_already(program: InsideRunner) -> None:
    """Their time before does not count; those that sleep are seen, too."""
    done = program.expect(
        "import json, threading\n"
        "is_over = threading.Event()\n"
        "def working():\n"
        "    while not is_over.is_set(): busy(0.01)\n"
        "def sleeping(): is_over.wait()\n"
        "threads = [threading.Thread(target=f, name=f.__name__) for f in (working, sleeping)]\n"
        "for thread in threads: thread.start()\n"
        "clock = time.pthread_getcpuclockid(threads[0].ident)\n"
        "def now(): return time.clock_gettime(clock), time.perf_counter()\n"
        "def wait_for(seconds):\n"
        "    end = now()[0] + seconds\n"
        "    while now()[0] < end: time.sleep(0.01)\n"
        "wait_for(0.7)\n"
        "times = [now()]\n"
        "with pyrometer.recording('part'):\n"
        "    times.append(now()); wait_for(0.3); times.append(now())\n"
        "times.append(now())\n"
        "is_over.set()\n"
        "for thread in threads: thread.join()\n"
        "print(json.dumps(times))\n"
    )
    before, begin, end, after = json.loads(done.stdout)
    profile = program.profile("part")
    for clock, (metric, name) in enumerate((("cpu", "working"), ("wall", "sleeping"))):
        recorded = profile.by_thread(metric)[name] / SECOND
        assert end[clock] - begin[clock] - 0.05 < recorded, (name, done.stdout)
        assert recorded < after[clock] - before[clock] + 0.05, (name, done.stdout)
    assert profile.by_thread("cpu")["sleeping"] < 0.05 * SECOND
    names = {stack.innermost.name for stack in profile.stacks("wall") if stack.innermost}
    assert {"busy", "wait"} <= names


def test_threads_that_begin_and_end_meanwhile(program: InsideRunner) -> None:
    program.expect(
        "import threading\n"
        "def short(): busy(0.3)\n"
        "with pyrometer.recording('part'):\n"
        "    thread = threading.Thread(target=short, name='short one')\n"
        "    thread.start(); thread.join()\n"
    )
    assert 0.15 * SECOND < program.profile("part").by_thread("cpu")["short one"] < 0.6 * SECOND


def test_exact_calls(program: InsideRunner) -> None:
    program.expect(
        "import threading\n"
        "def called(): return len('abc')\n"
        "def outer():\n"
        "    called(); called(); called()\n"
        "    with pyrometer.recording('part', exact=True):\n"
        "        for _ in range(5): called()\n"
        "    called()\n"
        "ready, go, done, over = [threading.Event() for _ in range(4)]\n"
        "def other():\n"
        "    called(); ready.set(); go.wait(); in_thread(); done.set()\n"
        "    over.wait(); called()\n"
        "def in_thread(): return [called() for _ in range(7)]\n"
        "outer()\n"
        "thread = threading.Thread(target=other, name='other'); thread.start(); ready.wait()\n"
        "with pyrometer.recording('threads', exact=True): go.set(); done.wait()\n"
        "over.set(); thread.join()\n"
        "if sys.version_info >= (3, 12):\n"
        "    assert [sys.monitoring.get_tool(i) for i in range(6)] == [None] * 6\n"
        "assert sys.getprofile() is None\n"
    )
    calls = program.calls("part")
    assert calls["called"] == 5
    assert calls["<built-in method builtins.len>"] == 5
    assert not {"stop", "__exit__", "<built-in method pyrometer._agent.end>"} & set(calls)
    assert calls.get("outer", 0) == 0
    in_threads = program.calls("threads")
    assert in_threads["called"] == 7
    assert in_threads["in_thread"] == 1
    assert "other" in program.profile("threads").thread_names


LINES = """
def measured(count):
    total = 0
    for number in range(count):
        total += number
    return total

def unmeasured():
    return 1

class Shape:
    def area(self):
        return 2

codes = [f.__code__ for f in (measured, unmeasured, Shape.area)]
def run():
    measured(3)
    unmeasured()
    Shape().area()
run()
"""


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("[measured]", {"measured": [1, 4, 3, 1]}),
        ("['measured', Shape]", {"measured": [1, 4, 3, 1], "area": [1]}),
        ("'Shape'", {"area": [1]}),
        ("Shape.area", {"area": [1]}),
    ],
)
def test_lines(program: InsideRunner, chosen: str, expected: dict[str, list[int]]) -> None:
    program.expect(
        LINES
        + f"with pyrometer.recording('part', lines={chosen}): run(); busy(0.05)\n"
        + "assert codes == [f.__code__ for f in (measured, unmeasured, Shape.area)]\n"
        + "import builtins; assert not hasattr(builtins, 'profile')\n"
        + "run()\n"
    )
    assert program.hits("part") == expected


def test_all_own_lines(program: InsideRunner) -> None:
    program.expect(
        LINES
        + "for name in ('one', 'two'):\n"
        + "    with pyrometer.recording(name, lines=True): run(); busy(0.05)\n"
        + "assert codes == [f.__code__ for f in (measured, unmeasured, Shape.area)]\n"
    )
    for name in ("one", "two"):
        hits = program.hits(name)
        assert hits["measured"] == [1, 4, 3, 1]
        assert hits["area"] == [1]
        assert hits["run"] == [1, 1, 1]


def test_lines_of_decorated_functions(program: InsideRunner) -> None:
    program.expect(
        "from pyrometer import profile\n"
        + LINES.replace("def measured", "@profile\ndef measured")
        + "with pyrometer.recording('part', lines=True):\n"
        + "    run()\n"
        + "    @profile\n"
        + "    def late(): return 1\n"
        + "    late(); busy(0.05)\n"
        + "late()\n"
    )
    assert program.hits("part") == {"measured": [1, 4, 3, 1], "late": [1]}


def test_nothing_is_left(program: InsideRunner) -> None:
    program.expect(
        "import _signal, _thread, builtins, posix, signal, threading\n"
        "def tasks():\n"
        "    end = time.monotonic() + 10  # the kernel lists one that was joined a moment longer\n"
        "    while len(os.listdir('/proc/self/task')) > 1 and time.monotonic() < end: pass\n"
        "    return os.listdir('/proc/self/task')\n"
        "def state():\n"
        "    return (tasks(), len(os.listdir('/proc/self/fd')),\n"
        "        _thread.start_new_thread, getattr(_thread, 'start_joinable_thread', 0),\n"
        "        getattr(threading, '_start_new_thread', 0), posix._exit, os._exit, os.execv,\n"
        "        os.execve, _signal.signal, _signal.pthread_sigmask, builtins.exec,\n"
        "        sys.getprofile(), sys.gettrace(), dict(os.environ), os.getcwd(),\n"
        "        [signal.getsignal(s) for s in range(1, 30)])\n"
        "def work(): return sum(range(1000))\n"
        "pyrometer.start('first').stop()  # what is loaded once stays\n"
        "before = state()\n"
        "for options in [{}, {'exact': True}, {'lines': [work]}]:\n"
        "    for number in range(34):\n"
        "        with pyrometer.recording(f'runs/%n', **options): work()\n"
        "        now = state()\n"
        "        changed = [pair for pair in zip(now, before) if pair[0] != pair[1]]\n"
        "        assert not changed, (options, number, changed)\n"
        "work()\n"
    )
    assert len(list((program.folder / "runs").iterdir())) == 102


def test_fork_meanwhile(program: InsideRunner) -> None:
    program.expect(
        "def child(): busy(0.2)\n"
        "with pyrometer.recording('part'):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        child()\n"
        "    else:\n"
        "        busy(0.1)\n"
        "        assert os.waitpid(pid, 0)[1] == 0\n"
        "busy(0.1)\n"
    )
    profile = program.profile("part")
    assert len(profile.pids) == 2
    child = next(stack for stack in profile.stacks("cpu") if stack.frames[-2:-1] != ())
    assert child is not None
    cpu = profile.by_process("cpu")
    assert all(0.05 * SECOND < value < 0.4 * SECOND for value in cpu.values()), cpu
    statuses = {process["status"] for process in program.report("part")["processes"]}
    assert statuses == {"finished"}


@pytest.mark.parametrize("output", ["run", "out.json"])
def test_exit_meanwhile(program: InsideRunner, output: str) -> None:
    done = program(
        f"pyrometer.start({output!r}, quiet=False)\n"
        "def work(): busy(0.1)\n"
        "work()\nprint('said')\nsys.exit(3)\n"
    )
    assert (done.returncode, done.stdout) == (3, "said\n")
    assert done.stderr.startswith("pyrometer: recorded in ")
    assert done.stderr.count("\n") == 1
    if output == "run":
        profile = program.profile("run")
        assert "work" in profile.function_names
        [process] = program.report("run")["processes"]
        assert process["exit_status"] == 3
    else:
        names = {
            row["name"] for row in json.loads((program.folder / output).read_text())["functions"]
        }
        assert "work" in names


def test_an_exception_passes(program: InsideRunner) -> None:
    done = program("with pyrometer.recording('part'): busy(0.05); raise KeyError('own')\n")
    assert done.returncode == 1
    assert done.stderr.endswith("KeyError: 'own'\n")
    assert "during handling" not in done.stderr.lower()
    assert "busy" in program.profile("part").function_names


def test_derived_files(program: InsideRunner) -> None:
    program.expect(
        "def work(): busy(0.1)\n"
        "for name in ('a.prof', 'a.json', 'a.txt', 'a.collapsed', 'a-%s-%n.csv', 'a-%p.html'):\n"
        "    with pyrometer.recording(name, exact=name.endswith('prof')) as r: work()\n"
        "    assert r.file.is_file(), r.file\n"
    )
    stats = pstats.Stats(str(program.folder / "a.prof"))
    assert any(name == "work" for _, _, name in stats.stats)  # type: ignore[attr-defined]
    assert "work" in (program.folder / "a.txt").read_text()
    assert ";work" in (program.folder / "a.collapsed").read_text()
    assert (program.folder / "a-program-1.csv").is_file()
    assert json.loads((program.folder / "a.json").read_text())["functions"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("stop()", "nothing is being recorded; pyrometer.start() begins a recording"),
        ("start(rate=0)", "rate is between 1 and 20000 samples per second, not 0"),
        ("start(exact=True, rate=100)", "exact counts calls and takes no samples: leave rate out"),
        ("start(exact=True, lines=True)", "exact counts calls and takes no samples: leave lines"),
        ("start(lines=[len])", "has no lines that run as Python"),
        ("start(memory='much')", "memory is one of sampled, exact, objects, not 'much'"),
        ("start('a-%x')", "'%x' in the name 'a-%x' stands for nothing"),
        ("start('a-%x.json')", "'%x' in the name 'a-%x.json' stands for nothing"),
        ("start('program.py')", "'program.py' is a file, and a run is a folder"),
        ("start('old')", "'old' holds an earlier run; choose another name, or replace it with o"),
        ("start('/proc/none/run')", "cannot create the folder"),
        ("start('/proc/none/a.json')", "cannot create the folder"),
        ("start('a.lprof')", "a.lprof holds measured lines: say lines=True, too, or name them"),
        ("start('a.mprof.dat')", "a.mprof.dat holds memory over time: say memory=True, too"),
    ],
)
def test_refusals(program: InsideRunner, call: str, sentence: str) -> None:
    program.expect(
        "pyrometer.start('old').stop()\n"
        "try:\n"
        f"    pyrometer.{call}\n"
        "except pyrometer.RecordingError as error:\n"
        f"    assert {sentence!r} in str(error), error\n"
        "    assert '\\n' not in str(error)\n"
        "else:\n"
        "    raise AssertionError('not refused')\n"
        "pyrometer.start('old', overwrite=True); busy(0.05); pyrometer.stop()\n"
    )
    assert "busy" in program.profile("old").function_names


def test_file_that_cannot_be_written(program: InsideRunner) -> None:
    program.expect(
        "os.mkdir('a.json')\n"
        "r = pyrometer.start('a.json'); busy(0.05)\n"
        "try:\n    r.stop()\n"
        "except pyrometer.RecordingError as error: print(error)\n"
        "r.stop()\n"
        "assert r.load().functions\n"
    )


def test_begun_deep_inside(program: InsideRunner) -> None:
    program.expect(
        "def deep(levels):\n"
        "    if levels: return deep(levels - 1)\n"
        "    with pyrometer.recording('part'): busy(0.1)\n"
        "deep(700)\n"
    )
    profile = program.profile("part")
    deepest = max(len(stack.python_frames) for stack in profile.stacks("cpu"))
    assert 701 < deepest < 710


def test_started_in_a_thread(program: InsideRunner) -> None:
    program.expect(
        "import threading\n"
        "def in_thread():\n"
        "    with pyrometer.recording('part'): busy(0.2); is_over.set()\n"
        "is_over = threading.Event()\n"
        "thread = threading.Thread(target=in_thread, name='mine'); thread.start()\n"
        "while not is_over.is_set(): busy(0.01)\n"
        "thread.join()\n"
    )
    cpu = program.profile("part").by_thread("cpu")
    assert cpu["mine"] > 0.1 * SECOND
    assert cpu["MainThread"] > 0.02 * SECOND


def test_regions_belong_to_their_recording(program: InsideRunner) -> None:
    program.expect(
        "region = pyrometer.timed_region('step')\n"
        "with region: pass\n"
        "for name in ('one', 'two'):\n"
        "    with pyrometer.recording(name):\n"
        "        for _ in range(3):\n"
        "            with region: busy(0.02)\n"
        "    with region: pass\n"
        "assert pyrometer.timings()['step'].count == 9\n"
    )
    for name in ("one", "two"):
        [row] = program.report(name)["timers"]
        assert (row["name"], row["count"]) == ("step", 3)


@pytest.mark.parametrize("outer", ["run", "recording"])
def test_inside_another_recording(program: InsideRunner, outer: str) -> None:
    source = (
        "def work(): busy(0.1)\n"
        "with pyrometer.recording('inner.json', exact=True) as r:\n"
        "    work()\n"
        "    assert r.path.name == 'outer', r.path\n"
        "try: pyrometer.stop()\n"
        "except pyrometer.RecordingError: pass\n"
    )
    if outer == "recording":
        lines = source.splitlines(keepends=True)
        body = "".join("    " + line for line in lines[:4])
        program.expect("with pyrometer.recording('outer'):\n" + body)
    else:
        from inside_programs import HEAD, environment
        from running import run_command

        (program.folder / "program.py").write_text(HEAD + source)
        done = run_command(
            [
                program.executable,
                "run",
                "-q",
                "-o",
                "outer",
                "--python",
                program.python,
                "program.py",
            ],
            env=environment(),
            cwd=program.folder,
        )
        assert done.returncode == 0, done.stderr
    [row] = program.report("outer")["timers"]
    assert (row["name"], row["count"]) == ("inner", 1)
    assert not (program.folder / "inner.json").exists()


def test_other_interpreters_are_refused(program: InsideRunner) -> None:
    program.expect(
        "try:\n    import _interpreters as interpreters\n"
        "except ImportError: import _xxsubinterpreters as interpreters\n"
        "other = interpreters.create()\n"
        "run = getattr(interpreters, 'run_string', None)\n"
        "problem = run(other, '''if True:\n"
        "    import pyrometer\n"
        "    try: pyrometer.start('part')\n"
        "    except pyrometer.RecordingError as error: pass\n"
        "    else: raise AssertionError('not refused')\n"
        "''')\n"
        "assert problem is None, problem\n"
        "assert not os.path.exists('part')\n"
    )


def test_a_coroutine_function(program: InsideRunner) -> None:
    program.expect(
        "import asyncio\n"
        "@pyrometer.recording('part')\n"
        "async def work():\n"
        "    await asyncio.sleep(0.05); busy(0.05); return 5\n"
        "assert asyncio.run(work()) == 5\n"
    )
    assert "work" in program.profile("part").function_names


def test_no_agent_is_loaded_for_a_pause() -> None:
    import subprocess

    code = (
        "import sys, pyrometer; pyrometer.pause(); pyrometer.resume()\n"
        "assert 'pyrometer._agent' not in sys.modules\n"
    )
    from inside_programs import environment

    subprocess.run([sys.executable, "-c", code], env=environment(), check=True)


def test_in_a_script_whose_name_is_no_utf8(executable: Path, python: Path, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    program = InsideRunner(executable, python, folder)
    program.expect(WORK + "with pyrometer.recording('part'): inside()\n")
    assert "inside" in program.profile("part").function_names
