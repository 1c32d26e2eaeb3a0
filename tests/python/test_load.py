"""`pyrometer.load`: any profile as tables of records, data frames and arrays."""

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRun, Run, read_json
from corpus import CORPUS
from job_recordings import RankOfJob, write_job
from memory_recordings import GIB, MIB, MemoryOfProcess, leaking, memory_recording, write_memory_job
from pyrometer import LoadError, load
from pyrometer import _loaded_profile as loaded_profile
from pyrometer import _profile_query as profile_query
from running import PACKAGE, run_command

TABLES = (
    *("findings", "functions", "lines", "paths", "processes", "ranks", "rank_functions"),
    *("regions", "tasks", "memory", "memory_lines", "memory_over_time"),
)


@pytest.fixture(autouse=True)
def tested_executable(executable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_query, "find_executable", lambda: executable)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that were run, in order."""
    commands = []
    ask = loaded_profile.ask

    def listen(command: str, profiles: Any, *words: str) -> Any:
        views = [word for word in words if word in ("--lines", "--tree")]
        commands.append(" ".join([command, *views]))
        return ask(command, profiles, *words)

    monkeypatch.setattr(loaded_profile, "ask", listen)
    return commands


def merged(pyrometer_command: Run, run: Path, file: Path) -> Path:
    result = pyrometer_command("merge", run, "-o", file)
    assert result.returncode == 0, result.stderr
    return file


def test_functions_are_those_of_the_report(pyrometer: Run, prof_file: Path) -> None:
    report = read_json(pyrometer("report", prof_file, "--json"), "report")
    profile = load(prof_file)
    assert len(profile.functions) == len(report["functions"]) > 5
    for function, row in zip(profile.functions, report["functions"], strict=True):
        assert (function.file, function.line, function.calls) == (
            row["file"],
            row["line"],
            row["calls"],
        )
        assert function.self == pytest.approx(row["self"] / 1e9)
        assert function.total == pytest.approx(row["total"] / 1e9)
    (fibonacci,) = [each for each in profile.functions if each.name == "fibonacci"]
    assert (fibonacci.calls, fibonacci.primitive_calls, fibonacci.kind) == (465, 1, "python")
    metadata = profile.metadata
    assert (metadata.metric, metadata.unit, metadata.profiles) == (
        "wall",
        "seconds",
        (str(prof_file),),
    )
    assert metadata.total == pytest.approx(sum(each.self for each in profile.functions))
    assert metadata.paths_estimated
    assert not metadata.sampled
    assert [each.sentence for each in profile.findings] == [
        each["sentence"] for each in report["findings"]
    ]


def test_paths_are_the_whole_tree(run_directory: Path) -> None:
    profile = load(run_directory)
    paths = profile.paths
    assert sum(path.self for path in paths) == pytest.approx(profile.metadata.total)
    assert max(path.depth for path in paths) > 0
    for row, path in enumerate(paths):
        stack = profile.stack(path)
        assert stack[-1] == path
        assert [each.depth for each in stack] == list(range(path.depth + 1))
        assert path.parent < row
        assert path.parent == -1 or paths[path.parent] == stack[-2]


def test_deep_recursion(make_run: MakeRun, tmp_path: Path) -> None:
    """Deeper than trees are shown to people, and than Python recurses."""
    run = make_run(tmp_path / "deep", nodes=3000, chain=True, functions=3000)
    profile = load(run)
    assert max(path.depth for path in profile.paths) > sys.getrecursionlimit()
    assert len(profile.stack(profile.paths[-1])) == profile.paths[-1].depth + 1


def test_lines_have_their_source(real_run: Path) -> None:
    hot = next(line for line in load(real_run).lines if line.function == "hot_loop")
    assert hot.source in ("for number in range(count):", "total += number * number % 7")
    assert hot.self > 0
    assert hot.samples > 0
    lprof = load(CORPUS / "lprof" / "numeric-5.0.2.lprof").lines
    assert max(line.hits for line in lprof) > 1


def test_another_metric(real_run: Path) -> None:
    samples = load(real_run, metric="samples")
    assert (samples.metadata.metric, samples.metadata.unit) == ("samples", "count")
    assert sum(each.self for each in samples.functions) == samples.metadata.total
    cpu = load(real_run, metric="cpu").metadata
    assert 0 < cpu.total < load(real_run).metadata.total
    assert "cpu" in cpu.metrics


def test_several_profiles_are_added_up(prof_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = load(prof_file), load(prof_file, str(prof_file))
    assert two.metadata.total == pytest.approx(2 * one.metadata.total)
    assert len(two.processes) == 2
    monkeypatch.chdir(prof_file.parent)
    assert load("*.prof").metadata.total == one.metadata.total


def test_memory_and_regions(pyrometer: Run, tmp_path: Path) -> None:
    run = write_memory_job(tmp_path / "job", [leaking(), leaking(2)])
    for name in (run, merged(pyrometer, run, tmp_path / "job.pyro")):
        profile = load(name)
        places = {place.function: place for place in profile.memory}
        assert places["load"].peak_bytes == places["load"].peak_numpy_bytes == 1200 * MIB
        assert places["step"].temporary_bytes == 40 * GIB
        highest = max(point.bytes for point in profile.memory_over_time if point.of == "heap")
        assert highest == 800 * MIB
        moments = [each.seconds for each in profile.memory_over_time if each.process == 0]
        assert min(moments) == pytest.approx(0.5, abs=0.1)
    regions = {(each.process, each.name): each for each in load(run).regions}
    assert regions[0, "assembly"].duration_seconds == 3
    assert regions[1, "solve"].calls == 1


def test_memory_of_lines(tmp_path: Path) -> None:
    measured = MemoryOfProcess(lines={"grow:11": {"hits": 5, "memory": 50 * MIB, "increment": MIB}})
    recording = tmp_path / "lines.pyr"
    recording.write_bytes(memory_recording(measured))
    for file in (recording, CORPUS / "memory_profiler_text" / "memory-0.61.0.txt"):
        lines = load(file).memory_lines
        assert max(line.memory_bytes for line in lines) > MIB
        assert max(line.hits for line in lines) >= 5
        assert all(line.peak_bytes is None for line in lines)


@pytest.mark.parametrize("kind", ["lprof", "mprof", "memray", "speedscope", "pprof", "tau"])
def test_files_of_other_tools(kind: str) -> None:
    file = next(path for path in sorted((CORPUS / kind).iterdir()) if path.name[0] != ".")
    profile = load(file)
    for name in TABLES:
        table = getattr(profile, name)
        assert len(table.to_dicts()) == len(table.to_numpy()) == len(table)
    assert profile.functions or profile.lines or profile.memory_over_time


def test_tables_are_read_when_asked_for(asked: list[str], run_directory: Path) -> None:
    profile = load(run_directory)
    assert asked == ["report"]
    for _ in range(2):
        assert profile.functions
        assert len(profile.processes) == 3
        assert not profile.memory
    assert asked == ["report"]
    for _ in range(2):
        assert len(profile.ranks) == 3
        assert profile.rank_functions
        assert profile.lines
        assert profile.paths
    assert asked == ["report", "ranks", "report --lines", "report --tree"]


def test_ranks(pyrometer: Run, tmp_path: Path) -> None:
    """Of which the third works twice as long as the others."""
    work = [5.0, 5.0, 10.0, 5.0]
    ranks = [RankOfJob(work={"main:1;solve:61": each}) for each in work]
    run = write_job(tmp_path / "job", ranks, wall=20)
    for name in (run, merged(pyrometer, run, tmp_path / "job.pyro")):
        profile = load(name)
        assert [each.rank for each in profile.ranks] == [0, 1, 2, 3]
        assert [each.useful_seconds for each in profile.ranks] == pytest.approx(work, rel=0.01)
        assert {each.wall_seconds for each in profile.ranks} == {20.0}
        (solve,) = [each for each in profile.rank_functions if each.name == "solve"]
        assert (solve.maximum_rank, solve.certain) == (2, True)
        assert solve.imbalance == pytest.approx(1.6, rel=0.01)
        assert (solve.mean, solve.cost) == (pytest.approx(6.25), pytest.approx(3.75))


def test_no_ranks_are_an_empty_table(asked: list[str], prof_file: Path) -> None:
    profile = load(prof_file)
    assert len(profile.ranks) == len(profile.rank_functions) == len(profile.memory) == 0
    assert profile.processes[0].rank is None
    assert asked == ["report"]


def test_a_thousand_ranks(pyrometer: Run, make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ranks=1024, nodes=60, functions=30, samples=0)
    profile = load(merged(pyrometer, run, tmp_path / "job.pyro"))
    assert [each.rank for each in profile.ranks] == list(range(1024))
    assert [each.rank for each in profile.processes] == list(range(1024))
    assert {each.host for each in profile.ranks} == {"synthetic"}
    assert profile.functions
    assert profile.paths


def test_tables_are_sequences(prof_file: Path) -> None:
    functions = load(prof_file).functions
    assert functions[0] == next(iter(functions))
    assert functions[:3][2] == functions[2]
    assert functions[-1] in functions
    assert functions[:2] == functions[:2] != functions[:3]
    assert functions.columns == functions[0]._fields
    assert functions.to_dicts()[0] == functions[0]._asdict()
    assert repr(functions).startswith(f"<{len(functions)} x FunctionRecord(name, file, ")
    with pytest.raises(AttributeError):
        functions[0].line = 1  # type: ignore[misc]


def test_numpy(prof_file: Path, run_directory: Path) -> None:
    numpy = pytest.importorskip("numpy")
    functions = load(prof_file).functions
    array = functions.to_numpy()
    assert array.dtype.names == functions.columns
    assert array["self"].dtype == numpy.float64
    assert array["calls"].dtype == numpy.int64
    assert array["self"].sum() == pytest.approx(sum(each.self for each in functions))
    assert array["calls"][array["name"] == "fibonacci"].tolist() == [465]
    assert numpy.isnan(load(prof_file).processes.to_numpy()["rank"]).all()
    assert load(run_directory).processes.to_numpy()["rank"].tolist() == [0, 1, 2]
    assert len(functions[:0].to_numpy()) == 0


def test_pandas(prof_file: Path, run_directory: Path) -> None:
    pandas = pytest.importorskip("pandas")
    functions = load(prof_file).functions
    frame = functions.to_pandas()
    assert tuple(frame.columns) == functions.columns
    assert frame.set_index("name").loc["fibonacci", "calls"] == 465
    assert frame.groupby("file")["self"].sum().sum() == pytest.approx(
        sum(each.self for each in functions)
    )
    kinds = {name: str(frame[name].dtype) for name in ("self", "calls")}
    assert kinds == {"self": "float64", "calls": "int64"}
    processes = load(prof_file).processes.to_pandas()
    assert processes["rank"].isna().all()
    ranks = load(run_directory).processes.to_pandas()["rank"]
    assert ranks.tolist() == [0, 1, 2]
    assert str(ranks.dtype) == str(processes["rank"].dtype) == "Int64"
    empty = functions[:0].to_pandas()
    assert isinstance(empty, pandas.DataFrame)
    assert tuple(empty.columns) == functions.columns


@pytest.mark.parametrize("library", ["numpy", "pandas"])
def test_missing_libraries(library: str, prof_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    functions = load(prof_file).functions
    monkeypatch.setitem(sys.modules, library, None)
    message = rf"to_{library}\(\) needs {library}, which is not installed: 'pip install {library}'"
    with pytest.raises(ImportError, match=message):
        getattr(functions, f"to_{library}")()
    assert functions.to_dicts()


def broken_profiles(folder: Path) -> Iterator[tuple[Path, str]]:
    yield folder / "nothing.prof", "nothing.prof"
    (folder / "empty").mkdir()
    yield folder / "empty", "empty"
    (folder / "text.prof").write_text("hello")
    yield folder / "text.prof", "text.prof"
    yield folder / "-n", "-n"
    yield folder / "*.pyro", "no file matches"


def test_what_cannot_be_read(
    tmp_path: Path, prof_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for path, word in broken_profiles(tmp_path):
        with pytest.raises(LoadError) as raised:
            load(path)
        sentence = str(raised.value)
        assert word in sentence
        assert "\n" not in sentence
        assert not sentence.startswith("pyrometer:")
    with pytest.raises(LoadError, match="luck"):
        load(prof_file, metric="luck")
    assert capfd.readouterr() == ("", "")


def test_relative_names_outlive_a_change_of_directory(
    run_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run_directory.parent)
    profile = load(run_directory.name)
    monkeypatch.chdir(tmp_path)
    assert profile.lines
    assert str(run_directory) in repr(profile)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("kill -9 $$", "pyrometer report was ended by signal 9"),
        ("exit 7", "pyrometer report failed with status 7"),
        ("echo 'a remark'; echo 'pyrometer: it is broken' >&2; exit 1", "^it is broken$"),
    ],
)
def test_an_executable_that_fails(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = tmp_path / "stand-in"
    stand_in.write_text(f"#!/bin/sh\n{script}\n")
    monkeypatch.setattr(profile_query, "find_executable", lambda: stand_in)
    with pytest.raises(LoadError, match="cannot run"):
        load("x")
    stand_in.chmod(0o755)
    with pytest.raises(LoadError, match=message):
        load("x")
    monkeypatch.setattr(profile_query, "find_executable", lambda: None)
    with pytest.raises(LoadError, match="reinstall the package"):
        load("x")


def test_every_python(python: Path, prof_file: Path) -> None:
    """The annotations that tables are made by are kept in another way from 3.14 on."""
    program = "import sys, pyrometer; print(pyrometer.load(sys.argv[1]).functions.to_dicts())"
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    result = run_command([python, "-c", program, prof_file], env=variables)
    assert result.stderr == ""
    assert ast.literal_eval(result.stdout) == load(prof_file).functions.to_dicts()


def test_nothing_is_imported_before_it_is_needed() -> None:
    """A program that only keeps decorators pays for nothing else."""
    program = "import pyrometer, sys; print([n for n in sys.modules if '_loaded' in n])"
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    result = run_command([sys.executable, "-c", program], env=variables)
    assert result.stdout == "[]\n"
