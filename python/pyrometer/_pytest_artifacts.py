"""A file for each test: what `pyrometer export` makes of the test's region."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyrometer._executable import NOT_FOUND, find_executable

LONGEST_NAME = 200
SUFFIXES = (
    "svg, prof, speedscope.json, firefox.json, trace.json, pb.gz, callgrind, collapsed, csv, "
    "lines.csv, sqlite or json"
)


def write_artifacts(run: Path, folder: Path, tests: Sequence[str], suffix: str) -> str:
    """What came of it, in a sentence."""
    executable = find_executable()
    if executable is None:
        return NOT_FOUND
    export = [str(executable), "export", str(run)]

    def write(test: str, name: str) -> str:
        # In the folder, whose own name may have signs that mean something in those of outputs.
        words = [*export, f"--region={test}", f"--output={name}"]
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return "" if done.returncode == 0 else done.stderr.strip()

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            complaints = list(pool.map(write, tests, file_names(tests, suffix)))
    except OSError as error:
        return f"no files, {error.strerror}"
    failed = [complaint for complaint in complaints if complaint]
    written = len(tests) - len(failed)
    text = f"{written} file{'s' if written != 1 else ''}"
    if failed:
        text += f"; {len(failed)} tests have none: {failed[0].removeprefix('pyrometer: ')}"
    return text


def refused_format(suffix: str) -> str | None:
    """Why no test can have such a file; asked for no run, export looks at the file's name first."""
    executable = find_executable()
    if executable is None:
        return None
    words = [str(executable), "export", "/nowhere", "--region=test", f"--output=test.{suffix}"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    wrong_usage = 2
    if done.returncode != wrong_usage:
        return None
    said = done.stderr.strip().removeprefix("pyrometer: ")
    # Its words are those of --format; here formats go by the ends of their files' names.
    return f"choose a format: {SUFFIXES}" if said.startswith("choose a format") else said


def file_names(tests: Sequence[str], suffix: str) -> Iterator[str]:
    """Each name once, and fit for a file."""
    used = set()
    for test in tests:
        name = plain = re.sub(r"[^\w.\[\]-]+", "-", test)[-LONGEST_NAME:]
        number = 1
        while name in used:
            number += 1
            name = f"{plain}-{number}"
        used.add(name)
        yield f"{name}.{suffix.lstrip('.')}"
