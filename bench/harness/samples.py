"""How many samples a tool took, from what it wrote.

A tool that is asked for a rate and does not keep it is cheap for the wrong reason, so the tables
show what was kept. Each counter gets the contender's output folder and the words of its command.
"""

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

Counter = Callable[[Path, Mapping[str, str]], int]


def count_pyrometer(folder: Path, words: Mapping[str, str]) -> int:
    """Samples of running threads. The last value of the attribute counts, in each recording."""
    total = 0
    for recording in folder.glob("run/raw/*/*.pyr"):
        dump = subprocess.run(
            [words["pyrometer"], "dump", recording], capture_output=True, text=True, check=True
        )
        values = re.findall(r"key='sampler\.samples' +value='(\d+)'", dump.stdout)
        total += int(values[-1]) if values else 0
    return total


def count_collapsed(folder: Path, _words: Mapping[str, str]) -> int:
    """py-spy's: a stack and how often it was seen, on each line."""
    lines = (folder / "profile").read_text(errors="replace").splitlines()
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines if " " in line)


def count_austin(folder: Path, _words: Mapping[str, str]) -> int:
    """A line per sample of a thread, running or not; remarks begin with #."""
    lines = (folder / "profile").read_text(errors="replace").splitlines()
    return sum(bool(line) and not line.startswith("#") for line in lines)


def count_pyinstrument(folder: Path, _words: Mapping[str, str]) -> int:
    return int(json.loads((folder / "profile").read_text())["sample_count"])


def count_scalene(folder: Path, _words: Mapping[str, str]) -> int:
    stacks = json.loads((folder / "profile.json").read_text())["stacks"]
    return sum(int(values["count"]) for _, values in stacks)
