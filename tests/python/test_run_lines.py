"""`pyrometer run --lines`: which lines are measured, and that the program does not notice."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from running import PACKAGE, Recorded, Recorder, run_command, same_behaviour

LINES = ["--lines"]

# Long enough for a sample or two, without which a run counts as empty.
NAP = "import time\ntime.sleep(0.15)\n"

MAIN = f"""{NAP}
import helper
from package import inner

def work(count):
    total = 0
    for number in range(count):
        total += helper.double(number)
    return total

class Shape:
    def area(self):
        return inner.square(3)

    def name(self):
        return "shape"

print(work(5), Shape().area(), Shape().name())
"""
HELPER = """
def double(number):
    return 2 * number

def unused():
    return None
"""
INNER = """
def square(number):
    return number * number
"""


def write_program(recorder: Recorder, main: str = MAIN) -> Path:
    """A script, a module beside it, and a package."""
    (recorder.folder / "package").mkdir(exist_ok=True)
    recorder.write("", "package/__init__.py")
    recorder.write(INNER, "package/inner.py")
    recorder.write(HELPER, "helper.py")
    return recorder.write(main)


def lines_of(recorded: Recorded, metric: str = "hits") -> dict[tuple[str, str], dict[int, int]]:
    """By file name and qualified name: the value of each line, all threads and processes."""
    document = json.loads(recorded.command("export", recorded.run, "--format", "json"))
    found: dict[tuple[str, str], Counter[int]] = {}
    values = next((each for each in document["metrics"] if each["name"] == metric), {"lines": []})
    for _, function, line, value in values["lines"]:
        place = document["functions"][function]
        key = (Path(place["file"]).name, place["qualified_name"] or place["name"])
        found.setdefault(key, Counter())[line] += value
    return {key: dict(rows) for key, rows in found.items()}


def names_of(recorded: Recorded) -> set[str]:
    assert recorded.result.returncode == 0, recorded.complaint
    return {f"{Path(file).stem}.{name}" for file, name in lines_of(recorded)}


def numbered(source: str, text: str) -> int:
    """The line in which a text first stands."""
    return source[: source.index(text)].count("\n") + 1


EVERYTHING = {
    "program.<module>",
    "program.work",
    "program.Shape",
    "program.Shape.area",
    "program.Shape.name",
    "helper.<module>",
    "helper.double",
    "inner.<module>",
    "inner.square",
}


def test_a_script_and_its_own_files(recorder: Recorder) -> None:
    script = write_program(recorder)
    plain, recorded = recorder.both(script, options=LINES)
    same_behaviour(plain, recorded)
    assert names_of(recorded) - {"__init__.<module>"} == EVERYTHING
    hits = lines_of(recorded)
    first = numbered(MAIN, "total = 0")
    work = {first: 1, first + 1: 6, first + 2: 5, first + 3: 1}
    assert hits["program.py", "work"] == work
    assert hits["helper.py", "double"] == {3: 5}
    assert hits["program.py", "<module>"][numbered(MAIN, "print(")] == 1


@pytest.mark.parametrize("spelling", ["./program.py", "package/../program.py"])
def test_a_script_that_is_spelled_differently(recorder: Recorder, spelling: str) -> None:
    write_program(recorder)
    recorded = recorder.record(spelling, options=LINES, cwd=recorder.folder)
    assert names_of(recorded) - {"__init__.<module>"} == EVERYTHING
    assert lines_of(recorded)["program.py", "work"]
    files = {row["file"] for row in recorded.report()["functions"]}
    assert str(recorder.folder / "program.py") in files
    assert not any("/./" in file or "/../" in file for file in files)


def test_a_module_of_a_package(recorder: Recorder) -> None:
    write_program(recorder)
    recorder.write(
        f"{NAP}\nfrom package.inner import square\nprint(square(2))\n", "package/tool.py"
    )
    plain, recorded = recorder.both("-m", "package.tool", options=LINES, cwd=recorder.folder)
    same_behaviour(plain, recorded)
    assert {"tool.<module>", "inner.square"} <= names_of(recorded)


def test_a_package_that_is_run(recorder: Recorder) -> None:
    write_program(recorder)
    source = f"{NAP}\nimport sys\nfrom . import inner\nprint(sys.argv[1:], inner.square(2))\n"
    recorder.write(source, "package/__main__.py")
    words = ["-m", "package", "a", "-b"]
    plain, recorded = recorder.both(*words, options=LINES, cwd=recorder.folder)
    same_behaviour(plain, recorded)
    assert {"__main__.<module>", "inner.square"} <= names_of(recorded)


CODE = f"{NAP}\ndef f(n):\n    return n + 1\nprint(f(1), f(2))\n"


def test_code_on_the_command_line(recorder: Recorder) -> None:
    plain, recorded = recorder.both("-c", CODE, options=LINES)
    same_behaviour(plain, recorded)
    assert lines_of(recorded)["<string>", "f"] == {numbered(CODE, "return"): 2}


def test_code_from_standard_input(recorder: Recorder) -> None:
    plain, recorded = recorder.both("-", options=LINES, input=CODE)
    same_behaviour(plain, recorded)
    assert lines_of(recorded)["<stdin>", "f"] == {numbered(CODE, "return"): 2}


def test_neither_the_library_nor_installed_files(recorder: Recorder) -> None:
    folder = recorder.folder / "site-packages"
    folder.mkdir()
    (folder / "installed.py").write_text("def f():\n    return 1\n")
    source = (
        f"{NAP}\nimport sys\nsys.path.insert(0, {str(folder)!r})\n"
        "import installed, json, textwrap\n"
        "print(installed.f(), json.dumps([1]), textwrap.dedent(' a'))\n"
    )
    plain, recorded = recorder.both(recorder.write(source), options=LINES)
    same_behaviour(plain, recorded)
    assert names_of(recorded) == {"program.<module>"}


DECORATED = MAIN.replace("def work", "@profile\ndef work").replace(
    "    def name", "    @profile\n    def name"
)


def test_decorated_functions_only(recorder: Recorder) -> None:
    recorded = recorder.record(write_program(recorder, DECORATED), options=LINES)
    assert names_of(recorded) == {"program.work", "program.Shape.name"}
    hits = lines_of(recorded)["program.py", "work"]
    assert hits[numbered(DECORATED, "total += ")] == 5


def test_an_own_function_named_profile(recorder: Recorder) -> None:
    own = "def profile(function):\n    return function\n" + DECORATED
    script = write_program(recorder, own)
    plain, recorded = recorder.both(script, options=LINES)
    same_behaviour(plain, recorded)
    assert names_of(recorded) - {"__init__.<module>"} == {*EVERYTHING, "program.profile"}


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (["work"], {"program.work"}),
        (["Shape"], {"program.Shape", "program.Shape.area", "program.Shape.name"}),
        (["Shape.area"], {"program.Shape.area"}),
        (["helper"], {"helper.<module>", "helper.double"}),
        (["helper.double"], {"helper.double"}),
        (["package.*"], {"__init__.<module>", "inner.<module>", "inner.square"}),
        (["helper.py"], {"helper.<module>", "helper.double"}),
        (["program.py:work"], {"program.work"}),
        (["program.py:Shape.name"], {"program.Shape.name"}),
        (["work", "helper.double"], {"program.work", "helper.double"}),
        (["textwrap.dedent"], {"textwrap.dedent"}),
    ],
)
def test_chosen_targets(recorder: Recorder, targets: list[str], expected: set[str]) -> None:
    script = write_program(recorder, MAIN + "import textwrap\ntextwrap.dedent(' a')\n")
    options = [f"--lines={target}" for target in targets]
    plain, recorded = recorder.both(script, options=options)
    same_behaviour(plain, recorded)
    names = names_of(recorded)
    if targets == ["package.*"]:  # an empty module has no line that runs, or one, by version
        expected, names = expected - {"__init__.<module>"}, names - {"__init__.<module>"}
    assert names == expected


def test_what_the_main_module_imports(recorder: Recorder) -> None:
    source = (
        f"{NAP}\nimport textwrap\nfrom colorsys import rgb_to_hsv\nprint(textwrap.dedent(' a'))\n"
    )
    script = recorder.write(source + "rgb_to_hsv(1, 2, 3)\n")
    plain, recorded = recorder.both(script, options=[*LINES, "--lines-imports"])
    same_behaviour(plain, recorded)
    names = names_of(recorded)
    assert {"program.<module>", "textwrap.dedent", "colorsys.rgb_to_hsv"} <= names
    assert "colorsys.hsv_to_rgb" not in names


def test_nothing_matches(recorder: Recorder) -> None:
    recorded = recorder.record(write_program(recorder), options=["--lines=no_such_function"])
    assert recorded.result.returncode == 0
    assert lines_of(recorded) == {}
    assert "no_such_function" in recorded.result.stderr, recorded.complaint


def test_a_short_program(recorder: Recorder) -> None:
    """Exact figures need no sample."""
    recorded = recorder.record("-c", "def f():\n    return 1\nf()\n", options=LINES)
    assert lines_of(recorded)["<string>", "f"] == {2: 1}


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children(recorder: Recorder, method: str) -> None:
    source = (
        "import multiprocessing, time\n"
        "def work(count):\n"
        "    total = 0\n"
        "    for number in range(count):\n"
        "        total += number\n"
        "    time.sleep(0.1)\n"
        "    return total\n"
        "if __name__ == '__main__':\n"
        f"    context = multiprocessing.get_context('{method}')\n"
        "    children = [context.Process(target=work, args=(100,)) for _ in range(2)]\n"
        "    for child in children: child.start()\n"
        "    for child in children: child.join()\n"
        "    print(work(10), [child.exitcode for child in children])\n"
    )
    plain, recorded = recorder.both(recorder.write(source), options=LINES)
    same_behaviour(plain, recorded)
    assert lines_of(recorded)["program.py", "work"] == {3: 3, 4: 213, 5: 210, 6: 3, 7: 3}


def test_a_forked_child_starts_anew(recorder: Recorder) -> None:
    source = (
        "import os, time\n"
        "def work():\n"
        "    return 1\n"
        "for _ in range(5): work()\n"
        "time.sleep(0.15)\n"
        "if os.fork() == 0:\n"
        "    work()\n"
        "    time.sleep(0.15)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    recorded = recorder.record(recorder.write(source), options=LINES)
    assert lines_of(recorded)["program.py", "work"] == {3: 6}


def test_threads(recorder: Recorder) -> None:
    source = (
        "import threading, time\n"
        "def work(count):\n"
        "    for number in range(count):\n"
        "        number += 1\n"
        "threads = [threading.Thread(target=work, args=(10_000,)) for _ in range(4)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "time.sleep(0.15)\n"
    )
    recorded = recorder.record(recorder.write(source), options=LINES)
    assert lines_of(recorded)["program.py", "work"] == {3: 40_004, 4: 40_000}


OBSERVING = f"""{NAP}
import sys, __main__
print(sys.argv, __name__, __file__ if "__file__" in globals() else None)
print(sorted(globals()), __main__.__dict__ is globals(), globals() is locals())
print(sys.gettrace(), sys.getprofile(), "opcode" in sys.modules, sorted(sys.modules))
print(sys.path, __builtins__, getattr(__spec__, 'name', None), __doc__)
def f(n):
    '''Of f.'''
    frame = sys._getframe()
    return frame.f_lineno, frame.f_back.f_lineno, frame.f_code.co_name, f.__doc__, f.__qualname__
