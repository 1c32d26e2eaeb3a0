"""pyrometer merge -o sum.prof: what is added, how files are named, what is refused."""

import marshal
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
