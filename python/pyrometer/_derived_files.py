"""Files that are derived from a recording, in the format that their names ask for."""

import os
import re
from pathlib import Path

from pyrometer._executable import NOT_FOUND, find_executable
from pyrometer._output_name import expand_name
from pyrometer._recording_request import RecordingError

# The command that makes such a file, and the option that names it; without one it is printed.
COMMANDS: dict[tuple[str, ...], tuple[str, str | None]] = {
    (".svg", ".png", ".pdf", ".dot"): ("graph", "-o"),
    (".html",): ("view", "--html"),
    (".pyro",): ("merge", "-o"),
    (".txt",): ("report", None),
    (
        *(".prof", ".pstats", ".lprof", ".json", ".csv", ".collapsed", ".pb.gz", ".pprof"),
        *(".callgrind", ".sqlite", ".sqlite3", ".db", ".ppk", ".mprof.dat"),
    ): ("export", "-o"),
}


def is_derived(pattern: str) -> bool:
    """Whether this is the name of a file, and not of a run's directory."""
    return _command_for(pattern) is not None


def is_per_process(pattern: str) -> bool:
    return re.search("%[pr]", pattern.replace("%%", "")) is not None


def refuse_empty_file(pattern: str, *, has_lines: bool, has_memory: bool) -> None:
    """RecordingError before anything runs, where nothing could be written at the end."""
    name = _without_letters(pattern)
    if name.endswith(".lprof") and not has_lines:
        raise RecordingError(f"{pattern} holds measured lines: say lines=True, too, or name them")
    if name.endswith(".mprof.dat") and not has_memory:
        raise RecordingError(f"{pattern} holds memory over time: say memory=True, too")


def derive(run: Path, pattern: str, script: str, folder: Path) -> Path:
    """Writes the file, whose name is meant from `folder`, and says how it is called."""
    import subprocess

    executable, found = find_executable(), _command_for(pattern)
    if executable is None or found is None:
        raise RecordingError(f"{NOT_FOUND}; recorded in {run}")
    command, option = found
    file = folder / expand_name(pattern, script, one_of_ranks=False)
    words = [str(executable), command, *_profiles(run, pattern)]
    try:
        done = subprocess.run(
            [*words, option, str(file)] if option else words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if done.returncode == 0 and option is None:
            file.write_bytes(done.stdout)
    except OSError as error:
        raise RecordingError(f"cannot write {file}: {error.strerror}; recorded in {run}") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[-1].removeprefix("pyrometer: ") if said else f"status {done.returncode}"
        raise RecordingError(f"cannot write {file}: {reason}; recorded in {run}")
    return file


def _profiles(run: Path, pattern: str) -> list[str]:
    """The whole run; of a name that tells processes apart, the recording of this one."""
    own = sorted(map(str, run.glob(f"raw/*/*-{os.getpid()}-*.pyr")))
    return own if own and is_per_process(pattern) else [str(run)]


def _command_for(pattern: str) -> tuple[str, str | None] | None:
    name = _without_letters(pattern)
    for suffixes, command in COMMANDS.items():
        if name.endswith(suffixes):
            return command
    return None


def _without_letters(pattern: str) -> str:
    """A rank may stand behind: x.lprof%r."""
    return re.sub("(%.)+$", "", pattern)
