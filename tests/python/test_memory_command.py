"""pyrometer memory: peak, owners, growth and churn of recordings whose answers are known."""

import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json
from memory_recordings import (
    GIB,
    MIB,
    MemoryOfProcess,
    leaking,
    memory_recording,
    write_memory_job,
)


def memory_of(pyrometer: Run, profile: Path, *words: object) -> Any:
    return read_json(pyrometer("memory", profile, *words, "--json"), "memory")


@pytest.fixture
def leak(tmp_path: Path) -> Path:
    path = tmp_path / "leak.pyr"
    path.write_bytes(memory_recording(leaking()))
    return path


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_memory_job(tmp_path / "job", [leaking(1), leaking(3)])


def test_text_tells_it_all(pyrometer: Run, leak: Path) -> None:
    result = pyrometer("memory", leak)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "pyrometer memory  1 process, every allocation",
        "  peak 700 MiB of heap at 10.0 s of 10.0 s, 500 MiB resident, 24.4 % of the limit of"
        " 2.00 GiB",
        "  allocated 20.7 GiB in 2,662 blocks, 20.0 GiB of it freed again at once; 700 MiB live at"
        " the end, 200 MiB of it never touched",
    ]
    text = result.stdout
    assert "Memory of remember (remember.py:2) keeps growing, by 10.0 MiB/s to 100 MiB" in text
    assert re.search(r"at the peak +708 MiB +15\.3 % +84\.7 % +0\.0 %", text)
    assert re.search(r"Who held the peak, by line\n.*\n +600 MiB +84\.7 % .*load\.py:7 +load", text)
    assert re.search(r"leak candidates\n.*\n +10\.0 MiB +50\.0 MiB +100 MiB +remember\.py:2", text)
    assert re.search(
        r"within 0\.1 s\n.*\n +20\.0 GiB +100\.0 % +2,560 +8\.00 MiB +step\.py:9", text
    )
    assert re.search(r"Sizes of blocks\n.*\n +≥ 32 B +100 +█+\n +≥ 8\.00 MiB +2,560 +█{40}", text)
    assert "Processes by peak" not in text


def test_json_has_every_figure(pyrometer: Run, leak: Path) -> None:
    document = memory_of(pyrometer, leak)
    assert document["mode"] == "exact"
    assert document["total"]["peak_bytes"] == 708 * MIB
    [process] = document["processes"]
    assert process["heap"] == {"bytes": 700 * MIB, "time_ns": 10 * 10**9}
    assert process["resident"]["bytes"] == 500 * MIB
    assert process["limit_bytes"] == 2 * GIB
    assert [site["function"] for site in document["sites"]] == ["load", "remember", "step"]
    assert document["sites"][0]["live_numpy_bytes"] == 600 * MIB
    frames = [(frame["function"], frame["line"]) for frame in document["paths"][0]["frames"]]
    assert frames == [("main", 3), ("load", 7)]
    [growing] = document["growing"]
    assert (growing["function"], growing["line"]) == ("remember", 2)
    assert growing["bytes_per_second"] == pytest.approx(10 * MIB)
    assert [each["id"] for each in document["findings"]] == [
        "memory-leak",
        "peak-owner",
        "memory-churn",
        "untouched-memory",
    ]
    assert document["sizes"][1] == {"bits": 24, "allocations": 2560}
    assert {series["of"]: len(series["points"]) for series in document["series"]} == {
        "heap": 96,
        "resident": 3,
    }


def test_order_limit_and_filters(pyrometer: Run, leak: Path) -> None:
    def functions(*words: str) -> list[str]:
        return [site["function"] for site in memory_of(pyrometer, leak, *words)["sites"]]

    assert functions("--sort", "temporary") == ["step"]
    assert functions("--sort", "allocations") == ["step", "remember", "load"]
    assert functions("--by", "function", "--top", "1") == ["load"]
    assert functions("--filter", "remember|step") == ["remember", "step"]
    assert functions("-x", "load") == ["remember", "step"]
    text = pyrometer("memory", leak, "-n", "1").stdout
    assert "… 2 more; --limit 0 shows all" in text


