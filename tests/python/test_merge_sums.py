"""pyrometer merge -o sum.prof: what is added, how files are named, what is refused."""

import marshal
import pstats
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json

NAMES = ("run.1.part", "run.2.part", "run.10.part", "other.part")


@pytest.fixture
def folder(prof_file: Path, tmp_path: Path) -> Path:
    for name in NAMES:
        shutil.copy(prof_file, tmp_path / name)
    return tmp_path


def load(file: Path) -> Any:
    return marshal.loads(file.read_bytes())


def calls(file: Path) -> int:
    return sum(nc for _, nc, _, _, _ in load(file).values())


def test_wildcards_that_the_shell_has_left(pyrometer: Run, folder: Path, prof_file: Path) -> None:
    total = folder / "sum.prof"
    for pattern, count in (("run.*.part", 3), ("run.?.part", 2), ("run.1[0].part", 1), ("*", 4)):
        result = pyrometer("merge", pattern, "-o", "sum.prof", "--json", cwd=folder)
        assert read_json(result, "merge")["files"] == count
        assert calls(total) == count * calls(prof_file)
        total.unlink()
    for command in (["report", "--json"], ["report", "-F", "pstats"], ["export", "-F", "json"]):
        words = [command[0], folder / "run.*.part", *command[1:]]
        assert pyrometer(*words).returncode == 0


def test_a_name_with_brackets_is_a_name(pyrometer: Run, folder: Path, prof_file: Path) -> None:
    name = "run.[1].part"
    shutil.copy(prof_file, folder / name)
    result = pyrometer("merge", name, "-o", "sum.prof", "--json", cwd=folder)
    assert read_json(result, "merge")["files"] == 1


def test_nothing_matches(pyrometer: Run, folder: Path) -> None:
    for command in (["merge", "-o", "sum.prof"], ["report"], ["export", "-F", "json"]):
        for pattern in ("no.*.part", "missing/*", "run.1.part/*"):
            result = pyrometer(*command, "run.1.part", pattern, cwd=folder)
            expect_refusal(result, "no file matches", name=pattern)
    assert not (folder / "sum.prof").exists()


@pytest.mark.parametrize("ending", [".prof", ".pyro", ".json"])
def test_output_that_is_an_input(ending: str, pyrometer: Run, folder: Path) -> None:
    output = folder / f"run.sum{ending}"
    assert pyrometer("merge", folder / "run.*", "-o", output).returncode == 0
    before = output.read_bytes()
    (folder / "link").symlink_to(output)
    for inputs in ([folder / "run.*"], [output], [folder / "link", folder / "run.1.part"]):
        result = pyrometer("merge", *inputs, "-o", output)
        expect_refusal(result, "one of the inputs", name=output.name, status=2)
    assert output.read_bytes() == before


def test_unreadable_input(pyrometer: Run, folder: Path) -> None:
    (folder / "cut.part").write_bytes((folder / "run.1.part").read_bytes()[:-20])
    for name, word in (("missing.part", "does not exist"), ("cut.part", "byte")):
        result = pyrometer("merge", "run.1.part", name, "-o", "sum.prof", cwd=folder)
        expect_refusal(result, word, name=name)
    assert not (folder / "sum.prof").exists()


def test_sums_are_those_of_floats(pyrometer: Run, tmp_path: Path) -> None:
    """In pstats' order, the first and then from the last on, without rounding."""
    label = ("a.py", 1, "f")
    values = (0.1, 0.7, 1e-12, 3e8, 0.3)
    for i, value in enumerate(values):
        content = {label: (1, 2, value, value, {label: (1, 1, value, value)})}
        (tmp_path / f"{i}.prof").write_bytes(marshal.dumps(content))
    assert pyrometer("merge", "?.prof", "-o", "sum.prof", cwd=tmp_path).returncode == 0
    expected = values[0]
    for value in values[:0:-1]:
        expected += value
    count = len(values)
    caller = {label: (count, count, expected, expected)}
    assert load(tmp_path / "sum.prof") == {label: (count, 2 * count, expected, expected, caller)}


