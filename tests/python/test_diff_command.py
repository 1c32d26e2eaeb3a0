"""pyrometer diff: what changed between two profiles, and whether it matters."""

import json
from pathlib import Path
from typing import Any

import pytest
from comparable_files import Functions, write_lprof, write_prof, write_sampled_prof
from conftest import Run, expect_refusal, read_json

BEFORE: Functions = {
    ("/app/a.py", 10, "main"): (1, 0.5, 3.0),
    ("/app/a.py", 20, "solve"): (10, 2.0, 2.0),
    ("/app/a.py", 30, "load"): (1, 0.5, 0.5),
}
AFTER: Functions = {
    ("/app/a.py", 10, "main"): (1, 0.5, 3.7),
    ("/app/a.py", 25, "solve"): (10, 2.3, 2.3),
    ("/app/a.py", 50, "save"): (2, 0.9, 0.9),
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write_prof(tmp_path / "a.prof", BEFORE), write_prof(tmp_path / "b.prof", AFTER)


def rows_of(pyrometer: Run, *words: object) -> dict[str, dict[str, Any]]:
    document = read_json(pyrometer("diff", *words, "--json"), "diff")
    return {row["name"]: row for row in document["rows"]}


def test_functions_by_name(pyrometer: Run, files: tuple[Path, Path]) -> None:
    document = read_json(pyrometer("diff", *files, "--json"), "diff")
    assert [row["name"] for row in document["rows"]] == ["save", "load", "solve", "main"]
    assert document["total"]["before"] == 3.0e9
    assert document["total"]["change"] == pytest.approx(0.7e9)
    rows = rows_of(pyrometer, *files)
    assert rows["solve"]["relative"] == pytest.approx(0.15)
    assert rows["solve"]["first_line"] == 25
    assert rows["save"]["before"] is None
    assert rows["load"]["after"] is None
    assert rows["load"]["change"] == -0.5e9
    assert rows["main"]["change"] == 0
    total = rows_of(pyrometer, *files, "--total")
    assert total["main"]["change"] == pytest.approx(0.7e9)


def test_text(pyrometer: Run, files: tuple[Path, Path]) -> None:
    result = pyrometer("diff", *files)
    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        "pyrometer diff  3.00 s -> 3.70 s wall   +700 ms (+23.3 %)\n"
        "\n"
        "  before    after    change         %          calls   function   where\n"
        "           900 ms   +900 ms             new        2   save       /app/a.py:50\n"
        "  500 ms            -500 ms             gone       1   load       /app/a.py:30\n"
        "  2.00 s   2.30 s   +300 ms   +15.0 %             10   solve      /app/a.py:25\n"
    )
    assert "main" in pyrometer("diff", *files, "--all").stdout
    assert pyrometer("diff", *files, "--limit", 1).stdout.endswith("2 more; --limit 0 shows all\n")
    painted = pyrometer("diff", *files, env={"FORCE_COLOR": "1"}).stdout
    assert "\x1b[31m" in painted
    assert "\x1b[32m" in painted


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("change", ["save", "load", "solve", "main"]),
        ("relative", ["save", "load", "solve", "main"]),
        ("before", ["solve", "main", "load", "save"]),
        ("after", ["solve", "save", "main", "load"]),
        ("name", ["load", "main", "save", "solve"]),
    ],
)
def test_order(pyrometer: Run, files: tuple[Path, Path], sort: str, names: list[str]) -> None:
    assert list(rows_of(pyrometer, *files, "--sort", sort)) == names


