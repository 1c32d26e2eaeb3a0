#!/usr/bin/env python3
"""Runs clang-tidy over src/ with the commands of the release build, in parallel.

Sources are checked in groups (see group_sources.py), as most of the time goes into the headers
they include. A group that was found clean is not looked at again until one of its files, a
header of ours that they include, a compile command or .clang-tidy changes.
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

from group_sources import group_sources

ROOT = Path(__file__).resolve().parent.parent
CLANG_TIDY = "clang-tidy-16"


@dataclass(frozen=True)
class Source:
    """One source, how it is compiled, and the hash of all that decides its result, if known."""

    path: Path
    arguments: tuple[str, ...]
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
    """Our own files count by content; the system's by path, which names their version.

    The same in every checkout, wherever it lies.
    """
    contents: dict[str, bytes] = {}
    for path in {path.resolve() for path in dependencies}:
        if not path.is_relative_to(ROOT):
            contents[str(path)] = b""
        elif path.is_file():
            contents[str(path.relative_to(ROOT))] = path.read_bytes()
        else:
            return None
    digest = hashlib.sha256(base)
    digest.update(command.replace(str(ROOT), "").encode())
    for name in sorted(contents):
        digest.update(name.encode() + contents[name])
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


def arguments_for(command: str) -> tuple[str, ...]:
    """How clang compiles what the command is for, without the names of its files."""
    words = without_precompiled_header(shlex.split(command))
    return tuple(words[: words.index("-o")])


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
            key = make_key(command, needed, base) if needed else None
            sources.append(Source(path, arguments_for(command), key))
    return sources


def group(sources: list[Source]) -> list[list[Source]]:
    """Those of a group are compiled in the same way; the largest groups come first."""
    groups: list[list[Source]] = []
    for arguments in dict.fromkeys(source.arguments for source in sources):
        alike = {source.path: source for source in sources if source.arguments == arguments}
        groups += [[alike[path] for path in paths] for paths in group_sources(alike)]
    return sorted(groups, key=len, reverse=True)


def key_of(sources: list[Source]) -> str | None:
    keys = [source.key for source in sources]
    if None in keys:
        return None
    return hashlib.sha256("".join(filter(None, keys)).encode()).hexdigest()


def run_clang_tidy(path: Path, arguments: tuple[str, ...]) -> str:
    """What clang-tidy has to say about the file; empty when it is clean."""
    command = [CLANG_TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(path)]
    result = subprocess.run(
        [*command, "--", *arguments[1:]], capture_output=True, text=True, errors="replace"
    )
    return (result.stdout or result.stderr) if result.returncode != 0 else ""


class Checker:
    def __init__(self, cache: Path, scratch: Path) -> None:
        self.cache = cache
        self.scratch = scratch

    def is_known(self, sources: list[Source]) -> bool:
        key = key_of(sources)
        return key is not None and (self.cache / key).exists()

    def check(self, sources: list[Source]) -> str:
        if self.is_known(sources):
            return ""
        arguments = sources[0].arguments
        if len(sources) > 1:  # a name that one source has to itself is nothing to another one
            arguments += ("-Wno-shadow",)
        complaint = run_clang_tidy(self.file_of(sources), arguments)
        if complaint and len(sources) > 1:
            # Some complaints are only about who stands beside whom: what counts is said of one.
            complaint = "".join(self.check([source]) for source in sources)
        if not complaint and (key := key_of(sources)):
            (self.cache / key).touch()
        return complaint

    def file_of(self, sources: list[Source]) -> Path:
        """The source itself, or a file that includes all of them."""
        if len(sources) == 1:
            return sources[0].path
        name = "+".join(source.path.stem for source in sources[:2])
        path = self.scratch / f"{sources[0].path.parent.name}_{name}.cpp"
        path.write_text(
            "".join(
                f'#include "{source.path}"  // NOLINT(bugprone-suspicious-include)\n'
                for source in sources
            )
        )
        return path


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
    groups = group(sources)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        checker = Checker(cache, Path(folder))
        known = sum(map(checker.is_known, groups))
        complaints = list(pool.map(checker.check, groups))
    # A header's fault shows up in every group that includes it: say it once.
    for complaint in dict.fromkeys(filter(None, complaints)):
        print(complaint)
    faulty = sum(map(bool, complaints))
    print(
        f"clang-tidy: {len(sources)} files in {len(groups)} groups, "
        f"{known} clean as before, {faulty} with complaints"
    )
    return 1 if faulty or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
