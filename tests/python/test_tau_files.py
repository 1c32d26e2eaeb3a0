"""TAU profiles: read as TAU writes them, written so that Hatchet finds the same totals in them."""

import gzip
import json
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRun, Run, expect_refusal, read_json
from harness.environments import InstallError, cache_folder, make_environment
from interpreters import find_pythons

pytestmark = pytest.mark.timeout(600)  # the first run installs Hatchet

READ = """
import json, sys
import hatchet
frame = hatchet.GraphFrame.from_tau(sys.argv[1])
data = frame.dataframe.reset_index()
print(json.dumps({
    "self": float(data["time"].sum()),
    "total": float(data.loc[data["node"].isin(frame.graph.roots), "time (inc)"].sum()),
    "names": sorted(set(data["name"])),
    "by_name": data.groupby("name")["time"].sum().to_dict(),
    "columns": list(data.columns),
    "ranks": sorted(set(map(int, data["rank"]))) if "rank" in data else [],
}))
"""
MAIN = "main [{/w/main.py} {3}]"
ROWS = {  # calls, subroutines, exclusive, inclusive, group
    ".TAU application": "1 2 100 1000 TAU_DEFAULT",
    MAIN: "1 4 300 900 TAU_PYTHON",
    f".TAU application => {MAIN}": "1 4 300 900 TAU_CALLPATH|TAU_PYTHON",
    "MPI_Send()  ": "4 0 600 600 MPI",
    f".TAU application => {MAIN} => MPI_Send()  ": "4 0 600 600 TAU_CALLPATH|MPI",
}
METADATA = {"Metric Name": "TIME", "Hostname": "n1"}
EVENTS = ("Message size", "Message size : main => MPI_Send()  ")


def tau_text() -> str:
    """A file as TAU writes it."""
    facts = "".join(
        f"<attribute><name>{name}</name><value>{value}</value></attribute>"
        for name, value in METADATA.items()
    )
    lines = [
        f"{len(ROWS)} templated_functions_MULTI_TIME",
        f"# Name Calls Subrs Excl Incl ProfileCalls # <metadata>{facts}</metadata>",
    ]
    for name, row in ROWS.items():
        numbers, group = row.rsplit(" ", 1)
        lines.append(f'"{name}" {numbers} 0 GROUP="{group}" ')
    lines += ["0 aggregates", f"{len(EVENTS)} userevents"]
    lines.append("# eventname numevents max min mean sumsqr")
    lines += [f'"{name}" 4 8 4 6 152' for name in EVENTS]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def hatchet() -> Path:
    """A Python with Hatchet."""
    # It cannot do with newer ones of what it needs.
    packages = ["llnl-hatchet==2024.1.3", "pandas==2.2.3", "numpy==1.26.4", "setuptools<81"]
    cache = cache_folder().parent / "viewers"
    reasons = []
    for python in find_pythons().values():
        try:
            folder = make_environment(packages[0], python, packages, print, cache)
        except InstallError as error:
            reasons.append(str(error))
            continue
        return folder / "bin" / "python"
    pytest.skip(f"Hatchet cannot be installed: {reasons}")


