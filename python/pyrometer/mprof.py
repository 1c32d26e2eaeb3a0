"""mprof with another word: memory of a program over time.

    python -m pyrometer.mprof run|attach|plot|list|rm|clean|peak …

The files are mprof's, and so are the options. Neither psutil nor matplotlib is needed.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import pyrometer
from pyrometer._mprof_files import (
    MprofError,
    all_files,
    chosen_or_newest,
    find_files,
    peak_in,
    read_memory,
    with_time_stamps,
)
from pyrometer._mprof_plot import plot
from pyrometer._mprof_run import run

USAGE = """\
Usage: mprof <command> <options> <arguments>

Available commands:

    run      run a program, and write its memory over time into a file
    attach   the same for a process that runs already, by pid or name
    rm       remove files by name or number
    clean    remove all files of this folder
    list     show the files of this folder, with numbers
    plot     draw memory over time
    peak     print the largest values

mprof <command> --help tells the options of a command.
"""


def main() -> int:
    words = sys.argv[1:]
    command = COMMANDS.get(words[0]) if words else None
    if command is None:
        is_asked = words[:1] in (["-h"], ["--help"])
        print(USAGE, end="", file=sys.stdout if is_asked else sys.stderr)
        return 0 if is_asked else 1
    try:
        return command(words[1:])
    except MprofError as error:
        print(f"mprof: {error}.", file=sys.stderr)
        return 1


def list_files(words: list[str]) -> int:
    _parser("list", "Shows the profiles of this folder, with numbers.").parse_args(words)
    for number, name in enumerate(with_time_stamps(all_files())):
        time = Path(name).stem.split("_")[1]
        day = f"{time[6:8]}/{time[4:6]}/{time[:4]}"
        print(f"{number} {name} {time[8:10]}:{time[10:12]}:{time[12:14]} {day}")
    return 0


def rm(words: list[str]) -> int:
    parser = _parser("rm", "Removes profiles.", can_be_dry=True)
    parser.add_argument("profiles", nargs="*", help="files, or their numbers in mprof list")
    options = parser.parse_args(words)
    if not options.profiles:
        raise MprofError("name profiles to remove, by file or by number")
    return _remove(find_files(options.profiles), options.dry_run)


def clean(words: list[str]) -> int:
    parser = _parser("clean", "Removes all profiles of this folder.", can_be_dry=True)
    return _remove(all_files(), parser.parse_args(words).dry_run)


def _remove(names: list[str], is_dry: bool) -> int:
    if is_dry:
        print("Files to be removed: ")
    for name in with_time_stamps(names):
        if is_dry:
            print(name)
            continue
        try:
            Path(name).unlink()
        except OSError as error:
            raise MprofError(f"cannot remove {name}: {error.strerror}") from None
    return 0


def peak(words: list[str]) -> int:
    parser = _parser("peak", "Prints the largest value of the newest profile, or of those named.")
    parser.add_argument("profiles", nargs="*", help="files, or their numbers in mprof list")
    parser.add_argument("--func", help="only while this function ran; without child processes")
    options = parser.parse_args(words)
    for name in chosen_or_newest(options.profiles):
        memory = read_memory(name)
        if options.func is not None and options.func not in memory.calls:
            print(f"{name}\tNaN MiB")
            continue
        print(f"{name}\t{peak_in(memory, options.func):.3f} MiB")
        for child, values in memory.children.items():
            print(f"  Child {child}\t\t\t{max(values):.3f} MiB")
    return 0


def _parser(command: str, text: str, can_be_dry: bool = False) -> ArgumentParser:
    parser = ArgumentParser(prog=f"mprof {command}", description=text)
    parser.add_argument("--version", action="version", version=pyrometer.__version__)
    if can_be_dry:
        parser.add_argument("--dry-run", action="store_true", help="only tell which")
    return parser


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": run,
    "attach": lambda words: run(words, attach=True),
    "plot": plot,
    "list": list_files,
    "rm": rm,
    "clean": clean,
    "peak": peak,
}

if __name__ == "__main__":
    sys.exit(main())
