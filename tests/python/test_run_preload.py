"""The library that times MPI calls: when a program gets it, and what it finds in LD_PRELOAD."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RANK = {"PMI_RANK": "0", "PMI_SIZE": "1"}
SHOW = "import os; print(os.environ.get('LD_PRELOAD'))"


@pytest.fixture
def library(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stand-in that does nothing, in an installation of its own."""
    folder = tmp_path_factory.mktemp("with-preload")
    shutil.copytree(installed.parent.parent, folder, dirs_exist_ok=True)
    return make_library(folder / "libexec" / "pyrometer" / "_preload.so")


def make_library(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["cc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", path]
    subprocess.run(command, check=True, timeout=60)
    return path


def seen(library: Path, *options: str, **variables: str) -> str:
    """LD_PRELOAD as the program finds it."""
    executable = library.parents[2] / "bin" / "pyrometer"
    environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", *RANK)}
    result = subprocess.run(
        [executable, "run", "-q", *options, "-c", SHOW],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=library.parent,
        env={**environment, **variables},
    )
    assert result.returncode == 0, result.stderr
    return (result.stdout + result.stderr).strip()


def test_only_under_a_launcher(library: Path) -> None:
    assert seen(library) == "None"
    assert seen(library, **RANK) == str(library)


def test_asked_for_or_not(library: Path) -> None:
    assert seen(library, "--mpi") == str(library)
    assert seen(library, "--no-mpi", **RANK) == "None"


def test_users_own_come_first_and_ours_once(library: Path, tmp_path: Path) -> None:
    other = make_library(tmp_path / "other.so")
    assert seen(library, **RANK, LD_PRELOAD=str(other)) == f"{other}:{library}"
    both = f"{library} {other}"
    assert seen(library, **RANK, LD_PRELOAD=both) == both


def test_launcher_inside(library: Path, tmp_path: Path) -> None:
    launcher = tmp_path / "mpirun"
    launcher.write_text("#!/bin/sh\necho $LD_PRELOAD\n")
    launcher.chmod(0o755)
    executable = library.parents[2] / "bin" / "pyrometer"
    result = subprocess.run(
        [executable, "run", "-q", "--", launcher], capture_output=True, text=True, cwd=tmp_path
    )
    assert result.stdout.strip() == str(library)


def test_installation_that_has_none(installed: Path) -> None:
    """No preload, and no word about it."""
    assert seen(installed.parent.parent / "libexec" / "pyrometer" / "_preload.so", **RANK) == "None"


def test_name_that_cannot_be_preloaded(library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    shutil.copytree(library.parents[2], folder)
    said = seen(folder / "libexec" / "pyrometer" / "_preload.so", **RANK)
    assert said.startswith("None\npyrometer: MPI calls are not timed, as LD_PRELOAD cannot name ")
    assert said.count("\n") == 1