def test_live_at_a_moment(pyrometer: Run, leak: Path) -> None:
    document = memory_of(pyrometer, leak, "--at", "2.05")
    assert document["live"]["time_ns"] == 2_050_000_000
    found = {site["function"]: site["live_bytes"] for site in document["live"]["sites"]}
    assert found == {"load": 600 * MIB, "remember": 20 * MIB}
    text = pyrometer("memory", leak, "--at", "0.3").stdout
    assert re.search(r"Live at 300 ms: 3\.00 MiB\n.*\n +3\.00 MiB +100\.0 % +remember\.py:2", text)


def test_call_paths(pyrometer: Run, leak: Path) -> None:
    text = pyrometer("memory", leak, "--tree").stdout
    assert re.search(r"Call paths by peak\n.*\n +708 MiB +100\.0 % .* main", text)
    assert "Who held the peak" not in text


def test_ranks_side_by_side_and_together(pyrometer: Run, job: Path) -> None:
    document = memory_of(pyrometer, job)
    peaks = {each["rank"]: each["heap"]["bytes"] for each in document["processes"]}
    assert peaks == {0: 700 * MIB, 1: 900 * MIB}
    assert document["together"]["heap"] == {"bytes": 1600 * MIB, "time_ns": 10 * 10**9}
    assert document["growing"][0]["processes"] == 2
    assert document["growing"][0]["bytes_per_second"] == pytest.approx(40 * MIB)
    text = pyrometer("memory", job).stdout
    assert "peak 1.56 GiB of heap at 10.0 s of 10.0 s, 1,000 MiB resident, all processes" in text
    assert re.search(r"Processes by peak\n.*\n +900 MiB .*rank 1, node07:1001", text)


def test_lines_in_memory_profilers_layout(pyrometer: Run, tmp_path: Path) -> None:
    path = tmp_path / "lines.pyr"
    figures = {"memory": 50 * MIB, "increment": 8 * MIB, "hits": 3}
    inside = {"line-peak": 16 * MIB, "line-temporary": 24 * MIB}
    path.write_bytes(memory_recording(MemoryOfProcess(lines={"grow:4": {**figures, **inside}})))
    for command in ("memory", "lines"):
        text = pyrometer(command, path).stdout
        table = text[text.index("Filename:") :].splitlines()
        assert table[0] == "Filename: /job/grow.py"
        assert table[2].startswith("Line #    Mem usage    Increment  Occurrences   ")
        assert table[2].endswith("      Peak    Temporary   Line Contents")
        assert table[3] == "=" * len(table[2])
        assert " ".join(table[4].split()) == "4 50.000 MiB 8.000 MiB 3 16.000 MiB 24.000 MiB"
        assert table[4].index("24.000 MiB") + len("24.000 MiB") == table[2].index("   Line Cont")
    [function] = memory_of(pyrometer, path)["functions"]
    assert function["lines"][0]["peak_bytes"] == 16 * MIB


def svg_of(path: Path) -> tuple[ElementTree.Element, list[str]]:
    root = ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    return root, [text.text or "" for text in root.iter(f"{space}text")]


def test_plot_of_one_process(pyrometer: Run, leak: Path, tmp_path: Path) -> None:
    picture = tmp_path / "memory.svg"
    result = pyrometer("memory", leak, "--plot", picture, "--slope")
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(
        r"Slope over all the time\n.*\n +\S+ MiB +resident\n +10\.0 MiB +heap", result.stdout
    )
    root, texts = svg_of(picture)
    assert {"resident", "heap", "assembly", "solve", "seconds"} <= set(texts)
    assert "peak 700 MiB at 10.0 s" in texts
    assert "10.0 MiB/s" in texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 2


def test_plot_of_ranks_together(pyrometer: Run, job: Path, tmp_path: Path) -> None:
    picture = tmp_path / "ranks.svg"
    assert pyrometer("memory", job, "--plot", picture).returncode == 0
    root, texts = svg_of(picture)
    assert {"rank 0", "rank 1", "together"} <= set(texts)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 3


def test_plot_of_a_window_with_a_flame(pyrometer: Run, leak: Path, tmp_path: Path) -> None:
    picture = tmp_path / "window.svg"
    words = ("memory", leak, "--plot", picture, "--window", "1,3", "--flame", "--title", "Leak")
    assert pyrometer(*words).returncode == 0
    root, texts = svg_of(picture)
    assert {"Leak", "assembly", "1", "3"} <= set(texts)
    assert not {"Memory over time", "solve", "0", "4"} & set(texts)
    assert "highest here 630 MiB at 3.00 s" in texts
    titles = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["assembly: 3.00 s from 1.00 s"]
    assert pyrometer(*words, "--no-functions").returncode == 0
    assert "assembly" not in svg_of(picture)[1]


