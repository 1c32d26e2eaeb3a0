"""Where `pyrometer run` puts what it recorded, how it calls it, and what it says at the end.

The recorder is a stand-in (conftest.installed) that leaves the recording of tests/data.
"""

import json
import os
import pstats
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, expect_refusal, recordings_in
from jsonschema import Draft202012Validator

Result = subprocess.CompletedProcess[str]
RunHere = Callable[..., Result]


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> RunHere:
    """Runs `pyrometer run ...` in an empty folder."""

    def run_here(*words: object, **keywords: Any) -> Result:
        options = {"capture_output": True, "text": True, "timeout": 60, "cwd": tmp_path}
        options["stdin"] = subprocess.DEVNULL
        return subprocess.run([installed, "run", *map(str, words)], **(options | keywords))

    return run_here


@pytest.fixture(autouse=True)
def script(tmp_path: Path) -> Path:
    path = tmp_path / "wave.py"
    path.write_text("print('waves')\n")
    return path


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"wave.py"}


def test_summary(run: RunHere) -> None:
    result = run("wave.py")
    assert (result.returncode, result.stdout) == (0, "waves\n")
    lines = result.stderr.splitlines()
    assert re.fullmatch(r"pyrometer  7\.00 ms wall .* 1 process, 1 thread", lines[0])
    assert "hottest line 21: statement_21()" in lines[1]
    assert lines[2].split() == ["self", "total", "function", "where"]
    assert lines[-2] == "  recorded in pyrometer-wave-1   7 samples"
    assert lines[-1] == "  next: pyrometer view pyrometer-wave-1"


