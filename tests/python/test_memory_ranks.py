"""Memory of several processes: children and ranks compared, drawn together, and merged."""

import re
import sqlite3
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from memory_recordings import MIB, MemoryOfProcess, leaking, write_memory_job
from mpi_launch import Mpi
from running import Recorder
from test_merge_together import LAUNCHERS, launch

SVG = "{http://www.w3.org/2000/svg}"


def memory_of(pyrometer: Run, profile: Path, *words: object) -> Any:
    return read_json(pyrometer("memory", profile, *words, "--json"), "memory")


def merge(pyrometer: Run, output: Path, *inputs: Path) -> Path:
    result = pyrometer("merge", *inputs, "-o", output)
    assert result.returncode == 0, result.stderr
    return output


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_memory_job(tmp_path / "job", [leaking(1), leaking(3), leaking(1), leaking(20)])


def long_run(rank: int) -> MemoryOfProcess:
    """An hour: a cache that grows all the time, one place that goes up and down, many small ones;
    and a short peak."""
    times = [2.0 * i for i in range(1, 1800)]
    live = {
        "main:3;cache:7": [(time, int(time) * MIB // 4) for time in times],
        "main:3;work:9": [(time, (int(time) // 2 % 50) * 20 * MIB) for time in times],
        **{f"main:4;small{i}:1": [(5.0 + i, (90 - i) * MIB)] for i in range(80)},
    }
    heap = [(time / 3, (1000 + int(time) % 17 + rank) * MIB) for time in range(1, 10_000)]
    heap[4321] = (heap[4321][0], 3000 * MIB)
    return MemoryOfProcess(
        values={"main:3;cache:7": {"peak": 900 * MIB, "live": 900 * MIB}},
        live=live,
        counters={"heap": heap, "memory": heap},
        attributes={"memory.mode": "exact"},
    )


@pytest.fixture
def long_job(tmp_path: Path) -> Path:
    return write_memory_job(tmp_path / "long", [long_run(rank) for rank in range(3)], wall=3600)


def test_merged_files_keep_short_runs_as_they_are(
    pyrometer: Run, job: Path, tmp_path: Path
) -> None:
    merged = merge(pyrometer, tmp_path / "job.pyro", job)
    for words in ([], ["--at", "2.05"], ["--slope"], ["--by", "function"], ["--rank", "3"]):
        assert memory_of(pyrometer, merged, *words) == memory_of(pyrometer, job, *words), words
    pictures = tmp_path / "job.svg", tmp_path / "merged.svg"
    for profile, picture in zip((job, merged), pictures, strict=True):
        assert pyrometer("memory", profile, "--plot", picture).returncode == 0
    assert pictures[0].read_text() == pictures[1].read_text()


def test_merged_files_keep_long_runs_small(pyrometer: Run, long_job: Path, tmp_path: Path) -> None:
    merged = merge(pyrometer, tmp_path / "job.pyro", long_job)
    before, after = memory_of(pyrometer, long_job), memory_of(pyrometer, merged)
    for one, other in zip(before["processes"], after["processes"], strict=True):
        assert one["heap"]["bytes"] == other["heap"]["bytes"] == 3000 * MIB
        assert one["heap"]["time_ns"] == other["heap"]["time_ns"]
    assert {len(series["points"]) for series in before["series"]} == {9999}
    assert all(200 < len(series["points"]) <= 256 for series in after["series"])
    # The leak is found as before, and what goes up and down is still none.
    [leak], [same] = before["growing"], after["growing"]
    assert same["function"] == leak["function"] == "cache"
    assert same["bytes_per_second"] == pytest.approx(leak["bytes_per_second"], rel=0.05)
    assert same["live_bytes"] == leak["live_bytes"]
    for moment in (100, 1800, 3590):
        found = [
            {site["function"]: site["live_bytes"] for site in document["live"]["sites"]}
            for document in (
                memory_of(pyrometer, profile, "--at", moment) for profile in (long_job, merged)
            )
        ]
        assert found[1]["cache"] == pytest.approx(found[0]["cache"], rel=0.05, abs=30 * MIB)
        assert set(found[1]) < set(found[0])  # the smallest places are left out
        assert len(found[1]) > 50
    with sqlite3.connect(merged) as database:
        rows = database.execute("SELECT tracks, moments, length(data) FROM live").fetchall()
        points = database.execute("SELECT length(data) FROM counter").fetchall()
    assert all(tracks <= 64 and moments <= 128 for tracks, moments, _ in rows)
    # Ten thousand ranks like these take less than 80 MB.
    assert sum(size for *_, size in rows) + sum(size for (size,) in points) < 3 * 8000


def test_merging_again_changes_nothing(pyrometer: Run, long_job: Path, tmp_path: Path) -> None:
    once = merge(pyrometer, tmp_path / "once.pyro", long_job).read_bytes()
    recordings = sorted(long_job.glob("raw/*/*.pyr"))
    two = merge(pyrometer, tmp_path / "two.pyro", *recordings[1:])
    again = merge(pyrometer, tmp_path / "again.pyro", two, recordings[0])
    assert again.read_bytes() == once


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_any_number_of_processes_merges_to_the_same_bytes(
    launcher: str, pyrometer: Run, executable: Path, tmp_path: Path
) -> None:
    """More ranks than one panel has, so that their memory travels."""
    job = write_memory_job(tmp_path / "wide", [leaking(rank % 5 + 1) for rank in range(300)])
    alone = merge(pyrometer, tmp_path / "alone.pyro", job).read_bytes()
    output = tmp_path / "together.pyro"
    result = launch(launcher, 3, executable, "merge", job, "-o", output)
    assert result.returncode == 0, result.stderr
    assert output.read_bytes() == alone


def test_ranks_are_compared(pyrometer: Run, job: Path) -> None:
    document = memory_of(pyrometer, job)
    assert document["spread"]["of"] == "ranks"
    heap = document["spread"]["heap"]
    assert (heap["least_bytes"], heap["least_process"]) == (700 * MIB, 0)
    assert (heap["most_bytes"], heap["most_process"]) == (2600 * MIB, 3)
    assert heap["mean_bytes"] == 1225 * MIB
    assert heap["imbalance"] == pytest.approx(2600 / 1225)
    assert document["spread"]["live"]["most_bytes"] == 2600 * MIB
    assert document["spread"]["resident"]["imbalance"] == 1
    assert [process["limit_share"] for process in document["processes"]] == [500 / 2048] * 4
    [host] = document["hosts"]
    assert (host["host"], host["processes"], host["is_limit"]) == ("node07", 4, False)
    assert host["resident"]["bytes"] == 2000 * MIB
    assert host["share"] == 2000 / 8192
    [uneven] = [each for each in document["findings"] if each["id"] == "uneven-memory"]
    assert "rank 3 peaks at 2.54 GiB of heap, the mean is 1.20 GiB" in uneven["sentence"]
    text = pyrometer("memory", job).stdout
    assert re.search(
        r"Over 4 ranks\n.*\n +peak heap +700 MiB +rank 0 +1\.20 GiB .* rank 3 +2\.12\n", text
    )
    assert re.search(r"Hosts, .*\n.*\n +1\.95 GiB +9\.90 s +24\.4 % +8\.00 GiB +4 +node07\n", text)
    assert "Memory is spread unevenly: rank 3" in pyrometer("report", job).stdout


def test_one_process_is_not_compared(pyrometer: Run, tmp_path: Path) -> None:
    job = write_memory_job(tmp_path / "one", [leaking()])
    text = pyrometer("memory", job).stdout
    assert "Over" not in text
    assert "Hosts" not in text


def test_one_rank(pyrometer: Run, job: Path) -> None:
    document = memory_of(pyrometer, job, "--rank", 3)
    assert [process["rank"] for process in document["processes"]] == [3]
    assert document["total"]["live_bytes"] == 2600 * MIB
    assert document["growing"][0]["bytes_per_second"] == pytest.approx(200 * MIB)
    expect_refusal(pyrometer("memory", job, "--rank", 4), "has no rank 4")
    expect_refusal(pyrometer("memory", job, "--rank", -1), "0 or more", status=2)


def test_filters_hold_for_paths(pyrometer: Run, job: Path) -> None:
    def leaves(*words: str) -> list[str]:
        paths = memory_of(pyrometer, job, *words)["paths"]
        return [path["frames"][-1]["function"] for path in paths]

    assert leaves() == ["remember", "load", "step"]
    assert leaves("--filter", "load|step") == ["load", "step"]
    assert leaves("--exclude", "remember", "--top", "1") == ["load"]


MPI_PROGRAM = """
import time
from mpi4py import MPI

world = MPI.COMM_WORLD

def hold(size):
    return bytearray(size)

kept = hold((1 + world.rank) * 50_000_000)
world.Barrier()
time.sleep(0.3)
"""


def test_ranks_of_a_launch(mpi: Mpi, pyrometer: Run, tmp_path: Path) -> None:
    recorded = mpi.record(4, mpi.write(MPI_PROGRAM), options=["--memory"])
    assert recorded.result.returncode == 0, recorded.complaint
    merged = merge(pyrometer, tmp_path / "job.pyro", recorded.run)
    for profile in (recorded.run, merged):
        document = memory_of(pyrometer, profile)
        peaks = {process["rank"]: process["heap"]["bytes"] for process in document["processes"]}
        assert sorted(peaks) == [0, 1, 2, 3]
        for rank, peak in peaks.items():
            assert peak == pytest.approx((1 + rank) * 50e6, abs=25e6)
        heap = document["spread"]["heap"]
        assert document["processes"][heap["most_process"]]["rank"] == 3
        assert heap["imbalance"] == pytest.approx(200 / 125, rel=0.15)
        assert document["together"]["heap"]["bytes"] > 480e6
        [host] = document["hosts"]
        assert host["processes"] == 4
        picture = tmp_path / "ranks.svg"
        assert pyrometer("memory", profile, "--plot", picture).returncode == 0
        texts = {text.text for text in ElementTree.parse(picture).getroot().iter(f"{SVG}text")}
        assert {"rank 0", "rank 1", "rank 2", "rank 3", "together"} <= texts


FORK = """
import os, time

def hold(size):
    return bytearray(size)

def child():
    kept = hold(60_000_000)
    time.sleep(0.3)
    os._exit(0)

mine = hold(20_000_000)
pids = [os.fork() or child() for _ in range(2)]
for pid in pids:
    os.waitpid(pid, 0)
"""


def test_children_of_a_fork(one_recorder: Recorder, pyrometer: Run, tmp_path: Path) -> None:
    recorded = one_recorder.record(one_recorder.write(FORK), options=["--memory"])
    assert recorded.result.returncode == 0, recorded.complaint
    merged = merge(pyrometer, tmp_path / "job.pyro", recorded.run)
    for profile in (recorded.run, merged):
        document = memory_of(pyrometer, profile)
        heaps = sorted(process["heap"]["bytes"] for process in document["processes"])
        # A child has what it found there, too.
        assert heaps[0] == pytest.approx(20e6, abs=15e6)
        assert heaps[1:] == pytest.approx([80e6, 80e6], abs=15e6)
        assert document["spread"]["of"] == "processes"
        assert document["spread"]["heap"]["count"] == 3
        assert "uneven-memory" not in [each["id"] for each in document["findings"]]
        picture = tmp_path / "children.svg"
        assert pyrometer("memory", profile, "--plot", picture).returncode == 0
        curves = list(ElementTree.parse(picture).getroot().iter(f"{SVG}path"))
        assert len(curves) == 4  # of each and of all together