def test_summary_names_functions(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("merge", "run.1.part", "run.2.part", "-o", "sum.prof", cwd=folder)
    count = len(load(folder / "sum.prof"))
    assert result.stdout.startswith(f"sum.prof: 2 processes, {count} functions, ")


# ---- which format is written, and under which name


def names_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["sum", "sum.out", "sum.dat", "sum.part", "sum.pstats"])
def test_inputs_of_one_format_give_that_format(name: str, pyrometer: Run, folder: Path) -> None:
    """As PyOP2's script writes it, whatever the name."""
    result = pyrometer("merge", "run.*.part", "-o", name, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert len(pstats.Stats(str(folder / name)).files) == 1  # type: ignore[attr-defined]
    assert calls(folder / name) == 3 * calls(folder / "run.1.part")


def test_inputs_of_different_formats(pyrometer: Run, folder: Path, run_directory: Path) -> None:
    inputs = ["run.1.part", run_directory]
    result = pyrometer("merge", *inputs, "-o", "sum.out", cwd=folder)
    expect_refusal(result, "does not say which format", name="sum.out", status=2)
    assert pyrometer("merge", *inputs, "-o", "sum.part", cwd=folder).returncode == 0
    assert calls(folder / "sum.part") > 0


def test_a_run_becomes_a_merged_file(pyrometer: Run, run_directory: Path, tmp_path: Path) -> None:
    assert pyrometer("merge", run_directory, "-o", tmp_path / "job").returncode == 0
    assert (tmp_path / "job").read_bytes().startswith(b"SQLite format 3")


def test_format_by_option(pyrometer: Run, folder: Path) -> None:
    words = ["merge", "run.*.part", "-o", "sum.prof", "--format"]
    assert pyrometer(*words, "collapsed", cwd=folder).returncode == 0
    assert b";" in (folder / "sum.prof").read_bytes()
    assert pyrometer(*words, "pyro", cwd=folder).returncode == 0
    assert (folder / "sum.prof").read_bytes().startswith(b"SQLite format 3")
    expect_refusal(
        pyrometer(*words, "morse", cwd=folder), "there is no format", name="morse", status=2
    )
    expect_refusal(
        pyrometer(*words, "tau", cwd=folder), "would be a folder", name="sum.prof", status=2
    )


MPROF = """CMDLINE python3 x.py
FUNC __main__.f 10.5000 1700000000.2500 12.5000 1700000000.7500 0
MEM 10.250000 1700000000.0000
MEM 20.500000 1700000001.0000
"""


def test_mprof_files_stay_mprof_files(pyrometer: Run, tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text(MPROF)
    (tmp_path / "b.dat").write_text("MEM 1.000000 1700000000.5000\n")
    assert pyrometer("merge", "?.dat", "-o", "sum.dat", cwd=tmp_path).returncode == 0
    assert sorted((tmp_path / "sum.dat").read_text().splitlines()) == [
        "CHLD 1 1.000000 1700000000.5000",
        "CMDLINE python3 x.py",
        "FUNC __main__.f 10.500000 1700000000.2500 12.500000 1700000000.7500 0",
        "MEM 10.250000 1700000000.0000",
        "MEM 20.500000 1700000001.0000",
    ]
    result = pyrometer("export", "sum.dat", "-F", "mprof", "-o", "again.dat", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "again.dat").read_text() == (tmp_path / "sum.dat").read_text()


def test_mprof_needs_memory(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("export", folder / "run.1.part", "-F", "mprof")
    expect_refusal(result, "no memory over time")


def test_names_with_places(pyrometer: Run, folder: Path) -> None:
    for number in (1, 2):
        result = pyrometer("merge", "run.*.part", "-o", "%s-sum-%n.prof", "--json", cwd=folder)
        assert read_json(result, "merge")["output"] == f"run-sum-{number}.prof"
    before = names_of(folder)
    result = pyrometer("merge", "run.*.part", "-o", "a-%h-%p-%j.prof", cwd=folder)
    assert result.returncode == 0, result.stderr
    (made,) = names_of(folder) - before
    assert made.startswith("a-")
    assert made.endswith(".prof")
    assert "%" not in made
    expect_refusal(
        pyrometer("merge", "run.*.part", "-o", "%q.prof", cwd=folder), "nothing", status=2
    )
    expect_refusal(
        pyrometer("merge", "run.*.part", "-o", "%r.prof", cwd=folder), "has no %r", status=2
    )
