"""tools/check_tree.py accepts the tree and refuses each kind of violation."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


def check(*arguments: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tools/check_tree.py", *arguments], capture_output=True, text=True
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    part = tmp_path / "src" / "base"
    part.mkdir(parents=True)
    (part / "README.md").write_text("# base\nWhat everything stands on.\n")
    (part / "small.h").write_text("int x;\n" * 10)
    return tmp_path


def test_the_tree_passes() -> None:
    result = check()
    assert (result.stdout, result.returncode) == ("", 0)


def test_a_sound_tree_passes(tree: Path) -> None:
    (tree / "src/base/longest.h").write_text("int x;\n" * 500)
    (tree / "src/base/other.h").write_text("int x;\n" * 200)
    (tree / "build").mkdir()
    (tree / "build" / "generated.cpp").write_text("int x;\n" * 1000)
    result = check(tree)
    assert (result.stdout, result.returncode) == ("", 0)


def test_a_long_file_is_refused(tree: Path) -> None:
    (tree / "python").mkdir()
    (tree / "python" / "long.py").write_text("x = 1\n" * 501)
    (tree / "src" / "base" / "other.h").write_text("int x;\n")
    result = check(tree)
    assert result.returncode == 1
    assert result.stdout.endswith("long.py: 501 lines; split it, as 500 are the most.\n")


def test_a_long_median_is_refused(tree: Path) -> None:
    for name in ("a.cpp", "b.cpp"):
        (tree / "src" / "base" / name).write_text("int x;\n" * 201)
    result = check(tree)
    assert result.returncode == 1
    assert "the median source file has 201 lines" in result.stdout


@pytest.mark.parametrize("labels", [("pypi", "org"), ("deb", "debian", "org"), ("crates", "io")])
def test_a_registry_host_is_refused(tree: Path, labels: tuple[str, ...]) -> None:
    host = ".".join(labels)
    (tree / "notes.txt").write_text(f"one\nsee https://{host}/simple\n")
    result = check(tree)
    assert result.returncode == 1
    assert result.stdout == f"{tree}/notes.txt:2: names the package registry host {host}.\n"


def test_a_part_without_readme_is_refused(tree: Path) -> None:
    (tree / "src" / "load").mkdir()
    result = check(tree)
    assert result.returncode == 1
    assert "src/load: has no README.md" in result.stdout


def test_a_document_without_a_title_is_refused(tree: Path) -> None:
    (tree / "src" / "base" / "README.md").write_text("#base\nruined\n")
    result = check(tree)
    assert result.returncode == 1
    assert "README.md: does not begin with a title" in result.stdout
