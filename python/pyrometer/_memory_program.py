"""`python -m pyrometer.memory_profiler`: its options, and the program that it runs."""

import builtins
import os
import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from pathlib import Path
from typing import IO, Any

import pyrometer
from pyrometer import memory_profiler
from pyrometer._kernprof_program import NotFoundError, prepare, run
from pyrometer._kernprof_words import Program
from pyrometer._memory_restart import restart_with_library
from pyrometer._output_name import expand_name
from pyrometer._process_memory import BACKENDS


def main() -> int:
    options = _parser().parse_args()
    if _can_count(options):
        restart_with_library()
    if options.program[:1] == ["--"]:
        del options.program[0]
    if not options.program:
        print("memory_profiler: name a script or a module to run; -h helps.", file=sys.stderr)
        return 1
    target, *arguments = options.program
    sys.argv = [target, *arguments]
    is_script = target.endswith(".py") or Path(target).is_file()
    try:
        prepared = prepare(Program("script" if is_script else "module", target, arguments))
        session = Session(options, target)
    except NotFoundError as error:
        print(f"memory_profiler: {error}.", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"memory_profiler: {_sentence(error)}.", file=sys.stderr)
        return 1
    sys.argv = [prepared.argv0, *arguments]
    # So that the program finds the decorator under either name, installed or not.
    builtins.__dict__["profile"] = session.profiler
    sys.modules["memory_profiler"] = memory_profiler
    try:
        run(prepared, prepared.compile())
    finally:
        session.finish()
    return 0


def _can_count(options: Namespace) -> bool:
    """Whether exact counters say what is asked for."""
    others = (options.backend, options.max_mem, options.include_children, options.timestamp)
    return bool(options.program) and not any(others)


class Session:
    """One run: what measures, and where its results go."""

    def __init__(self, options: Namespace, script: str) -> None:
        self._precision: int = options.precision
        self._owner = os.getpid()
        # Now, as the program may change the directory.
        self._out = _open(options.out_filename, None if options.timestamp else script)
        self.profiler: Any
        if options.timestamp:
            self.profiler = memory_profiler.TimeStamper(
                options.backend, options.include_children, self._out
            )
        else:
            self.profiler = memory_profiler.LineProfiler(
                options.include_children, options.backend, options.max_mem
            )

    def finish(self) -> None:
        if os.getpid() != self._owner:
            return  # a fork that came back out of the program
        if isinstance(self.profiler, memory_profiler.TimeStamper):
            self.profiler.show_results(self._out)
        else:
            self.profiler.disable()
            memory_profiler.show_results(self.profiler, self._out, self._precision)
        if self._out:
            self._out.close()


def _open(name: str | None, script: str | None) -> IO[str] | None:
    """For appending. Without a script, the name is mprof's: all of it as it is."""
    if name is None:
        return None
    return (Path(name) if script is None else expand_name(name, script)).open("a")


def _sentence(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m pyrometer.memory_profiler",
        description="Prints the memory of each line of the functions decorated with @profile.",
    )
    parser.add_argument("--version", action="version", version=pyrometer.__version__)
    parser.add_argument(
        "--pdb-mmem",
        dest="max_mem",
        metavar="MAXMEM",
        type=float,
        help="call the debugger when a decorated function goes beyond MAXMEM MiB",
    )
    parser.add_argument(
        "--precision", type=int, default=3, help="digits after the point (default: 3)"
    )
    parser.add_argument(
        "-o", dest="out_filename", help="append the results to this file (%%r rank, %%p pid, …)"
    )
    parser.add_argument(
        "--timestamp",
        action="store_true",
        help="write when decorated functions begin and end, for mprof, instead of their lines",
    )
    parser.add_argument(
        "--include-children", action="store_true", help="add the memory of child processes"
    )
    parser.add_argument(
        "--backend",
        choices=BACKENDS,
        help="measure the resident set (psutil), or its proportional (psutil_pss) or unique "
        "(psutil_uss) part, instead of counting what is allocated and freed",
    )
    parser.add_argument(
        "program", nargs=REMAINDER, metavar="script | module", help="with its arguments"
    )
    return parser
