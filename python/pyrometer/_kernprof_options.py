"""The options of kernprof, and where they end and the program begins."""

from argparse import ArgumentParser, Namespace
from typing import Any

import pyrometer
from pyrometer._kernprof_words import Program, split_words
from pyrometer._line_config import Settings, load_settings
from pyrometer._line_options import add_flag, positive_float, set_defaults, short_path

SCRIPT = '{path/to/script | -m path.to.module | -c "literal code"}'


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


def _parser(settings: Settings) -> ArgumentParser:
    defaults = settings.options("kernprof")
    name, text = "python -m pyrometer.kernprof", "Run and profile a python script."
    parser = ArgumentParser(prog=name, description=text)
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
