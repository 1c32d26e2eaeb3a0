"""Files that are missing, cut, garbage or hostile: one sentence, little memory, little time."""

import marshal
import os
import random
import resource
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRun, Run, expect_refusal, read_json, recordings_in
from recordings import (
    CHECKPOINT,
    CODE,
    COMPRESSED,
    HEADER_SIZE,
    MAGIC,
    METRIC,
    NODES,
    SAMPLES,
    STRING,
    THREAD,
    frame,
    frames_of,
    header,
    sized,
    varint,
)
from recordings import recording as make_recording

GIGABYTE = 1 << 30
SECONDS = 10

Result = subprocess.CompletedProcess[str]
Refuse = Callable[..., None]


def little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.fixture
def bounded(pyrometer: Run) -> Callable[..., Result]:
    """Runs pyrometer with a gigabyte of address space and some seconds."""

    def run(*arguments: object) -> Result:
        return pyrometer(*arguments, preexec_fn=little_memory, timeout=6 * SECONDS)

    return run


@pytest.fixture
def refuse(bounded: Callable[..., Result], tmp_path: Path) -> Refuse:
    """Every command must refuse the file in one sentence."""

    def expect(file: Path, *words: str, status: int = 1) -> None:
        outputs = [tmp_path / "output.pyro", tmp_path / "output.prof"]
        commands = [["report"], ["report", "-F", "pstats"], ["export", "-F", "json"]]
        for command in (*commands, *(["merge", "-o", output] for output in outputs)):
            expect_refusal(bounded(*command, file), *words, name=file.name, status=status)
        assert not any(output.exists() for output in outputs)

    return expect


def write(folder: Path, content: bytes, name: str = "bad.file") -> Path:
    file = folder / name
    file.write_bytes(content)
    return file


# ---- nothing to read


def test_missing_file(refuse: Refuse, tmp_path: Path) -> None:
    refuse(tmp_path / "missing.pyr", "does not exist")
    refuse(tmp_path / "missing" / "run", "does not exist")


