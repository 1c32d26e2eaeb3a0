"""Files per rank, while recording and afterwards."""

import os
import pstats
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal

RANKS = 3
PROGRAM = """
import os, time

def busy(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))

# So different that no pause of the machine makes up for it: what is written is time on the wall.
busy(0.1 + 0.3 * int(os.environ["PMI_RANK"]))
"""


def launch(executable: Path, folder: Path, *words: object) -> list[str]:
    """What three ranks say, started as a launcher starts them."""
    (folder / "wave.py").write_text(PROGRAM)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "PYROMETER_R"))}
    options: dict[str, Any] = {"stderr": subprocess.PIPE, "text": True, "cwd": folder}
    ranks = [
        subprocess.Popen(
            [executable, "run", *map(str, words), "wave.py"],
            env={**clean, "PMI_RANK": str(rank), "PMI_SIZE": str(RANKS), "PBS_JOBID": "7"},
            **options,
        )
        for rank in range(RANKS)
    ]
    said = [rank.communicate(timeout=60)[1] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0] * RANKS, said
    return said


def own_time(file: Path) -> float:
    return float(vars(pstats.Stats(str(file)))["total_tt"])


def test_profiles_while_recording(executable: Path, tmp_path: Path) -> None:
    said = launch(executable, tmp_path, "-o", "cpu_%r.prof")
    times = [own_time(tmp_path / f"cpu_{rank}.prof") for rank in range(RANKS)]
    assert times[2] > times[0] > 0.05
    assert "".join(said).count("  cProfile's format in cpu_%r.prof\n") == 1


def test_reports_while_recording(executable: Path, tmp_path: Path) -> None:
    launch(executable, tmp_path, "-o", "cpu_%r.txt", "-q")
    for rank in range(RANKS):
        text = (tmp_path / f"cpu_{rank}.txt").read_text()
        assert "1 rank" in text
        assert "busy" in text
        assert "left no recording" not in text  # it is the report of one, and says so


def test_line_profiles_while_recording(executable: Path, tmp_path: Path) -> None:
    launch(executable, tmp_path, "--lines", "-o", "wave.lprof%r", "-q")
    launch(executable, tmp_path, "--lines", "-o", "x%r.lprof", "-q")
    names = {path.name for path in tmp_path.glob("*lprof*")}
    assert names == {f"wave.lprof{n}" for n in range(3)} | {f"x{n}.lprof" for n in range(3)}


@pytest.mark.parametrize("ending", ["svg", "dot"])
def test_graphs_while_recording(executable: Path, tmp_path: Path, ending: str) -> None:
    said = launch(executable, tmp_path, "-o", f"graph_%r.{ending}")
    for rank in range(RANKS):
        assert "busy" in (tmp_path / f"graph_{rank}.{ending}").read_text()
    assert f"  graph in graph_%r.{ending}\n" in "".join(said)


def test_one_report_of_all_ranks(executable: Path, tmp_path: Path) -> None:
    launch(executable, tmp_path, "-o", "all.txt", "-q")
    assert "3 ranks" in (tmp_path / "all.txt").read_text()


def test_afterwards(executable: Path, pyrometer: Run, tmp_path: Path) -> None:
    """From the run directory and from a merged file: the same files."""
    launch(executable, tmp_path, "-o", "job", "-q")
    assert pyrometer("merge", "job", "-o", "job.pyro", cwd=tmp_path).returncode == 0
    for source, name in (("job", "run"), ("job.pyro", "merged")):
        commands = (
            ["export", source, "--format", "pstats", "-o", f"{name}_%r.prof"],
            ["report", source, "--per-rank", "-o", f"{name}_%r.txt"],
        )
        for command in commands:
            result = pyrometer(*command, cwd=tmp_path)
            assert (result.returncode, result.stderr) == (0, "")
    for rank in range(RANKS):
        texts = [(tmp_path / f"{name}_{rank}.txt").read_text() for name in ("run", "merged")]
        assert texts[0] == texts[1]
        assert "left no recording" not in texts[0]
        files = [tmp_path / f"{name}_{rank}.prof" for name in ("run", "merged")]
        assert own_time(files[0]) == pytest.approx(own_time(files[1]))
    assert own_time(tmp_path / "run_2.prof") > own_time(tmp_path / "run_0.prof")


def test_what_cannot_be_is_refused(
    pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path
) -> None:
    expect_refusal(pyrometer("report", run_directory, "--per-rank"), "cpu_%r.txt", status=2)
    pstats_text = ["--per-rank", "--format", "pstats", "-o", "x%r"]
    expect_refusal(pyrometer("report", run_directory, *pstats_text), "export", status=2)
    out = tmp_path / "x%r.prof"
    expect_refusal(pyrometer("export", prof_file, "-o", out), "no ranks", status=2)
    folder = ["-F", "tau", "-o", tmp_path / "x%r"]
    expect_refusal(pyrometer("export", run_directory, *folder), "files per rank anyway", status=2)
