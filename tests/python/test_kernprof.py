"""`python -m pyrometer.kernprof` in the place of kernprof."""

import re
from pathlib import Path

import pytest
from line_programs import LineRunner

SCRIPT = """\
import sys
from __main__ import __name__ as name

@profile
def double(x):
    y = 2 * x
    return y

def main():
    print(name, sys.argv, [double(n) for n in range(3)])
    if sys.argv[1:] == ['raise']:
        raise KeyError('very')
    if sys.argv[1:]:
        sys.exit(int(sys.argv[1]))

main()
"""


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    runner = LineRunner(python, tmp_path)
    runner.write("script.py", SCRIPT)
    return runner


def hits(text: str) -> dict[str, list[int]]:
    """Of each function's lines that were hit, from the printed tables."""
    found: dict[str, list[int]] = {}
    for table in text.split("Total time: ")[1:]:
        name = re.search(r"^Function: (\S+) at line", table, re.MULTILINE)
        assert name, table
        rows = re.findall(r"^ *\d+ +(\d+) +[\d.]+ +[\d.]+ +[\d.]+  ", table, re.MULTILINE)
        found[name[1]] = [int(count) for count in rows]
    return found


def test_run_and_view(program: LineRunner) -> None:
    done = program.kernprof("-l", "script.py")
    assert done.returncode == 0, done.stderr
    printed, wrote, inspect, command = done.stdout.splitlines()
    assert printed == "__main__ ['script.py'] [0, 2, 4]"
    assert wrote == "Wrote profile results to 'script.py.lprof'"
    assert inspect == "Inspect results with:"
    assert command.endswith(" -m pyrometer.line_profiler -rmt script.py.lprof")
    assert done.stderr == ""
    text = program.view("-m", "script.py.lprof")
    assert hits(text) == {"double": [3, 3]}
    assert re.search(r"^  0\.00 seconds - script.py:4 - double$", text, re.MULTILINE)
    viewed = program.kernprof("-lv", "-u", "1e-3", "--summarize", "-z", "script.py")
    assert viewed.stdout.splitlines()[2] == "Timer unit: 0.001 s"
    assert hits(viewed.stdout) == {"double": [3, 3]}


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [(["3"], 3, ""), (["raise"], 1, "KeyError: 'very'"), (["0"], 0, "")],
)
def test_status_is_the_scripts(
    program: LineRunner, words: list[str], status: int, complaint: str
) -> None:
    done = program.kernprof("-l", "script.py", *words)
    assert done.returncode == status
    assert complaint in done.stderr
    assert "Wrote profile results" in done.stdout
    assert hits(program.view("script.py.lprof")) == {"double": [3, 3]}


def test_quiet(program: LineRunner) -> None:
    assert program.kernprof("-lq", "script.py").stdout == "__main__ ['script.py'] [0, 2, 4]\n"
    silent = program.kernprof("-lqq", "script.py", "2")
    assert (silent.stdout, silent.returncode) == ("", 2)
    mute = program.kernprof("-lqqq", "-c", "import sys; sys.stderr.write('x')")
    assert (mute.stdout, mute.stderr) == ("", "")


def test_nothing_to_measure_is_explained(program: LineRunner) -> None:
    program.write("plain.py", "print('hello')\n")
    done = program.kernprof("-l", "plain.py")
    assert done.returncode == 0
    assert done.stdout == "hello\n"
    assert done.stderr.startswith("kernprof: nothing was measured, so no file was written: ")
    assert done.stderr.count("\n") == 1
    assert not list(program.folder.glob("*.lprof"))