def test_folder_that_is_no_run(refuse: Refuse, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    refuse(folder, "not a run directory", status=2)


def test_run_without_recordings(refuse: Refuse, make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ranks=0)
    refuse(run, "no recordings")


def test_run_of_broken_recordings(
    bounded: Callable[..., Result], make_run: MakeRun, tmp_path: Path
) -> None:
    run = make_run(tmp_path / "run", ranks=2, nodes=10)
    first, second = recordings_in(run)
    first.write_bytes(b"")
    second.write_bytes(b"garbage")
    for command in (["report"], ["merge", "-o", tmp_path / "x.pyro"]):
        expect_refusal(bounded(*command, run), "empty", name=first.name)


def test_empty_file(refuse: Refuse, tmp_path: Path) -> None:
    for name in ("empty.pyr", "empty.pyro", "empty.prof", "empty"):
        refuse(write(tmp_path, b"", name), "empty")


@pytest.mark.skipif(os.geteuid() == 0, reason="Root may read everything.")
def test_unreadable_file(refuse: Refuse, recording: Path, tmp_path: Path) -> None:
    file = write(tmp_path, recording.read_bytes())
    file.chmod(0)
    refuse(file)


def test_pipes_and_devices(bounded: Callable[..., Result], tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for file in (fifo, Path("/dev/zero"), Path("/dev/null")):
        expect_refusal(bounded("report", file), "regular file", name=file.name, status=2)
        expect_refusal(bounded("dump", file), "regular file", name=file.name, status=2)


# ---- garbage


def test_garbage(refuse: Refuse, tmp_path: Path) -> None:
    noise = random.Random(1)
    for size in (1, 7, 100, 5000, 1_000_000):
        refuse(write(tmp_path, noise.randbytes(size)))
    refuse(write(tmp_path, b"wall time: 3 s\n" * 100), "not a profile")
    refuse(write(tmp_path, b'{"schema_version": 1}'))
    refuse(write(tmp_path, Path(sys.executable).read_bytes()[:100_000]))
    refuse(write(tmp_path, b"\0" * 10_000))
    refuse(write(tmp_path, marshal.dumps([1, 2, 3])))
    refuse(write(tmp_path, marshal.dumps({"not": "a profile"})))


def test_newer_formats(refuse: Refuse, recording: Path, tmp_path: Path) -> None:
    whole = recording.read_bytes()
    for version in (2, 1000, 0xFFFFFFFF):
        patched = whole[:8] + struct.pack("<I", version) + whole[12:]
        refuse(write(tmp_path, patched), f"format {version}", "update Pyrometer")
        refuse(write(tmp_path, header(version)), f"format {version}", "update Pyrometer")
    refuse(write(tmp_path, MAGIC + struct.pack("<I", 2)), "update Pyrometer")


def test_damaged_header(refuse: Refuse, recording: Path, tmp_path: Path) -> None:
    whole = recording.read_bytes()
    for offset in (12, 20, 60, HEADER_SIZE - 5, HEADER_SIZE - 1):
        patched = bytearray(whole)
        patched[offset] ^= 0x40
        refuse(write(tmp_path, bytes(patched)), "damaged header")


# ---- cut anywhere


def test_recording_cut_anywhere(
    bounded: Callable[..., Result], refuse: Refuse, recording: Path, tmp_path: Path
) -> None:
    whole = recording.read_bytes()
    boundaries = {each.begin for each in frames_of(whole)}
    for size in (1, 8, 11, 100, HEADER_SIZE - 1):
        refuse(write(tmp_path, whole[:size]))
    chosen = random.Random(2)
    offsets = [chosen.randrange(HEADER_SIZE, len(whole)) for _ in range(50)]
    for size in sorted({HEADER_SIZE, *chosen.sample(sorted(boundaries), 10), *offsets}):
        file = write(tmp_path, whole[:size], "cut.pyr")
        status = "killed" if size in boundaries else "truncated"
        result = bounded("report", file, "--json")
        if result.returncode == 0:
            (process,) = read_json(result, "report")["processes"]
            assert process["status"] == status, size
        else:
            expect_refusal(result, name="cut.pyr")
        dumped = bounded("dump", file)
        assert dumped.returncode == 0
        assert f"\n  end: {status}" in dumped.stdout


def test_damage_in_the_middle(
    bounded: Callable[..., Result], recording: Path, tmp_path: Path
) -> None:
    whole = recording.read_bytes()
    chosen = random.Random(3)
    for _ in range(30):
        content = bytearray(whole)
        content[chosen.randrange(HEADER_SIZE, len(whole))] ^= 1 << chosen.randrange(8)
        file = write(tmp_path, bytes(content), "damaged.pyr")
        dumped = bounded("dump", file)
        assert dumped.returncode == 0
        assert "\n  end: damaged: " in dumped.stdout or "\n  end: truncated" in dumped.stdout
        result = bounded("report", file)
        if result.returncode != 0:
            expect_refusal(result, name="damaged.pyr")
        else:
            assert "The recording is " in result.stdout


def test_merged_file_cut_or_damaged(
    bounded: Callable[..., Result], run_directory: Path, tmp_path: Path
) -> None:
    file = tmp_path / "run.pyro"
    assert bounded("merge", run_directory, "-o", file).returncode == 0
    whole = file.read_bytes()
    chosen = random.Random(4)
    for number in range(40):
        content = bytearray(whole)
        if number % 2:
            content = content[: chosen.randrange(1, len(whole))]
        else:
            for _ in range(10):
                content[chosen.randrange(100, len(whole))] = chosen.randrange(256)
        bad = write(tmp_path, bytes(content), "bad.pyro")
        for command in (["report"], ["export", "-F", "json"], ["merge", "-o", tmp_path / "x.pyro"]):
            result = bounded(*command, bad)
            if result.returncode != 0:
                expect_refusal(result, name="bad.pyro")
                assert not list(tmp_path.glob("x.pyro*"))
            (tmp_path / "x.pyro").unlink(missing_ok=True)


# ---- small files with large claims


def bombs() -> dict[str, bytes]:
    large = varint(2**62)
    name = (STRING, b"name")
    code = (CODE, b"\0" + b"\0" * 6)
    thread = (THREAD, b"\0\1\0\0\0\0")
    metric = (METRIC, sized(b"wall") + b"\1\0")
    start = (name, code, thread, metric)
    whole = make_recording(*start)
    packed = struct.pack("<I", 64 << 20) + b"\x28\xb5\x2f\xfd" + bytes(40)
    return {
        "a frame of 4 GiB": whole + struct.pack("<IBBHI", 0xFFFFFFFF, STRING, 0, 0, 4),
        "a frame of 64 MiB": whole + struct.pack("<IBBHI", 64 << 20, STRING, 0, 0, 4),
        "compressed": whole + frame(STRING, packed, 4, flags=COMPRESSED),
        "nodes": make_recording(*start, (NODES, large)),
        "samples": make_recording(*start, (SAMPLES, b"\0\1\1\0\1" + large)),
        "metrics of samples": make_recording(*start, (SAMPLES, b"\0\1" + large)),
        "checkpoint": make_recording(*start, (CHECKPOINT, b"\2\0\0\1\0\1" + large)),
        "a thread id": make_recording(name, (THREAD, varint(2**32 - 1) + b"\1\0\0\0\0")),
        "many metrics": make_recording(*(metric for _ in range(5000))),
    }


@pytest.mark.parametrize("kind", bombs())
def test_recording_bombs(kind: str, bounded: Callable[..., Result], tmp_path: Path) -> None:
    file = write(tmp_path, bombs()[kind], "bomb.pyr")
    for command in (["report"], ["export", "-F", "json"], ["merge", "-o", tmp_path / "x.pyro"]):
        result = bounded(*command, file)
        if result.returncode != 0:
            expect_refusal(result, name="bomb.pyr")
    dumped = bounded("dump", file)
    assert dumped.returncode == 0
    assert "end: complete" not in dumped.stdout


def test_marshal_bombs(refuse: Refuse, tmp_path: Path) -> None:
    huge = struct.pack("<I", 0x7FFFFFFF)
    for content in (
        b"{(" + huge,
        b"{[" + huge + b"[" + huge,
        b"{u" + huge + b"x",
        b"{" + b"(\1\0\0\0" * 100_000,
        b"{" + b"{" * 100_000,
        b"{l" + huge,
        b"{r" + huge,
    ):
        refuse(write(tmp_path, content, "bomb.prof"))


def test_cut_and_changed_cprofile_files(
    bounded: Callable[..., Result], prof_file: Path, tmp_path: Path
) -> None:
    whole = prof_file.read_bytes()
    random_number = random.Random(7)
    for _ in range(40):
        cut = write(tmp_path, whole[: random_number.randrange(1, len(whole))], "cut.prof")
        expect_refusal(bounded("report", "-F", "pstats", cut), name="cut.prof")
        content = bytearray(whole)
        for _ in range(3):
            content[random_number.randrange(len(whole))] = random_number.randrange(256)
        changed = write(tmp_path, bytes(content), "changed.prof")
        for words in (["report", "-F", "pstats", "--callers", "--strip-dirs"], ["report"]):
            result = bounded(*words, changed)
            if result.returncode != 0:
                expect_refusal(result, name="changed.prof")


def test_cprofile_files_of_wrong_types(refuse: Refuse, tmp_path: Path) -> None:
    label, cost = ("a.py", 1, "f"), (1, 1, 0.5, 0.5, {})
    for content in (
        {label: None},
        {label: (1, 1, 0.5, 0.5)},
        {label: (1, 1, 0.5, 0.5, [])},
        {label: (1.0, 1, 0.5, 0.5, {})},
        {label: (1, "1", 0.5, 0.5, {})},
        {label: (1, 1, None, 0.5, {})},
        {label: (1, 1, float("nan"), 0.5, {})},
        {label: (1, 1, 0.5, float("inf"), {})},
        {label: (1, 2**64, 0.5, 0.5, {})},
        {label: (1, 1, 0.5, 0.5, {label: "many"})},
        {label: (1, 1, 0.5, 0.5, {label: (1, 1, 0.5)})},
        {label: (1, 1, 0.5, 0.5, {"f": 1})},
        {label: cost, ("b.py", "1", "g"): cost},
        {label: cost, ("b.py", 2**40, "g"): cost},
        {label: cost, (b"b.py", 1, "g"): cost},
        {label: cost, ("__sampled__", 1): cost},
        {label: cost, "x": cost},
    ):
        refuse(write(tmp_path, marshal.dumps(content), "wrong.prof"), "byte")


def test_many_inputs_one_bad(
    bounded: Callable[..., Result], recording: Path, prof_file: Path, tmp_path: Path
) -> None:
    bad = write(tmp_path, b"garbage", "bad.pyr")
    for inputs in ([recording, bad], [bad, recording, prof_file], [recording] * 3 + [bad]):
        expect_refusal(bounded("report", *inputs), name="bad.pyr")


def test_giant_of_zeros(refuse: Refuse, tmp_path: Path) -> None:
    for prefix in (b"", b"{(", MAGIC):
        file = write(tmp_path, prefix, "giant.pyr")
        os.truncate(file, 100 * GIGABYTE)
        refuse(file)
