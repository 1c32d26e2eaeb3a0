"""%lprun and %pyprof in a real kernel, and their text beside line_profiler's and IPython's own."""

import pstats
import re

from notebooks import Notebook

FUNCTIONS = """\
def square(n):
    result = n * n
    return result

def total(count):
    result = 0
    for n in range(count):
        result += square(n)
    return result
"""


def rows(table: str) -> dict[str, int]:
    """Hits by the text of the line."""
    found = re.findall(r"^ +\d+ +(\d+) +[\d.]+ +[\d.e+-]+ +[\d.]+ +(.*)$", table, re.MULTILINE)
    return {text.strip(): int(hits) for hits, text in found}


def shape(text: str) -> str:
    """Without figures of time, and with the widths that they give to columns."""
    text = re.sub(r"<ipython-input-[^>]*>", "<cell>", text)
    return re.sub(r"[ =]+", " ", re.sub(r"\d+\.\d+(e[+-]\d+)?|\de[+-]\d+", "N", text))


def test_hits_of_functions_in_cells(notebook: Notebook) -> None:
    _, cell = notebook.run(FUNCTIONS, "%lprun -f total -f square total(50)")
    assert cell.error == "", cell.traceback
    assert cell.printed.startswith("Timer unit: 1e-09 s\n")
    hits = rows(cell.printed)
    assert hits["for n in range(count):"] == 51
    assert hits["result = n * n"] == 50
    assert hits["result += square(n)"] == 50


def test_whole_cells_modules_and_results(notebook: Notebook) -> None:
    (notebook.folder / "powers.py").write_text("def cube(n):\n    return n ** 3\n")
    whole, module, returned, report = notebook.run(
        f"%%lprun\n{FUNCTIONS}\ntotal(7)",
        "%%lprun -m powers -u 1e-3 -T table.txt -D cell.lprof\nimport powers\npowers.cube(3)",
        "%lprun -r -f total total(3)",
        "type(_).__name__, __import__('builtins').__dict__.get('profile')",
    )
    assert rows(whole.printed)["result = n * n"] == 7
    assert "Timer unit: 0.001 s" in module.printed
    assert rows(module.printed) == {"return n ** 3": 1}
    assert "*** Profile stats pickled to file 'cell.lprof'." in module.printed
    assert "*** Profile printout saved to text file 'table.txt'." in module.printed
    assert (notebook.folder / "table.txt").read_text().strip() in module.printed
    assert "return n ** 3" in notebook.recorded("cell.lprof").command(
        "lines", notebook.folder / "cell.lprof"
    )
    assert "LineProfiler" in returned.value
    assert report.value == "('LineProfiler', None)"


def test_statements_of_a_cell_itself(notebook: Notebook) -> None:
    """All of them, as %%lprun_all has it, and names stay in the notebook."""
    body = (
        "def twice(n):\n    return n * 2\n\ntotal = 0\nfor n in range(50):\n    total += twice(n)"
    )
    whole, names, statements, failed, spent = notebook.run(
        f"%%lprun\n{body}\n",
        "total, twice(4)",
        f"%%lprun -p -t\n{body}",
        "%%lprun\nfor n in range(3):\n    1 / (1 - n)",
        "0 < _total_time_taken < 60",
    )
    own = {"for n in range(50):": 51, "total += twice(n)": 50, "total = 0": 1, "def twice(n):": 1}
    assert rows(whole.printed) == {**own, "return n * 2": 50}, whole.printed
    assert names.value == "(2450, 8)"
    assert rows(statements.printed) == own, statements.printed
    assert failed.error == "ZeroDivisionError"
    assert rows(failed.printed)["1 / (1 - n)"] == 2
    assert spent.value == "True"


def test_figures_of_statements_that_fail_or_end(notebook: Notebook) -> None:
    _, failed, ended = notebook.run(
        FUNCTIONS,
        "%%lprun -f square\nsquare(3)\n1 / 0",
        "%%lprun -f square\nsquare(3)\nraise SystemExit",
    )
    assert failed.error == "ZeroDivisionError"
    assert rows(failed.printed)["return result"] == 1
    assert ended.error == ""
    assert "*** SystemExit exception caught in code being profiled." in ended.printed


def test_wrong_use_is_one_sentence(notebook: Notebook) -> None:
    missing, module, number, option, nothing = notebook.run(
        "%lprun -f nobody pass",
        "%lprun -m no.such.module pass",
        "%lprun -f 3 pass",
        "%lprun -k pass",
        "%lprun sum([1])",
    )
    assert missing.complaint.startswith("UsageError: Could not find function nobody.")
    assert module.complaint.startswith("UsageError: Could not find module no.such.module.")
    assert number.complaint.startswith("UsageError: 3 is not callable")
    assert "has no option -k" in option.complaint
    assert "Nothing was measured" in nothing.printed


def test_text_is_line_profiler_s(notebook: Notebook) -> None:
    (notebook.folder / "functions.py").write_text(FUNCTIONS)
    lines = [
        "from functions import square, total",
        "%lprun -f square -f total total(30)",
        "%lprun -z -u 1 -f square total(3)",
        "%lprun -s -f square -m functions -T out.txt total(3)",
        "%lprun -f square raise SystemExit",
        "%lprun -f nobody total(3)",
    ]
    theirs = notebook.of_package("line_profiler", ["line_profiler==5.0.2"], *lines)
    written = (notebook.folder / "out.txt").read_text()
    ours = notebook.in_terminal(*lines)
    assert shape(ours.stdout) == shape(theirs.stdout), (ours, theirs)
    assert shape((notebook.folder / "out.txt").read_text()) == shape(written)


def test_calls_are_counted(notebook: Notebook) -> None:
    _, cell, quiet, returned, wrong = notebook.run(
        FUNCTIONS,
        "%pyprof -l square -s ncalls total(60)",
        "%%pyprof -q -D calls.prof -T calls.txt\ntotal(5)\ntotal(5)",
        "%pyprof -r -q total(3)",
        "%pyprof -s nonsense total(3)",
    )
    assert re.search(r"^ +60 .*\(square\)$", cell.printed, re.MULTILINE), cell.printed
    assert "Ordered by: call count" in cell.printed
    assert "List reduced from" in cell.printed
    assert "function calls" not in quiet.printed
    assert "*** Profile stats marshalled to file 'calls.prof'." in quiet.printed
    stats = pstats.Stats(str(notebook.folder / "calls.prof"))
    counts = {key[2]: row[1] for key, row in stats.stats.items()}  # type: ignore[attr-defined]
    assert (counts["square"], counts["total"]) == (10, 2)
    assert "function calls" in (notebook.folder / "calls.txt").read_text()
    assert "pstats.Stats" in returned.value
    assert wrong.complaint.startswith("UsageError: %pyprof cannot sort by 'nonsense'")


def test_table_is_that_of_prun(notebook: Notebook) -> None:
    (notebook.folder / "functions.py").write_text(FUNCTIONS)
    done = notebook.in_terminal(
        "from functions import total",
        "%prun -l functions -s ncalls total(30)",
        "print('====')",
        "%pyprof -l functions -s ncalls total(30)",
    )
    theirs, ours = done.stdout.split("====\n")
    head = re.compile(r"^.*function calls.*$", re.MULTILINE)
    assert shape(head.sub("", ours)).split() == shape(head.sub("", theirs)).split()