def test_modules(program: LineRunner) -> None:
    program.write("pack/__init__.py", "")
    program.write("pack/__main__.py", "import pack.part, sys\nprint(__spec__.name, sys.argv[1:])\n")
    program.write("pack/part.py", "def helper():\n    return 1\nhelper()\n")
    done = program.kernprof("-l", "-m", "script", "-l")
    assert done.returncode == 1  # int('-l')
    assert "script.py', '-l'] " in done.stdout
    done = program.kernprof("-lv", "-p", "pack", "-m", "pack", "-m", "x")
    assert done.stdout.startswith("pack.__main__ ['-m', 'x']\n"), done.stderr
    assert set(hits(done.stdout)) == {"helper"}
    missing = program.kernprof("-l", "-m", "no.such.module")
    assert missing.returncode == 1
    assert missing.stderr == "Could not find module `no.such.module`\n"


def test_code_and_standard_input(program: LineRunner) -> None:
    code = "def f(x):\n    return x\nf(1); f(2)\nimport sys\nprint(sys.argv)\n"
    done = program.kernprof("-lv", "-c", code, "-v")
    assert done.stdout.startswith("['-c', '-v']\n"), done.stderr
    assert hits(done.stdout) == {"f": [2]}
    assert "    return x" in done.stdout
    done = program.kernprof("-lv", "-", "a", input=code)
    assert done.stdout.startswith("['-', 'a']\n"), done.stderr
    assert hits(done.stdout) == {"f": [2]}
    names = sorted(file.name for file in program.folder.glob("*.lprof"))
    assert [name[:16] for name in names] == ["kernprof-command", "kernprof-stdin-" + names[1][15]]


def test_options_end_where_the_program_begins(program: LineRunner) -> None:
    """kernprof itself takes a -m or -c of the script's for its own."""
    program.write("show.py", "import sys\nprint(sys.argv[1:])\n@profile\ndef f(): pass\n")
    for words in (["-m", "x"], ["-c", "y", "-o"], ["--", "-l"], ["--help"]):
        done = program.kernprof("-l", "show.py", *words)
        assert done.stdout.splitlines()[0] == str(words), done.stderr
    for options in (["--line-by-line"], ["-l", "--rich"], ["--line-by-line", "yes", "-i"]):
        assert program.kernprof(*options, "show.py").returncode == 0
    assert "show.py.lprof" in program.kernprof("-l", "--", "show.py").stdout


def test_wrong_usage(program: LineRunner) -> None:
    for words, complaint in (
        ([], "the following arguments are required"),
        (["-l", "-m"], "argument expected for the -m option"),
        (["--rich=maybe", "script.py"], "invalid boolean value: 'maybe'"),
        (["-u", "-3", "script.py"], "invalid positive_float value"),
        (["--nonsense", "script.py"], "--nonsense"),
    ):
        done = program.kernprof(*words)
        assert done.returncode == 2, words
        assert complaint in done.stderr, done.stderr
    missing = program.kernprof("-l", "missing.py")
    assert (missing.returncode, missing.stderr) == (1, "Could not find script 'missing.py'\n")


TARGETS = """\
import pack
from pack.part import Thing
def main(count: int = 1):
    pack.part.helper()
    Thing().method()
    inner = lambda: [n for n in range(2)]
    def nested():
        return inner()
    return nested()
main()
"""


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["-p", "targets.py"], "main main.<locals>.nested"),
        (["-p", "pack"], "helper Thing.method unused"),
        (["-p", "pack.part.helper,pack.part.Thing"], "helper Thing.method"),
        (["-p", "pack.part.Thing.method"], "Thing.method"),
        (["-p", "pack/part.py"], "helper Thing.method unused"),
        (["-p", "pack", "-p", "", "-p", "pack.part.helper"], "helper"),
        (["-p", "pack.__init__"], ""),
        (["--no-preimports", "-p", "pack.part"], "Thing.method"),
        (
            ["--prof-imports", "--no-preimports", "-p", "targets.py"],
            "main main.<locals>.nested Thing.method",
        ),
    ],
    ids=" ".join,
)
def test_chosen_targets(program: LineRunner, options: list[str], found: str) -> None:
    program.write("pack/__init__.py", "import pack.part\n")
    program.write(
        "pack/part.py",
        "def helper():\n    return 1\n"
        "class Thing:\n    def method(self):\n        return 1\n"
        "def unused():\n    return 1\n",
    )
    program.write("targets.py", TARGETS)
    done = program.kernprof("-lv", *options, "targets.py")
    assert done.returncode == 0, done.stderr
    tables = hits(done.stdout)
    assert sorted(tables) == sorted(found.split()), done.stderr
    assert all(rows for name, rows in tables.items() if name != "unused")
    if not found:
        assert "nothing was measured" in done.stderr


