"""From the table of contenders to commands that can be run with one Python."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.contenders import Contender, package_name
from harness.environments import InstallError, installed_version, make_environment
from harness.rounds import Entry

PROGRAM_PACKAGES = ("numpy", "scipy", "pandas")  # what bench/programs import


def make_entries(
    contenders: Sequence[Contender], python: Path, pyrometer: Path, say: Callable[[str], None]
) -> list[Entry]:
    """Installs what is missing. What cannot be installed is an entry that has failed."""
    try:
        plain = make_environment("plain", python, PROGRAM_PACKAGES, say)
    except InstallError as error:
        reason = f"cannot install {', '.join(PROGRAM_PACKAGES)}: {error}"
        return [cannot_take_part(contender, reason) for contender in contenders]
    entries: list[Entry] = []
    broken: dict[str, str] = {}  # tools that could not be installed, so as not to try again
    for contender in contenders:
        if not contender.packages:
            entries.append(make_entry(contender, plain, pyrometer))
        elif contender.tool in broken:
            entries.append(cannot_take_part(contender, broken[contender.tool]))
        else:
            entries.append(make_entry_of_peer(contender, python, plain, say))
            if not entries[-1].takes_part:
                broken[contender.tool] = entries[-1].failure
    return entries


def cannot_take_part(contender: Contender, reason: str) -> Entry:
    return Entry(contender, failure=reason, takes_part=False)


def make_entry(contender: Contender, plain: Path, pyrometer: Path) -> Entry:
    """Of the plain program, or of Pyrometer on it; `plain` is the program's environment."""
    version = ""
    if "{pyrometer}" in contender.command:
        if not pyrometer.is_file():
            return cannot_take_part(contender, f"there is no {pyrometer}; ./pyrometer builds it")
        said = subprocess.run([pyrometer, "--version"], capture_output=True, text=True).stdout
        version = said.strip().removeprefix("pyrometer ")
    words = {"python": str(plain / "bin" / "python"), "pyrometer": str(pyrometer.absolute())}
    return Entry(contender, words, version)


def make_entry_of_peer(
    contender: Contender, python: Path, plain: Path, say: Callable[[str], None]
) -> Entry:
    packages = list(contender.packages)
    if contender.in_process:  # with the versions that the plain program runs with
        packages += [f"{name}=={installed_version(plain, name)}" for name in PROGRAM_PACKAGES]
    try:
        folder = make_environment(contender.tool, python, packages, say)
    except InstallError as error:
        return cannot_take_part(contender, f"cannot be installed: {error}")
    runner = folder if contender.in_process else plain
    words = {"python": str(runner / "bin" / "python"), "bin": str(folder / "bin")}
    version = installed_version(folder, package_name(contender.packages[0])) or ""
    return Entry(contender, words, version)
