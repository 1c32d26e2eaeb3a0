"""Programs of several ranks under Open MPI and MPICH, plain or recorded."""

import os
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from running import Recorded, Result, wait_until

ROOT = Path(__file__).resolve().parents[2]
MPI_PROGRAMS = ROOT / "tests" / "programs" / "mpi"

# What root, and more ranks than cores, need. Ranks that wait give their core away, or a test of
# 32 ranks on two cores would wait for turns of the scheduler only.
LAUNCHERS = {
    "openmpi": [
        *("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"),
        *("--mca", "mpi_yield_when_idle", "1", "--mca", "btl_base_warn_component_unused", "0"),
    ],
    "mpich": ["mpirun.mpich"],
}
# Every process of a launch carries it, whatever group or session the launcher puts it in.
MARK = "PYROMETER_TEST_LAUNCH"


def require_launcher(name: str) -> None:
    """Without this MPI: a failure where Debian's packages can be had, else skipped."""
    program = LAUNCHERS[name][0]
    if shutil.which(program):
        return
    reason = f"there is no {program}; on Debian: apt-get install openmpi-bin mpich"
    if os.environ.get("CI") or shutil.which("apt-get"):
        pytest.fail(reason)
    pytest.skip(reason)


def unpack_mpi4py(version: str, python: Path) -> Path:
    tool = [ROOT / "tools" / "unpack_mpi4py.sh", f"{version}={python}"]
    done = subprocess.run(tool, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        pytest.fail(f"mpi4py cannot be unpacked: {done.stderr}")
    return Path(done.stdout.partition("=")[2].strip())


def processes_with(mark: str) -> list[int]:
    """The living ones; zombies have no environment any more."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # gone, or another user's
            continue
    return found


def kill_processes(mark: str) -> None:
    for pid in processes_with(mark):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


@dataclass
class Launch:
    """A launch under way: of the launcher, and of all the processes it started."""

    process: subprocess.Popen[str]
    mark: str
    run: Path
    executable: Path

    def pids(self) -> list[int]:
        return processes_with(self.mark)

    def kill(self) -> None:
        """Everything at once, as a batch system may."""
        kill_processes(self.mark)

    def finish(self, seconds: float = 60) -> Recorded:
        """Waits for the launcher and for what outlives it."""
        try:
            out, errors = self.process.communicate(timeout=seconds)
            wait_until(lambda: not self.pids())
        finally:
            self.kill()
        code = self.process.returncode
        result = subprocess.CompletedProcess(self.process.args, code, out, errors)
        return Recorded(self.executable, self.run, result)


@dataclass
class Mpi:
    """One MPI and one interpreter whose mpi4py uses it."""

    name: str
    executable: Path
    python: Path
    mpi4py: Path | None  # for PYTHONPATH; none: the interpreter has its own
    folder: Path
    launches: list[Launch] = field(default_factory=list)

    def launcher(self, size: int) -> list[object]:
        return [*LAUNCHERS[self.name], "-n", size]

    def environment(self, mark: str = "") -> dict[str, str]:
        changes = {"OMP_NUM_THREADS": "1", MARK: mark}
        if self.mpi4py:
            changes["PYTHONPATH"] = str(self.mpi4py)
        return {**os.environ, **changes}

    def plain(self, size: int, *words: object, **keywords: Any) -> Result:
        """The words are a script or -m or -c, and the arguments."""
        return self.run([*self.launcher(size), self.python, *words], **keywords)

    def record(
        self, size: int, *words: object, options: Sequence[object] = (), **keywords: Any
    ) -> Recorded:
        directory = self.new_run()
        command = [*self.launcher(size), *self.recorded(directory, *words, options=options)]
        return Recorded(self.executable, directory, self.run(command, **keywords))

    def recorded(
        self, directory: Path, *words: object, options: Sequence[object] = ()
    ) -> list[object]:
        """What the launcher starts, to record the words into the directory."""
        own = ["-o", directory, *options, "--python", self.python]
        return [self.executable, "run", *own, *words]

    def start(self, size: int, *words: object, options: Sequence[object] = ()) -> Launch:
        """A recorded launch to be signalled or killed; it is killed when the test ends."""
        directory = self.new_run()
        command = [*self.launcher(size), *self.recorded(directory, *words, options=options)]
        return self.begin(command, directory)

    def begin(self, command: Sequence[object], directory: Path, **keywords: Any) -> Launch:
        mark = uuid.uuid4().hex
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **keywords}
        streams.setdefault("stderr", subprocess.PIPE)
        environment = {**self.environment(mark), **streams.pop("env", {})}
        process = subprocess.Popen(
            [str(word) for word in command],
            text=True,
            start_new_session=True,
            env=environment,
            **streams,
        )
        launch = Launch(process, mark, directory, self.executable)
        self.launches.append(launch)
        return launch

    def run(self, command: Sequence[object], *, timeout: float = 100, **keywords: Any) -> Result:
        """Any command, to its end; `env` holds what is changed in the environment."""
        try:
            return self.begin(command, self.folder, **keywords).finish(timeout).result
        except subprocess.TimeoutExpired:
            pytest.fail(f"did not end in {timeout} s: {' '.join(map(str, command))}")

    def new_run(self) -> Path:
        number = len(list(self.folder.glob("*.run")))
        return self.folder / f"{number}.run"

    def write(self, source: str, name: str = "program.py") -> Path:
        path = self.folder / name
        path.write_text(source)
        return path

    def end(self) -> None:
        for launch in self.launches:
            launch.kill()
            launch.process.wait(10)


def make_mpi(name: str, executable: Path, version: str, python: Path, folder: Path) -> Mpi:
    require_launcher(name)
    return Mpi(name, executable, python, unpack_mpi4py(version, python) / name, folder)


def first_python(pythons: dict[str, Path]) -> tuple[str, Path]:
    """For what is the same with every interpreter."""
    own = "{}.{}".format(*sys.version_info)
    version = own if own in pythons else next(iter(pythons))
    return version, pythons[version]
