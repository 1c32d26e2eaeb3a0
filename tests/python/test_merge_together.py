"""pyrometer merge under an MPI launcher, and merged files that are updated."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import MakeRun, Run, expect_refusal, read_json, recordings_in

# What root, and more processes than cores, need.
LAUNCHERS = {
    "openmpi": [
        *("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"),
        *("--mca", "mpi_yield_when_idle", "1"),
    ],
    "mpich": ["mpirun.mpich"],
}
SENTENCE = "pyrometer: "


def launch(
    launcher: str, processes: int, *command: object, **environment: str
) -> subprocess.CompletedProcess[str]:
    program = LAUNCHERS[launcher]
    if not shutil.which(program[0]):
        pytest.skip(f"There is no {program[0]}.")
    return subprocess.run(
        [*program, "-n", str(processes), *map(str, command)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )


def own_lines(text: str) -> list[str]:
    """Without what launchers say of themselves."""
    return [line for line in text.splitlines() if line.startswith(SENTENCE)]


@pytest.fixture(scope="module")
def job(make_run: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three panels, so that more than one process has something to write."""
    directory = tmp_path_factory.mktemp("job") / "run"
    return make_run(directory, ranks=530, nodes=60, metrics=3, samples=40)


@pytest.fixture(scope="module")
def merged(pyrometer: Run, job: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    output = tmp_path_factory.mktemp("merged") / "job.pyro"
    assert pyrometer("merge", job, "-o", output).returncode == 0
    return output.read_bytes()


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_same_bytes_for_any_number_of_processes(
    launcher: str, processes: int, executable: Path, job: Path, merged: bytes, tmp_path: Path
) -> None:
    output = tmp_path / "job.pyro"
    result = launch(launcher, processes, executable, "merge", job, "-o", output)
    assert (result.returncode, own_lines(result.stderr)) == (0, [])
    assert result.stdout.startswith(f"{output}: 530 processes")
    assert result.stdout.count("\n") == 1
    assert output.read_bytes() == merged
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_any_process_may_read_merged_files(
    launcher: str,
    executable: Path,
    pyrometer: Run,
    job: Path,
    prof_file: Path,
    tmp_path: Path,
) -> None:
    recordings = recordings_in(job)
    half = tmp_path / "half.pyro"
    assert pyrometer("merge", *recordings[::2], "-o", half).returncode == 0
    together, alone = tmp_path / "together.pyro", tmp_path / "alone.pyro"
    inputs = [prof_file, *recordings[1::2], half]
    result = launch(launcher, 3, executable, "merge", *inputs, "-o", together)
    assert (result.returncode, own_lines(result.stderr)) == (0, [])
    assert pyrometer("merge", job, prof_file, "-o", alone).returncode == 0
    assert together.read_bytes() == alone.read_bytes()


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_one_sentence_for_all_processes(
    launcher: str, executable: Path, job: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pyr"
    broken.write_text("no recording")
    output = tmp_path / "job.pyro"
    for inputs, target, name in (
        ([job, broken], output, broken.name),
        ([job, tmp_path / "missing"], output, "missing"),
        ([job], tmp_path / "no" / "folder.pyro", "folder.pyro"),
    ):
        result = launch(launcher, 3, executable, "merge", *inputs, "-o", target)
        assert result.returncode == 1
        assert result.stdout == ""
        (sentence,) = own_lines(result.stderr)
        assert name in sentence
        assert list(tmp_path.iterdir()) == [broken]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_without_mpi_the_first_process_merges_alone(
    launcher: str, executable: Path, job: Path, merged: bytes, tmp_path: Path
) -> None:
    output = tmp_path / "job.pyro"
    result = launch(
        *(launcher, 3, executable, "merge", job, "-o", output),
        PYROMETER_MPI_LIBRARY="/no/such/libmpi.so",
    )
    assert result.returncode == 0
    (sentence,) = own_lines(result.stderr)
    assert "/no/such/libmpi.so" in sentence
    assert "merges alone" in sentence
    assert result.stdout.count("\n") == 1
    assert output.read_bytes() == merged


def test_the_wrong_mpi_is_noticed(
    executable: Path, job: Path, merged: bytes, tmp_path: Path
) -> None:
    output = tmp_path / "job.pyro"
    command = (executable, "merge", job, "-o", output)
    result = launch("mpich", 2, *command, PYROMETER_MPI_LIBRARY="libmpi.so.40")
    assert result.returncode == 0
    (sentence,) = own_lines(result.stderr)
    assert "not that of the launcher" in sentence
    assert output.read_bytes() == merged


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_other_formats_are_written_by_one_process(
    launcher: str, executable: Path, pyrometer: Run, prof_file: Path, tmp_path: Path
) -> None:
    together, alone = tmp_path / "together.prof", tmp_path / "alone.prof"
    result = launch(launcher, 2, executable, "merge", prof_file, prof_file, "-o", together)
    assert (result.returncode, result.stdout.count("\n")) == (0, 1)
    assert pyrometer("merge", prof_file, prof_file, "-o", alone).returncode == 0
    assert together.read_bytes() == alone.read_bytes()


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_left_to_themselves(
    launcher: str, executable: Path, job: Path, merged: bytes, tmp_path: Path
) -> None:
    output = tmp_path / "%p.pyro"
    result = launch(launcher, 2, executable, "merge", "--no-mpi", job, "-o", output)
    assert (result.returncode, own_lines(result.stderr)) == (0, [])
    outputs = list(tmp_path.iterdir())
    assert len(outputs) == 2
    assert all(each.read_bytes() == merged for each in outputs)


# ---- --update


def test_update_reads_only_what_is_new(pyrometer: Run, make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ranks=6, nodes=50)
    whole, output = tmp_path / "whole.pyro", tmp_path / "job.pyro"
    assert pyrometer("merge", run, "-o", whole).returncode == 0
    recordings = recordings_in(run)
    late, unfinished = recordings[4], recordings[1]
    kept = {late: late.read_bytes(), unfinished: unfinished.read_bytes()}
    late.unlink()
    unfinished.write_bytes(kept[unfinished][: len(kept[unfinished]) // 2])

    def update() -> tuple[int, int]:
        result = pyrometer("merge", "--update", run, "-o", output, "--json")
        summary = read_json(result, "merge")
        return summary["files"], summary["unchanged"]

    assert update() == (5, 0)
    for path, content in kept.items():
        path.write_bytes(content)
    assert update() == (2, 4)
    assert output.read_bytes() == whole.read_bytes()
    assert update() == (0, 6)
    assert output.read_bytes() == whole.read_bytes()
    text = pyrometer("merge", "--update", run, "-o", output)
    assert text.stdout.endswith(", 6 recordings as before\n")


def test_update_refuses_what_it_cannot_do(
    pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path
) -> None:
    output = tmp_path / "job.pyro"
    refused = pyrometer("merge", "--update", prof_file, "-o", output)
    expect_refusal(refused, status=2, name=prof_file.name)
    expect_refusal(
        pyrometer("merge", "--update", run_directory, "-o", tmp_path / "x.prof"), status=2
    )
    output.write_text("something else")
    expect_refusal(pyrometer("merge", "--update", run_directory, "-o", output), name=str(output))
    assert output.read_text() == "something else"