def test_setup_file(program: LineRunner) -> None:
    program.write("first.py", "import sys\nprint('set up', sys.argv[1:])\n")
    done = program.kernprof("-l", "-s", "first.py", "script.py", "0")
    assert done.stdout.startswith("set up ['0']\n__main__ ")


def test_settings(program: LineRunner) -> None:
    program.write(
        "pyproject.toml", "[tool.line_profiler.kernprof]\nline-by-line = true\nunit = 1\n"
    )
    assert "script.py.lprof" in program.kernprof("script.py").stdout
    assert "Timer unit: 1 s" in program.kernprof("-v", "script.py").stdout
    program.write("line_profiler.toml", "[tool.pyrometer.kernprof]\nunit = 0.5\n")
    assert "Timer unit: 0.5 s" in program.kernprof("-lv", "script.py").stdout
    assert "Timer unit: 1e-06 s" in program.kernprof("-lv", "--no-config", "script.py").stdout
    named = program.kernprof("-lv", "--config", "pyproject.toml", "script.py")
    assert "Timer unit: 1 s" in named.stdout
    variable = {"LINE_PROFILER_RC": str(program.folder / "pyproject.toml")}
    assert "Timer unit: 1 s" in program.kernprof("-v", "script.py", variables=variable).stdout
    missing = program.kernprof("--config", "no.toml", "script.py")
    assert missing.returncode == 2
    assert "There is no configuration file no.toml." in missing.stderr
    # The viewer reads the same files.
    program.write("line_profiler.toml", "[tool.line_profiler.show.column_widths]\nhits = 20\n")
    assert "Line #                 Hits  " in program.view("script.py.lprof")


def test_functions_without_lines(program: LineRunner) -> None:
    program.write("plain.py", "def work(): return 1\nwork()\nraise SystemExit(4)\n")
    done = program.kernprof("-v", "plain.py")
    assert done.returncode == 4
    assert "plain.py:1(work)" in done.stdout
    assert (program.folder / "plain.py.prof").is_file()
    program.write(
        "chosen.py",
        "def inside(): return 1\n"
        "def outside(): return 1\n"
        "@profile\ndef work(): return inside()\n"
        "@profile\ndef count():\n    yield inside()\n    return 3\n"
        "def all():\n    return (yield from count())\n"
        "work(); outside(); generator = all(); next(generator)\n"
        "try: next(generator)\nexcept StopIteration as end: print(end.value)\n"
        "with profile: inside()\n",
    )
    done = program.kernprof("-bv", "-o", "calls.prof", "chosen.py")
    assert done.stdout.startswith("3\n"), done.stderr
    assert re.search(r"^ +3 .*\(inside\)$", done.stdout, re.MULTILINE)
    assert "outside" not in done.stdout


def test_names_of_output_files(program: LineRunner) -> None:
    def name(pattern: str, **variables: str) -> str:
        before = set(program.folder.iterdir())
        done = program.kernprof("-lq", "-o", pattern, "script.py", variables=variables)
        assert done.returncode == 0, done.stderr
        [file] = set(program.folder.iterdir()) - before
        return file.name

    assert name("script.lprof%r") == "script.lprof0"
    assert name("%s-%r.lprof", OMPI_COMM_WORLD_RANK="3") == "script.py-3.lprof"
    assert name("a%r.lprof", PMI_RANK="12", PMI_SIZE="16") == "a12.lprof"
    assert name("b%r.lprof", SLURM_PROCID="2") == "b0.lprof"
    assert name("b%r.lprof", SLURM_PROCID="2", SLURM_STEP_ID="0") == "b2.lprof"
    assert name("%n.lprof") == "1.lprof"
    assert name("%n.lprof") == "2.lprof"
    assert re.fullmatch(r"\d+%\.lprof", name("%p%%.lprof"))
    # Ranks that nothing tells apart would write over each other.
    ranks = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}
    assert name("out.lprof", **ranks) == "out.1.lprof"
    wrong = program.kernprof("-l", "-o", "%x.lprof", "script.py")
    assert wrong.returncode == 1
    assert "'%x' in the name '%x.lprof' stands for nothing" in wrong.stderr


