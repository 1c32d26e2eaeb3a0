"""`mprof plot`: a picture of memory over time, drawn by the executable."""

import os
import subprocess
import sys
import tempfile
import webbrowser
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

import pyrometer
from pyrometer._executable import NOT_FOUND, find_executable
from pyrometer._mprof_files import MprofError, chosen_or_newest

PICTURES = (".svg", ".png")


def plot(words: list[str]) -> int:
    options = _parser().parse_args(words)
    files = chosen_or_newest(options.profiles)
    if options.output is not None and Path(options.output).suffix not in PICTURES:
        raise MprofError(f"cannot draw {options.output}: -o takes the name of an .svg or .png file")
    executable = find_executable()
    if executable is None:
        raise MprofError(NOT_FOUND)
    output = options.output or _temporary_name(files[0])
    command = [str(executable), "memory", *files, *_picture_words(options, output)]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    if status == 0 and not options.output:
        _show(output)
    return status


def _picture_words(options: Namespace, output: str) -> list[str]:
    words = ["--plot", output]
    if options.title is not None:
        words.append(f"--title={options.title or ' '}")  # a word must follow
    if options.xlim is not None:
        words.append(f"--window={options.xlim}")
    if options.no_timestamps:
        words.append("--no-functions")
    if options.flame_mode:
        words.append("--flame")
    if options.slope:
        words.append("--slope")
    return words


def _temporary_name(profile: str) -> str:
    folder = tempfile.mkdtemp(prefix="mprof-")
    return str(Path(folder, Path(profile).with_suffix(".svg").name))


def _show(picture: str) -> None:
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not has_display or not webbrowser.open(Path(picture).as_uri()):
        print(f"The picture is {picture}; -o puts it elsewhere.", file=sys.stderr)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="mprof plot", description="Draws the newest profile of this folder, or those named."
    )
    add = parser.add_argument
    add("--version", action="version", version=pyrometer.__version__)
    add("--title", "-t", help="the title of the picture")
    add("--no-function-ts", "-n", dest="no_timestamps", action="store_true", help="no functions")
    add("--output", "-o", help="the picture's file, .svg or .png, instead of showing it")
    add("--window", "-w", dest="xlim", type=_window, help="only these seconds, such as 0,20.5")
    add("--flame", "-f", dest="flame_mode", action="store_true", help="functions as a flame graph")
    add("--slope", "-s", action="store_true", help="a straight line through all, and its slope")
    add("--backend", help="accepted, and of no use: nothing is drawn by matplotlib")
    add("profiles", nargs="*", help="files, or their numbers in mprof list")
    return parser


def _window(text: str) -> str:
    try:
        begin, end = map(float, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no window; write two seconds, as 0,20.5") from None
    return f"{begin:.15g},{end:.15g}"
