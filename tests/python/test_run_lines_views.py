"""What `pyrometer run --lines` recorded, as users look at it."""

import re
from pathlib import Path

import pytest
from running import PROGRAMS, Recorder, Result, run_command

ROW = re.compile(r" *(\d+) +(\d+) +(\S+) +(\S+) +(\S+)  (.*)")

MULTILINE = """
def add(a, b):
    return a + b

def work(count):
    total = 0
    for number in range(count):
        total = add(
            total,
            number,
        )
        with open("/dev/null") as nothing:
            nothing.read()
    return total

work(10)
"""


def hits_of(table: str, source: str) -> dict[str, int]:
    """By the text of the line."""
    rows = [ROW.fullmatch(line) for line in table.splitlines()]
    found = {row[6].strip(): int(row[2]) for row in rows if row}
    assert found, table
    assert all(line in source for line in found)
    return found


def test_two_million_hits(recorder: Recorder) -> None:
    """Exact to the hit, in line_profiler's table."""
    recorded = recorder.record(PROGRAMS / "contour.py", options=["--lines=is_inside_contour"])
    assert "1,980,000 hits" in recorded.result.stderr, recorded.complaint
    table = recorded.command("lines", recorded.run)
    head = table.splitlines()[:8]
    assert head[0] == "Timer unit: 1e-06 s"
    assert head[3] == f"File: {PROGRAMS / 'contour.py'}"
    assert head[4] == "Function: is_inside_contour at line 6"
    assert head[6] == "Line #      Hits         Time  Per Hit   % Time  Line Contents"
    assert head[7] == "=" * len(head[6])
    hits = hits_of(table, (PROGRAMS / "contour.py").read_text())
    assert hits["for next_x, next_y in contour:"] == 420_000
    assert hits["last_x, last_y = next_x, next_y"] == 400_000
    assert hits["slope = (last_x - next_x) / (last_y - next_y)"] == 200_000
    assert hits["inside = not inside"] == 100_000
    assert hits["return inside"] == 20_000


def test_a_statement_counts_as_often_as_it_began(recorder: Recorder) -> None:
    """Lines are entered again within a call over several lines, and at the end of `with`."""
    recorded = recorder.record(recorder.write(MULTILINE), options=["--lines=work"])
    lines = hits_of(recorded.command("lines", recorded.run), MULTILINE)
    assert lines["total = add("] == 20
    assert lines["total,"] == lines["number,"] == 10
    statements = hits_of(recorded.command("lines", "--statements", recorded.run), MULTILINE)
    assert statements["total = add("] == 10
    assert statements['with open("/dev/null") as nothing:'] == 10
    assert statements["for number in range(count):"] == 11
    assert "total," not in statements


def run_with_output(recorder: Recorder, output: Path, *words: object) -> Result:
    command = [recorder.executable, "run", "--lines", "-o", output, "--python", recorder.python]
    return run_command([*command, *words])


def test_files_of_line_profiler(one_recorder: Recorder) -> None:
    """Beside the recording, by template: one per rank, or one per process."""
    recorder = one_recorder
    program = recorder.write(
        "import os\ndef f():\n    return 1\nchild = os.fork()\nf()\nif child:\n    os.wait()\n"
    )
    result = run_with_output(recorder, recorder.folder / "x.lprof%r", program)
    assert result.returncode == 0, result.stderr
    assert [each.name for each in recorder.folder.glob("x.lprof*")] == ["x.lprof0"]
    result = run_with_output(recorder, recorder.folder / "y-%p.lprof", program)
    assert result.returncode == 0, result.stderr
    assert len(list(recorder.folder.glob("y-*.lprof"))) == 2


def test_hot_functions(recorder: Recorder) -> None:
    """Are sampled first, then measured, and the recording says since when."""
    source = """
import time

def cold():
    return 1

def hot(count):
    total = 0
    for number in range(count):
        total += number * number
    return total

end = time.monotonic() + 5
while time.monotonic() < end:
    hot(1000)
    cold()
"""
    recorded = recorder.record(recorder.write(source), options=["--lines=hot"], timeout=120)
    table = recorded.command("lines", recorded.run)
    hits = hits_of(table, source)
    assert hits["total += number * number"] > 1000
    assert "return 1" not in hits
    messages = recorded.command("dump", recorded.run)
    assert re.search(
        r"lines of the hottest functions are measured since \d+\.\d s: .*hot", messages
    )


@pytest.mark.parametrize("name", ["x.lprof", "y.prof"])
def test_bad_place_for_files(one_recorder: Recorder, name: str) -> None:
    recorder = one_recorder
    folder = recorder.folder / "file"
    folder.write_text("")
    result = run_with_output(recorder, folder / name, "-c", "print(1)")
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_without_lines_there_is_a_hint(one_recorder: Recorder) -> None:
    recorder = one_recorder
    source = "total = 0\nfor number in range(3_000_000):\n    total += number\n"
    recorded = recorder.record(recorder.write(source))
    shown = run_command([recorder.executable, "lines", recorded.run])
    assert shown.returncode == 0
    assert "total += number" in shown.stdout
    assert "--lines" in shown.stderr


def test_a_line_profile_measures_lines(one_recorder: Recorder) -> None:
    script = one_recorder.write("import time\ntime.sleep(0.15)\ndef f():\n    return 1\nf()\n")
    file = one_recorder.folder / "x.lprof"
    done = run_command([one_recorder.executable, "run", "-o", file, script])
    assert done.returncode == 0
    assert "line_profiler's format in" in done.stderr
    assert file.stat().st_size > 0
    file.unlink()
    done = run_command([one_recorder.executable, "run", "--lines=g", "-o", file, script])
    assert f"'{file}' was not written, as no line was measured" in done.stderr
    assert not file.exists()