def test_shares(pyrometer: Run, files: tuple[Path, Path]) -> None:
    rows = rows_of(pyrometer, *files, "--normalise")
    assert rows["solve"]["after"] == pytest.approx(2.3e9 * 3.0 / 3.7)
    assert "multiplied by 0.8108" in pyrometer("diff", *files, "--normalise").stdout


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--fail-above", "20%"], 3),
        (["--fail-above", "25%"], 0),
        (["--fail-above", "0.5s"], 3),
        (["--fail-above", "800ms"], 0),
        (["--fail-above", "10%", "--function", "^solve$"], 3),
        (["--fail-above", "20%", "--function", "^solve$"], 0),
        (["--fail-above", "20%", "--function", "^load$"], 0),
        (["--fail-above", "500%", "--function", "save"], 3),
        (["--fail-above", "5%", "--normalise", "--function", "save"], 3),
    ],
)
def test_status_for_ci(
    pyrometer: Run, files: tuple[Path, Path], words: list[str], status: int
) -> None:
    result = pyrometer("diff", *files, *words, "--json")
    assert result.returncode == status, result.stderr
    assert json.loads(result.stdout)["failed"] is (status == 3)
    assert ("became slower" in result.stderr) is (status == 3)


def sampled(path: Path, solve: int, check: int) -> Path:
    """At 1,000 samples per second."""
    return write_sampled_prof(
        path,
        {
            ("/app/a.py", 1, "solve"): (solve, solve / 1000, solve / 1000),
            ("/app/a.py", 9, "check"): (check, check / 1000, check / 1000),
        },
    )


def test_noise_of_samples_is_no_change(pyrometer: Run, tmp_path: Path) -> None:
    before = sampled(tmp_path / "a.prof", solve=1000, check=100)
    after = sampled(tmp_path / "b.prof", solve=1200, check=115)
    rows = rows_of(pyrometer, before, after)
    # 1.96 * sqrt(1001 + 1201) and 1.96 * sqrt(101 + 116) samples of a millisecond.
    assert rows["solve"]["margin"] == pytest.approx(91.97e6, rel=1e-3)
    assert rows["solve"]["sure"] is True
    assert rows["check"]["margin"] == pytest.approx(28.87e6, rel=1e-3)
    assert rows["check"]["sure"] is False
    text = pyrometer("diff", before, after).stdout
    assert "check" not in text
    assert "1 within the noise" in text
    assert "noise" in pyrometer("diff", before, after, "--all").stdout
    limit = ("--fail-above", "5%", "--function")
    assert pyrometer("diff", before, after, *limit, "check").returncode == 0
    assert pyrometer("diff", before, after, *limit, "solve").returncode == 3


def test_several_runs_of_each(pyrometer: Run, tmp_path: Path) -> None:
    sides = {"a": (10, 11, 12), "b": (14, 15, 16)}
    for name, times in sides.items():
        for i, time in enumerate(times):
            write_prof(tmp_path / f"{name}{i}.prof", {("/x.py", 1, "f"): (1, time, time)})
    words = ("--before", tmp_path / "a*.prof", "--after", *sorted(tmp_path.glob("b*.prof")))
    row = rows_of(pyrometer, *words)["f"]
    assert row["before"] == 11e9
    assert row["after"] == 15e9
    assert row["margin"] == pytest.approx(2.776 * (2 / 3) ** 0.5 * 1e9)


def test_lines_of_two_checkouts_follow_their_text(pyrometer: Run, tmp_path: Path) -> None:
    texts = {
        "old": "def f(n):\n    a = n\n    b = g(a)\n    return b\n",
        "new": "import g\n\ndef f(n):\n    check(n)\n    a = n\n    b = g(a, 1)\n    return b\n",
    }
    times = {"old": {2: 10, 3: 500, 4: 1}, "new": {4: 30, 5: 10, 6: 800, 7: 1}}
    first = {"old": 1, "new": 3}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        source = tmp_path / name / "prog.py"
        source.write_text(text)
        lines = {number: (1, time) for number, time in times[name].items()}
        write_lprof(tmp_path / f"{name}.lprof", {(str(source), first[name], "f"): lines})
    files = (tmp_path / "old.lprof", tmp_path / "new.lprof")
    document = read_json(pyrometer("diff", *files, "--lines", "--json"), "diff")
    rows = {row["line"]: row for row in document["rows"]}
    assert rows[6]["old_line"] == 3
    assert rows[6]["edited"] is True
    assert rows[6]["change"] == 300
    assert rows[4]["before"] is None
    assert rows[5]["change"] == rows[7]["change"] == 0
    text = pyrometer("diff", *files, "--lines").stdout
    assert "(was 3)" in text
    assert "b = g(a, 1)" in text
    # Without --lines, functions: the sums of their lines.
    assert rows_of(pyrometer, *files)["f"]["change"] == 330


