"""`from pyrometer import profile`, the decorator that stays in programs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from line_programs import LineRunner
from running import PACKAGE

SCRIPT = """\
from pyrometer import profile

@profile
def work(count):
    for _ in range(count):
        pass
    return count

@profile
class Thing:
    def method(self):
        return 1

work(10)
Thing().method()
"""
LATER = r"profile_output_\d{4}-\d\d-\d\dT\d{6}\.txt"


@pytest.fixture
def program(python: Path, tmp_path: Path) -> LineRunner:
    runner = LineRunner(python, tmp_path)
    runner.write("script.py", SCRIPT)
    return runner


def test_does_nothing_when_nobody_records(program: LineRunner) -> None:
    program.write(
        "script.py",
        "import sys\nbefore = set(sys.modules)\n"
        "from pyrometer import lineprof, profile\n"
        "assert lineprof is profile\n"
        "def work(): pass\nown = work.__code__\n"
        "assert profile(work) is work and work.__code__ is own\n"
        "class Thing: pass\nassert profile(Thing) is Thing\n"
        "new = {name for name in set(sys.modules) - before if name.startswith('pyrometer')}\n"
        "assert new == {'pyrometer', 'pyrometer._explicit_profiler'}, new\n"
        "assert set(sys.modules) - before == new\n",
    )
    done = program("script.py", variables={"LINE_PROFILE": "0"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [file.name for file in program.folder.iterdir()] == ["script.py"]


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        ([], {"LINE_PROFILE": "1"}),
        ([], {"LINE_PROFILE": "anything"}),
        (["--line-profile"], {}),
        (["x", "--line_profile"], {}),
    ],
)
def test_outputs_are_line_profilers(
    program: LineRunner, words: list[str], variables: dict[str, str]
) -> None:
    done = program("script.py", *words, variables=variables)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "Timer unit: 1e-09 s"
    assert re.fullmatch(r"  0\.00 seconds - .*script\.py:\d+ - (work|Thing\.method)", lines[2])
    assert lines[4] == "Wrote profile results to profile_output.txt"
    assert re.fullmatch(f"Wrote profile results to {LATER}", lines[5])
    assert lines[6] == "Wrote profile results to profile_output.lprof"
    assert lines[7] == "To view details run:"
    assert lines[8].endswith(" -m pyrometer.line_profiler -rtmz profile_output.lprof")
    text = (program.folder / "profile_output.txt").read_text()
    assert "Function: work at line 3" in text
    assert "     5        11 " in text
    [later] = program.folder.glob("profile_output_*.txt")
    assert later.read_text() == text
    assert "Function: Thing.method at line" in program.view("profile_output.lprof")


def test_enable_and_disable(program: LineRunner) -> None:
    program.write(
        "script.py",
        "from pyrometer import profile\n"
        "@profile\ndef one(): return 1\n"
        "profile.enable(output_prefix='custom')\n"
        "@profile\ndef two(): return 2\n"
        "profile.disable()\n"
        "@profile\ndef three(): return 3\n"
        "profile.enable()\n"
        "@profile\ndef four(): return 4\n"
        "one(), two(), three(), four()\n",
    )
    done = program("script.py")
    assert done.returncode == 0, done.stderr
    text = (program.folder / "custom.txt").read_text()
    assert re.findall(r"Function: (\w+)", text) in (["two", "four"], ["four", "two"])
    assert (program.folder / "custom.lprof").is_file()


def test_configuration(program: LineRunner) -> None:
    program.write(
        "pyproject.toml",
        "[tool.line_profiler.setup]\nenviron_flags = ['MEASURE']\n"
        "[tool.line_profiler.write]\noutput_prefix = 'named'\ntext = false\nstdout = false\n"
        "timestamped_text = false\n",
    )
    program("script.py", variables={"LINE_PROFILE": "1"})
    assert not (program.folder / "named.lprof").exists()
    done = program("script.py", variables={"MEASURE": "1"})
    assert done.stdout.startswith("Wrote profile results to named.lprof\n"), done.stderr
    assert not list(program.folder.glob("*.txt"))


def test_children_do_not_write_over_their_parent(program: LineRunner) -> None:
    program.write(
        "script.py",
        "import multiprocessing, sys\n"
        "from pyrometer import profile\n"
        "@profile\ndef work():\n    return 1\n"
        "if __name__ == '__main__':\n"
        "    work()\n"
        "    for method in ('fork', 'spawn'):\n"
        "        process = multiprocessing.get_context(method).Process(target=work)\n"
        "        process.start(); process.join()\n"
        "        assert process.exitcode == 0\n",
    )
    done = program("script.py", variables={"LINE_PROFILE": "1"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("profile_output.lprof") == 2
    assert "     5         1 " in program.view("profile_output.lprof")


def test_recording_gets_the_functions(program: LineRunner) -> None:
    """`pyrometer run --lines` puts a decorator of its own into builtins."""
    program.write(
        "script.py",
        "import builtins, os\n"
        "class Recording:\n"
        "    __pyrometer__ = True\n"
        "    seen = []\n"
        "    def __call__(self, function):\n"
        "        self.seen.append(function)\n"
        "        return function\n"
        "builtins.profile = Recording()\n"
        "from pyrometer import profile as ours\n"
        "@ours\ndef work(): pass\n"
        "ours.enable()\n"
        "@ours\nclass Thing: pass\n"
        "assert Recording.seen == [work, Thing]\n",
    )
    done = program("script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [file.name for file in program.folder.iterdir()] == ["script.py"]


def test_types_are_kept(tmp_path: Path) -> None:
    source = tmp_path / "typed.py"
    source.write_text(
        "from pyrometer import LineProfiler, lineprof, memprof, profile, recording\n"
        "@profile\ndef one(x: int) -> str: return str(x)\n"
        "@lineprof\nclass Two:\n    size: int = 3\n"
        "profiler = LineProfiler()\n"
        "@profiler\ndef three(x: int) -> str: return str(x)\n"
        "reveal_type(one)\nreveal_type(Two().size)\nreveal_type(three)\n"
        "@memprof\ndef four(x: int) -> str: return str(x)\n"
        "@memprof(precision=2)\ndef five(x: int) -> str: return str(x)\n"
        "@recording()\ndef six(x: int) -> str: return str(x)\n"
        "reveal_type(four)\nreveal_type(five)\nreveal_type(six)\n"
    )
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", source]
    done = subprocess.run(
        words, cwd=tmp_path, env={"MYPYPATH": str(PACKAGE)}, capture_output=True, text=True
    )
    told = re.findall('Revealed type is "(.*?)"', done.stdout)
    assert {told[0]} == {told[2], *told[3:6]}, done.stdout
    assert re.fullmatch(r"def \(x: (builtins\.)?int\) -> (builtins\.)?str", told[0]), done.stdout
    assert told[1].endswith("int")
    assert "error" not in done.stdout


CLASS = """
class Thing:
    def method(self): return 1
    @staticmethod
    def static(): return 2
    @classmethod
    def of_class(cls): return 3
    @property
    def value(self): return 4
    size = 5