def test_the_next_command_works(run: RunHere, installed: Path, tmp_path: Path) -> None:
    command = run("wave.py").stderr.splitlines()[-1].split("next: pyrometer ")[1]
    # As a page, because the view itself would wait for a browser.
    result = subprocess.run(
        [installed, *command.split(), "-o", "page.html"], cwd=tmp_path, capture_output=True
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert (tmp_path / "page.html").stat().st_size > 0


def test_quiet(run: RunHere) -> None:
    assert run("-q", "wave.py").stderr == ""
    assert run("-q", "true").stderr == ""


def test_colours_and_a_blank_line_on_a_terminal_only(installed: Path, tmp_path: Path) -> None:
    terminal, other_end = os.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    command = [installed, "run", "wave.py"]
    subprocess.run(
        command, cwd=tmp_path, stderr=other_end, stdout=-3, env=environment, check=True, timeout=60
    )
    shown = os.read(terminal, 65536)
    os.close(terminal)
    os.close(other_end)
    assert shown.startswith(b"\r\n\x1b[1mpyrometer\x1b[0m  ")


def test_a_reader_that_has_gone_changes_no_status(installed: Path, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for code, status in (("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", -9)):
        result = subprocess.run([installed, "run", "-c", code], cwd=tmp_path, stderr=writer)
        assert result.returncode == status
    os.close(writer)


def test_a_run_that_the_program_removes(run: RunHere, tmp_path: Path) -> None:
    code = "import os, shutil; shutil.rmtree(os.environ['PYROMETER_RUN']); raise SystemExit(3)"
    result = run("-c", code)
    assert result.returncode == 3
    assert result.stderr.startswith("pyrometer: ")
    assert result.stderr.count("\n") == 1
    assert names_in(tmp_path) == set()


def test_json(run: RunHere) -> None:
    rules = json.loads((ROOT / "docs" / "run.schema.json").read_text())
    documents = []
    for words in (["wave.py"], ["-o", "x.prof", "-c", "raise SystemExit(3)"], ["true"]):
        result = run("--json", *words)
        document = json.loads(result.stderr)
        Draft202012Validator(rules).validate(document)
        assert document["status"] == result.returncode
        documents.append(document)
    assert documents[0]["directory"] == "pyrometer-wave-1"
    assert documents[0]["summary"]["functions"][0]["function"] == "Solver.solve"
    assert documents[1]["files"] == ["x.prof"]
    assert documents[2]["summary"] is None
    assert documents[2]["directory"] == ""
    assert "started no Python" in documents[2]["notices"][0]


def test_default_names(run: RunHere, tmp_path: Path) -> None:
    (tmp_path / "pyrometer-wave-2").touch()
    for words in (["wave.py"], ["wave.py"], ["-m", "wave"], ["-c", "1"], ["--", "python3", "-V"]):
        assert run(*words).returncode == 0
    assert names_in(tmp_path) - {"__pycache__"} == {
        *("pyrometer-wave-1", "pyrometer-wave-2", "pyrometer-wave-3", "pyrometer-wave-4"),
        "pyrometer-code-1",
    }


def test_run_info(run: RunHere, tmp_path: Path) -> None:
    run("--rate", "99", "wave.py", "-n", "5", env={**os.environ, "SECRET": "hunter2"})
    text = (tmp_path / "pyrometer-wave-1" / "RUN.json").read_text()
    info = json.loads(text)
    assert info["argv"] == ["python3", "wave.py", "-n", "5"]
    assert info["options"] == {"clock": "auto", "rate": "99"}
    assert info["host"] == os.uname().nodename
    assert "hunter2" not in text


def test_runs_at_the_same_time_do_not_collide(installed: Path, tmp_path: Path) -> None:
    processes = [
        subprocess.Popen([installed, "run", "-q", "wave.py"], cwd=tmp_path, stdout=-3)
        for _ in range(8)
    ]
    assert [process.wait(timeout=60) for process in processes] == [0] * 8
    assert names_in(tmp_path) == {f"pyrometer-wave-{number}" for number in range(1, 9)}
    for name in names_in(tmp_path):
        assert len(recordings_in(tmp_path / name)) == 1


def test_output_is_never_mixed_with_an_earlier_run(run: RunHere, tmp_path: Path) -> None:
    assert run("-o", "out/my run", "wave.py").returncode == 0
    first = recordings_in(tmp_path / "out" / "my run")
    refused = run("-o", "out/my run", "wave.py")
    expect_refusal(refused, "earlier run", "--replace", status=2, name="out/my run")
    assert recordings_in(tmp_path / "out" / "my run") == first
    assert run("--replace", "-o", "out/my run", "wave.py").returncode == 0
    (second,) = recordings_in(tmp_path / "out" / "my run")
    assert second not in first


def test_output_over_other_files_is_refused(run: RunHere, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    expect_refusal(run("-o", "notes", "wave.py"), "is a file", status=2, name="notes")
    expect_refusal(run("--replace", "-o", ".", "wave.py"), "other files", status=2)
    assert names_in(tmp_path) == {"notes"}


def test_a_place_that_cannot_be_written(run: RunHere, script: Path) -> None:
    expect_refusal(run(script, cwd="/proc"), "-o", "pyrometer-wave-1")
    expect_refusal(run("-o", "/proc/run", script), "-o", "/proc/run")


def test_templates(run: RunHere, tmp_path: Path) -> None:
    host = os.uname().nodename
    environment = {**os.environ, "SLURM_JOB_ID": "4711"}
    for _ in range(2):
        run("-q", "-o", "runs/%s-%j-%h-r%r-100%%-%n", "wave.py", env=environment)
    assert names_in(tmp_path / "runs") == {f"wave-4711-{host}-r0-100%-{n}" for n in (1, 2)}
    expect_refusal(run("-o", "a-%x", "wave.py"), "'%x'", "%h host", status=2)
    expect_refusal(run("-o", "a%.prof", "wave.py"), "'%.'", status=2)


def test_files_that_export_knows(run: RunHere, tmp_path: Path) -> None:
    for name in ("x.json", "x.speedscope.json", "x.collapsed", "x.csv"):
        result = run("-o", name, "wave.py")
        assert result.returncode == 0
        assert f"in {name}\n" in result.stderr
        assert (tmp_path / name).is_file()
    assert json.loads((tmp_path / "x.json").read_text())["kind"] == "pyrometer-profile"
    assert "solve" in (tmp_path / "x.collapsed").read_text()


@pytest.mark.parametrize("name", ["page.html", "job.pyro", "page.html%r"])
def test_files_of_other_commands_are_refused(run: RunHere, tmp_path: Path, name: str) -> None:
    expect_refusal(run("-o", name, "wave.py"), "pyrometer", "FILE", status=2, name=name)
    assert names_in(tmp_path) == set()


def test_lines_are_not_counted_calls(run: RunHere, tmp_path: Path) -> None:
    expect_refusal(run("--exact", "-o", "x.lprof", "wave.py"), "--exact", status=2, name="x.lprof")
    assert names_in(tmp_path) == set()


def functions_of(path: Path) -> set[str]:
    stats: Any = pstats.Stats(str(path))
    return {name for _, _, name in stats.stats}


def test_prof_file(run: RunHere, tmp_path: Path) -> None:
    result = run("-o", "out.prof", "wave.py")
    assert "  cProfile's format in out.prof\n" in result.stderr
    assert "solve" in functions_of(tmp_path / "out.prof")
    assert names_in(tmp_path) == {"out.prof", "pyrometer-wave-1"}
    first = (tmp_path / "out.prof").stat().st_ino
    assert run("-q", "-o", "out.prof", "wave.py").returncode == 0
    assert (tmp_path / "out.prof").stat().st_ino != first
    assert run("-q", "-o", "n%n.prof", "wave.py").returncode == 0
    assert run("-q", "-o", "n%n.prof", "wave.py").returncode == 0
    assert {"n1.prof", "n2.prof"} < names_in(tmp_path)


FAMILY = (
    "import os, subprocess, sys; subprocess.run([sys.executable, '-c', '']); print(os.getpid())"
)


def test_prof_files_of_several_processes(run: RunHere, tmp_path: Path) -> None:
    pid = int(run("-q", "-o", "p/%s-%p.prof", "-c", FAMILY).stdout)
    names = names_in(tmp_path / "p") - {"pyrometer-code-1"}  # the run is beside its files
    assert len(names) == 2
    assert f"code-{pid}.prof" in names
    run("-q", "-o", "all.prof", "-c", FAMILY)
    run("-q", "-o", "one.prof", "-c", "")
    one, both = (pstats.Stats(str(tmp_path / f"{name}.prof")) for name in ("one", "all"))
    assert vars(both)["total_tt"] == pytest.approx(2 * vars(one)["total_tt"])


def test_programs_that_cannot_be_started(run: RunHere, tmp_path: Path) -> None:
    expect_refusal(run("no-such-program"), "PATH", status=127, name="no-such-program")
    expect_refusal(run("--", "./wave.py"), "ermission", status=126, name="./wave.py")
    expect_refusal(run("--python", "no-python", "wave.py"), "--python", status=127)
    expect_refusal(run("-q", "-X", "dev", "wave.py"), "run -- python3 -X", status=2)
    expect_refusal(run("-Wy", "wave.py"), "option of Python", status=2)
    assert names_in(tmp_path) == set()


def test_what_python_runs_though_it_is_no_script(run: RunHere, tmp_path: Path) -> None:
    empty = run("-q", "--python", sys.executable, tmp_path)
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "can't find '__main__' module" in empty.stderr
    read, write = os.pipe()
    os.write(write, b"print('from a pipe')")
    os.close(write)
    piped = run("-q", "--python", sys.executable, f"/dev/fd/{read}", pass_fds=[read])
    os.close(read)
    assert (piped.returncode, piped.stdout) == (0, "from a pipe\n"), piped.stderr


def test_nothing_recorded(run: RunHere, tmp_path: Path) -> None:
    expect_refusal(run("sh", "-c", "exit 5"), "sh started no Python", status=5)
    expect_refusal(run("--", sys.executable, "-I", "-c", ""), "-I", status=0)
    assert names_in(tmp_path) == set()


def test_a_missing_recorder_is_said_before_the_program_starts(
    executable: Path, tmp_path: Path
) -> None:
    lonely = tmp_path / "bin" / "pyrometer"
    lonely.parent.mkdir()
    lonely.write_bytes(executable.read_bytes())
    lonely.chmod(0o755)
    result = subprocess.run(
        [lonely, "run", "wave.py"], cwd=tmp_path, capture_output=True, text=True
    )
    expect_refusal(result, "recorder is missing", "install")


def ranks(installed: Path, folder: Path, *words: str) -> list[tuple[str, str]]:
    """Standard output and error of four ranks, as a launcher starts them."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SLURM")}
    processes = [
        subprocess.Popen(
            [installed, "run", *words, "wave.py"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "PMI_RANK": str(rank), "PMI_SIZE": "4", "PBS_JOBID": "99.head"},
        )
        for rank in range(4)
    ]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    return outputs


def test_ranks_share_a_directory_and_one_speaks(installed: Path, tmp_path: Path) -> None:
    outputs = ranks(installed, tmp_path)
    run = "pyrometer-wave-99.head"
    assert names_in(tmp_path) == {run}
    assert len(recordings_in(tmp_path / run)) == 4
    said = [errors for _, errors in outputs if errors]
    assert len(said) == 1, said
    assert ", 4 ranks, " in said[0].splitlines()[0] or "   4 ranks, " in said[0].splitlines()[0]
    assert f"  recorded in {run}" in said[0]
    assert 2 < said[0].count("\n") <= 12


def test_prof_files_of_ranks(installed: Path, tmp_path: Path) -> None:
    ranks(installed, tmp_path, "-o", "all.prof")
    # A batch job that launches twice gives both the same identity.
    ranks(installed, tmp_path, "-o", "rank%r.prof")
    assert {"pyrometer-wave-99.head", "pyrometer-wave-99.head-2"} < names_in(tmp_path)
    assert {f"rank{rank}.prof" for rank in range(4)} < names_in(tmp_path)
    one, all_of_them = (pstats.Stats(str(tmp_path / f"{name}.prof")) for name in ("rank0", "all"))
    assert vars(all_of_them)["total_tt"] == pytest.approx(4 * vars(one)["total_tt"])


def test_a_launch_of_one_is_no_parallel_run(run: RunHere, tmp_path: Path) -> None:
    environment = {**os.environ, "SLURM_STEP_ID": "0", "SLURM_JOB_ID": "7"}
    environment |= {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}
    for _ in range(2):
        assert "next: " in run("wave.py", env=environment).stderr
    assert names_in(tmp_path) == {"pyrometer-wave-1", "pyrometer-wave-2"}
