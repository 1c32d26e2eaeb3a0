"""A system that allows no more threads (ulimit -u, a container's limit) refuses ours, too."""

import os
import shutil
from pathlib import Path

import pytest
from running import BUSY, PROGRAMS, Recorder, run_command, same_behaviour

SHOW = f"""
import ctypes, os, signal
{BUSY}
refuse_threads = ctypes.CDLL(None).refuse_threads

def show():
    print(os.getpid() == parent, signal.pthread_sigmask(signal.SIG_BLOCK, []), flush=True)

def fork():
    child = os.fork()
    if child == 0:
        busy(0.2)
        show()
        os._exit(3)
    print(os.waitpid(child, 0)[1] >> 8)

parent = os.getpid()
show()
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("refuse_threads") / "refuse_threads.so"
    command = [compiler, "-O2", "-Wall", "-shared", "-fPIC", PROGRAMS / "refuse_threads.c"]
    result = run_command([*command, "-o", built, "-ldl"])
    assert result.returncode == 0, result.stderr
    return built


def test_from_the_start(recorder: Recorder, library: Path) -> None:
    """The program does not notice, the user is told, and what can be kept is."""
    script = recorder.write(f"{SHOW}\nbusy(0.3)\nfork()\nshow()\n")
    environment = {**os.environ, "LD_PRELOAD": str(library), "REFUSE_THREADS": "1"}
    plain, recorded = recorder.both(script, env=environment)
    assert "refused" in recorded.result.stderr
    assert "ulimit -u" in recorded.result.stderr
    recorded.result.stderr = plain.stderr
    same_behaviour(plain, recorded)
    assert plain.stdout.startswith("True set()\n")


def test_around_a_fork(recorder: Recorder, library: Path) -> None:
    """Parent and child go on, and what the parent did is there once threads are allowed again."""
    script = recorder.write(
        f"{SHOW}\nrefuse_threads(1)\nfork()\nbusy(0.4)\nrefuse_threads(0)\nshow()\n"
    )
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    plain, recorded = recorder.both(script, env=environment)
    assert recorded.result.stderr.count("refused process") == 2, recorded.complaint
    recorded.result.stderr = plain.stderr
    same_behaviour(plain, recorded)
    busy = recorded.profile().by_function("cpu")["busy"]
    assert busy > 0.35e9, recorded.complaint