print(f(1), sys.getrecursionlimit(), sys.stdin.read())
sys.stderr.write("to standard error\\n")
"""


@pytest.mark.parametrize("way", ["script", "module", "code"])
def test_the_program_sees_nothing(recorder: Recorder, way: str) -> None:
    script = recorder.write(OBSERVING)
    words: dict[str, list[Any]] = {
        "script": [script, "a", "--b"],
        "module": ["-m", "program", "a"],
        "code": ["-c", OBSERVING, "x"],
    }
    keywords: dict[str, Any] = {"cwd": recorder.folder, "input": "text"}
    sampled = recorder.record(*words[way], options=["-q"], **keywords)
    plain, recorded = recorder.both(*words[way], options=LINES, **keywords)
    assert recorded.result.stdout == sampled.result.stdout
    shown, expected = (result.stdout.splitlines() for result in (recorded.result, plain))
    modules = 2  # there is one more in some versions, with and without --lines
    assert [line for n, line in enumerate(shown) if n != modules] == [
        line for n, line in enumerate(expected) if n != modules
    ]
    assert recorded.result.stderr == plain.stderr
    assert recorded.result.returncode == plain.returncode == 0


ENDINGS = {
    "status": "import sys\nsys.exit(3)\n",
    "message": "import sys\nsys.exit('bye')\n",
    "exception": (
        "def f(values):\n    return [values[n] +\n        values[n + 1] for n in (0,\n     1)]\n"
        "try:\n    f([])\nexcept IndexError:\n    f({1: 2})\n"
    ),
    "callee": (
        "def g(*_):\n    raise KeyError('caught')\n"
        "for n in range(9):\n"
        "    try:\n        g(\n            n,\n            n)\n"
        "    except KeyError as error:\n        print(n, error)\n"
        "g(\n    1)\n"
    ),
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)\n",
    "syntax": "def f(:\n",
    "signal": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n",
    "interrupt": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nprint('not reached')\n",
    "abrupt": "import os\nos._exit(5)\n",
    "at exit": "import atexit\natexit.register(lambda: print('last'))\nraise SystemExit\n",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_endings_are_plain(recorder: Recorder, ending: str) -> None:
    """Byte by byte: output, traceback with its marks, status."""
    script = recorder.write(NAP + ENDINGS[ending])
    plain, recorded = recorder.both(script, options=LINES)
    same_behaviour(plain, recorded)


def test_hits_until_the_end(recorder: Recorder) -> None:
    source = f"{NAP}\ndef f(n):\n    return 1 // (3 - n)\nfor n in range(9): f(n)\n"
    recorded = recorder.record(recorder.write(source), options=LINES)
    assert recorded.result.returncode == 1
    assert lines_of(recorded)["program.py", "f"] == {numbered(source, "return"): 4}


def test_options_go_together(one_recorder: Recorder) -> None:
    line = [one_recorder.executable, "run", "--lines-imports", "-c", "pass"]
    done = run_command(line)
    assert done.returncode == 2
    assert "--lines" in done.stderr


def test_a_module_that_is_loaded_again(recorder: Recorder) -> None:
    """Its functions are made anew, and their figures are added up."""
    write_program(recorder)
    main = recorder.write(
        "import importlib, helper\n"
        "helper.double(1)\n"
        "importlib.reload(helper)\n"
        "helper.double(2)\n"
        "helper.double(3)\n"
    )
    recorded = recorder.record(main, options=["--lines=helper"])
    line = numbered(HELPER, "return 2")
    assert lines_of(recorded)["helper.py", "double"] == {line: 3}


def test_two_lambdas_of_one_line(recorder: Recorder) -> None:
    program = recorder.write("f, g = lambda x: x, lambda y: -y\nf(1)\nf(2)\ng(3)\n")
    recorded = recorder.record(program, options=LINES)
    document = json.loads(recorded.command("export", recorded.run, "--format", "json"))
    hits = next(each for each in document["metrics"] if each["name"] == "hits")
    names = [place["name"] for place in document["functions"]]
    counts = [value for _, function, _, value in hits["lines"] if names[function] == "<lambda>"]
    assert sorted(counts) == [1, 2]


def test_decorated_functions_and_imports(recorder: Recorder) -> None:
    """What is imported is measured besides, but not the rest of the program."""
    write_program(recorder)
    main = recorder.write(
        "import helper\n@profile\ndef chosen():\n    return helper.double(1)\n"
        "def other():\n    return 1\nchosen()\nother()\n"
    )
    recorded = recorder.record(main, options=["--lines", "--lines-imports"])
    names = names_of(recorded)
    assert {"program.chosen", "helper.double"} <= names
    assert "program.other" not in names


STAND_INS = f"""
import functools, sys
sys.path.insert(0, {str(PACKAGE)!r})
from pyrometer import timed_function

def counted(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper

@profile
@counted
def wrapped(number):
    return number

@profile
@timed_function
def timed(count):
    yield from range(count)

@profile
@functools.wraps(len)
def around(things):
    return len(things)

wrapped(1), list(timed(2)), around([])
"""


def test_the_function_behind_a_wrapper(recorder: Recorder) -> None:
    recorded = recorder.record(recorder.write(STAND_INS), options=LINES)
    assert names_of(recorded) == {"program.wrapped", "program.timed", "program.around"}
