"""Records a part of a program from inside: start() and stop(), pause() and resume().

Where somebody records already, `pyrometer run` or an outer recording, there is no second one: the
part is a timed region of the first.
"""

import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pyrometer._derived_files import derive, is_derived, is_per_process, refuse_empty_file
from pyrometer._native import load_agent, loaded_agent
from pyrometer._recorded_sources import keep_sources
from pyrometer._recording_request import RecordingError, make_request, script_name

if TYPE_CHECKING:
    from types import ModuleType

    from pyrometer._agent import Region
    from pyrometer._loaded_profile import LoadedProfile
    from pyrometer._recording_request import Lines, Output

__all__ = ["Recording", "RecordingError", "pause", "resume", "start", "stop"]

_open: "list[Recording]" = []  # those of this process that were not stopped, the newest last


class Recording:
    """One recording, which goes on until stop(). `path` is the directory of the run, which every
    command reads; `file` what is derived from it at the end, if a file was asked for.
    """

    def __init__(
        self,
        *,
        derived: str | None = None,
        quiet: bool = True,
        region: "Region | None" = None,
    ) -> None:
        self._directory = ""
        self.file: Path | None = None
        self._derived = derived
        self._quiet = quiet
        self._pid = os.getpid()
        self._region = region  # where an outer recording has it all
        self._folder = _current_folder()  # the program may go elsewhere meanwhile

    def begin(self, directory: str) -> None:
        """The last step before the program goes on, so that it shows nothing of us in counts."""
        self._directory = directory
        _open.append(self)

    @property
    def path(self) -> Path:
        return Path(self._directory)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} in {self._directory}>"

    def stop(self) -> None:
        """Ends it, if it did not end already. A process that was forked off ends its own part."""
        if self not in _open:
            return
        _open.remove(self)
        if self._region is not None:
            self._region.__exit__(None, None, None)
            return
        has_all = _end_recording()
        if os.getpid() != self._pid:
            return
        if self._derived is not None and (has_all or is_per_process(self._derived)):
            self.file = derive(self.path, self._derived, script_name(), self._folder)
        self._say()

    def pause(self) -> None:
        pause()

    def resume(self) -> None:
        resume()

    def load(self) -> "LoadedProfile":
        """What was recorded, as pyrometer.load() gives it."""
        from pyrometer._loaded_profile import load

        _load_agent().write_recording()  # where it goes on, as an outer one does
        return load(self.path)

    def end_with_program(self) -> None:
        """What is derived needs the end now; else recording goes on until the process ends."""
        if os.getpid() != self._pid or self._region is not None:
            return
        if self._derived is None:
            self._say()
            return
        try:
            self.stop()
        except RecordingError as error:
            sys.stderr.write(f"pyrometer: {error}\n")

    def _say(self) -> None:
        if self._quiet or sys.stderr is None:
            return
        path = self._shown(self.path)
        also = f" and {self._shown(self.file)}" if self.file else ""
        sys.stderr.write(f"pyrometer: recorded in {path}{also}; next: pyrometer report {path}\n")

    def _shown(self, path: Path) -> str:
        """From the folder where the recording began, which is the one of the user's shell."""
        if not path.is_relative_to(self._folder):
            return str(path)  # ../../../scratch/... is no name to read
        return str(path.relative_to(self._folder))


def start(
    output: "Output | None" = None,
    *,
    rate: int | None = None,
    exact: bool = False,
    lines: "Lines" = False,
    memory: bool | str = False,
    overwrite: bool = False,
    quiet: bool = True,
) -> Recording:
    """Records this process, with all its threads, from now on until stop().

    `output` is the name of the run's directory, by default pyrometer-SCRIPT-NUMBER; or a file to
    derive from it at the end, in the format that its suffix says: .prof, .json, .txt, .svg, ...
    Names are filled in as by `pyrometer run -o`. The other arguments are that command's options.
    RecordingError says why nothing can be recorded.
    """
    pattern = "" if output is None else os.fspath(output)
    agent = _load_agent()
    outer = agent.recorded_in()
    if outer is not None:
        region: Region = agent.timed_region(_region_name(pattern))
        recording = Recording(region=region)
        recording.begin(outer)
        region.__enter__()
        return recording
    derived = pattern if is_derived(pattern) else None
    refuse_empty_file(pattern, has_lines=lines is not False, has_memory=memory is not False)
    request = make_request(
        pattern, derived, rate=rate, exact=exact, lines=lines, memory=memory, overwrite=overwrite
    )
    _watch_exit()
    recording = Recording(derived=derived, quiet=quiet)
    try:
        recording.begin(agent.begin(request))
    except RuntimeError as error:
        raise RecordingError(_in_words_of_arguments(str(error))) from None
    return recording


def stop() -> Recording:
    """Ends what the last start() began."""
    if not _open:
        raise RecordingError("nothing is being recorded; pyrometer.start() begins a recording")
    newest = _open[-1]
    newest.stop()
    return newest


def pause() -> None:
    """Nothing is recorded from here on until resume(), whoever records."""
    agent = _agent_at_work()
    if agent is not None:
        agent.pause()


def resume() -> None:
    """Ends a pause, also the one that `pyrometer run --paused` begins with."""
    agent = _agent_at_work()
    if agent is not None:
        agent.resume()


def _current_folder() -> Path:
    """No full path where somebody has removed it."""
    try:
        return Path.cwd()
    except OSError:
        return Path()


def _load_agent() -> "ModuleType":
    try:
        return load_agent()
    except ImportError as error:  # also in interpreters that are not the process's first
        raise RecordingError(f"this interpreter cannot be recorded: {error}") from None


def _agent_at_work() -> "ModuleType | None":
    """The agent where somebody may record; it is not loaded for nothing."""
    if loaded_agent() is None and "PYROMETER_RUN" not in os.environ:
        return None
    return _load_agent()


def _end_recording() -> bool:
    """False when other ranks still record into the same directory."""
    agent = _load_agent()
    if agent.recorded_in() is None:
        return False  # a process that was forked off without our knowing
    keep_sources()
    try:
        has_all: bool = agent.end()
    except RuntimeError as error:
        raise RecordingError(str(error)) from None
    return has_all


def _region_name(pattern: str) -> str:
    name = Path(pattern).name
    return name.partition(".")[0] or "recording"


def _in_words_of_arguments(sentence: str) -> str:
    """The directory is opened as by `pyrometer run`, whose words are those of a command line."""
    return sentence.replace(" with -o", "").replace("--replace", "overwrite=True")


@functools.cache
def _watch_exit() -> None:
    import atexit

    atexit.register(_at_exit)


def _at_exit() -> None:
    for each in _open:
        each.end_with_program()
