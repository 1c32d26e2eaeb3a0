"""From the table of contenders to commands that can be run with one Python."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.contenders import Contender, package_name
from harness.environments import InstallError, installed_version, make_environment
from harness.rounds import Entry

PROGRAM_PACKAGES = ("numpy",)  # what bench/programs import


def make_entries(
    contenders: Sequence[Contender], python: Path, pyrometer: Path, say: Callable[[str], None]
) -> list[Entry]:
    """Installs what is missing. What cannot be installed is an entry that has failed."""
    program_packages, reason = pin_program_packages(python, say)
    if reason:
        return [cannot_take_part(contender, reason) for contender in contenders]
    entries: list[Entry] = []
    broken: dict[str, str] = {}  # tools that could not be installed, so as not to try again
    for contender in contenders:
        if contender.packages and contender.tool in broken:
            entries.append(cannot_take_part(contender, broken[contender.tool]))
            continue
        entries.append(make_entry(contender, python, pyrometer, program_packages, say))
        if contender.packages and not entries[-1].takes_part:
            broken[contender.tool] = entries[-1].failure
    return entries


def cannot_take_part(contender: Contender, reason: str) -> Entry:
    return Entry(contender, failure=reason, takes_part=False)


def pin_program_packages(python: Path, say: Callable[[str], None]) -> tuple[list[str], str]:
    """The versions that the plain program runs with, so that all run with the same ones."""
    try:
        folder = make_environment("plain", python, PROGRAM_PACKAGES, say)
    except InstallError as error:
        return [], f"cannot install {', '.join(PROGRAM_PACKAGES)}: {error}"
    versions = {name: installed_version(folder, name) for name in PROGRAM_PACKAGES}
    return [f"{name}=={version}" for name, version in versions.items()], ""


def make_entry(
    contender: Contender,
    python: Path,
    pyrometer: Path,
    program_packages: Sequence[str],
    say: Callable[[str], None],
) -> Entry:
    plain = make_environment("plain", python, PROGRAM_PACKAGES, say)
    words = {"python": str(plain / "bin" / "python"), "pyrometer": str(pyrometer.absolute())}
    version = ""
    if contender.packages:
        shared = program_packages if contender.in_process else ()
        try:
            folder = make_environment(contender.tool, python, (*contender.packages, *shared), say)
        except InstallError as error:
            return cannot_take_part(contender, f"cannot be installed: {error}")
        version = installed_version(folder, package_name(contender.packages[0])) or ""
        words["bin"] = str(folder / "bin")
        if contender.in_process:
            words["python"] = str(folder / "bin" / "python")
    elif "{pyrometer}" in contender.command:
        if not pyrometer.is_file():
            return cannot_take_part(contender, f"there is no {pyrometer}; ./pyrometer builds it")
        said = subprocess.run([pyrometer, "--version"], capture_output=True, text=True).stdout
        version = said.strip().removeprefix("pyrometer ")
    return Entry(contender, words, version)
