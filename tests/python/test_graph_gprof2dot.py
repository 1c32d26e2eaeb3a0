"""pyrometer graph beside gprof2dot: the same file in, the same boxes and arrows out.

The deliberate differences are listed in docs/guides/gprof2dot.md, and each has its test here.
"""

import itertools
import json
import pstats
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Run
from dot_reader import Dot, label_lines, read_dot, times
from graph_programs import PROGRAMS, record, write_oddities
from harness.environments import InstallError, cache_folder, make_environment

RUN_ALL = "import gprof2dot, json, sys\nfor words in json.load(sys.stdin): gprof2dot.main(words)"

# What both draw in the same way; ours once more with all functions, as gprof2dot has no limit.
SAME_OPTIONS: dict[str, list[str]] = {
    "default": [],
    "everything": ["-n", "0", "-e", "0"],
    "thresholds": ["--node-thres", "5", "--edge-thres", "2.5"],
    "self time": ["--colour-nodes-by-selftime", "-n", "1"],
    "pink": ["-c", "pink"],
    "gray": ["-c", "gray", "--skew", "0.1"],
    "bw": ["--colormap", "bw"],
    "print": ["-c", "print", "--skew", "20"],
    "labels": [
        *("--node-label", "self-time", "--node-label", "total-time", "--time-format", "%.3e s"),
        *("--node-label", "total-time-percentage", "--show-samples"),
    ],
    "root": ["-z", "~:0:<built-in method builtins.exec>", "--depth", "1", "-n", "0"],
    "leaf": ["-l", "*:loads", "-n", "0", "-e", "0"],
    "path": ["-p", "/usr/lib/", "-p", str(Path(json.__file__).parents[1]), "-n", "0"],
}

Item = tuple[str, ...]


class Gprof2dot:
    """All graphs that the tests want, drawn by one interpreter, as starting one takes longest."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.folder = folder
        self.numbers = itertools.count()

    def draw(self, commands: Sequence[Sequence[object]]) -> list[Dot]:
        outputs = [self.folder / f"{next(self.numbers)}.dot" for _ in commands]
        words = [
            ["-f", "pstats", "-o", str(output), *map(str, command)]
            for output, command in zip(outputs, commands, strict=True)
        ]
        subprocess.run(
            [self.python, "-c", RUN_ALL],
            input=json.dumps(words),
            text=True,
            check=True,
            timeout=60,
            capture_output=True,
        )
        return [read_dot(output.read_text()) for output in outputs]


@pytest.fixture(scope="module")
def gprof2dot(tmp_path_factory: pytest.TempPathFactory) -> Gprof2dot:
    cache = cache_folder().parent / "viewers"
    packages = ["gprof2dot", "snakeviz"]  # as in test_pstats_consumers.py, which shares them
    try:
        folder = make_environment("pstats", Path(sys.executable), packages, print, cache)
    except InstallError as error:
        pytest.skip(f"gprof2dot cannot be installed: {error}")
    return Gprof2dot(folder / "bin" / "python", tmp_path_factory.mktemp("gprof2dot"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("programs")
    assert len(PROGRAMS) >= 20
    return {name: record(folder, name) for name in PROGRAMS}


def draw(pyrometer: Run, *words: object) -> Dot:
    result = pyrometer("graph", "--max-nodes", 0, *words)
    assert (result.returncode, result.stderr) == (0, "")
    return read_dot(result.stdout)


def boxes(dot: Dot) -> Counter[Item]:
    """Name, percentages, calls, colour, size and file of each."""
    return Counter(
        (node["label"], node["color"], node["fontsize"], node["tooltip"])
        for node in dot.nodes.values()
    )


def arrows(dot: Dot) -> Counter[Item]:
    """Both ends, percentage, colour and sizes of each; how often is another test."""
    shown = ("color", "fontsize", "penwidth", "arrowsize", "labeldistance")
    return Counter(
        (
            *(dot.nodes[end]["label"] + dot.nodes[end]["tooltip"] for end in ends),
            label_lines(edge)[0],
            *(edge[name] for name in shown),
        )
        for ends, edge in dot.edges.items()
    )


def expect_same(ours: Dot, theirs: Dot) -> None:
    assert boxes(ours) == boxes(theirs)
    assert arrows(ours) == arrows(theirs)


def test_twenty_programs(pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]) -> None:
    options = [SAME_OPTIONS[name] for name in ("default", "everything", "self time")]
    commands = [[file, *words] for file in files.values() for words in options]
    drawn = gprof2dot.draw(commands)
    for command, theirs in zip(commands, drawn, strict=True):
        assert theirs.nodes
        expect_same(draw(pyrometer, *command), theirs)


@pytest.mark.parametrize("name", SAME_OPTIONS)
def test_options(pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path], name: str) -> None:
    programs = {"leaf": ["json"], "path": ["json", "imports"]}.get(
        name, ["json", "imports", "cycle"]
    )
    commands = [[files[program], *SAME_OPTIONS[name]] for program in programs]
    for command, theirs in zip(commands, gprof2dot.draw(commands), strict=True):
        expect_same(draw(pyrometer, *command), theirs)


def test_several_files_are_added_up(
    pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]
) -> None:
    several = [files[name] for name in ("json", "email", "json", "recursion")]
    [theirs] = gprof2dot.draw([several])
    expect_same(draw(pyrometer, *several), theirs)


def test_oddities(pyrometer: Run, gprof2dot: Gprof2dot, tmp_path: Path) -> None:
    odd = write_oddities(tmp_path)
    for file, theirs in zip(odd, gprof2dot.draw([[file] for file in odd]), strict=True):
        expect_same(draw(pyrometer, file), theirs)


# ---- deliberate differences


def test_arrows_count_all_calls(
    pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]
) -> None:
    """gprof2dot's arrows leave recursive calls out, its boxes do not."""
    names = ("recursion", "cycle", "copies", "json")
    graphs = gprof2dot.draw([[files[name], "-n0", "-e0"] for name in names])
    differing = 0
    for name, theirs in zip(names, graphs, strict=True):
        ours = {
            ends[:2]: label_lines(ends[2])[1]
            for ends in draw(pyrometer, files[name], "-n0", "-e0").arrows()
        }
        counted = calls_by_edge(files[name])
        for caller, callee, edge in theirs.arrows():
            all_calls, primitive_calls = counted[caller, callee]
            assert ours[caller, callee] == times(all_calls)
            assert label_lines(edge)[1] == times(primitive_calls)
            differing += all_calls != primitive_calls
    assert differing >= 4


