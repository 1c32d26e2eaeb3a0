#!/usr/bin/env python3
"""Measures loading files of other tools: collapsed stacks beside speedscope and plain Python, a
cProfile file of 100,000 functions beside pstats, and the disk beside all.

Makes the files in a temporary folder. Prints a table; --write-docs puts it into
docs/benchmarks.md, --check fails where a promise is missed.
"""

import argparse
import marshal
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.document import write_section
from harness.machine import ROOT, describe_machine
from harness.measure import CommandError, Cost, run
from harness.promises import say
from harness.speedscope import install_speedscope

LOADER = ROOT / "build" / "release" / "bin" / "load_benchmark"
MEGABYTE = 1e6
LEAST_RATE = 200 * MEGABYTE  # bytes of collapsed stacks per second
FUNCTIONS = 100_000

PYTHON_READER = """
import sys
root = {}
with open(sys.argv[1]) as file:
    for line in file:
        stack, _, value = line.rpartition(" ")
        node = root
        for frame in stack.split(";"):
            node = node.setdefault(frame, {})
        node[None] = node.get(None, 0) + int(value)
"""
DISK_READER = ["sh", "-c", 'cat "$0" > /dev/null']  # what it printed would stay in our memory
PSTATS_READER = "import pstats, sys; pstats.Stats(sys.argv[1])"
# The package is one script for browsers: its importer is taken out before the page would start.
SPEEDSCOPE_READER = r"""
const fs = require("fs"), path = require("path")
const folder = path.join(process.argv[1], "node_modules/speedscope/dist/release")
const script = fs.readdirSync(folder).find(name => /^speedscope.*\.js$/.test(name))
const text = fs.readFileSync(path.join(folder, script), "utf8")
const its_function = /function (\w+)\(t\)\{let e=\w+\(t\),n=e\.reduce[^}]*\}[^}]*?/
const its_module = /var (\w+)=re\(\(\)=>\{[^}]*\}\);/
const both = new RegExp(its_function.source + its_module.source)
const patched = text.replace(both, "$&globalThis.read=t=>{$2();return $1(t)};")
try { (0, eval)(patched) } catch (error) { if (!globalThis.read) throw error }
function* splitLines() {
  const file = fs.openSync(process.argv[2]), piece = Buffer.alloc(16 << 20)
  let rest = ""
  for (let size; (size = fs.readSync(file, piece)) > 0;) {
    const lines = (rest + piece.toString("latin1", 0, size)).split("\n")
    rest = lines.pop()
    yield* lines
  }
  if (rest) yield rest
}
if (!globalThis.read({splitLines})) throw new Error("speedscope read nothing")
"""


@dataclass
class Row:
    what: str
    size: int
    reader: str
    cost: Cost | None
    failure: str = ""
    least_rate: float = 0  # promised

    @property
    def rate(self) -> float:
        """Bytes per second of CPU: what the wall clock says when nobody else is at work."""
        return self.size / self.cost.cpu if self.cost else 0

    def is_kept(self) -> bool:
        return self.rate >= self.least_rate

    def cells(self) -> list[str]:
        head = [self.what, f"{self.size / MEGABYTE:,.0f} MB", self.reader]
        if self.cost is None:
            return [*head, self.failure, "", "", "", ""]
        promise = f"{self.least_rate / MEGABYTE:.0f} MB/s: {'met' if self.is_kept() else 'missed'}"
        return [
            *head,
            f"{self.cost.wall:.2f} s",
            f"{self.cost.cpu:.2f} s",
            f"{self.rate / MEGABYTE:,.0f} MB/s",
            f"{self.cost.peak / MEGABYTE:,.0f} MB",
            promise if self.least_rate else "",
        ]


# ---- the files


