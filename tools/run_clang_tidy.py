#!/usr/bin/env python3
"""Runs clang-tidy over src/ with the commands of the release build, in parallel.

A file that was found clean is not looked at again until it, a header of ours that it
includes, its compile command or .clang-tidy changes: the check of a file takes seconds.
"""

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-16"


@dataclass(frozen=True)
class Source:
    """One translation unit and the hash of all that decides its result, if that is known."""

    path: Path
    key: str | None


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "pyrometer" / "clang-tidy"


def read_dependencies(build: Path) -> dict[str, list[Path]]:
    """What each object file was last compiled from, as ninja recorded it."""
    output = subprocess.run(
        ["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    dependencies: dict[str, list[Path]] = {}
    current: list[Path] = []
    for line in output.splitlines():
        if line.startswith(" "):
            current.append(build / line.strip())
        elif line:
            current = dependencies.setdefault(line.split(": #deps")[0], [])
    return dependencies


def make_key(command: str, dependencies: list[Path], base: bytes) -> str | None:
    """Our own files count by content; the system's by path, which names their version."""
    digest = hashlib.sha256(base)
    digest.update(command.replace(str(ROOT), "").encode())
    for path in sorted(path.resolve() for path in dependencies):
        if not path.is_relative_to(ROOT):
            digest.update(str(path).encode())
        elif path.is_file():
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        else:
            return None
    return digest.hexdigest()


def without_precompiled_header(words: list[str]) -> list[str]:
    """clang cannot read gcc's precompiled headers; without them the sources say the same."""
    kept: list[str] = []
    for word in words:
        if word.endswith("cmake_pch.hxx") and kept[-1:] == ["-include"]:
            kept.pop()
        else:
            kept.append(word)
    return kept


def write_commands(build: Path, folder: Path) -> None:
    """The build's compile commands as clang-tidy can use them."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in commands:
        entry["arguments"] = without_precompiled_header(shlex.split(entry.pop("command")))
    (folder / "compile_commands.json").write_text(json.dumps(commands))


def read_sources(build: Path) -> list[Source]:
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    base = version + (ROOT / ".clang-tidy").read_bytes()
    dependencies = read_dependencies(build)
    sources = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.suffix == ".cpp" and path.is_relative_to(ROOT / "src"):
            command = entry["command"]
            words = shlex.split(command)
            needed = dependencies.get(words[words.index("-o") + 1])
            sources.append(Source(path, make_key(command, needed, base) if needed else None))
    return sources


def check(source: Source, commands: Path, cache: Path) -> str:
    """What clang-tidy has to say about the file; empty when it is clean."""
    if source.key and (cache / source.key).exists():
        return ""
    result = subprocess.run(
        [CLANG_TIDY, "--quiet", "-p", str(commands), str(source.path)],
        capture_output=True,
        text=True,
        errors="replace",
    )
    if result.returncode != 0:
        return result.stdout or result.stderr
    if source.key:
        (cache / source.key).touch()
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs clang-tidy over src/.")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    build: Path = parser.parse_args().build.resolve()
    try:
        sources = read_sources(build)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"clang-tidy cannot start: {error}.", file=sys.stderr)
        return 1
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    known = sum(1 for source in sources if source.key and (cache / source.key).exists())
    with TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        commands = Path(folder)
        write_commands(build, commands)
        complaints = list(pool.map(lambda source: check(source, commands, cache), sources))
    # A header's fault shows up in every file that includes it: say it once.
    for complaint in dict.fromkeys(filter(None, complaints)):
        print(complaint)
    faulty = sum(map(bool, complaints))
    print(f"clang-tidy: {len(sources)} files, {known} clean as before, {faulty} with complaints")
    return 1 if faulty or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
