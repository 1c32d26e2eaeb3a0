"""line_profiler's text, byte for byte: a table of lines per function, and a summary."""

import importlib
import inspect
import linecache
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from pyrometer._line_config import DEFAULTS, Given, load_settings
from pyrometer._lprof import Label
from pyrometer._printable import encodable

Rows: TypeAlias = Sequence[tuple[int, int, float]]
COLUMNS = ("line", "hits", "time", "perhit", "percent")
TITLES = ("Line #", "Hits", "Time", "Per Hit", "% Time", "Line Contents")
CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Writable(Protocol):
    def write(self, text: str, /) -> object: ...


def show_text(
    stats: Mapping[Label, Rows],
    unit: float,
    output_unit: float | None = None,
    stream: Writable | None = None,
    stripzeros: bool = False,
    details: bool = True,
    summarize: bool = False,
    sort: bool = False,
    rich: bool = False,
    *,
    config: Given = None,
) -> None:
    """Writes what was measured; `sort` puts the function with the longest time last."""
    out: Writable = sys.stdout if stream is None else stream
    out.write(f"Timer unit: {unit if output_unit is None else output_unit:g} s\n\n")
    functions = list(stats.items())
    if sort:
        functions.sort(key=lambda function: sum(row[2] for row in function[1]))
    if details:
        widths = _column_widths(config)
        for (file, line, name), rows in functions:
            _show_function(
                (file, line, name), rows, unit, output_unit, out, stripzeros, rich, widths
            )
    if summarize:
        _summarize(functions, unit, out, stripzeros, rich)


def show_func(
    filename: str,
    start_lineno: int,
    func_name: str,
    timings: Rows,
    unit: float,
    output_unit: float | None = None,
    stream: Writable | None = None,
    stripzeros: bool = False,
    rich: bool = False,
    *,
    config: Given = None,
) -> None:
    """Writes the table of one function."""
    label = (filename, start_lineno, func_name)
    out: Writable = sys.stdout if stream is None else stream
    widths = _column_widths(config)
    _show_function(label, timings, unit, output_unit, out, stripzeros, rich, widths)


def _column_widths(config: Given) -> dict[str, int]:
    least = DEFAULTS["show"]["column_widths"]
    chosen = load_settings(config).tables["show"]["column_widths"]
    return {column: max(least[column], chosen[column]) for column in COLUMNS}


def _show_function(
    label: Label,
    rows: Rows,
    unit: float,
    output_unit: float | None,
    out: Writable,
    stripzeros: bool,
    rich: bool,
    widths: dict[str, int],
) -> None:
    file, first, name = label
    if stripzeros and not sum(row[1] for row in rows):
        return
    total = sum(row[2] for row in rows)
    out.write(f"Total time: {total * unit:g} s\n")
    # A cell's statements are no block of code, as those of a function are.
    is_cell = name == "<module>" and is_generated_code(file)
    source = linecache.getlines(file) if is_cell else find_source(file, first)
    if source is not None:
        out.write(f"File: {_shown(file, out)}\n")
        out.write(f"Function: {_shown(name, out)} at line {first}\n")
    else:
        out.write(
            f"\nCould not find file {_shown(file, out)}\n"
            "Are you sure you are running this program from the same directory\n"
            "that you ran the profiler from?\n"
            "Continuing without the function's contents.\n"
        )
        # Empty lines, so that at least the figures can be seen.
        numbers = [row[0] for row in rows]
        height = max(numbers) - min(*numbers, first) + 1 if numbers else 1
        source = [""] * height
    cells = {row[0]: _cells(row, total, unit / (output_unit or unit), widths) for row in rows}
    for place, column in enumerate(("hits", "time", "perhit")):
        longest = max((len(cell[place]) for cell in cells.values()), default=0)
        widths = {**widths, column: max(widths[column], longest)}
    left = " ".join(f"%{widths[column]}s" for column in COLUMNS)
    header = f"{left}  %-s" % TITLES
    out.write(f"\n{header}\n{'=' * len(header)}\n")
    empty = ("", "", "", "")
    table = [
        (left % (number, *cells.get(number, empty)), line.rstrip("\n").rstrip("\r"))
        for number, line in enumerate(source, start=first)
    ]
    if not (rich and _write_rich_table(table, out)):
        for figures, line in table:
            try:
                out.write(f"{figures}  {line}")
            except UnicodeEncodeError:
                out.write(f"{figures}  {line.encode('ascii', 'backslashreplace').decode()}")
            out.write("\n")
    out.write("\n")


