"""tools/check_dependencies.py accepts the tree and refuses each kind of violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


def check(*arguments: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tools/check_dependencies.py", *arguments],
        capture_output=True,
        text=True,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "src", tmp_path / "src")


def test_the_tree_passes() -> None:
    result = check()
    assert (result.stdout, result.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("file", "include", "sentence"),
    [
        ("base/planted.h", '"profile/profile.h"', "base may not include profile"),
        ("record/planted.h", '"profile/profile.h"', "record may not include profile"),
        ("collect/planted.cpp", '"profile/profile.h"', "collect may not include profile"),
        ("analyze/planted.cpp", '"os/process.h"', "analyze may not include os"),
        ("analyze/deep/planted.cpp", '"load/load.h"', "analyze may not include load"),
        ("cli/planted.cpp", '"collect/agent.h"', "cli may not include collect"),
        ("cli/planted.cpp", '"os/process.h"', "cli may not include os"),
        ("load/planted.cpp", '"../base/result.h"', 'climbs with ".."'),
        ("load/planted.cpp", '"result.h"', "does not begin with a part of src"),
        ("load/planted.cpp", '"nowhere/result.h"', "does not begin with a part of src"),
        ("load/planted.cpp", "<base/result.h>", "include it with quotes"),
        ("load/planted.cpp", "PLANTED_HEADER", "cannot be checked"),
        ("profile/planted.h", "<Python.h>", "profile may not include <Python.h>"),
        ("os/planted.h", '"Python.h"', "os may not include <Python.h>"),
        ("main.cpp", '"collect/agent.h"', "cli may not include collect"),
        ("base/planted.cpp", "<unistd.h>", "may not include the system header <unistd.h>"),
        ("cli/planted.cpp", "<sys/mman.h>", "may not include the system header <sys/mman.h>"),
        ("record/planted.cpp", "<linux/perf_event.h>", "may not include the system header"),
        ("report/planted.cpp", "<pthread.h>", "may not include the system header <pthread.h>"),
        ("novel/planted.cpp", "<vector>", "'novel' is not a known part of src"),
        ("planted.cpp", "<vector>", "the file is in no part"),
    ],
)
def test_a_violation_is_refused(copy: Path, file: str, include: str, sentence: str) -> None:
    planted = copy / file
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text(f"// A comment.\n  #  include {include}\n")
    result = check(copy)
    assert result.returncode == 1
    complaints = [line for line in result.stdout.splitlines() if line.startswith(f"{planted}:")]
    assert len(complaints) == 1
    assert sentence in complaints[0]


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("cli/run_planted.cpp", '"os/process.h"'),
        ("collect/planted.cpp", "<Python.h>"),
        ("cpython/planted.cpp", "<sys/uio.h>"),
        ("os/planted.cpp", "<unistd.h>"),
        ("serve/planted.cpp", '"report/table.h"'),
        ("export/planted.cpp", '"formats/pstats_file.h"'),
        ("main.cpp", '"cli/command_line.h"'),
        ("base/planted.cpp", "<csignal>"),
    ],
)
def test_what_is_allowed_passes(copy: Path, file: str, include: str) -> None:
    planted = copy / file
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text(f"#include {include}\n")
    assert f"{planted}:" not in check(copy).stdout


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    result = check(tmp_path / "none")
    assert result.returncode == 1
    assert "There is no folder" in result.stderr


def test_two_types_of_one_name(copy: Path) -> None:
    (copy / "load/planted.h").write_text("namespace pyrometer {\n\nstruct Profile {\n};\n\n}\n")
    result = check(copy)
    assert result.returncode == 1
    assert "the type Profile is also defined in " in result.stdout


def test_types_of_one_file_may_have_any_name(copy: Path) -> None:
    text = "namespace pyrometer {\nnamespace {\n\nstruct Profile {\n};\n\n}  // namespace\n}\n"
    (copy / "load/planted.cpp").write_text(text)
    assert check(copy).returncode == 0
