"""pyrometer merge: many profiles into one file that says the same."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRun, Run, expect_refusal, read_json, recordings_in

MEGABYTE = 1 << 20


def merge(pyrometer: Run, output: Path, *inputs: object) -> bytes:
    result = pyrometer("merge", *inputs, "-o", output)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(str(output))
    assert result.stdout.count("\n") == 1
    return output.read_bytes()


def report(pyrometer: Run, *arguments: object) -> Any:
    return read_json(pyrometer("report", *arguments, "--json"), "report")


def in_order(functions: Any) -> Any:
    """Functions of equal cost come in the order of the file."""
    return sorted(functions, key=lambda f: json.dumps(f, sort_keys=True))


@pytest.mark.parametrize("metric", ["wall", "cpu", "samples"])
def test_merged_file_says_what_the_run_says(
    metric: str, pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    output = tmp_path / "run.pyro"
    merge(pyrometer, output, run_directory)
    flags = ("--metric", metric, "--callers", "--callees")
    whole, merged = (report(pyrometer, each, *flags) for each in (run_directory, output))
    for name in ("totals", "sampled", "paths_estimated"):
        assert merged[name] == whole[name], name
    assert in_order(merged["metrics"]) == in_order(whole["metrics"])
    for document in (whole, merged):
        for function in document["functions"]:
            function["callers"] = in_order(function["callers"])
            function["callees"] = in_order(function["callees"])
    assert in_order(merged["functions"]) == in_order(whole["functions"])
    assert in_order(merged["processes"]) == in_order(whole["processes"])
    lines = [in_order(report(pyrometer, p, "--lines")["lines"]) for p in (run_directory, output)]
    assert lines[0] == lines[1]


def test_every_view_of_a_merged_file(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    output = tmp_path / "run.pyro"
    merge(pyrometer, output, run_directory)
    document = report(pyrometer, output, "--tree", "--bottom-up", "--threads", "--lines")
    assert sum(t["value"] for t in document["threads"]) == document["totals"]["self"]
    assert {thread["class"] for thread in document["threads"]} == {"main", "python"}
    for flag in ("--tree", "--bottom-up", "--threads", "--processes", "--lines", "--callers"):
        assert pyrometer("report", output, flag).returncode == 0
    for form in ("collapsed", "speedscope", "pstats", "json"):
        exported = tmp_path / f"out.{form}"
        result = pyrometer("export", output, "-F", form, "-o", exported)
        assert (result.returncode, result.stderr) == (0, "")
        assert exported.stat().st_size > 100


def test_same_bytes_whatever_the_order(
    pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path
) -> None:
    inputs = [*recordings_in(run_directory), prof_file]
    expected = merge(pyrometer, tmp_path / "0.pyro", *inputs)
    for seed in range(1, 6):
        random.Random(seed).shuffle(inputs)
        assert merge(pyrometer, tmp_path / f"{seed}.pyro", *inputs) == expected


def test_same_bytes_for_a_run_and_its_recordings(
    pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    as_run = merge(pyrometer, tmp_path / "a.pyro", run_directory)
    assert merge(pyrometer, tmp_path / "b.pyro", *recordings_in(run_directory)) == as_run
    assert merge(pyrometer, tmp_path / "a.pyro", run_directory) == as_run  # replaces the file


def test_merging_merged_files(
    pyrometer: Run, make_run: MakeRun, prof_file: Path, tmp_path: Path
) -> None:
    inputs = [*recordings_in(make_run(tmp_path / "run", ranks=5, nodes=80)), prof_file]
    at_once = merge(pyrometer, tmp_path / "at once.pyro", *inputs)
    merge(pyrometer, tmp_path / "left.pyro", *inputs[:2])
    merge(pyrometer, tmp_path / "right.pyro", *inputs[2:5])
    parts = [inputs[5], tmp_path / "right.pyro", tmp_path / "left.pyro"]
    assert merge(pyrometer, tmp_path / "in steps.pyro", *parts) == at_once
    assert merge(pyrometer, tmp_path / "again.pyro", tmp_path / "at once.pyro") == at_once


def test_cprofile_files(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    merge(pyrometer, tmp_path / "two.pyro", prof_file, prof_file)
    once, twice = report(pyrometer, prof_file), report(pyrometer, tmp_path / "two.pyro")
    assert len(twice["processes"]) == 2
    costs = {(f["file"], f["line"], f["name"]): f for f in once["functions"]}
    for function in twice["functions"]:
        expected = costs[function["file"], function["line"], function["name"]]
        for name in ("self", "total", "calls", "primitive_calls"):
            assert function[name] == 2 * expected[name]


def test_sum_for_pstats(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    result = pyrometer("merge", prof_file, prof_file, "-o", tmp_path / "sum.prof")
    assert (result.returncode, result.stderr) == (0, "")
    once, twice = report(pyrometer, prof_file), report(pyrometer, tmp_path / "sum.prof")
    assert twice["totals"]["calls"] == 2 * once["totals"]["calls"]


def test_json_summary(pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "run.pyro"
    summary = read_json(pyrometer("merge", run_directory, "-o", output, "--json"), "merge")
    assert summary["bytes"] == output.stat().st_size
    assert summary["processes"] == len(recordings_in(run_directory))
    assert summary["left_out"] == []
    sum_file = tmp_path / "sum.prof"
    merged = pyrometer("merge", prof_file, prof_file, "-o", sum_file, "--json")
    assert read_json(merged, "merge")["bytes"] == sum_file.stat().st_size


def test_anyone_can_query_it(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    merge(pyrometer, tmp_path / "run.pyro", run_directory)
    with sqlite3.connect(tmp_path / "run.pyro") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM process").fetchone() == (3,)
        total = database.execute(
            "SELECT sum(value) FROM process_total JOIN metric ON metric = metric.row"
            " WHERE name = 'wall'"
        ).fetchone()
    assert total == (report(pyrometer, run_directory)["totals"]["self"],)


def test_broken_recording_of_a_run_is_left_out(
    pyrometer: Run, make_run: MakeRun, tmp_path: Path
) -> None:
    run = make_run(tmp_path / "run", ranks=3, nodes=40)
    broken = recordings_in(run)[1]
    broken.write_bytes(b"not a recording")
    result = pyrometer("merge", run, "-o", tmp_path / "run.pyro")
    assert result.returncode == 0
    assert result.stderr.startswith("pyrometer: left out: ")
    assert broken.name in result.stderr
    document = report(pyrometer, tmp_path / "run.pyro")
    assert [process["rank"] for process in document["processes"]] == [0, 2]
    assert any(broken.name in finding["sentence"] for finding in document["findings"])
    named = pyrometer("merge", *recordings_in(run), "-o", tmp_path / "named.pyro")
    expect_refusal(named, name=broken.name)
    assert not (tmp_path / "named.pyro").exists()


# ---- where nothing can be written


def test_unwritable_outputs(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder.pyro"
    folder.mkdir()
    for output in (tmp_path / "missing" / "x.pyro", folder, Path("/proc/x.pyro")):
        expect_refusal(pyrometer("merge", run_directory, "-o", output), name=str(output))
    assert list(tmp_path.iterdir()) == [folder]
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="Nothing is read-only for root.")
def test_read_only_folder(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    output = tmp_path / "x.pyro"
    expect_refusal(pyrometer("merge", run_directory, "-o", output), name=str(output))
    tmp_path.chmod(0o755)
    assert list(tmp_path.iterdir()) == []


def largest_file(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.fixture(scope="module")
def large_run(make_run: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its merged file takes some megabytes."""
    directory = tmp_path_factory.mktemp("large") / "run"
    return make_run(directory, ranks=30, nodes=5000, metrics=6)