def _cells(
    row: tuple[int, int, float], total: float, scale: float, widths: dict[str, int]
) -> tuple[str, str, str, str]:
    """Hits, time, time per hit, and share."""
    _, hits, time = row
    count = f"{hits:d}"
    if len(count) > widths["hits"]:
        count = f"{hits:g}"
    times = []
    scaled = time * scale
    for value, column in ((scaled, "time"), (scaled / hits if hits else 0.0, "perhit")):
        text = f"{value:5.1f}"
        times.append(text if len(text) <= widths[column] else f"{value:5.3g}")
    percent = f"{100 * time / total:5.1f}" if total else ""
    return count, times[0], times[1], percent


def _summarize(
    functions: list[tuple[Label, Rows]], unit: float, out: Writable, stripzeros: bool, rich: bool
) -> None:
    escape = _rich("rich.markup", "escape") if rich else None
    console = _console(out) if escape else None
    for (file, first, name), rows in functions:
        total = sum(row[2] for row in rows) * unit
        if stripzeros and not total:
            continue
        file, name = _shown(file, out), _shown(name, out)
        if escape and console:
            link = f"[link={file}]{escape(file)}[/link]"
            console.print(f"{total:6.2f} seconds - {link}:{first} - {escape(name)}")
        else:
            out.write(f"{total:6.2f} seconds - {file}:{first} - {name}\n")


# ---- colours


def _rich(module: str, name: str) -> Any:
    """Something of the package rich, None where that is not installed."""
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return None


def _console(out: Writable) -> Any:
    console = _rich("rich.console", "Console")
    return console and console(file=out, soft_wrap=True, color_system="standard")


def _write_rich_table(table: list[tuple[str, str]], out: Writable) -> bool:
    """False without the package rich."""
    console = _console(out)
    if console is None:
        return False
    figures = _rich("rich.text", "Text")("\n".join(row[0] for row in table))
    _rich("rich.highlighter", "ReprHighlighter")().highlight(figures)
    lines = "\n".join(row[1] for row in table)
    code = _rich("rich.syntax", "Syntax")(lines, "python", background_color="default")
    frame = {"box": None, "padding": 0, "collapse_padding": True, "pad_edge": False}
    shown = {"show_header": False, "show_footer": False, "show_edge": False, "expand": False}
    both = _rich("rich.table", "Table")(**frame, **shown)
    both.add_row(figures, "  ", code)
    console.print(both)
    out.write("\n")
    return True


# ---- source


def find_source(file: str, first: int) -> list[str] | None:
    """The lines of the function that begins there; None when there is no such file."""
    exists = Path(file).exists()
    if not exists and not is_generated_code(file) and file not in linecache.cache:
        return None
    if exists:
        linecache.cache.pop(file, None)  # it may have changed
    return get_code_block(file, first)


def is_generated_code(filename: str) -> bool:
    """Whether it is the name of a notebook's cell or the like."""
    folder = tempfile.gettempdir()
    cells = (os.path.join(folder, name) for name in ("ipykernel_", "xpython_"))  # noqa: PTH118
    return filename.startswith(("<generated", "<ipython-input-", *cells))


def get_code_block(filename: str | os.PathLike[str], lineno: int) -> list[str]:
    """The lines of the function that begins at this line; Cython's too."""
    lines = linecache.getlines(os.fspath(filename))[lineno - 1 :]
    if not lines:
        return []
    block = list(lines)
    for number, line in enumerate(block):
        if not line.lstrip().startswith("@"):
            block[number] = re.sub(r"^(\s*)(cdef|cpdef|property)\b", r"\1def", line)
            break
    return lines[: len(inspect.getblock(block))]


def _shown(name: str, out: Writable) -> str:
    return encodable(printable(name), out)


def printable(name: str) -> str:
    """A name of a file's, which shall not play with the terminal."""
    return CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", name)