CHILDREN = """\
import multiprocessing, os, sys
@profile
def work(count):
    for _ in range(count):
        pass
    return count
if __name__ == '__main__':
    work(100)
    context = multiprocessing.get_context('fork')
    if sys.argv[1] == 'pool':
        with context.Pool(2) as pool:
            pool.map(work, [10] * 8, chunksize=1)
    elif sys.argv[1] == 'process':
        processes = [context.Process(target=work, args=(40,)) for _ in range(2)]
        for process in processes: process.start()
        for process in processes: process.join()
    elif os.fork() == 0:
        work(80)
    else:
        os.wait()
    os.chdir('/')
"""


@pytest.mark.parametrize("how", ["pool", "process", "fork"])
def test_forked_children_write_their_own(program: LineRunner, how: str) -> None:
    program.write("children.py", CHILDREN)
    done = program.kernprof("-l", "children.py", how)
    assert done.returncode == 0, done.stderr
    files = sorted(program.folder.glob("*.lprof"))
    assert program.folder / "children.py.lprof" in files
    children = {"pool": 2, "process": 2, "fork": 1}[how]
    assert len(files) == 1 + children or how == "pool"  # one worker may do it all
    assert all(re.fullmatch(r"children\.py(\.\d+)?\.lprof", file.name) for file in files)
    text = program.view("children*.lprof")
    calls = {"pool": 8, "process": 2, "fork": 1}[how]
    assert hits(text) == {"work": [1 + calls + 100 + 80, 180, 1 + calls]}
    assert hits(program.view("children.py.lprof")) == {"work": [101, 100, 1]}


def test_children_are_in_the_view(program: LineRunner) -> None:
    program.write("children.py", CHILDREN)
    done = program.kernprof("-lv", "children.py", "process")
    assert hits(done.stdout) == {"work": [183, 180, 3]}, done.stderr


def test_interval(program: LineRunner) -> None:
    program.write(
        "long.py",
        "import os, time\n@profile\ndef work(): pass\nwork()\n"
        "end = time.monotonic() + 50\n"
        "while not os.path.exists('long.py.lprof') and time.monotonic() < end: time.sleep(0.05)\n"
        "time.sleep(0.2)\nos._exit(0)\n",
    )
    assert program.kernprof("-l", "-i", "1", "long.py").returncode == 0
    assert hits(program.view("long.py.lprof")) == {"work": [1]}


def test_other_ways_to_the_decorator(program: LineRunner) -> None:
    """`from line_profiler import profile`, whether that is installed or not, and our own."""
    for module in ("line_profiler", "pyrometer"):
        program.write(
            "imported.py",
            f"from {module} import profile\n@profile\ndef work():\n    return 1\nwork()\n",
        )
        done = program.kernprof("-lv", "imported.py")
        assert hits(done.stdout) == {"work": [1]}, done.stderr


def test_options_are_kernprofs(program: LineRunner) -> None:
    """Those of kernprof 5."""
    text = program.kernprof("--help").stdout
    options = (
        "-h -V --config --no-config --line-by-line -l --builtin -b -s --setup -p --prof-mod "
        "--preimports --prof-imports -o --outfile -v --verbose --view -q --quiet --rich -r -u "
        "--unit --skip-zero -z --summarize -i --output-interval"
    )
    for option in options.split():
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", text), option
