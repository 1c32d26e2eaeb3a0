"""What every test of the commands needs: the executable under test, profiles, interpreters."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Visit
from harness.browser import chromium
from interpreters import find_pythons
from jsonschema import Draft202012Validator
from mpi_launch import LAUNCHERS, Mpi, first_python, make_mpi
from notebooks import Notebook
from playwright.sync_api import Browser
from running import Recorder

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., subprocess.CompletedProcess[str]]
MakeRun = Callable[..., Path]


@pytest.fixture(scope="session")
def executable() -> Path:
    """The executable under test: the release build, or PYROMETER_EXECUTABLE."""
    chosen = os.environ.get("PYROMETER_EXECUTABLE")
    path = Path(chosen) if chosen else ROOT / "build" / "release" / "bin" / "pyrometer"
    if not path.is_file():
        pytest.fail(f"There is no executable {path}: run ./pyrometer once to build it.")
    return path


@pytest.fixture(scope="session")
def pyrometer(executable: Path) -> Run:
    """Runs pyrometer with the arguments; keywords go to subprocess.run."""

    def run(*arguments: object, **keywords: object) -> subprocess.CompletedProcess[str]:
        options = {"capture_output": True, "text": True, "timeout": 60, **keywords}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([executable, *map(str, arguments)], **options)

    return run


@pytest.fixture(scope="session")
def installed(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The executable installed beside a stand-in for the recorder, which samples nothing."""
    folder = tmp_path_factory.mktemp("installed")
    start = folder / "libexec" / "pyrometer" / "start"
    start.mkdir(parents=True)
    (folder / "bin").mkdir()
    tests = Path(__file__).parent
    for file in ("stand_in/sitecustomize.py", "recordings.py", "../data/recording-v1.pyr"):
        shutil.copy(tests / file, start)
    (start / "recording-v1.pyr").rename(start / "recording.pyr")
    return Path(shutil.copy(executable, folder / "bin" / "pyrometer"))


@pytest.fixture(scope="session")
def make_run(executable: Path) -> MakeRun:
    """Writes a run directory of synthetic recordings: make_run(path, ranks=3, compressed=True)."""
    tool = executable.with_name("make_recordings")
    if not tool.is_file():
        pytest.skip(f"There is no {tool}: this build has no tests.")

    def make(directory: Path, **shape: object) -> Path:
        words = [
            f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")
            for name, value in shape.items()
        ]
        subprocess.run([tool, directory, *words], check=True, timeout=60)
        return directory

    return make


@pytest.fixture(scope="session")
def run_directory(make_run: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three ranks of two threads, with samples in time and values at the end."""
    directory = tmp_path_factory.mktemp("profiles") / "run"
    return make_run(directory, ranks=3, nodes=120, samples=300, threads=2, density=0.8)


@pytest.fixture(scope="session")
def recording(run_directory: Path) -> Path:
    """One rank of the run directory."""
    return recordings_in(run_directory)[0]


@pytest.fixture(scope="session")
def prof_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real file of cProfile: recursion, built-in functions, several callers."""
    folder = tmp_path_factory.mktemp("cprofile")
    script = folder / "program.py"
    script.write_text(PROGRAM)
    file = folder / "program.prof"
    command = [sys.executable, "-m", "cProfile", "-o", file, script]
    subprocess.run(command, check=True, timeout=60)
    return file


PROGRAM = """
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def work(size):
    return sorted(range(size), key=lambda n: -n)

for size in range(50):
    work(10 * size)
fibonacci(12)
"""


@pytest.fixture(scope="session")
def real_run(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording with something for most screens of the view."""
    folder = tmp_path_factory.mktemp("view")
    program = folder / "program.py"
    program.write_text(VIEWED_PROGRAM)
    command = [executable, "run", "-q", "-o", folder / "run", "--python", sys.executable, program]
    subprocess.run(command, check=True, timeout=60, cwd=folder)
    return folder / "run"


# Two threads, a hot line, native code, a sleep and a lock: something for most screens.
VIEWED_PROGRAM = """
import hashlib
import threading
import time


def hot_loop(count):
    total = 0
    for number in range(count):
        total += number * number % 7
    return total


def digest(rounds):
    data = b"x" * 200_000
    for _ in range(rounds):
        data = hashlib.sha256(data).digest() * 6_000
    return data


def helper():
    time.sleep(0.2)
    with lock:
        hot_loop(400_000)


lock = threading.Lock()
threads = [threading.Thread(target=helper, name=f"helper {i}") for i in range(2)]
for thread in threads:
    thread.start()
hot_loop(8_000_000)
digest(400)
for thread in threads:
    thread.join()
"""


def recordings_in(run_directory: Path) -> list[Path]:
    return sorted(run_directory.glob("raw/*/*.pyr"))


def read_json(result: subprocess.CompletedProcess[str], schema: str) -> Any:
    """The document that a command printed, which must follow docs/{schema}.schema.json."""
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    document = json.loads(result.stdout)
    rules = json.loads((ROOT / "docs" / f"{schema}.schema.json").read_text())
    Draft202012Validator(rules).validate(document)
    return document


def expect_refusal(
    result: subprocess.CompletedProcess[str], *words: str, status: int = 1, name: str = ""
) -> None:
    """One sentence on standard error that names the file, and nothing else."""
    assert result.returncode == status, (result.returncode, result.stderr)
    assert result.stdout == ""
    assert result.stderr.startswith("pyrometer: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.endswith("\n")
    assert name in result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A page in a real browser; whatever it complains about fails the test."""
    with Visit.begin(browser) as visit:
        yield visit


# A shell's background job ignores Ctrl-C, and so would every program that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

PYTHONS = find_pythons()


@pytest.fixture(scope="session")
def pythons() -> dict[str, Path]:
    return PYTHONS


@pytest.fixture(scope="session", params=PYTHONS)
def python_version(request: pytest.FixtureRequest) -> str:
    """A test that asks for this, or for a recorder, runs once with every interpreter."""
    version: str = request.param
    return version


@pytest.fixture(scope="session")
def python(python_version: str) -> Path:
    return PYTHONS[python_version]


@pytest.fixture
def recorder(executable: Path, python_version: str, tmp_path: Path) -> Recorder:
    return Recorder(executable, PYTHONS[python_version], tmp_path)


@pytest.fixture
def one_recorder(executable: Path, tmp_path: Path) -> Recorder:
    """For what takes long and is the same with every interpreter: the first of them."""
    return Recorder(executable, next(iter(PYTHONS.values())), tmp_path)


@pytest.fixture
def notebook(executable: Path, tmp_path: Path) -> Notebook:
    """Cells that a kernel of Jupyter runs."""
    return Notebook(tmp_path, executable)


@pytest.fixture(scope="session", params=LAUNCHERS)
def mpi_name(request: pytest.FixtureRequest) -> str:
    """A test that asks for this, or for an MPI, runs once under each."""
    name: str = request.param
    return name


@pytest.fixture
def mpi(executable: Path, mpi_name: str, tmp_path: Path) -> Iterator[Mpi]:
    """Launches several ranks, with one interpreter; whatever they leave behind is killed."""
    mpi = make_mpi(mpi_name, executable, *first_python(PYTHONS), tmp_path)
    yield mpi
    mpi.end()


@pytest.fixture
def mpi_of_every_python(
    executable: Path, mpi_name: str, python_version: str, tmp_path: Path
) -> Iterator[Mpi]:
    """As `mpi`, once with every interpreter."""
    mpi = make_mpi(mpi_name, executable, python_version, PYTHONS[python_version], tmp_path)
    yield mpi
    mpi.end()