def test_lines_of_an_edited_file_are_told_by_their_place(pyrometer: Run, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("\n\ndef f():\n    new()\n    b()\n")
    place = str(tmp_path / "prog.py")
    before = write_lprof(tmp_path / "a.lprof", {(place, 1, "f"): {2: (1, 10), 3: (1, 20)}})
    after = write_lprof(tmp_path / "b.lprof", {(place, 3, "f"): {4: (1, 15), 5: (1, 20)}})
    document = read_json(pyrometer("diff", before, after, "--lines", "--json"), "diff")
    assert [(row.get("old_line"), row["line"], row["change"]) for row in document["rows"]] == [
        (2, 4, 5),
        (3, 5, 0),
    ]
    assert document["rows"][0]["source"] == "new()"


def test_recordings(pyrometer: Run, recording: Path, run_directory: Path) -> None:
    same = pyrometer("diff", recording, recording)
    assert same.returncode == 0
    assert "Nothing changed" in same.stdout
    document = read_json(pyrometer("diff", recording, run_directory, "--json"), "diff")
    assert document["sampled"] is True
    assert document["rows"]
    read_json(pyrometer("diff", recording, run_directory, "--lines", "--json"), "diff")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "two profiles"),
        (("a.prof",), "two profiles"),
        (("a.prof", "b.prof", "a.prof"), "two profiles"),
        (("--before", "a.prof"), "belong together"),
        (("a.prof", "b.prof", "--sort", "luck"), "'luck'"),
        (("a.prof", "b.prof", "--fail-above", "much"), "'much'"),
        (("a.prof", "b.prof", "--fail-above", "5%", "--normalise"), "--function"),
        (("a.prof", "b.prof", "--metric", "luck"), "'luck'"),
        (("a.prof", "b.prof", "--function", "(x"), "(x"),
        (("a.prof", "c.lprof"), "of one kind"),
        (("a.prof", "b.prof", "--limit", "-1"), "--limit"),
        (("a.prof", "b.prof", "--lines", "--functions"), "--lines"),
    ],
)
@pytest.mark.usefixtures("files")
def test_wrong_usage(pyrometer: Run, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    write_lprof(tmp_path / "c.lprof", {("/app/a.py", 10, "main"): {11: (1, 5)}})
    expect_refusal(pyrometer("diff", *words, cwd=tmp_path), message, status=2)


@pytest.mark.usefixtures("files")
def test_what_is_not_there(pyrometer: Run, tmp_path: Path) -> None:
    run = {"cwd": tmp_path}
    expect_refusal(pyrometer("diff", "a.prof", "none.prof", **run), "none.prof")
    expect_refusal(pyrometer("diff", "a.prof", "b.prof", "--lines", **run), "no lines")
    expect_refusal(pyrometer("diff", "a.prof", "b.prof", "-f", "nobody", **run), "'nobody'")


def test_names_cannot_move_the_cursor(pyrometer: Run, tmp_path: Path) -> None:
    evil = write_prof(tmp_path / "e.prof", {("/\x1b[2J.py", 1, "\x1b[31mf"): (1, 1.0, 1.0)})
    empty = write_prof(tmp_path / "n.prof", {("/a.py", 1, "g"): (1, 1.0, 1.0)})
    assert "\x1b" not in pyrometer("diff", empty, evil).stdout
