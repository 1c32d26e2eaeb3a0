"""The pictures of the guides: what commands draw, and the view of a guide's own program."""

import math
import os
import subprocess
import sys
from pathlib import Path

from browsing import Visit
from guides import ROOT, blocks_of
from harness.browser import served_view

GUIDES = ROOT / "docs" / "guides"


def make_program(guide: str, name: str, folder: Path) -> Path:
    """The program of a guide, as its reader would have it."""
    blocks_of(GUIDES / guide, folder)
    return folder / name


def show(visit: Visit, picture: Path) -> str:
    """The text in it; the page becomes as large as the picture."""
    visit.page.goto(picture.as_uri())
    box = visit.page.evaluate("document.documentElement.getBoundingClientRect().toJSON()")
    visit.page.set_viewport_size({name: math.ceil(box[name]) for name in ("width", "height")})
    text: str = visit.page.evaluate("document.documentElement.textContent")
    return text


def test_graph(visit: Visit, executable: Path, tmp_path: Path) -> None:
    program = make_program("gprof2dot.md", "spectrum.py", tmp_path)
    profile, picture = tmp_path / "out.prof", tmp_path / "graph.svg"
    subprocess.run(
        [sys.executable, "-m", "cProfile", "-o", profile, program, "4"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run([executable, "graph", profile, "-o", picture], check=True)
    text = show(visit, picture)
    assert "transform" in text
    assert "twiddle" in text
    visit.drawing("graph")


def record(executable: Path, folder: Path, *words: object) -> Path:
    """The run of a program; the words are options, the program and its arguments."""
    run = folder / "run"
    command = [executable, "run", "-q", "-o", run, "--python", sys.executable, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return run


def test_exact_lines(visit: Visit, executable: Path, tmp_path: Path) -> None:
    program = make_program("line_profiler.md", "edges.py", tmp_path)
    run = record(executable, tmp_path, "--lines", program, 40)
    with served_view(executable, run) as address:
        visit.open(address, "source")
        assert "smooth[row][column] = sorted(patch)[4]" in visit.page.inner_text("main")
        visit.picture("lines")


def test_memory_over_time(visit: Visit, executable: Path, tmp_path: Path) -> None:
    program = make_program("memory_profiler.md", "cube.py", tmp_path)
    run, picture = record(executable, tmp_path, "--memory", program), tmp_path / "memory.svg"
    subprocess.run(
        [executable, "memory", run, "--plot", picture], check=True, stdout=subprocess.DEVNULL
    )
    text = show(visit, picture)
    assert "MiB" in text
    visit.drawing("memory-plot")
