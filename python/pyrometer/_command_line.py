"""`--profile FILE` for a program's own command line, and PYROMETER_PROFILE for one that cannot be
edited. What is recorded begins when the arguments were understood and ends with the program.
"""

import os
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from pyrometer._recording import Recording, RecordingError, start

if TYPE_CHECKING:
    from pyrometer._recording_request import Lines

P = TypeVar("P")

HELP = (
    "record where the time goes: the folder of the recording, or a file whose suffix says its "
    "format (.prof, .json, .txt, .svg, ...); %p, %r, %j, %h, %n and %s stand for process, rank, "
    "job, host, running number and script"
)


def add_argument(
    parser: P,
    option: str = "--profile",
    *,
    rate: int | None = None,
    exact: bool = False,
    lines: "Lines" = False,
    memory: bool | str = False,
    overwrite: bool = False,
    quiet: bool = False,
) -> P:
    """Gives a program a `--profile FILE` switch and returns what it was given.

    Takes a parser of argparse, or a command or group of click or a Typer application, for which it
    is a decorator, too. The options are those of pyrometer.start().
    """
    options = {
        "rate": rate,
        "exact": exact,
        "lines": lines,
        "memory": memory,
        "overwrite": overwrite,
        "quiet": quiet,
    }
    if hasattr(parser, "add_argument") and hasattr(parser, "parse_args"):
        _add_to_argparse(parser, option, options)
    elif hasattr(parser, "params") and hasattr(parser, "main"):
        _add_to_click(parser, option, options)
    elif hasattr(parser, "registered_commands"):
        _add_to_typer(parser, option, options)
    else:
        raise TypeError(
            "add_argument takes a parser of argparse, a command of click or a Typer application, "
            f"not {parser!r}"
        )
    return parser


# ---- argparse


def _add_to_argparse(parser: Any, option: str, options: dict[str, Any]) -> None:
    from pyrometer._argparse_switch import add_switch

    def begin(used: Any, file: str) -> None:
        try:
            start(file, **options)
        except RecordingError as error:
            used.error(f"argument {option}: {error}")

    add_switch(parser, option, HELP, begin)


# ---- click and Typer, which the program has imported, or there were no such objects


def _starter(options: dict[str, Any], refuse: Any) -> Callable[[Any, str | None], None]:
    """What an option calls with its context and its value; the end of the context is ours."""

    def begin(context: Any, file: str | None) -> None:
        if file is None or context.resilient_parsing:  # the shell asks for completions
            return
        try:
            recording = start(file, **options)
        except RecordingError as error:
            raise refuse(str(error)) from None
        context.call_on_close(lambda: _stop(recording))

    return begin


def _stop(recording: Recording) -> None:
    try:
        recording.stop()
    except RecordingError as error:
        sys.stderr.write(f"pyrometer: {error}\n")


def _add_to_click(command: Any, option: str, options: dict[str, Any]) -> None:
    click = sys.modules["click"]
    begin = _starter(options, click.BadParameter)
    command.params.append(
        click.Option(
            [option],
            metavar="FILE",
            help=HELP,
            expose_value=False,
            callback=lambda context, _, file: begin(context, file),
        )
    )


def _add_to_typer(application: Any, option: str, options: dict[str, Any]) -> None:
    """Typer makes its commands when it is called, of the classes that it is told."""
    core = sys.modules["typer.core"]

    def with_option(kind: Any) -> Any:
        class Recorded(kind):  # type: ignore[misc]
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                self.params.append(_typer_option(option, options))

        return Recorded

    group = application.info.cls
    is_group = isinstance(group, type)  # else a placeholder for none
    application.info.cls = with_option(group if is_group else core.TyperGroup)
    for command in application.registered_commands:
        command.cls = with_option(command.cls or core.TyperCommand)


def _typer_option(option: str, options: dict[str, Any]) -> Any:
    """As Typer itself makes it, whatever it is made of: taken from a command of our own."""
    typer = sys.modules["typer"]
    begin = _starter(options, typer.BadParameter)
    begin.__annotations__ = {"context": typer.Context}
    given = typer.Option(
        None, option, metavar="FILE", help=HELP, callback=begin, expose_value=False
    )

    def carrier(file: str = given) -> None:
        """Never called."""

    own = typer.Typer(add_completion=False)
    own.command()(carrier)
    command = sys.modules["typer.main"].get_command(own)
    return next(each for each in command.params if option in each.opts)


# ---- the environment


def record_as_environment_says() -> None:
    """For `import pyrometer`; whatever is wrong, the program runs on."""
    from pyrometer._explicit_profiler import is_child_of_multiprocessing

    file = os.environ.get("PYROMETER_PROFILE", "")
    if not file or is_child_of_multiprocessing() or _is_command_of_ours():
        return
    try:
        start(file, quiet=False)
    except (RecordingError, OSError) as error:
        if sys.stderr is not None:
            sys.stderr.write(f"pyrometer: PYROMETER_PROFILE={file}: {error}\n")


def _is_command_of_ours() -> bool:
    """`python -m pyrometer...`"""
    words = getattr(sys, "orig_argv", [])
    return any(
        word == "-m" and after.partition(".")[0] == "pyrometer" for word, after in pairwise(words)
    )
