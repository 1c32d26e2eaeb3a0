"""What mypy says of programs that use the package."""

import re
import subprocess
import sys
from pathlib import Path

from running import PACKAGE


def run_mypy(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", file],
        env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        cwd=file.parent,
        timeout=100,
    )


def test_types_of_decorated_functions_are_kept(tmp_path: Path) -> None:
    """mypy itself says so."""
    file = tmp_path / "typed.py"
    file.write_text(
        "from pyrometer import timed_function, timed_region, timing, timings\n"
        "@timed_region('a')\n"
        "def a(x: int) -> str: return str(x)\n"
        "@timed_function('b')\n"
        "def b(x: int) -> str: return str(x)\n"
        "@timed_function\n"
        "def c(x: int) -> str: return str(x)\n"
        "with timed_region('d') as region: reveal_type(region.name)\n"
        "for function in (a, b, c): reveal_type(function)\n"
        "reveal_type(timing('a')); reveal_type(timings()['a'].count)\n"
    )
    done = run_mypy(file)
    revealed = re.findall(r'Revealed type is "(.*)"', done.stdout)
    assert revealed == ["str", "def (x: int) -> str", "float", "int"], done.stdout


def test_misspelt_names_are_errors_of_types(tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(
        "import pyrometer\n"
        "pyrometer.recordin('a')\n"
        "pyrometer.recording('a', exakt=True)\n"
        "pyrometer.Profile().runcall(len, 'a')\n"
    )
    done = run_mypy(file)
    problems = re.findall(r":(\d+): error: .*\[([a-z-]+)\]", done.stdout)
    assert problems == [("2", "attr-defined"), ("3", "call-arg")], done.stdout
