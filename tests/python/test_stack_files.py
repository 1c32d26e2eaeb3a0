"""Collapsed stacks, pprof and callgrind files of the tools themselves."""

import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Run, expect_refusal
from harness.environments import InstallError, cache_folder, make_environment
from profiles import RecordedProfile

FOREIGN = ROOT / "tests" / "data" / "foreign"

PROGRAM = """
import threading, time

def inner(n):
    return sum(i * i for i in range(n))

def work(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        inner(20_000)

helper = threading.Thread(target=work, args=(0.6,), name="helper")
helper.start()
work(0.6)
helper.join()
"""

Load = Callable[[Path], RecordedProfile]


@pytest.fixture(scope="module")
def load(pyrometer: Run, tmp_path_factory: pytest.TempPathFactory) -> Load:
    def run(path: Path) -> RecordedProfile:
        output = tmp_path_factory.mktemp("export") / "profile.json"
        result = pyrometer("export", path, "--format", "json", "-o", output)
        assert result.returncode == 0, result.stderr
        return RecordedProfile(json.loads(output.read_text()))

    return run


# The newest that runs with the C library of Debian 12.
AUSTIN = "austin-dist==3.7.0"


def tool(package: str, name: str) -> Path:
    cache = cache_folder().parent / "viewers"
    try:
        folder = make_environment(package, Path(sys.executable), [package], print, cache)
    except InstallError as error:
        pytest.skip(f"{package} cannot be installed: {error}")
    return folder / "bin" / name


def run_tool(command: list[object], output: Path) -> list[tuple[str, str]]:
    """The stacks and numbers that a tool wrote."""
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=60)
    if not output.is_file():
        pytest.skip(f"{command[0]} cannot watch programs here: {done.stderr[-200:]!r}")
    lines = [line for line in output.read_text().splitlines() if line and line[0] != "#"]
    assert lines
    return [(stack, number) for stack, _, number in (line.rpartition(" ") for line in lines)]


# ---- the tools at work


def test_py_spy(load: Load, tmp_path: Path) -> None:
    program, output = tmp_path / "program.py", tmp_path / "out.txt"
    program.write_text(PROGRAM)
    command = [tool("py-spy", "py-spy"), "record", "-f", "raw", "-r", "100", "--threads"]
    stacks = run_tool([*command, "-o", output, "--", sys.executable, program], output)
    profile = load(output)
    assert profile.total("samples") == sum(int(number) for _, number in stacks)
    threads = Counter[str]()
    for stack, number in stacks:
        threads[stack.partition(")")[0]] += int(number)
    assert len(threads) == 2
    assert sorted(profile.by_thread("samples").values()) == sorted(threads.values())
    lines = profile.by_line("samples", "program.py")
    for line in (5, 10):
        expected = [int(n) for stack, n in stacks if stack.endswith(f"(program.py:{line})")]
        assert lines[line] == sum(expected)


@pytest.mark.parametrize(("option", "metric"), [("-i5ms", "wall"), ("-fi5ms", "wall")])
def test_austin(load: Load, tmp_path: Path, option: str, metric: str) -> None:
    program, output = tmp_path / "program.py", tmp_path / "out.txt"
    program.write_text(PROGRAM)
    austin = tool(AUSTIN, "austin")
    stacks = run_tool([austin, option, "-t3s", "-o", output, sys.executable, program], output)
    profile = load(output)
    microseconds = [int(number.split(",")[0]) for _, number in stacks]
    assert profile.total(metric) == 1000 * sum(microseconds)
    assert profile.total("samples") == len(stacks)
    if option.startswith("-f"):
        busy = [n.split(",") for _, n in stacks]
        assert profile.total("cpu") == 1000 * sum(
            int(time) for time, idle, _ in busy if idle == "0"
        )


# ---- files that were made once: see their README


