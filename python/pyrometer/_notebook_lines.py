"""%lprun: hits and time of every line of chosen functions, as line_profiler's magic."""

import importlib
import io
from pathlib import Path
from time import perf_counter
from typing import Any

from IPython.core.error import UsageError

from pyrometer._notebook_functions import Interruption, find_functions, named_profile
from pyrometer._notebook_options import Given, Options
from pyrometer._notebook_output import show_text
from pyrometer._notebook_statement import Statement
from pyrometer.line_profiler import LineProfiler

OPTIONS = Options("lprun", "rszptf:m:D:T:u:")
TOTAL_TIME = "_total_time_taken"  # as line_profiler's %%lprun_all calls it
NOTHING = (
    "*** Nothing was measured: name functions with -f or modules with -m, or put the code into a "
    "cell that begins with %%lprun."
)


def lprun(shell: Any, line: str, cell: str | None) -> LineProfiler | None:
    """Runs a statement and shows hits and time of every line of the functions you name.

        %lprun [-f FUNCTION]… [-m MODULE]… [-u UNIT] [-s] [-z] [-r] [-T FILE] [-D FILE] STATEMENT

        %%lprun [-p] [options] [STATEMENT]
        more statements…

    A cell without -f and -m has its own statements measured, and the functions that it defines.

    -f FUNCTION  a function or method to measure, as any expression without spaces; may be repeated
    -m MODULE    all functions and classes of a module; may be repeated
    -u UNIT      the unit of times, in seconds: 1e-3
    -s, -z       leave out functions that did not run
    -p           of a cell only its own statements, not the functions
    -r           return the LineProfiler
    -t           keep the seconds that it took in the variable _total_time_taken
    -T FILE      write the tables to a text file, too
    -D FILE      write a .lprof file, for `pyrometer lines`, `view` and line_profiler itself
    """
    __tracebackhide__ = True
    given, text = OPTIONS.parse(line)
    unit = given.number("u", float, 0.0) or None
    profiler = _make_profiler(shell, given)
    statement = Statement(shell, text, cell)
    code = statement.code()
    if cell is not None and not profiler.has_targets:
        code = profiler.add_statements(code if "p" in given else profiler.add_code(code))
    begin = perf_counter()
    interruption = Interruption()
    try:
        with named_profile(profiler), interruption, profiler:
            exec(code, *statement.names)
    finally:
        if "t" in given:
            shell.user_ns[TOTAL_TIME] = perf_counter() - begin
        _show(shell, profiler, given, unit, interruption.sentence)
    return profiler if "r" in given else None


def _make_profiler(shell: Any, given: Given) -> LineProfiler:
    profiler = LineProfiler()
    for function in find_functions(shell, given.all("f")):
        try:
            profiler.add_function(function)
        except TypeError as error:
            raise UsageError(f"{error}.") from None
    for name in given.all("m"):
        try:
            profiler.add_module(importlib.import_module(name))
        except Exception as error:
            raise UsageError(
                f"Could not find module {name}.\n{type(error).__name__}: {error}"
            ) from None
    return profiler


def _show(
    shell: Any, profiler: LineProfiler, given: Given, unit: float | None, interruption: str
) -> None:
    out = io.StringIO()
    profiler.print_stats(out, output_unit=unit, stripzeros="s" in given or "z" in given)
    table = out.getvalue().rstrip()
    show_text(shell, table)
    if not profiler.has_targets:
        print(f"\n{NOTHING}")
    if file := given.one("D"):
        profiler.dump_stats(file)
        print(f"\n*** Profile stats pickled to file {file!r}.")
    if file := given.one("T"):
        Path(file).write_text(f"{table}\n", encoding="utf-8")
        print(f"\n*** Profile printout saved to text file {file!r}.")
    if interruption:
        print(f"\n*** {interruption}")
