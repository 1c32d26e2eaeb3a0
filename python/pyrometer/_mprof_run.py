"""`mprof run` and `mprof attach`: memory of a program over time, seen from outside."""

import os
import shlex
import signal
import subprocess
import sys
import time
from argparse import REMAINDER, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pyrometer
from pyrometer._memory_usage import memory_usage
from pyrometer._mprof_files import MprofError
from pyrometer._output_name import expand_name
from pyrometer._process_memory import BACKENDS

# Runs memory_profiler of this very package, whatever else that interpreter has installed.
START = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "from pyrometer._memory_program import main; sys.exit(main())"
)
LONGEST_ATTACHMENT = 3600  # seconds, unless told


def run(words: list[str], attach: bool = False) -> int:
    options = _parser(attach).parse_args(words)
    program: list[str] = options.program
    if program[:1] == ["--"]:
        del program[0]
    if not program:
        raise MprofError("name a program to run, or a process to attach to; -h helps")
    print(f"mprof: Sampling memory every {options.interval}s", flush=True)
    if attach or options.attach_existing:
        return _attach(program, options)
    print("running new process", flush=True)
    return _run(program, options)


def _attach(program: list[str], options: Namespace) -> int:
    print(f"attaching to existing process, using hint: {program[0]}", flush=True)
    pid = int(program[0]) if program[0].isdigit() else _find_process(program[0])
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
    except OSError:
        raise MprofError(f"there is no process {program[0]}") from None
    if options.timeout is None:
        options.timeout = LONGEST_ATTACHMENT
    line = shlex.join(map(os.fsdecode, command)) or program[0]
    with _open(options, program[0]) as out:
        try:
            _sample(pid, line, out, options)
        except KeyboardInterrupt:
            print()
    return 0


def _find_process(name: str) -> int:
    """The oldest one of that name, or with that in its name."""
    for folder in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            if name in (folder / "comm").read_text() and int(folder.name) != os.getpid():
                return int(folder.name)
        except OSError:
            continue
    raise MprofError(f"no process is called {name}; attach wants a name or a pid")


def _run(program: list[str], options: Namespace) -> int:
    is_script = program[0].endswith(".py") and not options.nopython
    is_python = options.python or is_script
    if is_script or (is_python and not Path(program[0]).name.startswith("python")):
        program.insert(0, sys.executable)
    line = shlex.join(program)
    with _open(options, program[0]) as out:
        if is_python:
            print("running as a Python program...", flush=True)
            program[1:1] = _profiler_words(out.name, options)
        with _interrupts_for_others():
            try:
                process = subprocess.Popen(program)
            except OSError as error:
                Path(out.name).unlink()
                raise MprofError(f"cannot run {program[0]}: {error.strerror}") from None
            _sample(process, line, out, options)
    status = process.returncode
    if not options.exit_code or not status:  # zero, or still running when time was up
        return 0
    print(f"mprof: the program ended with status {status}.", file=sys.stderr)
    return status if status > 0 else 128 - status


@contextmanager
def _interrupts_for_others() -> Iterator[None]:
    """Ctrl-C is for the program, whose end is ours; what it starts with is not changed, as
    handlers end where another program begins.
    """
    previous = signal.getsignal(signal.SIGINT)
    if previous is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _profiler_words(out: str, options: Namespace) -> list[str]:
    """Have an interpreter tell when decorated functions run."""
    package = str(Path(__file__).parent.parent)
    words = ["-c", START, package, "--timestamp", "-o", out, "--backend", options.backend]
    return words + ["--include-children"] * options.include_children


def _sample(process: Any, line: str, out: IO[str], options: Namespace) -> None:
    out.write(f"CMDLINE {line}\n")
    try:
        memory_usage(
            process,
            interval=options.interval,
            timeout=options.timeout,
            include_children=options.include_children,
            multiprocess=options.multiprocess,
            stream=out,
            backend=options.backend,
        )
    except PermissionError:
        raise MprofError(
            f"{options.backend} is not known of other users' processes; use psutil"
        ) from None


def _open(options: Namespace, program: str) -> IO[str]:
    """For appending, as the program itself may tell of its functions."""
    try:
        if options.filename is not None:
            return expand_name(options.filename, program).absolute().open("a")
        while True:
            name = Path(time.strftime("mprofile_%Y%m%d%H%M%S.dat"))
            try:
                name.open("x").close()
            except FileExistsError:  # another one of the same second, or rank
                time.sleep(0.1)
                continue
            return name.absolute().open("a")
    except OSError as error:
        raise MprofError(f"cannot write {error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise MprofError(str(error)) from None


def _parser(attach: bool) -> ArgumentParser:
    parser = ArgumentParser(
        prog=f"mprof {'attach' if attach else 'run'}",
        description="Writes the memory of a program over time into a file, which is "
        "mprofile_YYYYMMDDhhmmss.dat unless told.",
    )
    add = parser.add_argument
    add("--version", action="version", version=pyrometer.__version__)
    add("--python", action="store_true", help="the program is Python: tell of its functions too")
    add("--nopython", action="store_true", help="run a script as any other program")
    add(
        "--interval",
        "-T",
        type=_positive,
        default=0.1,
        help="seconds between two values (default: 0.1)",
    )
    add("--include-children", "-C", action="store_true", help="add the memory of child processes")
    add("--multiprocess", "-M", action="store_true", help="each child process by itself")
    add("--exit-code", "-E", action="store_true", help="end with the program's status")
    add(
        "--attach",
        "-a",
        dest="attach_existing",
        action="store_true",
        help="watch a process that runs already, by its name or pid",
    )
    add(
        "--timeout",
        "-t",
        type=_positive,
        help=f"stop after so many seconds (default: never; attached: {LONGEST_ATTACHMENT})",
    )
    add("--output", "-o", dest="filename", help="the file to append to (%%r rank, %%p pid, …)")
    add("--backend", choices=BACKENDS, default="psutil", help="what is measured")
    add("program", nargs=REMAINDER, help="a program or a script, and its arguments")
    return parser


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not value > 0:
        raise ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value