def test_file_size_limit(pyrometer: Run, large_run: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.pyro"
    for size in (0, 5000, 100_000, MEGABYTE):
        result = pyrometer("merge", large_run, "-o", output, preexec_fn=largest_file(size))
        expect_refusal(result, name=str(output))
        assert list(tmp_path.iterdir()) == [], size


def test_old_output_survives_a_failed_merge(
    pyrometer: Run, large_run: Path, run_directory: Path, tmp_path: Path
) -> None:
    output = tmp_path / "x.pyro"
    before = merge(pyrometer, output, run_directory)
    result = pyrometer("merge", large_run, "-o", output, preexec_fn=largest_file(MEGABYTE))
    expect_refusal(result)
    assert output.read_bytes() == before
    assert list(tmp_path.iterdir()) == [output]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    mount = shutil.which("mount")
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [str(mount), "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or not mount or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("Only root may mount a small disk.")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_full_disk(pyrometer: Run, large_run: Path, tiny_disk: Path) -> None:
    result = pyrometer("merge", large_run, "-o", tiny_disk / "x.pyro")
    expect_refusal(result, name="x.pyro")
    assert list(tiny_disk.iterdir()) == []
    exported = pyrometer("export", large_run, "-o", tiny_disk / "x.json")
    expect_refusal(exported, name="x.json")
    assert list(tiny_disk.iterdir()) == []
