"""Files of memory_profiler: its tables, and memory over time by mprof."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import Run, expect_refusal, read_json
from memory_tools import memory_profiler

PROGRAM = """\
import subprocess, sys, time
try:
    profile  # mprof's own
except NameError:
    from memory_profiler import profile

@profile
def grow(n):
    kept = []
    for _ in range(n):
        kept.append(bytearray(8 << 20))
    time.sleep(0.2)
    return kept

child = "import time; data = bytearray(30 << 20); time.sleep(0.6)"
worker = subprocess.Popen([sys.executable, "-c", child])
time.sleep(0.2)
kept = grow(5)
worker.wait()
"""
MIB = 1 << 20


@pytest.fixture(scope="module")
def tool() -> Path:
    """The folder with memory_profiler's commands."""
    return memory_profiler()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "grow.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def table(tool: Path, program: Path) -> Path:
    """What `python -m memory_profiler` prints."""
    result = subprocess.run(
        [tool / "python", program], capture_output=True, text=True, timeout=100, cwd=program.parent
    )
    assert result.returncode == 0, result.stderr
    path = program.with_name("table.txt")
    path.write_text("starting\n" + result.stdout)
    return path


def run_mprof(tool: Path, program: Path, *options: str) -> Path:
    path = program.with_name(f"mprofile{''.join(options)}.dat")
    words = ["run", "-T", "0.05", *options, "-o", path, program]
    environment = {"PATH": f"{tool}:/usr/bin:/bin"}
    subprocess.run(
        [tool / "mprof", *words], check=True, timeout=100, env=environment, capture_output=True
    )
    return path


@pytest.fixture(scope="module")
def dat_file(tool: Path, program: Path) -> Path:
    """Of mprof with children, which knows no functions."""
    return run_mprof(tool, program, "--multiprocess")


@pytest.fixture(scope="module")
def dat_with_functions(tool: Path, program: Path) -> Path:
    return run_mprof(tool, program)


def test_lines_print_the_same_table(pyrometer: Run, table: Path) -> None:
    shown = pyrometer("lines", table)
    assert (shown.returncode, shown.stderr) == (0, "")
    printed = table.read_text().removeprefix("starting\n")
    # memory_profiler prints as many digits as it was asked for.
    number = re.compile(r" *(-?\d+\.\d+) MiB")
    assert number.sub("", shown.stdout) == number.sub("", printed)
    ours = [float(text) for text in number.findall(shown.stdout)]
    assert ours == pytest.approx([float(text) for text in number.findall(printed)], abs=0.06)


def test_json_has_bytes(pyrometer: Run, table: Path) -> None:
    document = read_json(pyrometer("lines", table, "--json"), "memory-lines")
    (function,) = document["functions"]
    assert function["name"] == "grow"
    lines = {line["source"].strip(): line for line in function["lines"]}
    append = lines["kept.append(bytearray(8 << 20))"]
    assert append["hits"] == 5
    assert 39 * MIB < append["increment_bytes"] < 42 * MIB
    assert append["memory_bytes"] > 40 * MIB


def test_report_names_the_line_that_grows(pyrometer: Run, table: Path) -> None:
    shown = pyrometer("report", table)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "increment" in shown.stdout
    assert re.search(r"MiB +\S+ MiB +5 +\S*grow.py:11 +grow +kept.append", shown.stdout)


def test_mprof_peak_is_ours(pyrometer: Run, tool: Path, dat_file: Path) -> None:
    result = subprocess.run(
        [tool / "mprof", "peak", dat_file], capture_output=True, text=True, timeout=100
    )
    peak = float(result.stdout.split("\t")[1].split()[0])
    document = read_json(pyrometer("report", dat_file, "--json"), "report")
    parent, *children = document["counters"]
    assert parent["name"] == "memory"
    assert parent["peak"] / MIB == pytest.approx(peak, abs=0.001)
    memory = [line.split() for line in dat_file.read_text().splitlines()]
    assert parent["points"] == sum(line[0] == "MEM" for line in memory)
    assert sum(child["points"] for child in children) == sum(line[0] == "CHLD" for line in memory)
    assert document["peak_together"]["value"] > parent["peak"]


def test_functions_of_mprof(pyrometer: Run, dat_with_functions: Path) -> None:
    document = read_json(pyrometer("report", dat_with_functions, "--json"), "report")
    (region,) = document["regions"]
    assert region["name"].endswith("grow")
    assert region["calls"] == 1
    assert 39 * MIB < region["increment"] < 43 * MIB
    assert region["after"] - region["before"] == region["increment"]
    assert region["duration_ns"] > 200_000_000


def test_report_of_memory_over_time(
    pyrometer: Run, dat_file: Path, dat_with_functions: Path, tmp_path: Path
) -> None:
    merged = tmp_path / "m.pyro"
    assert pyrometer("merge", dat_file, "-o", merged).returncode == 0
    peak = re.compile(r"^Peak \d+(\.\d)? MiB over all processes at \S+ m?s of ", re.MULTILINE)
    for file in (dat_file, merged):
        shown = pyrometer("report", file)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert peak.search(shown.stdout)
    shown = pyrometer("report", dat_with_functions)
    assert re.search(r"1 +\S+ m?s +\S*grow$", shown.stdout, re.MULTILINE)


def test_what_mprof_did_not_finish(pyrometer: Run, tmp_path: Path) -> None:
    path = tmp_path / "mprofile_1.dat"
    path.write_text("CMDLINE python x.py\n")
    expect_refusal(pyrometer("report", path), "shorter one", name="mprofile_1.dat")
    path.write_text("CMDLINE python x.py\nMEM 1.0 nan\nMEM 1.0 2.0\n")
    expect_refusal(pyrometer("report", path), "line 2", name="mprofile_1.dat")
