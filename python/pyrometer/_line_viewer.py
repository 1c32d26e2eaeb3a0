"""The command `python -m pyrometer.line_profiler`: shows `.lprof` files."""

import sys
from argparse import ArgumentParser, Namespace
from glob import glob
from typing import NoReturn

import pyrometer
from pyrometer._line_config import Settings, load_settings
from pyrometer._line_options import add_flag, positive_float, set_defaults, short_path, with_values
from pyrometer._line_stats import LineStats
from pyrometer._lprof import LprofError

FLAGS = (
    ("-r", "rich", "Use rich formatting."),
    ("-z", "skip-zero", "Hide functions which have not been called."),
    ("-t", "sort", "Sort by ascending total time."),
    ("-m", "summarize", "Print a summary of total function time."),
)


def view() -> None:
    options = _parse()
    try:
        stats = LineStats.from_files(*_expand(options.profile_output))
    except LprofError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}.")
    try:
        stats.print(
            output_unit=options.unit,
            stripzeros=options.skip_zero,
            rich=options.rich,
            sort=options.sort,
            summarize=options.summarize,
            config=options.config,
        )
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing more to say, and nothing to complain of at shutdown.
        sys.stdout = None


def _fail(sentence: str) -> NoReturn:
    sys.exit(f"pyrometer.line_profiler: {sentence}")


def _expand(names: list[str]) -> list[str]:
    """Quoted wildcards are filled in: the files of a run can be more than a command line holds."""
    expanded: list[str] = []
    for name in names:
        found = sorted(glob(name)) if any(letter in name for letter in "*?[") else []  # noqa: PTH207
        expanded += found or [name]
    return expanded


def _parse() -> Namespace:
    settings = load_settings()
    parser = _parser(settings)
    options = parser.parse_args(with_values(sys.argv[1:], [name for _, name, _ in FLAGS]))
    if options.config is not None:
        try:
            settings = load_settings(options.config)
        except (OSError, ValueError) as error:
            _fail(str(error))
    options.config = settings.path or False
    set_defaults(options, settings.options("cli"))
    return options


def _parser(settings: Settings) -> ArgumentParser:
    defaults = settings.options("cli")
    parser = ArgumentParser(
        prog="python -m pyrometer.line_profiler",
        description="Read and show line profiling results (`.lprof` files); several are added up.",
    )
    source = repr(short_path(settings.path)) if settings.path else "the defaults"
    parser.add_argument("-V", "--version", action="version", version=pyrometer.__version__)
    parser.add_argument(
        "-c",
        "--config",
        help="Path to the TOML file, from the `tool.line_profiler.cli` table of which to load "
        f"defaults for the options. (Default: {source})",
    )
    parser.add_argument(
        "--no-config",
        action="store_const",
        dest="config",
        const=False,
        help="Disable the loading of configuration files other than the default one",
    )
    parser.add_argument(
        "-u",
        "--unit",
        type=positive_float,
        help="Output unit (in seconds) in which the timing info is displayed. "
        f"(Default: {defaults['unit']} s)",
    )
    for short, name, text in FLAGS:
        default = defaults[name.replace("-", "_")]
        add_flag(parser, short, f"--{name}", text=f"{text} (Default: {default})")
    parser.add_argument(
        "profile_output", nargs="+", help="'*.lprof' file(s); quoted wildcards are filled in"
    )
    return parser
