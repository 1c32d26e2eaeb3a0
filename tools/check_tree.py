#!/usr/bin/env python3
"""Holds the habits of the tree that no compiler sees.

Files stay small enough to read in one sitting, each part of src/ says what it is for, and
nothing names the host of a package registry: every site has a mirror of its own.
Prints one sentence per violation and returns 1 when there is one.
"""

import os
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST_FILE = 500
LONGEST_MEDIAN = 200

SOURCE_FOLDERS = ("bench", "examples", "fuzz", "python", "src", "tests", "tools", "view")
SOURCE_SUFFIXES = {".h", ".cpp", ".py", ".sh", ".ts", ".tsx", ".css"}
# Made by tools, not by us.
SKIPPED_FOLDERS = {".git", ".venv", "__pycache__", "build", "dist", "node_modules"}
SKIPPED_SUFFIXES = ("_cache", ".egg-info")

# In pieces, so that this file may be checked as well.
REGISTRY_HOSTS = [
    ".".join(labels)
    for labels in (
        ("archive", "ubuntu", "com"),
        ("crates", "io"),
        ("deb", "debian", "org"),
        ("ftp", "debian", "org"),
        ("security", "debian", "org"),
        ("snapshot", "debian", "org"),
        ("pypi", "org"),
        ("pypi", "python", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("proxy", "golang", "org"),
        ("repo", "maven", "apache", "org"),
        ("repo1", "maven", "org"),
        ("anaconda", "org"),
        ("rubygems", "org"),
    )
]
REGISTRY = re.compile(
    "|".join(rf"(?<![\w-]){re.escape(host)}(?![\w-])" for host in REGISTRY_HOSTS), re.IGNORECASE
)


def walk(root: Path) -> Iterator[Path]:
    """Every file of ours."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED_FOLDERS and not name.endswith(SKIPPED_SUFFIXES)
        )
        yield from (Path(folder) / name for name in sorted(files))


def find_long_files(root: Path) -> Iterator[str]:
    lengths: dict[Path, int] = {}
    for folder in SOURCE_FOLDERS:
        for path in walk(root / folder):
            if path.suffix in SOURCE_SUFFIXES:
                lengths[path] = len(path.read_bytes().splitlines())
    for path, length in lengths.items():
        if length > LONGEST_FILE:
            yield f"{path}: {length} lines; split it, as {LONGEST_FILE} are the most."
    median = statistics.median(lengths.values()) if lengths else 0
    if median > LONGEST_MEDIAN:
        yield f"{root}: the median source file has {median:g} lines, over {LONGEST_MEDIAN}."


def find_registry_hosts(root: Path) -> Iterator[str]:
    for path in walk(root):
        if not path.is_file():
            continue
        text = path.read_bytes().decode(errors="replace")
        for match in REGISTRY.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: names the package registry host {match.group()}."


def find_folders_without_readme(root: Path) -> Iterator[str]:
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and not (folder / "README.md").is_file():
            yield f"{folder}: has no README.md that says what this part is for."


def find_broken_documents(root: Path) -> Iterator[str]:
    """A formatter for code, let loose on a document, joins its words and breaks its title."""
    for path in walk(root):
        if path.suffix == ".md" and not path.read_text().startswith("# "):
            yield f"{path}: does not begin with a title, '# …'."


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (root / "src").is_dir():
        print(f"There is no folder {root / 'src'}.", file=sys.stderr)
        return 1
    violations = [
        *find_long_files(root),
        *find_registry_hosts(root),
        *find_folders_without_readme(root),
        *find_broken_documents(root),
    ]
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
