"""%pyrun: samples a statement or a cell, and shows where its time went."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from IPython.core.error import UsageError

from pyrometer._derived_files import derive, is_derived
from pyrometer._native import load_agent
from pyrometer._notebook_options import Given, Options
from pyrometer._notebook_output import is_notebook, show_page
from pyrometer._notebook_statement import Statement, cell_number
from pyrometer._profile_query import LoadError, run_command
from pyrometer._recorded_sources import keep_sources
from pyrometer._recording import RecordingError, start

OPTIONS = Options(
    "pyrun",
    "r:eo:t",
    {"rate": "r", "exact": "e", "output": "o", "text": "t", "height": "height"},
)
HEIGHT = 640  # pixels


def pyrun(shell: Any, line: str, cell: str | None) -> object:
    """Samples a statement or a cell and shows where its time went, as a view to click through.

        %pyrun [-r RATE] [-e] [-o NAME] [-t] [--height PIXELS] STATEMENT

        %%pyrun [options] [STATEMENT]
        more statements…

    The value of the last expression is shown, too, as of any cell.

    -r, --rate RATE   samples per second of CPU time (200)
    -e, --exact       count and time every call instead
    -o, --output NAME keep the recording, for every command of pyrometer and for pyrometer.load();
                      as NAME.prof, NAME.speedscope.json … a file for other tools.
                      What an earlier run of the cell left there is replaced
    -t, --text        only the report in text
    --height PIXELS   of the view (640)
    """
    __tracebackhide__ = True
    given, text = OPTIONS.parse(line)
    height = given.number("height", int, HEIGHT)
    statement = Statement(shell, text, cell)
    with TemporaryDirectory(prefix="pyrometer-") as folder:
        outer = load_agent().recorded_in()
        recording = _start(given, Path(folder) / f"cell-{cell_number(shell)}")
        try:
            return statement.run()
        finally:
            recording.stop()
            if outer is not None:
                keep_sources()
                print(f"{outer} records all of this process; the cell is a region of it.")
            else:
                is_text = "t" in given or not is_notebook(shell)
                _show(recording.path, None if is_text else Path(folder) / "page.html", height)
                _derive(recording.path, given.one("o"))


def _start(given: Given, temporary: Path) -> Any:
    wanted = given.one("o")
    is_kept = wanted and not is_derived(wanted)
    try:
        return start(
            wanted if is_kept else temporary,
            rate=given.number("r", int, 0) or None,
            exact="e" in given,
            overwrite=True,
        )
    except RecordingError as error:
        raise UsageError(f"%pyrun: {error}.") from None


def _show(run: Path, page: Path | None, height: int) -> None:
    try:
        report = run_command("report", str(run), "--limit=10").decode()
        if page is None:
            print(report)
        else:
            run_command("view", str(run), "--html", str(page))
            show_page(page, report, height)
    except LoadError as error:
        raise UsageError(f"What was recorded cannot be shown: {error}") from None


def _derive(run: Path, wanted: str) -> None:
    """A file in another tool's format, where one is wanted."""
    if not is_derived(wanted):
        return
    try:
        derive(run, wanted, script="notebook", folder=Path.cwd())
    except RecordingError as error:
        raise UsageError(f"%pyrun: {error}.") from None
