"""./pyrometer, ./test and python -m pyrometer as a user types them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Run
from interpreters import parse_pythons

# Stands in for the real program, which takes minutes to build: shows what it was given.
PROGRAM = r"""
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>
int main(int count, char** arguments) {
  const std::string verb = count > 1 ? arguments[1] : "";
  if (verb == "exit") return std::atoi(arguments[2]);
  if (verb == "environment") {
    for (char** entry = environ; *entry; ++entry) std::cout << *entry << '\0';
  } else if (verb == "input") {
    std::cout << std::cin.rdbuf();
  } else if (verb == "folder") {
    char folder[4096];
    std::cout << getcwd(folder, sizeof folder);
  } else {
    for (int i = 1; i < count; ++i) std::cout << arguments[i] << '\0';
  }
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(pyrometer LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
add_executable(pyrometer src/main.cpp)
"""


def make_checkout(root: Path) -> Path:
    """A checkout with the real scripts and the stand-in program, not yet built."""
    for folder in ("tools", "src", "cmake", "view/bundle", ".venv/bin"):
        (root / folder).mkdir(parents=True)
    for file in ("pyrometer", "tools/setup.sh", "CMakePresets.json"):
        shutil.copy2(ROOT / file, root / file)
    (root / "CMakeLists.txt").write_text(CMAKE)
    (root / "src/main.cpp").write_text(PROGRAM)
    python = root / ".venv/bin/python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return root


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    defaults: dict[str, object] = {"capture_output": True, "text": True, "timeout": 100}
    return subprocess.run([str(word) for word in command], **(defaults | options))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_checkout(tmp_path_factory.mktemp("a checkout") / "of pyrometer")
    first = run(root / "pyrometer", "--flag", "value", stdin=subprocess.DEVNULL)
    assert first.returncode == 0, first.stderr
    assert first.stdout == "--flag\0value\0"
    assert first.stderr.startswith("pyrometer: building")
    assert first.stderr.count("\n") == 1
    return root


def test_nothing_to_do_says_nothing(checkout: Path) -> None:
    again = run(checkout / "pyrometer", "x")
    assert (again.returncode, again.stdout, again.stderr) == (0, "x\0", "")


def test_arguments_arrive_as_given(checkout: Path) -> None:
    arguments = ["two words", "two\nlines\n", "", "*", "$HOME", "--", "-n", "back\\slash", "'\""]
    assert run(checkout / "pyrometer", *arguments).stdout == "".join(a + "\0" for a in arguments)


@pytest.mark.parametrize("status", [0, 3, 255])
def test_status_passes_through(checkout: Path, status: int) -> None:
    assert run(checkout / "pyrometer", "exit", status).returncode == status


def test_runs_through_a_symlink_and_in_the_callers_folder(checkout: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(checkout / "pyrometer")
    (tmp_path / "second").symlink_to("link")
    assert run("./second", "folder", cwd=tmp_path).stdout == str(tmp_path)


def test_environment_passes_unchanged(checkout: Path) -> None:
    # Names that the scripts use themselves, and a name that is no shell variable.
    environment = {"PATH": os.environ["PATH"], "root": "a", "missing": "b", "x-y": "c\nd"}
    shown = run(checkout / "pyrometer", "environment", env=environment).stdout
    assert dict(entry.split("=", 1) for entry in shown.split("\0")[:-1]) == environment


def test_rebuilds_what_changed_and_keeps_stdin(checkout: Path) -> None:
    source = checkout / "src/main.cpp"
    source.write_text(source.read_text().replace("std::cin.rdbuf()", "'>' << std::cin.rdbuf()"))
    rebuilt = run(checkout / "pyrometer", "input", input="one\ntwo")
    assert rebuilt.stdout == ">one\ntwo"
    assert rebuilt.stderr == "pyrometer: the sources changed, building...\n"


def test_a_moved_checkout_still_builds(tmp_path: Path) -> None:
    before = make_checkout(tmp_path / "before")
    assert run(before / "pyrometer", "exit", 4).returncode == 4
    after = before.rename(tmp_path / "after")
    (after / "src/main.cpp").touch()
    moved = run(after / "pyrometer", "exit", 5)
    assert moved.returncode == 5, moved.stderr


def test_two_at_once_build_once(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    both = [
        subprocess.Popen(
            [root / "pyrometer", "x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    results = [process.communicate(timeout=100) for process in both]
    assert [stdout for stdout, _ in results] == ["x\0", "x\0"]
    chatter = "".join(stderr for _, stderr in results)
    assert chatter.count("building (") == 1
    assert [process.returncode for process in both] == [0, 0]


def test_a_failed_build_says_what_and_where(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    (root / "src/main.cpp").write_text("int main() { return undeclared; }\n")
    failed = run(root / "pyrometer")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert "was not declared" in failed.stderr
    assert f"the whole log is {root}/build/logs/release-build.log" in failed.stderr


def test_a_failed_installation_says_what_and_where(tmp_path: Path) -> None:
    root = make_checkout(tmp_path / "checkout")
    fakes = tmp_path / "fakes"
    fakes.mkdir()
    for name, answer in (("dpkg-query", "true"), ("apt-get", "echo no mirror; false")):
        (fakes / name).write_text(f"#!/bin/sh\n{answer}\n")
        (fakes / name).chmod(0o755)
    # As sudo without a password for those who are not root.
    (fakes / "sudo").write_text('#!/bin/sh\nshift; exec "$@"\n')
    (fakes / "sudo").chmod(0o755)
    path = f"{fakes}:{os.environ['PATH']}"
    failed = run(root / "pyrometer", env={**os.environ, "PATH": path})
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert "no mirror" in failed.stderr
    assert f"the whole log is {root}/build/logs/packages.log" in failed.stderr


def test_unknown_option_of_test_is_refused() -> None:
    refused = run(ROOT / "test", "--quick")
    assert refused.returncode == 2
    assert refused.stderr == "test: unknown option '--quick'; ./test --help lists them.\n"
    assert "--fast" in run(ROOT / "test", "--help").stdout


def test_checkout_package_and_executable_are_one_command(pyrometer: Run, tmp_path: Path) -> None:
    version = pyrometer("--version")
    assert version.returncode == 0
    module = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    for command in ([ROOT / "pyrometer"], [sys.executable, "-m", "pyrometer"]):
        same = run(*command, "--version", cwd=tmp_path, env=module)
        assert (same.returncode, same.stdout) == (0, version.stdout)


def test_module_without_executable_says_so(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "python", tmp_path / "python")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "python")}
    refused = run(sys.executable, "-m", "pyrometer", "--version", env=environment)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("pyrometer: the pyrometer executable is not where")


def test_interpreters_are_found_by_version() -> None:
    text = "3.11=/usr/bin/python3 3.13=/a path/python\n3.11=/mine"
    assert parse_pythons(text) == {"3.11": Path("/mine"), "3.13": Path("/a path/python")}
    assert parse_pythons("") == {}


def test_interpreters_are_what_they_claim(pythons: dict[str, Path]) -> None:
    for version, path in pythons.items():
        told = run(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        assert told.stdout.strip() == version
