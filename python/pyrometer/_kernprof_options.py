"""The options of kernprof, and where they end and the program begins."""

import os
from argparse import ArgumentParser, Namespace
from typing import Any, NamedTuple

import pyrometer
from pyrometer._line_config import Settings, load_settings
from pyrometer._line_options import (
    NO,
    YES,
    add_flag,
    positive_float,
    set_defaults,
    short_path,
)

SCRIPT = '{path/to/script | -m path.to.module | -c "literal code"}'
FLAGS = ("line-by-line", "builtin", "preimports", "prof-imports", "rich", "skip-zero", "summarize")
WITH_VALUE = ("config", "setup", "prof-mod", "outfile", "unit")
PLAIN = ("no-config", "verbose", "view", "quiet", "version", "help")
SHORT_WITH_VALUE = "spou"


class Program(NamedTuple):
    kind: str  # script, module, code or stdin
    target: str  # of stdin: "-"
    arguments: list[str]


def parse_options(words: list[str]) -> tuple[Namespace, Program]:
    """Ends the process with status 2 for what makes no sense."""
    settings = load_settings()
    parser = _parser(settings)
    try:
        own, program = split_words(words)
    except ValueError as error:
        parser.error(str(error))
    options = parser.parse_args(own)
    if program is None:
        parser.error(f"the following arguments are required: {SCRIPT}, args")
    if options.config is not None:
        try:
            settings = load_settings(options.config)
        except (OSError, ValueError) as error:
            parser.error(str(error))
    options.config = settings.path or False
    set_defaults(options, settings.options("kernprof"))
    options.verbose -= options.quiet
    return options, program


def split_words(words: list[str]) -> tuple[list[str], Program | None]:
    """Our own words, so that the parser cannot misread them, and the program with its own.

    Options end where the program begins, as with `python`; a value that may be left out is
    taken only if it looks like one.
    """
    own: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return own, _program("script", rest.pop(0), rest) if rest else None
        if word == "-":
            return own, _program("stdin", word, rest)
        if not word.startswith("-"):
            return own, _program("script", word, rest)
        if word.startswith("--"):
            own += _long(word, rest)
            continue
        program = _short(word, rest, own)
        if program:
            return own, program
    return own, None


def _program(kind: str, target: str, arguments: list[str]) -> Program:
    return Program("stdin" if target == "-" and kind == "script" else kind, target, arguments)


def _long(word: str, rest: list[str]) -> list[str]:
    name, equals, _ = word[2:].partition("=")
    if equals:
        return [word]
    flags = {*FLAGS, *(f"no-{flag}" for flag in FLAGS)}
    known = {*flags, *WITH_VALUE, *PLAIN, "output-interval"}
    matches = [name] if name in known else [each for each in known if each.startswith(name)]
    name = matches[0] if len(matches) == 1 else name
    if name in WITH_VALUE:
        return [f"--{name}={rest.pop(0)}"] if rest else [word]
    if name in flags:
        is_given = rest and rest[0].casefold() in YES + NO and rest[0] != ""
        return [f"--{name}={rest.pop(0) if is_given else 'yes'}"]
    if name == "output-interval":
        return [f"--{name}={_interval(rest)}"]
    return [word]


def _short(word: str, rest: list[str], own: list[str]) -> Program | None:
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in "mc":
            if letters:
                rest.insert(0, letters)
            if not rest:
                raise ValueError(f"argument expected for the -{letter} option")
            return _program("module" if letter == "m" else "code", rest.pop(0), rest)
        if letter in SHORT_WITH_VALUE:
            own.append(f"-{letter}")
            if letters or rest:
                own[-1] += letters or rest.pop(0)
            if own[-1] == f"-{letter}" and letter in "spo":
                own[-1] = (
                    f"--{'setup' if letter == 's' else 'prof-mod' if letter == 'p' else 'outfile'}="
                )
            return None
        if letter == "i":
            own.append(f"-i{letters or _interval(rest)}")
            return None
        own.append(f"-{letter}")
    return None


def _interval(rest: list[str]) -> str:
    return rest.pop(0) if rest and rest[0].isdigit() else "1"


def _parser(settings: Settings) -> ArgumentParser:
    defaults = settings.options("kernprof")
    name = os.environ.get("PYROMETER_KERNPROF", "python -m pyrometer.kernprof")
    parser = ArgumentParser(prog=name, description="Run and profile a python script.")
    _add_sources(parser, settings)
    _add_profiling(parser.add_argument_group("profiling options"), defaults)
    _add_output(parser.add_argument_group("output options"), defaults)
    script = "The python script file, module, or literal code to run"
    parser.add_argument("script", nargs="?", metavar=SCRIPT, help=script)
    parser.add_argument("args", nargs="...", help="Optional script arguments")
    return parser


