"""%pyrun in a real kernel: the right numbers, the cells' own source, a view and a text."""

import re
from html import unescape
from pathlib import Path

from notebooks import Cell, Notebook
from running import BUSY, on_a_calm_machine

WORK = f"""{BUSY}
def slow():
    busy(0.75)

def quick():
    busy(0.25)

def fail():
    quick()
    raise ValueError("as it must")
"""


def test_shares_sources_and_trees(notebook: Notebook) -> None:
    def attempt() -> None:
        _, cell = notebook.run(WORK, "%%pyrun -o kept\nslow()\nquick()")
        assert cell.error == "", cell.traceback
        recorded = notebook.recorded("kept")
        totals = {each["name"]: each["total"] for each in recorded.report("-m", "cpu")["functions"]}
        assert abs(totals["slow"] / (totals["slow"] + totals["quick"]) - 0.75) < 0.05
        # The cells' text is in the recording; what runs them is not in its paths.
        lines = recorded.report("--lines")["lines"]
        assert "sum(range(1000))" in {line["source"] for line in lines}
        main = [stack for stack in recorded.profile().stacks("cpu") if "busy" in str(stack.frames)]
        assert {stack.frames[0].name for stack in main} == {"<module>"}
        tables = recorded.command("lines", recorded.run, "slow")
        assert "busy(0.75)" in tables

    on_a_calm_machine(attempt)


def test_what_runs_the_cells_is_left_out(notebook: Notebook) -> None:
    """The kernel's threads, also when they send what a cell prints, and what calls the magic."""
    chatty = "for number in range(20_000):\n    print(number)\nslow()"
    # Twice, as ZeroMQ starts a thread of its own with the first large message.
    notebook.run(WORK, chatty, f"%%pyrun -t -r 2000 -o kept\n{chatty}")
    recorded = notebook.recorded("kept")
    profile = recorded.profile()
    assert len(recorded.report("--threads")["threads"]) == 1
    begins = {stack.frames[0].name for stack in profile.stacks("cpu")}
    assert "<module>" in begins
    labels = {name for name in begins if name.startswith("(")}
    assert begins - labels == {"<module>"}, begins
    callers = {function["name"] for function in recorded.report()["functions"]}
    assert not callers & {"run_cell_magic", "run_cell", "_run_module_as_main", "launch_instance"}


def test_view_and_text_in_one_bundle(notebook: Notebook) -> None:
    on_a_calm_machine(lambda: expect_view_and_text(notebook))


def expect_view_and_text(notebook: Notebook) -> None:
    _, cell, again = notebook.run(WORK, "%pyrun slow()", "%pyrun --height=300 -r 500 quick()")
    [bundle] = cell.bundles
    assert set(bundle) == {"text/plain", "text/html"}
    # The threads of the kernel, which all wait, are not among it.
    assert re.search(r"(9\d|100)\.\d % .* busy ", bundle["text/plain"]), bundle["text/plain"]
    assert cell.view.startswith('<iframe sandbox="allow-scripts allow-downloads" ')
    assert "height: 640px" in cell.view
    page = unescape(cell.view.split('srcdoc="')[1].split('"')[0])
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert "height: 300px" in again.view
    # Nothing is left behind.
    assert not list(notebook.folder.glob("pyrometer*"))


def test_value_of_the_last_expression(notebook: Notebook) -> None:
    shown, silent, none, print_only = notebook.run(
        "%%pyrun\nx = 20\nx + 1",
        "%%pyrun\nx + 2;",
        "%pyrun y = x + 3",
        "%%pyrun -t\nprint(y)",
    )
    assert (shown.value, silent.value, none.value) == ("21", "", "")
    assert print_only.printed.startswith("23\n")
    assert print_only.bundles == []


def test_failures_propagate_after_the_figures(notebook: Notebook) -> None:
    _, cell = notebook.run(WORK, "%pyrun fail()")
    assert cell.error == "ValueError"
    assert "as it must" in cell.traceback
    assert "_notebook_statement.py" not in cell.traceback
    assert "quick" in cell.bundles[0]["text/plain"] or "busy" in cell.bundles[0]["text/plain"]


