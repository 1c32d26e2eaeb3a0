"""pyrometer scale: speed-ups of every function and line over counts of processes."""

import csv
import io
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from comparable_files import Lines, write_lprof, write_prof
from conftest import MakeRun, Run, expect_refusal, read_json

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(times: dict[int, tuple[int, int]], file: str = "/fem/stage.py") -> Lines:
    return {(file, 10, "Stage.Run"): times}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Line 11 scales, line 12 does not, line 13 comes with four processes; in seconds."""
    times: dict[int, dict[int, float]] = {
        2: {11: 80, 12: 4},
        4: {11: 40, 12: 4, 13: 1},
        8: {11: 25, 12: 4, 13: 2},
    }
    for count, seconds in times.items():
        rows = {line: (line, int(time * 1e9)) for line, time in seconds.items()}
        write_lprof(tmp_path / f"p{count}.lprof", lines_of(rows))
    return tmp_path


RUNS = ("2=p2.lprof", "4=p4.lprof", "8=p8.lprof")


def scale(pyrometer: Run, folder: Path, *words: object) -> Any:
    return read_json(pyrometer("scale", *words, "--json", cwd=folder), "scale")


def field(row: Any, name: str) -> list[float | None]:
    return [None if point is None else point[name] for point in row["points"]]


def test_every_figure(pyrometer: Run, folder: Path) -> None:
    document = scale(pyrometer, folder, *RUNS)
    assert document["counts"] == [2, 4, 8]
    assert document["reference"] == 2
    total = document["total"]
    assert field(total, "time") == [84e9, 45e9, 31e9]
    assert field(total, "speedup") == pytest.approx([1, 84 / 45, 84 / 31])
    assert field(total, "efficiency") == pytest.approx([1, 42 / 45, 21 / 31])
    assert field(total, "serial_fraction")[0] is None
    assert field(total, "serial_fraction")[1:] == pytest.approx(
        [(45 / 84 - 1 / 2) / (1 / 2), (31 / 84 - 1 / 4) / (3 / 4)]
    )
    assert field(total, "loss") == pytest.approx([0, 3 / 45, 10 / 31])
    assert total["model"] is None
    rows = {row["line"]: row for row in document["rows"]}
    assert list(rows) == [11, 12, 13]
    assert field(rows[11], "speedup") == pytest.approx([1, 2, 3.2])
    assert field(rows[11], "loss") == pytest.approx([0, 0, 5 / 31])
    assert field(rows[12], "serial_fraction")[1:] == pytest.approx([1, 1])
    assert rows[13]["points"][0] is None
    assert field(rows[13], "speedup") == [None, None, None]
    assert field(rows[13], "hits") == [None, 13, 13]


def test_text(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("scale", *RUNS, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "pyrometer scale  strong scaling of the line-time of the slowest rank over 2, 4, 8"
        " processes, against 2\n"
        "\n"
        "  total                   2        4        8\n"
        "  time               84.0 s   45.0 s   31.0 s\n"
        "  speed-up             1.00     1.87     2.71\n"
        "  efficiency        100.0 %   93.3 %   67.7 %\n"
        "  serial fraction              7.1 %   15.9 %\n"
        "  scaling loss        0.0 %    6.7 %   32.3 %\n"
        "  no model: there are 3 counts, and a model needs 4\n"
        "\n"
        "speed-up of lines, most expensive first, by time at 8 processes\n"
        "     2      4      8   time at 8   hits     loss   function    where              source\n"
        "  1.00   2.00   3.20      25.0 s     11   16.1 %   Stage.Run   /fem/stage.py:11\n"
        "  1.00   1.00   1.00      4.00 s     12    9.7 %   Stage.Run   /fem/stage.py:12\n"
        "                          2.00 s     13            Stage.Run   /fem/stage.py:13\n"
    )


def test_order_of_the_words_does_not_matter(pyrometer: Run, folder: Path) -> None:
    assert scale(pyrometer, folder, *reversed(RUNS)) == scale(pyrometer, folder, *RUNS)


@pytest.mark.parametrize(
    ("key", "lines"),
    [("time", [11, 12, 13]), ("hits", [13, 12, 11]), ("per-hit", [11, 12, 13])],
)
def test_most_expensive_by(pyrometer: Run, folder: Path, key: str, lines: list[int]) -> None:
    document = scale(pyrometer, folder, *RUNS, "--by", key)
    assert [row["line"] for row in document["rows"]] == lines
    assert len(scale(pyrometer, folder, *RUNS, "--by", key, "-n", 2)["rows"]) == 2


def test_reference_and_weak_scaling(pyrometer: Run, folder: Path) -> None:
    total = scale(pyrometer, folder, *RUNS, "--reference", 4)["total"]
    assert field(total, "speedup") == pytest.approx([45 / 84, 1, 45 / 31])
    assert field(total, "efficiency") == pytest.approx([90 / 84, 1, 22.5 / 31])
    total = scale(pyrometer, folder, *RUNS, "--weak")["total"]
    assert field(total, "efficiency") == pytest.approx([1, 84 / 45, 84 / 31])
    assert field(total, "speedup") == pytest.approx([1, 2 * 84 / 45, 4 * 84 / 31])


def test_ranks_by_wildcard(pyrometer: Run, tmp_path: Path) -> None:
    for count, times in {2: (60, 100), 4: (50, 10, 10, 10)}.items():
        for rank, time in enumerate(times):
            write_lprof(tmp_path / f"{count}.{rank}.lprof", lines_of({11: (1, time)}))
    words = ("2=2.*.lprof", "4=4.*.lprof")
    row = scale(pyrometer, tmp_path, *words)["rows"][0]
    assert field(row, "time") == [100, 50]
    assert field(row, "speedup") == [1, 2]
    row = scale(pyrometer, tmp_path, *words, "--time", "sum")["rows"][0]
    assert field(row, "time") == [160, 80]
    assert field(row, "hits") == [2, 4]
    assert field(row, "speedup") == [1, 4]


def test_csv(pyrometer: Run, folder: Path) -> None:
    result = pyrometer("scale", *RUNS, "--format", "csv", "--field", "efficiency", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(rows[0]) == [
        *("file", "function", "line", "source"),
        *("efficiency_2", "efficiency_4", "efficiency_8", "seconds", "hits", "loss"),
    ]
    assert [row["efficiency_8"] for row in rows] == ["0.8", "0.25", ""]
    assert [row["seconds"] for row in rows] == ["25", "4", "2"]
    assert rows[2]["efficiency_2"] == ""


def test_sources_with_commas_and_quotes_survive(pyrometer: Run, tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text('def f():\n    g("a", b)\n')
    place = (str(tmp_path / "s.py"), 1, "f")
    for count in (1, 2):
        write_lprof(tmp_path / f"{count}.lprof", {place: {2: (1, 10)}})
    result = pyrometer("scale", "1=1.lprof", "2=2.lprof", "--format", "csv", cwd=tmp_path)
    assert next(csv.DictReader(io.StringIO(result.stdout)))["source"] == '    g("a", b)'


def test_layout_of_kratos(pyrometer: Run, folder: Path) -> None:
    words = (*RUNS, "--format", "kratos", "--scaled")
    lines = pyrometer("scale", *words, cwd=folder).stdout.splitlines()
    assert lines[0] == "stage.py:Stage.Run:11:|2.0|4.0|6.4|25.0|11"
    assert lines[1] == "stage.py:Stage.Run:12:|2.0|2.0|2.0|4.0|12"
    assert lines[2] == "stage.py:Stage.Run:13:||||2.0|13"
    assert lines[3].startswith("{2: 1, 4: 1.866666666666666")


def test_functions_of_cprofile(pyrometer: Run, tmp_path: Path) -> None:
    for count, time in {1: 8.0, 2: 4.0, 4: 2.5, 8: 1.75}.items():
        functions = {
            ("/a.py", 1, "main"): (1, 0.25, time),
            ("/a.py", 5, "solve"): (2, time - 0.25, time - 0.25),
        }
        write_prof(tmp_path / f"{count}.prof", functions)
    words = [f"{count}={count}.prof" for count in (1, 2, 4, 8)]
    document = scale(pyrometer, tmp_path, *words)
    assert [row["name"] for row in document["rows"]] == ["main", "solve"]
    assert field(document["rows"][0], "speedup") == pytest.approx([1, 2, 3.2, 8 / 1.75])
    own = scale(pyrometer, tmp_path, *words, "--self")
    assert [row["name"] for row in own["rows"]] == ["solve", "main"]
    assert field(own["rows"][1], "speedup") == [1, 1, 1, 1]


def test_model(pyrometer: Run, tmp_path: Path) -> None:
    """1 s + 64 s / p + 0.25 s * p, which is fastest on sixteen processes."""
    counts = (1, 2, 4, 8, 16, 32)
    for count in counts:
        time = round((1 + 64 / count + count / 4) * 1e9)
        write_lprof(tmp_path / f"{count}.lprof", lines_of({11: (1, time)}))
    words = [f"{count}={count}.lprof" for count in counts]
    model = scale(pyrometer, tmp_path, *words)["total"]["model"]
    assert model["constant"] == pytest.approx(1e9)
    assert model["parallel"] == pytest.approx(64e9)
    assert model["logarithmic"] == pytest.approx(0, abs=1)
    assert model["linear"] == pytest.approx(0.25e9)
    assert model["fastest_count"] == pytest.approx(16)
    assert model["largest_count"] == 128
    text = pyrometer("scale", *words, cwd=tmp_path).stdout
    assert "model: time = 1.00 s + 64.0 s / p + 250 ms · p" in text
    assert "serial: 1.00 s, 1.5 % of the time on one process; stops scaling at 16 process" in text


def test_counts_of_recordings(pyrometer: Run, make_run: MakeRun, tmp_path: Path) -> None:
    shape = {"nodes": 60, "samples": 100, "threads": 1}
    for ranks in (2, 3):
        make_run(tmp_path / f"run-{ranks}", ranks=ranks, **shape)
    document = scale(pyrometer, tmp_path, "run-*")
    assert document["counts"] == [2, 3]
    assert document["metric"] == "wall"
    assert document["rows"]
    assert scale(pyrometer, tmp_path, "run-*", "--lines")["rows"][0]["line"] > 0
    by_hand = scale(pyrometer, tmp_path, "2=run-2", "3=run-3")
    assert by_hand == document


def test_plot(pyrometer: Run, folder: Path) -> None:
    for name, words in {"s.svg": (), "e.svg": ("--field", "efficiency", "--weak")}.items():
        assert pyrometer("scale", *RUNS, *words, "--plot", name, cwd=folder).returncode == 0
        root = ElementTree.parse(folder / name).getroot()
        texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
        assert {"2", "4", "8", "processes", "ideal"} <= set(texts)
        labels = [text for text in texts if "total" in text or "Stage.Run:" in text]
        assert len(labels) == 3  # line 13 has no speed-up
        paths = [path.get("d", "") for path in root.iter(f"{SVG}path")]
        assert all("nan" not in path and "inf" not in path for path in paths)
    assert "2.71\u00d7  total" in (folder / "s.svg").read_text()


def test_plot_of_names_that_are_markup(pyrometer: Run, tmp_path: Path) -> None:
    for count in (1, 2):
        place = ("/<&>.py", 1, '<lambda>"\x1b&')
        write_lprof(tmp_path / f"{count}.lprof", {place: {2: (1, 10)}})
    words = ("1=1.lprof", "2=2.lprof", "--plot", "x.svg")
    assert pyrometer("scale", *words, cwd=tmp_path).returncode == 0
    texts = [text.text or "" for text in ElementTree.parse(tmp_path / "x.svg").iter(f"{SVG}text")]
    assert any("<lambda>" in text for text in texts)


def test_png(pyrometer: Run, folder: Path) -> None:
    words = ("scale", *RUNS, "--plot", "x.png")
    missing = pyrometer(*words, cwd=folder, env={"PATH": "/nowhere"})
    expect_refusal(missing, "rsvg-convert", "librsvg2-bin")
    assert [path.name for path in folder.iterdir() if path.suffix != ".lprof"] == []
    if not shutil.which("rsvg-convert"):
        pytest.skip("there is no rsvg-convert on this machine")
    assert pyrometer(*words, cwd=folder).returncode == 0
    assert (folder / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "RUN"),
        (("2=p2.lprof",), "two or more counts"),
        (("2=p2.lprof", "2=p4.lprof"), "both of 2 processes"),
        (("p2.lprof", "p4.lprof"), "both of 1 processes"),
        (("0=p2.lprof", "4=p4.lprof"), "'0' is no count"),
        (("99999999999999999999=p2.lprof", "4=p4.lprof"), "no count"),
        (("2=", "4=p4.lprof"), "names no profile"),
        ((*RUNS, "--reference", "3"), "there are 2, 4, 8"),
        ((*RUNS, "--by", "luck"), "'luck'"),
        ((*RUNS, "--field", "luck"), "'luck'"),
        ((*RUNS, "--format", "luck"), "'luck'"),
        ((*RUNS, "--time", "mean"), "--time"),
        ((*RUNS, "--metric", "luck"), "'luck'"),
        ((*RUNS, "--self"), "run --lines"),
        ((*RUNS, "--plot", "x.gif"), "'x.gif'"),
        (("2=x.prof", "4=p4.lprof"), "of one kind"),
    ],
)
def test_wrong_usage(pyrometer: Run, folder: Path, words: tuple[str, ...], message: str) -> None:
    write_prof(folder / "x.prof", {("/fem/stage.py", 10, "Run"): (1, 1.0, 1.0)})
    expect_refusal(pyrometer("scale", *words, cwd=folder), message, status=2)


def test_what_is_not_there(pyrometer: Run, folder: Path) -> None:
    write_prof(folder / "x.prof", {("/fem/stage.py", 10, "Run"): (1, 1.0, 1.0)})
    write_lprof(folder / "other.lprof", lines_of({11: (1, 1)}, file="/else.py"))
    run = {"cwd": folder}
    expect_refusal(pyrometer("scale", "2=p2.lprof", "4=none", **run), "none")
    expect_refusal(pyrometer("scale", "2=p2.lprof", "4=*.none", **run), "*.none")
    expect_refusal(pyrometer("scale", "2=p2.lprof", "4=x.prof", **run), "'x.prof' holds no lines")
    expect_refusal(pyrometer("scale", "2=p2.lprof", "4=other.lprof", **run), "same program")
