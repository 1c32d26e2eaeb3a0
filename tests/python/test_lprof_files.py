"""Files of line_profiler: read, written and added up as the real one does it."""

import os
import pickle
import pickletools
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from line_profilers import NEWEST, VERSIONS, LineProfiler, Timings, line_profiler

A: Timings = {
    ("/work/a.py", 3, "solve"): [(4, 10, 123_456), (5, 1, 7)],
    ("/work/a.py", 70_000, "Grid.step"): [(70_001, 1 << 40, 1 << 50)],
    ("b.py", 1, "never"): [],
    ("ünï\udcff.py", 1, "outer.<locals>.f"): [(2, 3, 4)],
}
B: Timings = {
    ("c.py", 1, "other"): [(2, 1, 2_500)],
    ("/work/a.py", 3, "solve"): [(5, 1, 3), (9, 2, 1)],
}


@pytest.fixture(scope="module", params=VERSIONS)
def profiler(request: pytest.FixtureRequest) -> LineProfiler:
    return line_profiler(request.param)


@pytest.fixture(scope="module")
def newest() -> LineProfiler:
    return line_profiler(NEWEST)


def test_each_protocol_of_each_version(
    pyrometer: Run, profiler: LineProfiler, tmp_path: Path
) -> None:
    for protocol in (2, 3, 4, 5):
        file = profiler.write(tmp_path / "in.lprof", A, 1e-7, protocol)
        assert pyrometer("export", file, "-o", tmp_path / "out.lprof").returncode == 0
        assert profiler.read(tmp_path / "out.lprof") == (1e-7, A)


def test_real_profile_survives(pyrometer: Run, profiler: LineProfiler, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    profiler.run("-m", "kernprof", "-l", "-o", "real.lprof", "program.py", cwd=tmp_path)
    assert pyrometer("export", "real.lprof", "-o", "ours.lprof", cwd=tmp_path).returncode == 0
    assert profiler.read(tmp_path / "ours.lprof") == profiler.read(tmp_path / "real.lprof")
    texts = [profiler.show([name], cwd=tmp_path) for name in ("ours.lprof", "real.lprof")]
    assert texts[0] == texts[1]


PROGRAM = """
@profile
def work(n):
    total = 0
    for i in range(n):
        total += i
    return total

work(1000)
"""


def test_sums_are_those_of_line_profiler(
    pyrometer: Run, newest: LineProfiler, tmp_path: Path
) -> None:
    newest.write(tmp_path / "a.lprof", A, 1e-9)
    newest.write(tmp_path / "b.lprof", B, 1e-7)
    newest.write(tmp_path / "c.lprof", B, 1e-9)
    for names in (["a.lprof", "b.lprof"], ["b.lprof", "a.lprof"], ["c.lprof", "b.lprof"]):
        words = ("merge", *names, "-o", "sum.lprof", "--json")
        summary = read_json(pyrometer(*words, cwd=tmp_path), "merge")
        expected = newest.run("-c", SUM, *names, "theirs.lprof", cwd=tmp_path)
        assert expected == ""
        sums = [newest.read(tmp_path / name) for name in ("sum.lprof", "theirs.lprof")]
        assert sums[0] == sums[1]
        assert list(sums[0][1]) == list(sums[1][1])
        assert summary["functions"] == len(sums[0][1])


SUM = """
import sys
from line_profiler.line_profiler import LineStats
LineStats.from_files(*sys.argv[1:-1]).to_file(sys.argv[-1])
"""


def test_other_commands_take_it(pyrometer: Run, newest: LineProfiler, tmp_path: Path) -> None:
    file = newest.write(tmp_path / "a.lprof", A)
    report = pyrometer("report", file)
    assert "solve" in report.stdout
    assert "Grid.step" in report.stdout
    document = read_json(pyrometer("export", file, "--format", "json"), "export")
    assert {metric["name"] for metric in document["metrics"]} == {"hits", "line-time"}
    assert pyrometer("merge", file, "-o", tmp_path / "all.pyro").returncode == 0
    exported = pyrometer("export", tmp_path / "all.pyro", "-o", tmp_path / "again.lprof")
    assert exported.returncode == 0, exported.stderr
    unit, timings = newest.read(tmp_path / "again.lprof")
    assert unit == 1e-9
    assert timings[("/work/a.py", 3, "solve")] == A[("/work/a.py", 3, "solve")]


def test_profile_without_exact_lines(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    result = pyrometer("export", prof_file, "-o", tmp_path / "x.lprof")
    expect_refusal(result, "pyrometer run --lines", status=2)
    assert not (tmp_path / "x.lprof").exists()


class Evil:
    """What nobody wants to unpickle."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_hostile_pickles_run_nothing(pyrometer: Run, tmp_path: Path, protocol: int) -> None:
    marker = tmp_path / "marker"
    file = tmp_path / "evil.lprof"
    for content in (Evil(marker), {"timings": Evil(marker)}, [{1: Evil(marker)}]):
        file.write_bytes(pickle.dumps(content, protocol))
        for command in (["lines"], ["report"], ["export", "-F", "lprof"], ["export", "-F", "json"]):
            result = pyrometer(*command, file)
            expect_refusal(result, "it would call posix.system", "byte ", name="evil.lprof")
    assert not marker.exists()


def test_pickles_of_something_else(pyrometer: Run, tmp_path: Path) -> None:
    file = tmp_path / "other.lprof"
    for content in ({"a": 1}, [1, 2], None, 1.5, {1, 2}, b"bytes", 1 << 100):
        file.write_bytes(pickle.dumps(content))
        expect_refusal(pyrometer("lines", file), name="other.lprof")


def test_only_known_instructions_are_in_real_files(newest: LineProfiler, tmp_path: Path) -> None:
    """The file that we write is made of what line_profiler writes."""
    file = newest.write(tmp_path / "a.lprof", A)
    names = {code.name for code, _, _ in pickletools.genops(file.read_bytes())}
    assert names <= {
        *("PROTO", "FRAME", "STOP", "MARK", "MEMOIZE", "BINGET", "STACK_GLOBAL", "NEWOBJ", "BUILD"),
        *("EMPTY_TUPLE", "EMPTY_DICT", "EMPTY_LIST", "TUPLE3", "APPEND", "APPENDS", "SETITEMS"),
        *("SHORT_BINUNICODE", "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"),
    }
