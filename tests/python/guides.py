"""Runs what a page of docs/ tells its reader to type, in one folder, and compares what it prints.

    ```sh                          is given to bash
    ```python                      is run in one interpreter for all blocks, as cells of a notebook
    ```python title="solver.py"    is written to that file
    ```text                        right behind a block: what that prints, loosely (`missing_line`)
    | you used | now type |        the commands in the last column are given to bash at the end

Other blocks are left alone. `pyrometer view` writes its page, as nobody is there to look.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r'^```(?P<language>\w*)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
TABLE = re.compile(r"^\|[^\n]*\| now type \|\n\|[-| ]+\|\n(?P<rows>(?:\|[^\n]*\n)+)", re.MULTILINE)
COMMAND = re.compile(r"`((?:[A-Z_]+=\S+ )*(?:pyrometer|python|mpirun) [^`]+)`")
FIGURE = re.compile(r"[-+]?\d[\d,.]*(?:e[-+]\d+)?(?: ?(?:%|(?:[nµm]?s|min|h|B|[KMG]iB|[kMG]B)\b))?")
SHELL = """
pyrometer() {
  if [[ ${1:-} == view && $* != *--html* ]]; then
    local word words=()
    for word in "${@:2}"; do [[ $word == --no-open ]] || words+=("$word"); done
    set -- view --html view.html "${words[@]}"
  fi
  command pyrometer "$@"
}
"""
# Tells what each block printed, a line for each, and stops at the first that fails.
READER = """
import json, os, subprocess, sys, tempfile, traceback
blocks, namespace = json.load(sys.stdin), {"__name__": "__main__"}
told = os.fdopen(os.dup(1), "w")
for language, place, text in blocks:
    streams = [tempfile.TemporaryFile("w+", errors="replace") for _ in range(2)]
    for number, stream in enumerate(streams, 1):
        os.dup2(stream.fileno(), number)
    failure = ""
    try:
        if language == "sh":
            words = ["bash", "-euo", "pipefail", "-c", text]
            subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
        else:
            exec(compile(text, place, "exec"), namespace)
    except BaseException:
        failure = traceback.format_exc()
    sys.stdout.flush()
    for stream in streams:
        stream.seek(0)
    print(json.dumps([failure, *(stream.read() for stream in streams)]), file=told, flush=True)
    if failure:
        break
"""


@dataclass
class Block:
    """Something to run, where it stands, and what the page says that it prints."""

    language: str
    place: str
    text: str
    shown: str = ""


def run_guide(
    name: str,
    folder: Path,
    executable: Path,
    *,
    python: Path = Path(sys.executable),
    path: Sequence[Path] = (),
    environment: Mapping[str, str] = {},
) -> str:
    """What all blocks print to standard output. `python` runs the Python blocks; `path` goes first
    on bash's PATH, whose `python3` is what is recorded.
    """
    blocks = blocks_of(ROOT / "docs" / name, folder)
    places = [str(folder) for folder in (*path, executable.parent)]
    variables = {
        **os.environ,
        "PATH": os.pathsep.join([*places, os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT / "python"),
        **environment,
    }
    done = subprocess.run(
        [python, "-c", READER],
        input=json.dumps([(each.language, each.place, each.text) for each in blocks]),
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    printed = ""
    for block, line in zip(blocks, done.stdout.splitlines(), strict=False):
        failure, output, errors = json.loads(line)
        assert not failure, f"{block.place} failed: {failure}\n{output}{errors}"
        missing = missing_line(block.shown, output + errors)
        assert missing is None, f"{block.place} does not print {missing!r}:\n{output}{errors}"
        printed += output
    return printed


def blocks_of(page: Path, folder: Path) -> list[Block]:
    """What is to be run, in this order; files are written."""
    text = page.read_text()
    blocks: list[Block] = []
    end_of_last = 0
    for fence in FENCE.finditer(text):
        language, file, content = fence.group("language", "file", "text")
        place = f"{page.name}:{text.count(chr(10), 0, fence.start()) + 1}"
        if file:
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(content)
        elif language in ("sh", "python"):
            blocks.append(Block(language, place, (SHELL if language == "sh" else "") + content))
            end_of_last = fence.end()
        elif language == "text":
            assert not text[end_of_last : fence.start()].strip(), f"{place} is behind no block"
            blocks[-1].shown = content
    assert blocks, f"{page} has nothing to run"
    return blocks + [Block("sh", page.name, SHELL + command) for command in table_commands(text)]


def table_commands(text: str) -> Iterator[str]:
    for table in TABLE.finditer(text):
        for row in table["rows"].splitlines():
            cell = re.split(r"(?<!\\)\|", row)[-2]
            yield from (command.replace(r"\|", "|") for command in COMMAND.findall(cell))


def missing_line(shown: str, printed: str) -> str | None:
    """The first line of what is shown that is not among what was printed, in the same order.

    Figures with their units, and the width of spaces, may differ; … stands for anything.
    """
    lines = iter([shape_of(line) for line in printed.splitlines()])
    for line in shown.splitlines():
        pieces = [re.escape(piece.strip()) for piece in shape_of(line).split("…")]
        if any(pieces) and not any(re.search(".*".join(pieces), each) for each in lines):
            return line
    return None


def shape_of(line: str) -> str:
    return " ".join(FIGURE.sub("#", line).split())
