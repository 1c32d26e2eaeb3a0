"""`python -m pyrometer.mprof` in the place of mprof, with whose files it works."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, read_json
from line_programs import LineRunner
from memory_tools import memory_profiler
from running import PACKAGE, on_a_calm_machine, wait_until

MIB = 1 << 20
SCRIPT = """\
import subprocess, sys, time
from memory_profiler import profile

@profile
def grow(n):
    kept = [bytearray(8 << 20) for _ in range(n)]
    time.sleep(0.3)
    return kept

@profile
def outer():
    return grow(2)

child = "import time; data = bytearray(30 << 20); time.sleep(0.6)"
worker = subprocess.Popen([sys.executable, "-c", child])
kept = grow(5)
outer()
worker.wait()
print("done", sys.argv[1:])
sys.exit(int(sys.argv[1]) if sys.argv[1:] else 0)
"""
# With two functions, a child, and a last line that was cut.
PROFILE = """\
FUNC __main__.grow 10.0000 100.0500 50.0000 100.2500 0
CMDLINE python x.py 'a b'
MEM 10.000000 100.0000
CHLD 4711 5.500000 100.0000
MEM 60.250000 100.1000
CHLD 4711 7.250000 100.1000
MEM 70.125000 100.3000
FUNC __main__.short 61.0000 100.1100 62.5000 100.1200 0
MEM 12.5
"""


@pytest.fixture
def program(tmp_path: Path) -> LineRunner:
    runner = LineRunner(Path(sys.executable), tmp_path)
    runner.write("script.py", SCRIPT)
    return runner


@pytest.fixture(scope="module")
def real() -> Path:
    """The command of the real package."""
    return memory_profiler() / "mprof"


def mprof(program: LineRunner, *words: object, status: int = 0) -> str:
    done = program("-m", "pyrometer.mprof", *words)
    assert done.returncode == status, done.stderr
    assert done.stderr == ""
    return done.stdout


def start(program: LineRunner, *words: object) -> subprocess.Popen[str]:
    """In a process group of its own, which a test may signal."""
    return subprocess.Popen(
        [sys.executable, "-m", "pyrometer.mprof", *map(str, words)],
        cwd=program.folder,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lines_of(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in path.read_text().splitlines()]


def kinds(path: Path) -> set[str]:
    return {line[0] for line in lines_of(path)}


def largest(path: Path) -> float:
    return max(float(line[1]) for line in lines_of(path) if line[0] == "MEM")


def run_real(real: Path, program: LineRunner, *words: object) -> subprocess.CompletedProcess[str]:
    command = [str(real), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=program.folder, timeout=100)


def test_run_writes_the_file_of_mprof(program: LineRunner, pyrometer: Run, real: Path) -> None:
    said = mprof(program, "run", "-T", "0.05", "script.py")
    assert said == (
        "mprof: Sampling memory every 0.05s\nrunning new process\nrunning as a Python program...\n"
        "done []\n"
    )
    (path,) = program.folder.glob("*.dat")
    assert re.fullmatch(r"mprofile_\d{14}\.dat", path.name)
    lines = lines_of(path)
    assert lines[0] == ["CMDLINE", sys.executable, "script.py"]
    calls = {(line[1], line[6]): line for line in lines if line[0] == "FUNC"}
    assert set(calls) == {
        ("__main__.grow", "0"),
        ("__main__.grow", "1"),
        ("__main__.outer", "0"),
    }
    grow = calls["__main__.grow", "0"]
    assert float(grow[4]) - float(grow[2]) == pytest.approx(40, abs=2)
    # The real mprof and our own commands read it.
    told = run_real(real, program, "peak", path.name).stdout
    assert mprof(program, "peak", path.name) == told
    peak = float(told.split("\t")[1].split()[0])
    document = read_json(pyrometer("report", path, "--json"), "report")
    assert document["counters"][0]["peak"] / MIB == pytest.approx(peak, abs=0.001)
    assert {region["name"] for region in document["regions"]} == {"__main__.grow", "__main__.outer"}


def test_scripts_whose_names_begin_with_python(program: LineRunner) -> None:
    program.write("python_work.py", "import sys; print('worked', sys.argv[1:])")
    assert mprof(program, "run", "-o", "x.dat", "python_work.py", "5").endswith("worked ['5']\n")


def test_intervals_that_are_none(program: LineRunner) -> None:
    for interval in ("0", "-1", "soon"):
        done = program("-m", "pyrometer.mprof", "run", f"--interval={interval}", "script.py")
        assert done.returncode == 2
        assert f"'{interval}' is not a positive number of seconds" in done.stderr


def test_children(program: LineRunner) -> None:
    mprof(program, "run", "-T", "0.05", "-o", "alone.dat", "--nopython", sys.executable, "-c", "")
    assert kinds(program.folder / "alone.dat") == {"CMDLINE", "MEM"}

    def attempt() -> None:
        each, together = program.folder / "each.dat", program.folder / "all.dat"
        for path, option in ((each, "--multiprocess"), (together, "--include-children")):
            path.unlink(missing_ok=True)
            mprof(program, "run", "-T", "0.05", option, "-o", path, "script.py")
        assert kinds(each) == {"CMDLINE", "MEM", "CHLD", "FUNC"}
        child = max(float(line[2]) for line in lines_of(each) if line[0] == "CHLD")
        assert 30 < child < 60
        assert kinds(together) == {"CMDLINE", "MEM", "FUNC"}
        assert largest(together) > largest(each) + 20

    on_a_calm_machine(attempt)


@pytest.mark.parametrize("backend", ["psutil_pss", "psutil_uss"])
def test_backends(program: LineRunner, backend: str) -> None:
    def attempt() -> None:
        mprof(program, "run", "--backend", backend, "-T", "0.05", "-o", "x.dat", "script.py")
        assert largest(program.folder / "x.dat") > 40

    on_a_calm_machine(attempt)


def test_python_of_any_name(program: LineRunner) -> None:
    words = ["run", "--python", "-o", "x.dat"]
    said = mprof(program, *words, sys.executable, "script.py", "0")
    assert "running as a Python program...\ndone ['0']\n" in said
    program.write("module.py", SCRIPT)
    assert said == mprof(program, *words, "module", "0")


def test_status(program: LineRunner) -> None:
    words = ["-m", "pyrometer.mprof", "run", "-o", "x.dat"]
    assert program(*words, "script.py", "3").returncode == 0
    done = program(*words, "-E", "script.py", "3")
    assert done.returncode == 3
    assert done.stderr == "mprof: the program ended with status 3.\n"
    killed = program(*words, "-E", "sh", "-c", "kill -9 $$")
    assert killed.returncode == 137
    assert program(*words, "-E", "true").returncode == 0


def test_time_is_up(program: LineRunner) -> None:
    process = subprocess.Popen(["sleep", "60"])
    said = mprof(program, "attach", "-t", "0.3", "-T", "0.1", "-o", "x.dat", process.pid)
    assert process.poll() is None
    process.kill()
    process.wait()
    assert said.endswith(f"attaching to existing process, using hint: {process.pid}\n")
    lines = lines_of(program.folder / "x.dat")
    assert lines[0] == ["CMDLINE", "sleep", "60"]
    assert [line[0] for line in lines[1:]] == ["MEM"] * 3


def test_attach_by_name_until_the_end(program: LineRunner) -> None:
    name = "mprof-watches"
    program.write(name, f"#!{sys.executable}\nimport time\ntime.sleep(60)\n").chmod(0o755)
    watched = subprocess.Popen([program.folder / name])
    wait_until(lambda: name in Path(f"/proc/{watched.pid}/comm").read_text())
    watcher = start(program, "run", "--attach", "-o", "x.dat", name)
    path = program.folder / "x.dat"
    wait_until(lambda: path.exists() and "MEM" in kinds(path))
    watched.kill()
    watched.wait()
    watcher.communicate(timeout=60)
    assert watcher.returncode == 0


def test_interrupt_is_for_the_program(program: LineRunner) -> None:
    program.write(
        "waits.py",
        "import pathlib, time\ntry:\n    pathlib.Path('begun').touch()\n    time.sleep(60)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n",
    )
    process = start(program, "run", "-o", "x.dat", "waits.py")
    wait_until(lambda: (program.folder / "begun").exists())
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said.endswith("interrupted\n")


def test_two_runs_of_one_second(program: LineRunner) -> None:
    processes = [start(program, "run", "true") for _ in range(3)]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    files = list(program.folder.glob("mprofile_??????????????.dat"))
    assert len(files) == 3
    assert all(len(re.findall("CMDLINE", file.read_text())) == 1 for file in files)


@pytest.fixture
def profiles(program: LineRunner) -> LineRunner:
    for second in range(3):
        program.write(f"mprofile_2026010112000{second}.dat", PROFILE)
    program.write("mprofile_20260101120001_ts.dat", PROFILE)
    program.write("other.dat", PROFILE)
    return program


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["peak", "0", "other.dat", "-1", "0"],
        ["peak", "other.dat", "--func", "__main__.grow"],
        ["peak", "other.dat", "--func", "nobody"],
        ["peak"],
        ["rm", "--dry-run", "1", "other.dat"],
        ["clean", "--dry-run"],
    ],
    ids=" ".join,
)
def test_the_same_words(profiles: LineRunner, real: Path, words: list[str]) -> None:
    # The real one does not read a line that was cut, and finds no time in a name with _ts.
    for path in profiles.folder.glob("*.dat"):
        path.write_text(PROFILE.removesuffix("MEM 12.5\n"))
    if words == ["list"]:
        (profiles.folder / "mprofile_20260101120001_ts.dat").unlink()
    expected = run_real(real, profiles, *words)
    assert expected.returncode == 0, expected.stderr
    assert mprof(profiles, *words) == expected.stdout


def test_what_the_real_one_fails_at(profiles: LineRunner) -> None:
    assert mprof(profiles, "peak", "other.dat") == (
        "other.dat\t70.125 MiB\n  Child 4711\t\t\t7.250 MiB\n"
    )
    short = mprof(profiles, "peak", "other.dat", "--func", "__main__.short")
    assert short.startswith("other.dat\t62.500 MiB\n")


def test_remove(profiles: LineRunner) -> None:
    def names() -> list[str]:
        return sorted(path.name for path in profiles.folder.glob("*.dat"))

    mprof(profiles, "rm", "1")
    assert names() == ["mprofile_20260101120000.dat", "mprofile_20260101120002.dat", "other.dat"]
    mprof(profiles, "rm", "-1", "other.dat")
    assert names() == ["mprofile_20260101120000.dat"]
    mprof(profiles, "clean")
    assert names() == []


def test_refusals(program: LineRunner) -> None:
    program.write("empty.dat", "CMDLINE x\n")
    for words, complaint in (
        (["run"], "name a program to run"),
        (["run", "./no"], "cannot run ./no: No such file or directory."),
        (["run", "-o", "no/x.dat", "true"], "cannot write "),
        (["run", "-o", "%q", "true"], "'%q' in the name '%q' stands for nothing"),
        (["attach", "no such name"], "no process is called no such name"),
        (["attach", str(1 << 30)], f"there is no process {1 << 30}."),
        (["peak"], "there is no mprofile_??????????????.dat here; mprof run makes one."),
        (["peak", "7"], "there is no profile number 7; see mprof list."),
        (["peak", "no.dat"], "there is no file no.dat."),
        (["rm", "."], ". is a folder, not a profile."),
        (["rm"], "name profiles to remove"),
        (["peak", "empty.dat"], "empty.dat has no values of memory; mprof rm empty.dat deletes"),
    ):
        done = program("-m", "pyrometer.mprof", *words)
        assert done.returncode == 1, words
        assert done.stderr.startswith(f"mprof: {complaint}"), done.stderr
        assert done.stderr.count("\n") == 1
    assert not list(program.folder.glob("mprofile_*"))
    usage = program("-m", "pyrometer.mprof", "draw")
    assert (usage.returncode, usage.stdout) == (1, "")
    assert usage.stderr.startswith("Usage: mprof <command>")
    assert mprof(program, "--help") == usage.stderr
    wrong = program("-m", "pyrometer.mprof", "run", "-T", "0", "true")
    assert wrong.returncode == 2