def _add_sources(parser: ArgumentParser, settings: Settings) -> None:
    source = repr(short_path(settings.path)) if settings.path else "the defaults"
    parser.add_argument("-V", "--version", action="version", version=pyrometer.__version__)
    parser.add_argument(
        "--config",
        help="Path to the TOML file, from the `tool.line_profiler.kernprof` table of which to "
        f"load defaults for the options. (Default: {source})",
    )
    parser.add_argument(
        "--no-config",
        action="store_const",
        dest="config",
        const=False,
        help="Disable the loading of configuration files other than the default one",
    )


def _add_profiling(group: Any, defaults: dict[str, Any]) -> None:
    only = "Only works with line profiling (`-l`/`--line-by-line`). "
    add_flag(
        group,
        "-l",
        "--line-by-line",
        text="Use the line-by-line profiler instead of a function profiler. Implies `--builtin`. "
        f"(Default: {defaults['line_by_line']})",
    )
    add_flag(
        group,
        "-b",
        "--builtin",
        text="Put `profile` in the builtins. Use `profile.enable()`/`.disable()` to toggle "
        "profiling, `@profile` to decorate functions, or `with profile:` to profile a section of "
        f"code. (Default: {defaults['builtin']})",
    )
    group.add_argument(
        "-s",
        "--setup",
        help="Path to the Python source file containing setup code to execute before the code to "
        f"profile. (Default: {defaults['setup'] or 'N/A'})",
    )
    group.add_argument(
        "-p",
        "--prof-mod",
        action="append",
        help="List of modules, functions and/or classes to profile specified by their name or "
        "path; comma-separated, or with multiple copies of this flag. Packages are recursed into "
        "unless they are specified with `<pkg>.__init__`. Adding the current script/module "
        f"profiles the entirety of it. {only}(Default: {defaults['prof_mod'] or 'N/A'}; pass an "
        "empty string to clear what was named before)",
    )
    add_flag(
        group,
        "--preimports",
        text="Eagerly import all profiling targets specified via `-p` and profile them, instead "
        f"of only profiling those that are directly imported in the profiled code. {only}"
        f"(Default: {defaults['preimports']})",
    )
    add_flag(
        group,
        "--prof-imports",
        text="If the script/module profiled is in `--prof-mod`, profile all its imports. "
        f"{only}(Default: {defaults['prof_imports']})",
    )


def _add_output(group: Any, defaults: dict[str, Any]) -> None:
    group.add_argument(
        "-o",
        "--outfile",
        help="Save stats to OUTFILE, in which %%r is the rank, %%p the pid, %%h the host, %%j the "
        "job, %%s the script, %%n a running number. (Default: '<script_or_module_name>.lprof' in "
        "line-profiling mode; '<script_or_module_name>.prof' otherwise)",
    )
    group.add_argument(
        "-v",
        "--verbose",
        "--view",
        action="count",
        default=defaults["verbose"],
        help="Increase verbosity level. At level 1, view the profiling results in addition to "
        "saving them",
    )
    group.add_argument(
        "-q",
        "--quiet",
        action="count",
        default=0,
        help='Decrease verbosity level. At level -1, disable helpful messages (e.g. "Wrote '
        'profile results to <...>"); at level -2, silence the stdout; at level -3, the stderr',
    )
    add_flag(
        group,
        "-r",
        "--rich",
        text=f"Use rich formatting if viewing output. (Default: {defaults['rich']})",
    )
    group.add_argument(
        "-u",
        "--unit",
        type=positive_float,
        help="Output unit (in seconds) in which the timing info is displayed. "
        f"(Default: {defaults['unit']} s)",
    )
    add_flag(
        group,
        "-z",
        "--skip-zero",
        text=f"Hide functions which have not been called. (Default: {defaults['skip_zero']})",
    )
    add_flag(
        group,
        "--summarize",
        text=f"Print a summary of total function time. (Default: {defaults['summarize']})",
    )
    group.add_argument(
        "-i",
        "--output-interval",
        type=int,
        const=1,
        nargs="?",
        help="Output the results so far to OUTFILE every OUTPUT_INTERVAL seconds, at least and "
        f"by default 1. (Default: {defaults['output_interval'] or '0 s (disabled)'})",
    )