def read_with_hatchet(python: Path, folder: Path) -> Any:
    result = subprocess.run(
        [python, "-c", READ, folder], capture_output=True, text=True, timeout=200
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def report(pyrometer: Run, *words: object) -> Any:
    return read_json(pyrometer("report", *words, "--json", "--processes"), "report")


def write_ranks(folder: Path, ranks: int = 2) -> Path:
    folder.mkdir()
    for rank in range(ranks):
        (folder / f"profile.{rank}.0.0").write_text(tau_text())
    return folder


def test_folder_of_ranks(pyrometer: Run, tmp_path: Path) -> None:
    document = report(pyrometer, write_ranks(tmp_path / "run"))
    assert [process["rank"] for process in document["processes"]] == [0, 1]
    assert document["processes"][0]["host"] == "n1"
    assert document["totals"]["self"] == 2 * 1_000_000
    functions = {f["name"]: (f["self"], f["total"], f["calls"]) for f in document["functions"]}
    assert functions == {
        ".TAU application": (200_000, 2_000_000, 2),
        "main": (600_000, 1_800_000, 2),
        "MPI_Send()": (1_200_000, 1_200_000, 8),
    }
    assert not document["paths_estimated"]


def test_one_file(pyrometer: Run, tmp_path: Path) -> None:
    document = report(pyrometer, write_ranks(tmp_path / "run") / "profile.1.0.0")
    assert [process["rank"] for process in document["processes"]] == [1]
    assert document["totals"]["self"] == 1_000_000


def test_export_and_back_is_the_same(pyrometer: Run, tmp_path: Path) -> None:
    run = write_ranks(tmp_path / "run")
    before = report(pyrometer, run)
    for output in (tmp_path / "again", tmp_path / "again.ppk"):
        result = pyrometer("export", run, "--format", "tau", "-o", output)
        assert (result.returncode, result.stderr) == (0, "")
        after = report(pyrometer, output)
        assert after["functions"] == before["functions"]
        assert after["totals"] == before["totals"]
    names = sorted(path.name for path in (tmp_path / "again").iterdir())
    assert names == ["profile.0.0.0", "profile.1.0.0"]
    text = (tmp_path / "again" / "profile.0.0.0").read_text()
    assert '"Message size" 4 8 4 6 152' in text
    merged = tmp_path / "run.pyro"
    assert pyrometer("merge", run, "-o", merged).returncode == 0
    assert report(pyrometer, merged)["totals"]["self"] == before["totals"]["self"]


def test_packed_files_begin_as_those_of_paraprof(pyrometer: Run, tmp_path: Path) -> None:
    packed = tmp_path / "x.ppk"
    run = write_ranks(tmp_path / "run")
    assert pyrometer("export", run, "-o", packed).returncode == 0
    content = gzip.decompress(packed.read_bytes())
    assert content[:14] == b"\0P\0P\0K" + struct.pack(">ii", 2, 1)
    packed.write_bytes(gzip.compress(content[:-9]))
    expect_refusal(pyrometer("report", packed), "cut", name="x.ppk")


def test_hatchet_reads_a_recording(
    pyrometer: Run, hatchet: Path, run_directory: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tau"
    assert pyrometer("export", run_directory, "-F", "tau", "-o", folder).returncode == 0
    found = read_with_hatchet(hatchet, folder)
    document = report(pyrometer, run_directory)
    assert found["self"] * 1000 == pytest.approx(document["totals"]["self"], rel=1e-9)
    assert found["total"] * 1000 == pytest.approx(document["totals"]["self"], abs=6_000)
    assert found["ranks"] == [0, 1, 2]
    by_name: dict[str, float] = {}
    for function in document["functions"]:
        name = function["qualified_name"] or function["name"]
        by_name[name] = by_name.get(name, 0) + function["self"] / 1000
    for name, value in by_name.items():
        assert found["by_name"][name] == pytest.approx(value, abs=0.01), name


def test_hatchet_reads_call_paths_of_cprofile(
    pyrometer: Run, hatchet: Path, prof_file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out.tau"
    assert pyrometer("export", prof_file, "-o", folder).returncode == 0
    found = read_with_hatchet(hatchet, folder)
    document = report(pyrometer, prof_file)
    assert found["self"] * 1000 == pytest.approx(document["totals"]["self"], rel=1e-6)
    assert "fibonacci" in found["names"]


def test_several_metrics_are_several_folders(
    pyrometer: Run, make_run: MakeRun, tmp_path: Path
) -> None:
    run = make_run(tmp_path / "run", ranks=2, nodes=40, samples=50, threads=2)
    folder = tmp_path / "tau"
    assert pyrometer("export", run, "-F", "tau", "-o", folder).returncode == 0
    folders = {path.name for path in folder.iterdir()}
    assert {"MULTI__TIME", "MULTI__THREAD_CPU_TIME"} <= folders
    before, after = (report(pyrometer, each) for each in (run, folder))
    assert after["totals"]["self"] == before["totals"]["self"]
    assert len(after["processes"]) == 2


def test_refusals(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    expect_refusal(pyrometer("export", prof_file, "-F", "tau"), "folder", status=2)
    empty = tmp_path / "empty"
    empty.mkdir()
    expect_refusal(pyrometer("report", empty), "TAU", status=2, name="empty")
    cut = tmp_path / "profile.0.0.0"
    cut.write_text(tau_text()[:400])
    expect_refusal(pyrometer("report", cut), "TAU", name="profile.0.0.0")
    merge = pyrometer("merge", prof_file, "-o", tmp_path / "x.tau")
    expect_refusal(merge, "pyrometer export", status=2)
