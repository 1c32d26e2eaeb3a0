"""pyrometer lines: the text of line_profiler to the byte, and what goes beyond it."""

import itertools
from pathlib import Path

import pytest
from conftest import Run, expect_refusal, read_json
from line_profilers import NEWEST, LineProfiler, Timings, line_profiler

SOURCE = '''\
"""Functions of every kind."""


def work(items, *, key=None):
    """A text
with lines at the margin.
"""
    total = sum(
        items,
        start=0,
    )
    if total and (key or
                  len(items) > 1):
        total += 1
    # the last comment

# not of work


class Grid:
    @property
    @staticmethod
    def size(): return {"a": f"{1!r:>{5}}", "b": """
x"""}

    async def step(self):
\tfor i in range(3):
\t\tyield i

    def never(self):
        pass


square = lambda x: (
    x * x)
'''


@pytest.fixture(scope="module")
def newest() -> LineProfiler:
    return line_profiler(NEWEST)


@pytest.fixture(scope="module")
def folder(newest: LineProfiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    (folder / "program.py").write_text(SOURCE)
    name = str(folder / "program.py")
    work: list[tuple[int, int, int]] = [(8, 20, 3_000), (9, 10, 1_000), (10, 10, 12_345_678)]
    timings: Timings = {
        (name, 4, "work"): [*work, (12, 10, 500), (13, 7, 501), (14, 1, 0)],
        (name, 20, "Grid"): [(21, 1, 5)],
        (name, 21, "Grid.size"): [(23, 1_234_567_890_123, 123_456_789_012_345_678)],
        (name, 26, "Grid.step"): [(27, 4, 10**15), (28, 3, 1)],
        (name, 30, "Grid.never"): [],
        (name, 34, "<lambda>"): [(35, 999_999_999, 1)],
        ("program.py", 4, "work"): work,
        ("gone.py", 10, "missing"): [(12, 1, 1_000), (8, 2, 2_000)],
        ("gone.py", 30, "empty"): [],
        ("<ipython-input-1-abc>", 1, "cell"): [],
    }
    newest.write(folder / "a.lprof", timings)
    newest.write(folder / "b.lprof", dict(itertools.islice(timings.items(), 3)), 1e-7)
    return folder


@pytest.mark.parametrize("unit", [[], ["-u", "1e-3"], ["-u", "1"], ["--unit", "1e-9"]])
@pytest.mark.parametrize("flags", ["", "-z", "-t", "-m", "-ztm", "--skip-zero --sort --summarize"])
def test_text_is_that_of_line_profiler(
    pyrometer: Run, newest: LineProfiler, folder: Path, unit: list[str], flags: str
) -> None:
    for files in (["a.lprof"], ["b.lprof"], ["a.lprof", "b.lprof"], ["b.lprof", "b.lprof"]):
        words = [*files, *unit, *flags.split()]
        result = pyrometer("lines", *words, cwd=folder)
        assert result.returncode == 0, result.stderr
        assert result.stdout == newest.show(words, cwd=folder)


def test_text_of_version_4(pyrometer: Run, folder: Path) -> None:
    """The same while numbers are no wider than their columns; functions are sorted there."""
    old = line_profiler("4.2.0")
    small: Timings = {(str(folder / "program.py"), 4, "work"): [(8, 20, 3_000), (14, 1, 0)]}
    file = old.write(folder / "small.lprof", small)
    for words in ([file], ["-u", "1e-3", "-m", file], ["-z", "-t", file]):
        assert pyrometer("lines", *words).stdout == old.show(words)


def test_blocks_of_the_standard_library(
    pyrometer: Run, newest: LineProfiler, tmp_path: Path
) -> None:
    """Where a function ends is told as inspect.getblock tells it."""
    file = tmp_path / "library.lprof"
    newest.run("-c", LIBRARY, file)
    result = pyrometer("lines", file)
    assert result.stdout.count("Function: ") > 2_000
    assert result.stdout == newest.show([file])


LIBRARY = """
import ast, pickle, sys
from pathlib import Path
from line_profiler.line_profiler import LineStats
timings = {}
for file in sorted(Path(ast.__file__).parent.glob("[a-i]*.py")):
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min(part.lineno for part in (node, *node.decorator_list))
            timings[str(file), first, node.name] = []
LineStats(timings, 1e-9).to_file(sys.argv[1])
"""


def functions_in(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if line.startswith("Function: ")]


def test_functions_by_name(pyrometer: Run, folder: Path) -> None:
    for words, expected in (
        (["Grid.step"], ["Grid.step"]),
        (["step"], ["Grid.step"]),
        (["work"], ["work", "work"]),
        (["Grid.*"], ["Grid.size", "Grid.step", "Grid.never"]),
        (["program.py:s*"], ["Grid.size", "Grid.step"]),
        (["-f", "size", "step"], ["Grid.size", "Grid.step"]),
        ([f"{folder}/program.py:work"], ["work"]),
    ):
        result = pyrometer("lines", "a.lprof", *words, cwd=folder)
        assert functions_in(result.stdout) == expected, words
    expect_refusal(pyrometer("lines", "a.lprof", "nobody", cwd=folder), "'nobody'", "Grid.size")
    expect_refusal(pyrometer("lines", "a.lprof", "gone.lprof", cwd=folder), "gone.lprof")


def test_measured_lines_are_always_shown(
    pyrometer: Run, newest: LineProfiler, tmp_path: Path
) -> None:
    """The block of a module would end with its first function."""
    (tmp_path / "script.py").write_text("def f():\n    pass\n\nx = 1\nf()\n")
    timings: Timings = {(str(tmp_path / "script.py"), 1, "<module>"): [(4, 1, 10), (5, 1, 10)]}
    file = newest.write(tmp_path / "a.lprof", timings)
    rows = pyrometer("lines", file).stdout.splitlines()
    assert rows[-2].split() == ["5", "1", "0.0", "0.0", "50.0", "f()"]


def test_statements(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("lines", "a.lprof", f"{folder}/*:work", "--statements", cwd=folder)
    rows = {line[:6].strip(): line[6:50].split() for line in result.stdout.splitlines()}
    assert rows["8"][0] == "10"  # a call of three lines comes back to its first one
    assert rows["9"] == rows["10"] == []
    assert rows["12"][0] == "10"  # the second half of a condition ran less often
    document = read_json(
        pyrometer("lines", "a.lprof", "--statements", "--json", cwd=folder), "lines"
    )
    lines = document["functions"][0]["lines"]
    assert [line["line"] for line in lines] == [8, 12, 14]
    assert lines[0]["time_ns"] == 3_000 + 1_000 + 12_345_678


def test_json(pyrometer: Run, folder: Path) -> None:
    document = read_json(pyrometer("lines", "a.lprof", "--json", cwd=folder), "lines")
    assert document["exact"]
    work = document["functions"][0]
    assert (work["name"], work["first_line"]) == ("work", 4)
    assert work["lines"][0] == {
        "line": 8,
        "hits": 20,
        "time_ns": 3_000,
        "source": "    total = sum(",
    }


def test_colours(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("lines", "-r", "a.lprof", "work", cwd=folder)
    assert "\x1b[96mdef\x1b[0m \x1b[92mwork\x1b[0m(" in result.stdout
    assert "\x1b[1;36m20\x1b[0m" in result.stdout
    assert "\x1b" not in pyrometer("lines", "a.lprof", cwd=folder).stdout


def test_source_of_other_files_is_not_shown(
    pyrometer: Run, newest: LineProfiler, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("def f():\n    password\n")
    (tmp_path / "escape.py").write_text("def f():\n    '\x1b[2J'\n")
    timings: Timings = {(str(tmp_path / "secret.txt"), 1, "f"): [(2, 1, 1)]}
    timings[str(tmp_path / "escape.py"), 1, "g\x1b[2J"] = [(2, 1, 1)]
    result = pyrometer("lines", newest.write(tmp_path / "a.lprof", timings))
    assert result.returncode == 0
    assert "password" not in result.stdout
    assert "\x1b" not in result.stdout
    assert "'\\x1b[2J'" in result.stdout


def test_sampled_lines(pyrometer: Run, recording: Path) -> None:
    result = pyrometer("lines", recording)
    assert result.returncode == 0
    assert "pyrometer run --lines" in result.stderr
    assert "Samples" in result.stdout
    document = read_json(pyrometer("lines", recording, "--json"), "lines")
    assert not document["exact"]


def test_nothing_to_show(
    pyrometer: Run, newest: LineProfiler, prof_file: Path, tmp_path: Path
) -> None:
    expect_refusal(pyrometer("lines", prof_file), "pyrometer run --lines", name=prof_file.name)
    empty = newest.write(tmp_path / "empty.lprof", {})
    expect_refusal(pyrometer("lines", empty), "@profile", name="empty.lprof")
    file = newest.write(tmp_path / "a.lprof", {("a.py", 1, "f"): [(2, 1, 1)]})
    expect_refusal(pyrometer("lines", file, "--columns", "self"), "callees", status=2)
    expect_refusal(pyrometer("lines", file, "--columns", "wait"), "sampled", status=2)
    expect_refusal(pyrometer("lines", file, "--columns", "taste"), "taste", status=2)
    expect_refusal(pyrometer("lines", file, "-u", "0"), "unit", status=2)