def calls_by_edge(file: Path) -> dict[tuple[str, str], tuple[int, int]]:
    def name(function: tuple[str, int, str]) -> str:
        return f"{Path(function[0]).stem}:{function[1]}:{function[2]}"

    stats: dict[tuple[str, int, str], tuple[int, int, float, float, dict]]  # type: ignore[type-arg]
    stats = pstats.Stats(str(file)).stats  # type: ignore[attr-defined]
    return {
        (name(caller), name(callee)): cost[:2]
        for callee, (*_, callers) in stats.items()
        for caller, cost in callers.items()
    }


def brightness(color: str) -> float:
    def linear(value: float) -> float:
        return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["color", "pink", "gray", "bw", "print", "safe"])
def test_text_can_be_read(pyrometer: Run, files: dict[str, Path], theme: str) -> None:
    """gprof2dot writes white on yellow."""
    dot = draw(pyrometer, files["imports"], "-n0", "-e0", "-c", theme)
    for node in dot.nodes.values():
        paper = "#ffffff" if theme == "print" else node["color"]
        levels = sorted([brightness(paper), brightness(node["fontcolor"])])
        assert (levels[1] + 0.05) / (levels[0] + 0.05) >= 4.5, node


def test_all_roots_of_a_name(pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]) -> None:
    """gprof2dot takes one of several functions of the same name."""
    words = [files["names"], "-z", "__init__:1:f", "-n", "0", "-e", "0"]
    [theirs] = gprof2dot.draw([words])
    ours = draw(pyrometer, *words)
    folders = {Path(node["tooltip"]).parent.name for node in ours.nodes.values()}
    assert {"one", "two"} <= folders
    assert len(theirs.nodes) == len(ours.nodes) - 1


def test_wrapped_names_break_in_more_places(
    pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]
) -> None:
    [theirs] = gprof2dot.draw([[files["imports"], "-n0", "-e0", "--wrap"]])
    ours = draw(pyrometer, files["imports"], "-n0", "-e0", "--wrap")

    def joined(dot: Dot) -> Counter[str]:
        return Counter("".join(node["label"].split()) for node in dot.nodes.values())

    assert joined(ours) == joined(theirs)
    assert widest(ours) < widest(theirs)


def widest(dot: Dot) -> int:
    return max(len(line) for node in dot.nodes.values() for line in label_lines(node))


def test_strip_keeps_what_python_brackets(
    pyrometer: Run, gprof2dot: Gprof2dot, files: dict[str, Path]
) -> None:
    [theirs] = gprof2dot.draw([[files["json"], "-s"]])
    assert "program_json:1:" in theirs.names()
    assert "program_json:1:<module>" in draw(pyrometer, files["json"], "-s").names()