def make_stacks(path: Path, size: int, distinct: int) -> None:
    """`distinct` bytes of different stacks, over and over again until there are `size`."""
    chance = random.Random(1)
    frames = [
        f"function_{i} (package{i % 50}/module_{i % 400}.py:{10 + i % 900})" for i in range(5000)
    ]
    lines: list[str] = []
    made = 0
    while made < distinct:
        stack = [f"thread (0x7F{chance.randrange(8):04X}): worker"]
        place = 0
        for depth in range(chance.randint(10, 45)):
            branch = min(3, int(chance.expovariate(1.6))) if depth < 12 else 0
            place = (place * 31 + branch * 7919 + depth * 104729 + 1) & 0x7FFFFFFF
            stack.append(frames[place % len(frames)])
        lines.append(f"{';'.join(stack)} {chance.randint(1, 50)}\n")
        made += len(lines[-1])
    text = "".join(lines)
    with path.open("w") as file:
        for _ in range(max(1, size // len(text))):
            file.write(text)


def make_prof(path: Path, functions: int) -> None:
    chance = random.Random(2)
    labels = [
        (f"/home/user/project/module_{i % 900}.py", 10 + i % 3000, f"function_{i}")
        for i in range(functions)
    ]
    entries = {}
    for i, label in enumerate(labels):
        callers = {
            labels[chance.randrange(max(1, i))]: (3, 3, chance.random(), chance.random())
            for _ in range(min(i, 3))
        }
        entries[label] = (3 * len(callers), 3 * len(callers), chance.random(), 2.0, callers)
    path.write_bytes(marshal.dumps(entries))


def make_apart(kind: str, *words: object) -> None:
    """Makes a file in a process of its own: a child's peak memory is at least its parent's."""
    command = [sys.executable, __file__, "--make", kind, *map(str, words)]
    subprocess.run(command, check=True)


def make(kind: str, path: str, *sizes: str) -> int:
    (make_stacks if kind == "stacks" else make_prof)(Path(path), *map(int, sizes))
    return 0


# ---- the readers


def measure(what: str, path: Path, reader: str, command: Sequence[str | Path], rounds: int) -> Row:
    size = path.stat().st_size
    costs = []
    for _ in range(rounds):
        try:
            costs.append(run([*command, path], timeout=1800)[0])
        except CommandError as error:
            return Row(what, size, reader, None, str(error)[:60])
    best = Cost(
        min(cost.wall for cost in costs),
        min(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
    )
    return Row(what, size, reader, best)


def stack_rows(folder: Path, megabytes: int, rounds: int) -> list[Row]:
    rows = []
    speedscope = install_speedscope(say)
    part = max(1, megabytes // 15)
    # One line per sample, as austin writes; one line per stack, as most others do.
    shapes = [("samples", megabytes, part), ("distinct stacks", 3 * part, 3 * part)]
    for what, size, distinct in shapes:
        path, short = folder / "stacks.txt", folder / "short.txt"
        make_apart("stacks", path, int(size * MEGABYTE), int(distinct * MEGABYTE))
        # A tenth is enough for those that are slow; speedscope was not given the whole.
        make_apart("stacks", short, int(size * MEGABYTE / 10), int(size * MEGABYTE / 10))
        name = f"collapsed, {what}"
        ours = measure(name, path, "pyrometer", [LOADER], rounds)
        ours.least_rate = LEAST_RATE
        rows.append(ours)
        rows.append(measure(name, path, "cat to /dev/null", DISK_READER, rounds))
        python = [sys.executable, "-c", PYTHON_READER]
        rows.append(measure(name, short, "a loop in Python", python, 1))
        if speedscope:
            node: list[str | Path] = ["node", "-e", SPEEDSCOPE_READER, "--", speedscope]
            rows.append(measure(name, short, "speedscope", node, 1))
    return rows


def prof_rows(folder: Path, rounds: int) -> list[Row]:
    path = folder / "many.prof"
    make_apart("prof", path, FUNCTIONS)
    what = f"cProfile file, {FUNCTIONS:,} functions"
    return [
        measure(what, path, "pyrometer", [LOADER], rounds),
        measure(what, path, "pstats.Stats", [sys.executable, "-c", PSTATS_READER], rounds),
    ]


def make_table(rows: Sequence[Row]) -> str:
    head = ["what", "size", "read by", "wall", "CPU", "rate (CPU)", "peak memory", "promised"]
    lines = [f"| {' | '.join(head)} |", "|---|---:|---|---:|---:|---:|---:|---|"]
    lines += [f"| {' | '.join(row.cells())} |" for row in rows]
    return f"{describe_machine()}.\n\n" + "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="of collapsed stacks (1000)")
    parser.add_argument("--rounds", type=int, default=3, help="(3)")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument("--check", action="store_true", help="fail when a promise is missed")
    parser.add_argument("--make", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.make:
        return make(*options.make)
    with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as name:
        folder = Path(name)
        rows = stack_rows(folder, options.megabytes, options.rounds)
        rows += prof_rows(folder, options.rounds)
    table = make_table(rows)
    print(table)
    if options.write_docs:
        write_section("loading", table)
    return 1 if options.check and not all(row.is_kept() for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
