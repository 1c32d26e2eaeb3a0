"""What is done in a recorded session of pytest: each test is a region of the recording, limits are
enforced, and at the end the session is summed up.
"""

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from pyrometer._native import load_agent
from pyrometer._printable import printable
from pyrometer._pytest_inside import start_inside
from pyrometer._pytest_limits import MemoryLimits
from pyrometer._pytest_restart import RUN
from pyrometer._pytest_summary import Summary, shorten
from pyrometer._recording import Recording
from pyrometer._timers import timed_region

NAME = "pyrometer-session"
MEMORY = "PYROMETER_MEMORY"  # how it is recorded, in the environment of a run that does
Wrapper = Generator[None, object, object]


def attach(config: pytest.Config) -> None:
    recording = None
    memory = os.environ.get(MEMORY, "")
    if load_agent().recorded_in() is None:
        if RUN in os.environ:
            raise pytest.UsageError(
                "--pyrometer: this Python is not recorded; CPython 3.11 and newer can be."
            )
        recording = start_inside(config)
        memory = config.option.pyrometer_memory.replace("none", "")
    manager = config.pluginmanager
    manager.register(RecordedTests(), f"{NAME}-tests")
    if memory:
        manager.register(MemoryLimits(config.rootpath), f"{NAME}-limits")
    is_worker = hasattr(config, "workerinput")  # of pytest-xdist, whose controller speaks for all
    end = WorkerEnd() if is_worker else SessionSummary(config, recording, memory)
    manager.register(end, f"{NAME}-end")


class RecordedTests:
    """Regions named as tests are, and inside them one for each phase."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Wrapper:
        with timed_region(item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Wrapper:
        with timed_region("pytest setup"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Wrapper:
        with timed_region("pytest call"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Wrapper:
        with timed_region("pytest teardown"):
            return (yield)


class WorkerEnd:
    """So that nothing is missing when the controller reads the run."""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        load_agent().write_recording()


class SessionSummary:
    """Of the process that talks to the user."""

    def __init__(self, config: pytest.Config, recording: Recording | None, memory: str) -> None:
        self._recording = recording  # where it is ours, and not that of a whole program
        self._memory = memory
        self._options = config.option
        self._here = config.invocation_params.dir
        self._run = Path(load_agent().recorded_in())
        self._seconds: dict[str, float] = {}  # of each test, with fixtures

    def pytest_report_header(self) -> str:
        memory = self._memory
        limits = f"memory {memory}" if memory else "no memory, so its limits are not enforced"
        return f"pyrometer: recording to {shorten(self._run, self._here)}, {limits}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        before = self._seconds.get(report.nodeid, 0)
        self._seconds[report.nodeid] = before + report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        self.pytest_unconfigure()
        load_agent().write_recording()
        terminalreporter.section("pyrometer")
        for line in Summary(self._options, self._run, self._here).lines(self._seconds):
            terminalreporter.line(printable(line))

    def pytest_unconfigure(self) -> None:
        if self._recording is not None:
            self._recording.stop()
