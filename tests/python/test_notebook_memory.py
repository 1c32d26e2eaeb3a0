"""%mprun and %memit in a real kernel, and their text beside memory_profiler's own."""

import re

from memory_tools import PACKAGES
from notebooks import Notebook
from running import on_a_calm_machine

BLOCKS = """\
def blocks():
    first = bytearray(40 * 2**20)
    second = bytearray(20 * 2**20)
    del first
    return second
"""
# Long enough to be looked at.
HOLD = """\
import time

def hold(size):
    block = bytearray(size * 2**20)
    time.sleep(0.3)
"""


def increments(table: str) -> dict[str, float]:
    """MiB by the text of the line."""
    rows = re.findall(r"^ +\d+ +[\d.]+ MiB +(-?[\d.]+) MiB +\d+ +(.*)$", table, re.MULTILINE)
    return {text.strip(): float(increment) for increment, text in rows}


def shape(text: str) -> str:
    return re.sub(r"[ =]+", " ", re.sub(r"-?\d+\.\d+", "N", text))


def test_lines_of_functions_in_cells(notebook: Notebook) -> None:
    _, cell, returned = notebook.run(
        BLOCKS, "%mprun -f blocks blocks()", "%mprun -r -T mem.txt -f blocks blocks()"
    )
    assert cell.error == "", cell.traceback
    table = increments(cell.printed)
    assert abs(table["first = bytearray(40 * 2**20)"] - 40) < 1, cell.printed
    assert abs(table["second = bytearray(20 * 2**20)"] - 20) < 1
    assert abs(table["del first"] + 40) < 1
    assert "LineProfiler" in returned.value
    assert "*** Profile printout saved to text file mem.txt." in returned.printed
    assert "bytearray(40" in (notebook.folder / "mem.txt").read_text()


def test_cells_failures_and_wrong_use(notebook: Notebook) -> None:
    _, failed, ended, missing, nothing = notebook.run(
        BLOCKS,
        "%%mprun -c -f blocks\nblocks()\n1 / 0",
        "%%mprun -f blocks\nblocks()\nraise SystemExit",
        "%mprun -f nobody pass",
        "%mprun sum([1])",
    )
    assert failed.error == "ZeroDivisionError"
    assert "del first" in increments(failed.printed)
    assert ended.error == ""
    assert "*** SystemExit exception caught in code being profiled." in ended.printed
    assert missing.complaint.startswith("UsageError: Could not find function nobody.")
    assert "Nothing was measured" in nothing.printed


def test_peaks(notebook: Notebook) -> None:
    on_a_calm_machine(lambda: expect_peaks(notebook))


def expect_peaks(notebook: Notebook) -> None:
    _, line, setup, result, quiet, wrong = notebook.run(
        HOLD,
        "%memit hold(60)",
        "%%memit -r 2 size = 30\nhold(size)",
        "%memit -o -r 2 -i 0.02 -t 5 -c hold(50)",
        "%memit -q hold(1)",
        "%memit -r many hold(1)",
    )
    peak = r"peak memory: [\d.]+ MiB, increment: ([\d.]+) MiB\n"
    found = re.fullmatch(peak, line.printed)
    assert found, line
    assert 58 < float(found[1]) < 64
    found = re.fullmatch(peak, setup.printed)
    assert found, setup
    assert 28 < float(found[1]) < 34
    assert re.fullmatch(rf"<MemitResult : {peak[:-2]}>", result.value), result.value
    assert quiet == type(quiet)()
    assert wrong.complaint.startswith("UsageError: %memit -r takes a number above 0")


def test_text_is_memory_profiler_s(notebook: Notebook) -> None:
    (notebook.folder / "functions.py").write_text(BLOCKS)
    lines = [
        "from functions import blocks",
        "%mprun -f blocks blocks()",
        "%mprun -T out.txt -f blocks blocks()",
        "%mprun -f blocks blocks(); raise SystemExit",
        "%memit blocks()",
        "result = %memit -o -q blocks()",
        "print(result)",
    ]
    theirs = notebook.of_package("memory_profiler", PACKAGES, *lines)
    written = (notebook.folder / "out.txt").read_text()
    ours = notebook.in_terminal(*lines)
    assert shape(ours.stdout) == shape(theirs.stdout), (ours, theirs)
    assert shape((notebook.folder / "out.txt").read_text()) == shape(written)
