"""What the commands `line_profiler` and `kernprof` share in their options."""

import os
import shlex
import shutil
import sys
from argparse import SUPPRESS, ArgumentParser, _ArgumentGroup
from collections.abc import Iterable
from pathlib import Path
from typing import Any

YES = ("1", "on", "true", "t", "yes", "y")
NO = ("", "0", "off", "false", "f", "no", "n")
CHOICES = "Y[es] | N[o] | T[rue] | F[alse] | on | off | 1 | 0"


def boolean(text: str) -> bool:
    """ValueError for a word that is neither yes nor no."""
    word = text.casefold()
    if word not in YES + NO:
        raise ValueError(f"{text!r} is neither yes nor no")
    return word in YES


def is_set(variable: str) -> bool:
    """Whether an environment variable says anything but no."""
    return os.environ.get(variable, "").casefold() not in NO


def positive_float(text: str) -> float:
    value = float(text)
    if value <= 0:
        raise ValueError
    return value


def add_flag(parser: ArgumentParser | _ArgumentGroup, *flags: str, text: str) -> None:
    """`-x`, `--xyz`, `--xyz=no` and `--no-xyz`; None when not given, as a file may say it."""
    short = [flag for flag in flags if not flag.startswith("--")]
    [long] = [flag for flag in flags if flag.startswith("--")]
    if short:
        text = text.removesuffix(")") + f"; short form: {short[0]})"
    name = long.removeprefix("--").replace("-", "_")
    optional: dict[str, Any] = {"nargs": "?", "metavar": CHOICES, "dest": name}
    parser.add_argument(long, type=boolean, const=True, help=text, **optional)
    if short:
        parser.add_argument(*short, dest=name, action="store_const", const=True, help=SUPPRESS)
    negated = f"--no-{long.removeprefix('--')}"
    parser.add_argument(negated, type=negation, const=False, help=SUPPRESS, **optional)


def with_values(words: list[str], flags: Iterable[str]) -> list[str]:
    """`--flag FILE` as `--flag=yes FILE`: a value that may be left out is taken only if it is one.

    A parser takes whatever follows.
    """
    known = {*(f"--{flag}" for flag in flags), *(f"--no-{flag}" for flag in flags)}
    said: list[str] = []
    for word, after in zip(words, [*words, ""][1:], strict=True):
        is_bare = word in known and (after == "" or after.casefold() not in YES + NO)
        said.append(f"{word}=yes" if is_bare else word)
    return said


def negation(text: str) -> bool:
    return not boolean(text)


def set_defaults(options: Any, defaults: dict[str, Any]) -> None:
    """Of the options that were not given."""
    for name, value in defaults.items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)


def python_command() -> str:
    """What a user types for this interpreter."""
    for name in ("python", "python3"):
        path = shutil.which(name)
        if path and Path(path).samefile(sys.executable):
            return name
    return shlex.quote(short_path(sys.executable))


def short_path(path: str | os.PathLike[str]) -> str:
    """The shortest way to write it from here."""
    given = Path(path)
    ways = {str(given), str(given.absolute())}
    if given.absolute().is_relative_to(Path.cwd()):
        ways.add(str(given.absolute().relative_to(Path.cwd())))
    return min(ways, key=lambda way: (len(way), way))
