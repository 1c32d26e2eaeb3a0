"""%mprun: memory of every line of chosen functions, as memory_profiler's magic."""

import io
from pathlib import Path
from typing import Any

from pyrometer._notebook_functions import Interruption, find_functions, named_profile
from pyrometer._notebook_options import Given, Options
from pyrometer._notebook_output import show_text
from pyrometer._notebook_statement import Statement
from pyrometer.memory_profiler import LineProfiler, show_results

OPTIONS = Options("mprun", "rcf:T:")
NOTHING = "*** Nothing was measured: name functions that the statement calls with -f."


def mprun(shell: Any, line: str, cell: str | None) -> LineProfiler | None:
    """Runs a statement and shows how much memory every line of the functions you name added.

        %mprun [-f FUNCTION]… [-c] [-r] [-T FILE] STATEMENT

        %%mprun [options] [STATEMENT]
        more statements…

    Functions that are defined in cells work like all others.

    -f FUNCTION  a function or method to measure, as any expression without spaces; may be repeated
    -c           add the memory of child processes
    -r           return the LineProfiler
    -T FILE      write the tables to a text file, too
    """
    __tracebackhide__ = True
    given, text = OPTIONS.parse(line)
    profiler = LineProfiler(include_children="c" in given)
    for function in find_functions(shell, given.all("f")):
        profiler.add_function(function)
    statement = Statement(shell, text, cell)
    code = statement.code()
    interruption = Interruption()
    try:
        with named_profile(profiler), interruption, profiler:
            exec(code, *statement.names)
    finally:
        profiler.disable()
        _show(shell, profiler, given, interruption.sentence)
    return profiler if "r" in given else None


def _show(shell: Any, profiler: LineProfiler, given: Given, interruption: str) -> None:
    message = f"*** {interruption}" if interruption else ""
    out = io.StringIO()
    show_results(profiler, out)
    table = out.getvalue().rstrip()
    show_text(shell, table or NOTHING)
    print(message)
    if file := given.one("T"):
        Path(file).write_text(table, encoding="utf-8")
        print(f"\n*** Profile printout saved to text file {file}. {message}")
