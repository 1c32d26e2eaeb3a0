"""The pytest plugin: `pytest --pyrometer` tells which tests are slow and which lines make them so,
and enforces @pytest.mark.limit_memory and limit_leaks.

Every session of whoever has Pyrometer installed loads this module, so it imports nothing else
before somebody asks for it.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from argparse import Namespace

MARKS = (
    "limit_memory(size, *, current_thread_only=False): with --pyrometer, fail if the test holds "
    'more memory at once, as in limit_memory("24 MB")',
    "limit_leaks(size, *, warmups=0, filter_fn=None, current_thread_only=False): with "
    "--pyrometer, fail if a place in the program allocates more in the test than it frees, as in "
    'limit_leaks("1 MB")',
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pyrometer", "where the time and the memory of tests go")
    group.addoption(
        "--pyrometer",
        action="store_true",
        help="record the session: slowest tests with their hottest functions and lines, limits of "
        "memory that marks set, and a run for every command of pyrometer",
    )
    group.addoption(
        "--pyrometer-per-test",
        action="store_true",
        help="the same, and a file for each test",
    )
    group.addoption(
        "--pyrometer-format",
        metavar="SUFFIX",
        default="svg",
        help="of these files: svg (flame graph), prof, speedscope.json, … as 'pyrometer export' "
        "knows them (default: svg)",
    )
    group.addoption(
        "--pyrometer-dir",
        metavar="DIR",
        default="pyrometer-tests",
        help="folder of all that is written; the run in it is replaced (default: pyrometer-tests)",
    )
    group.addoption(
        "--pyrometer-engine",
        choices=("sampling", "exact", "lines"),
        default="sampling",
        help="sample, count every call of the session, or sample and measure every line of the "
        "project's own files (default: sampling)",
    )
    group.addoption(
        "--pyrometer-rate", metavar="HZ", type=int, help="samples per second and thread"
    )
    group.addoption(
        "--pyrometer-memory",
        choices=("sampled", "exact", "objects", "none"),
        default="sampled",
        help="as of 'pyrometer run --memory'; without it limits are not enforced "
        "(default: sampled)",
    )


# Before output is captured, as the streams must be the user's when pytest starts anew. The old
# kind of wrapper, which every pytest knows.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    options = early_config.known_args_namespace
    if _is_asked(options) and not options.help:
        from pyrometer._pytest_restart import restart_recorded

        _check_format(options)
        restart_recorded(options)
    yield


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if _is_asked(config.option):
        if pytest.version_tuple < (8,):
            raise pytest.UsageError(f"--pyrometer needs pytest 8; this is {pytest.__version__}.")
        from pyrometer._pytest_session import attach

        attach(config)


def _check_format(options: "Namespace") -> None:
    """Before the session, which may be long."""
    if options.pyrometer_per_test:
        from pyrometer._pytest_artifacts import refused_format

        reason = refused_format(options.pyrometer_format.lstrip("."))
        if reason is not None:
            raise pytest.UsageError(f"--pyrometer-format={options.pyrometer_format}: {reason}.")


def _is_asked(options: "Namespace") -> bool:
    return bool(options.pyrometer or options.pyrometer_per_test)