@pytest.mark.parametrize("name", ["plain", "instr", "names"])
def test_callgrind(load: Load, name: str) -> None:
    profile = load(FOREIGN / f"callgrind-{name}.out")
    assert profile.total("Ir") == 5762
    assert profile.by_label("Ir") == {}
    functions = {function["name"] for function in profile.document["functions"]}
    assert {"main", "recurse", "recurse'2", "leaf"} <= functions
    if name == "names":
        assert (profile.total("Dr"), profile.total("Dw")) == (603, 602)


def test_callgrind_costs_of_functions(pyrometer: Run) -> None:
    result = pyrometer("report", FOREIGN / "callgrind-plain.out", "--json")
    rows = {row["name"]: row for row in json.loads(result.stdout)["functions"]}
    assert (rows["leaf"]["self"], rows["leaf"]["total"]) == (2800, 2800)
    assert (rows["main"]["self"], rows["main"]["total"]) == (712, 5762)
    assert rows["recurse"]["total"] == 5050
    assert rows["leaf"]["calls"] == 150


def test_pprof(load: Load) -> None:
    cpu = load(FOREIGN / "go-cpu.pb.gz")
    assert (cpu.total("cpu"), cpu.total("samples")) == (180_000_000, 18)
    # Inlined calls are frames of their own.
    path = [frame.name for frame in next(cpu.stacks("cpu")).frames]
    assert path[:4] == ["runtime.main", "main.main", "main.middle", "main.leaf"]
    heap = load(FOREIGN / "go-heap.pb.gz")
    assert heap.total("alloc_objects") == 154
    assert round(heap.total("alloc_space") / 1024, 2) == 5912.68


def test_gzip_holds_any_format(load: Load, pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    for path in (prof_file, FOREIGN / "callgrind-plain.out"):
        packed = tmp_path / "packed"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        assert load(packed).document["functions"] == load(path).document["functions"]
    twice = tmp_path / "twice"
    twice.write_bytes(gzip.compress(gzip.compress(b"main;solve 12\n")))
    expect_refusal(pyrometer("report", twice), "not a profile that Pyrometer knows", name="twice")


def test_recordings_are_not_read_out_of_gzip(pyrometer: Run, tmp_path: Path) -> None:
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress((ROOT / "tests/data/recording-v1.pyr").read_bytes()))
    expect_refusal(pyrometer("report", packed), "type: gunzip", name="packed.gz")


def test_what_cannot_be_read_is_said(pyrometer: Run, tmp_path: Path) -> None:
    cpu = gzip.decompress((FOREIGN / "go-cpu.pb.gz").read_bytes())
    cases = {
        "cut.gz": (gzip.compress(b"main;solve 12\n")[:-9], "cut"),
        "cut.pb": (cpu[: len(cpu) // 2], ""),
        "name.callgrind": (b"events: Ir\nfn=(3)\n1 5\n", "line 2: the name (3)"),
        "out.mojo": (b"MOJ\x03\x01", "mojo2austin"),
        "perf.data": (b"PERFILE2\0\0", "perf script"),
        "out.bin": (b"HCAT\1\0\0\0", "profiling.sampling replay --gecko"),
        "raw": (b"memray\0\0", "memray transform csv"),
        "raw.lz4": (b"\x04\x22M\x18@@\xc0\xc9I\0\0\xf9\x05memray\0", "memray transform csv"),
    }
    for name, (content, words) in cases.items():
        path = tmp_path / name
        path.write_bytes(content)
        expect_refusal(pyrometer("report", path), words, name=name)


def test_collapsed_stacks_of_ours_come_back(load: Load, pyrometer: Run, tmp_path: Path) -> None:
    stacks = tmp_path / "stacks.txt"
    stacks.write_text("main (a.py:1);solve (b.py:7) 5\nmain (a.py:1);other 3\n")
    again = tmp_path / "again.collapsed"
    assert pyrometer("export", stacks, "-o", again).returncode == 0
    assert load(again).total("samples") == load(stacks).total("samples") == 8