"""


@pytest.mark.parametrize("name", ["profile", "lineprof", "memprof"])
def test_nothing_without_a_recorder(program: LineRunner, name: str) -> None:
    program.write(
        "script.py",
        f"from pyrometer import {name}\n{CLASS}"
        "members = dict(vars(Thing))\n"
        f"assert {name}(Thing) is Thing and dict(vars(Thing)) == members\n"
        "def work(): pass\n"
        f"code = work.__code__\nassert {name}(work) is work and work.__code__ is code\n",
    )
    done = program("script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_memory_of_all_methods_of_a_class(program: LineRunner) -> None:
    program.write(
        "script.py",
        f"from pyrometer import memprof\n{CLASS}"
        "assert memprof(Thing) is Thing\n"
        "thing = Thing()\n"
        "assert [thing.method(), thing.static(), thing.of_class(), thing.value] == [1, 2, 3, 4]\n",
    )
    done = program("script.py", variables={"MEMORY_PROFILE": "1"})
    assert done.returncode == 0, done.stderr
    for number in range(1, 5):
        assert f"return {number}" in done.stdout


def test_lines_of_all_methods_of_a_class(executable: Path, program: LineRunner) -> None:
    program.write(
        "script.py",
        f"from pyrometer import profile, recording\n{CLASS}"
        "profile(Thing)\n"
        "thing = Thing()\n"
        "with recording('run', lines=True):\n"
        "    thing.method(), thing.static(), thing.of_class(), thing.value\n",
    )
    done = program("script.py")
    assert done.returncode == 0, done.stderr
    words = [executable, "lines", program.folder / "run"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    for number in range(1, 5):
        assert f"return {number}" in text


@pytest.mark.parametrize("variable", ["LINE_PROFILE", "MEMORY_PROFILE"])
def test_names_that_the_terminal_cannot_encode(program: LineRunner, variable: str) -> None:
    kind = "profile" if variable == "LINE_PROFILE" else "memprof"
    program.write(
        "größe.py",
        f"from pyrometer import {kind}\n@{kind}\ndef größe(): return 'größe'\ngröße()\n",
    )
    variables = {variable: "1", "PYTHONIOENCODING": "ascii"}
    done = program("größe.py", variables=variables)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert r"gr\xf6\xdfe.py" in done.stdout, done.stdout
