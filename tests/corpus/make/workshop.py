"""The neutral folder in which the tools run, and the manifest of what they made."""

import contextlib
import getpass
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

# Names in the files are those of this folder on every machine.
HOME = Path("/tmp/corpus")
CORPUS = Path(__file__).resolve().parents[1]
ROOT = CORPUS.parents[1]
MANIFEST = CORPUS / "manifest.json"
LARGEST_FILE = 60_000
GENERIC = ("root", "localhost")

Truth = dict[str, Any]
Words = Sequence[object]


class Unavailable(Exception):  # noqa: N818
    """A tool that this machine cannot have, and why."""


class Workshop:
    def __init__(self, pythons: dict[str, Path]) -> None:
        self.pythons = pythons
        self.entries: list[dict[str, Any]] = []
        self.missing: list[str] = []
        HOME.mkdir(exist_ok=True)
        for program in (CORPUS / "programs").iterdir():
            shutil.copy(program, HOME)

    def python(self, version: str) -> Path:
        if version not in self.pythons:
            raise Unavailable(f"there is no Python {version}; give --python {version}=PATH")
        return self.pythons[version]

    def environment(self, *packages: str, python: str = "3.11") -> Path:
        """The folder with the commands of these PyPI packages."""
        return make_environment(self.python(python), packages)

    def run(self, words: Words, env: dict[str, str] | None = None, text: str = "") -> str:
        """Standard output; a failure is an Unavailable with the last of the complaints."""
        result = subprocess.run(
            [str(word) for word in words],
            cwd=HOME,
            env=os.environ | {"PYTHONHASHSEED": "0"} | (env or {}),
            input=text,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if result.returncode != 0:
            complaint = (result.stderr or result.stdout).strip().splitlines() or ["no message"]
            raise Unavailable(f"{command_text(words)}: {complaint[-1]}")
        return result.stdout + (f"\n{result.stderr}" if not result.stdout else "")

    def run_until_it_works(self, words: Words) -> None:
        """For py-spy, which often trips over a child that has just ended."""
        for _ in range(4):
            with contextlib.suppress(Unavailable):
                self.run(words)
                return
        self.run(words)

    def fresh(self, name: str) -> Path:
        """Where a tool is to write; nothing of the last one is left there."""
        path = HOME / name
        path.unlink(missing_ok=True)
        return path

    def keep(self, made: Path, name: str, **facts: Any) -> None:
        """Takes a file into the corpus as FORMAT/NAME. The facts are format, tool, command,
        program, read_by and truth."""
        data = made.read_bytes()
        file = f"{facts['format']}/{name}"
        if len(data) > LARGEST_FILE:
            raise Unavailable(f"{file} has {len(data)} bytes, {LARGEST_FILE} are the most")
        for private in (platform.node(), getpass.getuser()):
            if len(private) > 3 and private not in GENERIC and private.encode() in data:
                raise Unavailable(f"{file} names this machine or its user, {private}")
        target = CORPUS / file
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
        if not isinstance(facts["command"], str):
            facts["command"] = command_text(facts["command"])
        self.entries.append({"file": file, **facts})
        print(f"  {file}: {len(data)} bytes, total {facts['truth']['total']}", flush=True)

    def attempt(self, make: Any, *arguments: Any) -> None:
        """Goes on without what one call cannot make."""
        try:
            make(self, *arguments)
        except (Unavailable, subprocess.TimeoutExpired) as error:
            name = getattr(make, "__name__", "?")
            sentence = f"{name}{arguments}: {error}"
            self.missing.append(sentence)
            print(f"  left out: {sentence}", flush=True)


@cache
def make_environment(python: Path, packages: tuple[str, ...]) -> Path:
    name = re.sub(r"[^\w.=-]", "_", "-".join([*packages, python.parents[1].name]))
    folder = HOME / "tools" / name
    complete = folder / "complete"
    if not complete.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        call([python, "-m", "venv", "--without-pip", folder])
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--python"]
        call([*pip, folder / "bin" / "python", "install", "-q", *packages])
        complete.touch()
    return folder / "bin"


def call(words: Words) -> None:
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if result.returncode != 0:
        lines = [line for line in (result.stderr + result.stdout).splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith("error")]
        raise Unavailable(f"{command_text(words)}: {(errors or lines or ['failed'])[-1]}")


def command_text(words: Words) -> str:
    """As one would type it: programs without their folders."""
    shown = [str(word) for word in words]
    short = [
        Path(word).name if word.startswith("/") and "/bin/" in word else word for word in shown
    ]
    plain = [word.removeprefix(f"{HOME}/") for word in short]
    return " ".join(word if word in ("&&", "|") else shlex.quote(word) for word in plain)


def read_manifest() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(MANIFEST.read_text())["files"]
    return entries


def write_manifest(entries: list[dict[str, Any]]) -> None:
    entries = sorted(entries, key=lambda entry: entry["file"])
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
    MANIFEST.write_text(f'{{"files": [\n{lines}\n]}}\n')


def find_pythons(given: Sequence[str]) -> dict[str, Path]:
    """The system's 3.11, the newer ones unpacked under the neutral folder, and those given."""
    command = [ROOT / "tools" / "unpack_pythons.sh"]
    unpacked = subprocess.run(
        command, env=os.environ | {"XDG_CACHE_HOME": str(HOME)}, stdout=subprocess.PIPE, text=True
    )
    if unpacked.returncode != 0:
        print("left out: all files of newer Pythons", file=sys.stderr)
    pairs = ["3.11=/usr/bin/python3", *unpacked.stdout.split(), *given]
    return {version: Path(path) for version, path in (pair.split("=", 1) for pair in pairs)}
