"""%pyprof: every call counted and timed, with the options and the table of IPython's %prun."""

import io
import pstats
from pathlib import Path
from typing import Any

from IPython.core.error import UsageError

from pyrometer._notebook_functions import Interruption
from pyrometer._notebook_options import Given, Options
from pyrometer._notebook_output import show_text
from pyrometer._notebook_statement import Statement
from pyrometer.cprofile import Profile

OPTIONS = Options("pyprof", "l:s:rqD:T:")


def pyprof(shell: Any, line: str, cell: str | None) -> pstats.Stats | None:
    """Counts and times every call that a statement makes: %prun at less than half the cost.

        %pyprof [-l LIMIT]… [-s KEY]… [-r] [-q] [-T FILE] [-D FILE] STATEMENT

        %%pyprof [options] [STATEMENT]
        more statements…

    -l LIMIT  so many rows (10), that share of them (0.1), or those that match a regular
              expression; repeated: one after the other
    -s KEY    the order: calls, cumulative, file, line, name, nfl, pcalls, stdname, time, …
    -r        return the pstats.Stats
    -q        show no table
    -T FILE   write the table to a text file, too
    -D FILE   write cProfile's file, for `pyrometer report`, `view` and everybody else
    """
    __tracebackhide__ = True
    given, text = OPTIONS.parse(line)
    _check_keys(given.all("s"))
    statement = Statement(shell, text, cell)
    code = statement.code()
    profile = Profile()
    interruption = Interruption()
    try:
        with interruption:
            profile.runctx(code, *statement.names)
    finally:
        stats = _show(shell, profile, given, interruption.sentence)
    return stats if "r" in given else None


def _check_keys(keys: list[str]) -> None:
    known = pstats.Stats().get_sort_arg_defs()
    for key in keys:
        if key not in known:
            raise UsageError(f"%pyprof cannot sort by {key!r}; %pyprof? lists the keys.")


def _show(shell: Any, profile: Profile, given: Given, interruption: str) -> Any:
    message = f"*** {interruption}" if interruption else ""
    out = io.StringIO()
    source: Any = profile  # pstats asks what it can do, not what it is
    stats: Any = pstats.Stats(source, stream=out)
    stats.strip_dirs()
    stats.sort_stats(*(given.all("s") or ["time"]))
    stats.print_stats(*map(_limit, given.all("l")))
    table = out.getvalue().rstrip()
    stats.stream = None  # standard output, for whoever gets it
    if "q" not in given:
        show_text(shell, table)
    if message:
        print(message)
    if file := given.one("D"):
        profile.dump_stats(file)
        print(f"\n*** Profile stats marshalled to file {file!r}.{message}")
    if file := given.one("T"):
        Path(file).write_text(table, encoding="utf-8")
        print(f"\n*** Profile printout saved to text file {file!r}.{message}")
    return stats


def _limit(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