def test_text_only(notebook: Notebook) -> None:
    _, cell = notebook.run(WORK, "%pyrun --text quick()")
    assert cell.bundles == []
    assert "busy" in cell.printed


def test_exact_calls(notebook: Notebook) -> None:
    square = "def square(n):\n    return n * n"
    cells = notebook.run(square, "%pyrun -e -o exact [square(n) for n in range(137)][-1]")
    assert cells[1].value == str(136 * 136)
    calls = {
        each["name"]: each["calls"] for each in notebook.recorded("exact").report()["functions"]
    }
    assert calls["square"] == 137
    assert not {"pyrun", "Statement.run", "run_line_magic"} & set(calls)


def test_runs_again_over_what_it_kept(notebook: Notebook) -> None:
    cells = notebook.run(WORK, "%pyrun -o kept quick()", "%pyrun -o kept slow()")
    assert [cell.complaint for cell in cells] == ["", "", ""]
    names = {each["name"] for each in notebook.recorded("kept").report()["functions"]}
    assert "slow" in names
    assert "quick" not in names


def test_file_for_another_tool(notebook: Notebook) -> None:
    _, cell = notebook.run(WORK, "%pyrun -t -o cell.prof quick()")
    assert "busy" in cell.printed, cell
    assert "quick" in notebook.recorded("cell.prof").command(
        "report", notebook.folder / "cell.prof", "--format", "pstats"
    )


def test_code_of_several_cells_and_syntax_of_ipython(notebook: Notebook) -> None:
    _, cell = notebook.run(WORK, "%%pyrun -t\nwhere = !echo here\nquick()\nprint(where[0], {1: 2})")
    assert cell.printed.startswith("here {1: 2}\n")


def refuses(cell: Cell, *words: str) -> None:
    """One sentence, and nothing ran."""
    assert cell.complaint.startswith("UsageError: "), cell
    assert cell.complaint.count("\n") == 1
    assert (cell.printed, cell.bundles) == ("", [])
    for word in words:
        assert word in cell.complaint


def test_wrong_options(notebook: Notebook) -> None:
    cells = notebook.run(
        "%pyrun -x print(1)",
        "%pyrun --rate=fast print(1)",
        "%pyrun -r 0 print(1)",
        "%pyrun --exact=yes print(1)",
        "%pyrun -o",
        "%pyrun --height -5 print(1)",
        "%pyrun -o /proc/nothing/here print(1)",
        "%pyrun -t -- -1",
    )
    refuses(cells[0], "-x", "%pyrun?")
    refuses(cells[1], "above 0", "'fast'")
    refuses(cells[2], "above 0", "'0'")
    refuses(cells[3], "--exact takes no value")
    refuses(cells[4], "-o needs a value")
    refuses(cells[5], "--height", "'-5'")
    refuses(cells[6], "/proc/nothing")
    assert cells[7].value == "-1"


def test_terminal(notebook: Notebook) -> None:
    done = notebook.in_terminal(WORK, "%pyrun quick()", "%pyrun -x quick()", "print('never')")
    assert "busy" in done.stdout, done
    assert "<iframe" not in done.stdout
    assert "UsageError: %pyrun has no option -x" in done.stdout + done.stderr
    assert "never" not in done.stdout


def test_inside_a_recording_of_the_whole_process(notebook: Notebook, executable: Path) -> None:
    run = [executable, "run", "-q", "-o", notebook.folder / "whole", "--"]
    done = notebook.in_terminal(WORK, "%pyrun -o part quick()", under=run)
    assert "whole records all of this process; the cell is a region of it.\n" in done.stdout, done
    assert not (notebook.folder / "part").exists()
    recorded = notebook.recorded("whole")
    assert [region["name"] for region in recorded.report()["regions"]] == ["part"]
    assert "sum(range(1000))" in {line["source"] for line in recorded.report("--lines")["lines"]}


def test_syntax_errors_are_python_s(notebook: Notebook) -> None:
    [cell] = notebook.run("%pyrun 1 +")
    assert cell.error == "SyntaxError"
    assert cell.bundles == []