def test_options_of_a_plot_that_are_refused(pyrometer: Run, leak: Path, tmp_path: Path) -> None:
    for words in (["--title", "x"], ["--window", "0,1"], ["--flame"], ["--no-functions"]):
        expect_refusal(pyrometer("memory", leak, *words), "requires --plot", status=2)
    plot = ("memory", leak, "--plot", tmp_path / "x.svg", "--window")
    expect_refusal(pyrometer(*plot, "1"), "two numbers of seconds", status=2)
    expect_refusal(pyrometer(*plot, "3,1"), "--window 3,1 is empty", status=2)
    expect_refusal(pyrometer(*plot, "50,60"), "no memory of the seconds 50,60; it lasted 10.0 s")
    assert not (tmp_path / "x.svg").exists()


def test_png_needs_a_converter(pyrometer: Run, leak: Path, tmp_path: Path) -> None:
    words = ("memory", leak, "--plot", tmp_path / "x.png")
    expect_refusal(pyrometer(*words, env={"PATH": "/nowhere"}), "rsvg-convert")
    if not shutil.which("rsvg-convert"):
        pytest.skip("there is no rsvg-convert on this machine")
    assert pyrometer(*words).returncode == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


MPROF = """\
CMDLINE python3 grow.py
MEM 10.000000 1700000000.0000
MEM 50.000000 1700000001.0000
MEM 30.000000 1700000002.0000
FUNC __main__.grow 10.0 1700000000.2000 48.0 1700000001.5000 0
CHLD 1 20.000000 1700000001.0000
CHLD 1 25.000000 1700000001.5000
"""


def test_files_of_mprof(pyrometer: Run, tmp_path: Path) -> None:
    path, picture = tmp_path / "mprofile.dat", tmp_path / "mprof.svg"
    path.write_text(MPROF)
    text = pyrometer("memory", path, "--plot", picture).stdout
    assert "peak 75.0 MiB resident at 1.50 s of 2.00 s, all processes together" in text
    assert re.search(r"Functions by what they added\n.*\n +38\.0 MiB .*__main__\.grow", text)
    assert "child 1" in text
    assert "__main__.grow" in svg_of(picture)[1]


TABLE = """\
Filename: grow.py

Line #    Mem usage    Increment  Occurrences   Line Contents
=============================================================
     4   20.000 MiB   20.000 MiB           1   @profile
     5                                         def grow():
     6   60.000 MiB   40.000 MiB           1       kept = bytearray(40 << 20)


"""


def test_text_of_memory_profiler(pyrometer: Run, tmp_path: Path) -> None:
    path = tmp_path / "output.txt"
    path.write_text(TABLE)
    result = pyrometer("memory", path)
    assert result.stdout == "pyrometer memory  1 process\n\n" + TABLE
    expect_refusal(pyrometer("memory", path, "--tree"), "does not say who allocated")


def test_profiles_without_memory(pyrometer: Run, prof_file: Path, leak: Path) -> None:
    expect_refusal(
        pyrometer("memory", prof_file), "record the program with 'pyrometer run --memory'"
    )
    expect_refusal(pyrometer("memory", leak, "--sort", "size"), "choose one of peak", status=2)
    expect_refusal(pyrometer("memory", leak, "--plot", "x.gif"), ".svg and .png", status=2)
    expect_refusal(pyrometer("memory", leak, "--at", "-1"), "0 or more", status=2)


def test_nothing_over_time_to_plot(pyrometer: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.pyr"
    path.write_bytes(memory_recording(MemoryOfProcess(values={"main:1": {"peak": 5}})))
    assert pyrometer("memory", path).returncode == 0
    expect_refusal(pyrometer("memory", path, "--plot", tmp_path / "x.svg"), "no memory over time")


def test_findings_are_in_the_report(pyrometer: Run, leak: Path) -> None:
    text = pyrometer("report", leak).stdout
    assert "• Memory of remember (remember.py:2) keeps growing" in text
    assert "• 85 % of the peak of 708 MiB is held by load (load.py:7)" in text
