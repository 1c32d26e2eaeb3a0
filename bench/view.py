#!/usr/bin/env python3
"""Measures the view in a real browser, beside speedscope and SnakeViz, on synthetic profiles of
100,000 and a million call paths and on a job of 1,024 ranks.

All tools get the same data, each in its own format, and the same headless Chromium without a
graphics card. "Open" is from navigation to the end of the first frame that shows the profile.
Prints tables; --write-docs puts them into docs/benchmarks.md, --check fails where a promise is
missed.
"""

import argparse
import gzip
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness.browser import SEARCH, Opened, chromium, open_page, served_folder, served_view
from harness.document import write_section
from harness.environments import make_environment
from harness.machine import ROOT, describe_machine
from harness.promises import say
from harness.speedscope import install_speedscope
from playwright.sync_api import Browser, Error

BINARIES = ROOT / "build" / "release" / "bin"
PYROMETER = BINARIES / "pyrometer"
MEGABYTE = 1e6
# Functions as a program of that size would have them.
SIZES = {100_000: 1_709, 1_000_000: 5_877}
DEEPEST = 45
MOST_OPEN = {100_000: 0.5, 1_000_000: 1.5}  # seconds
MOST_MEDIAN, MOST_SLOW = 16.8, 25.0  # ms of a frame; a display shows one every 16.7
MOST_HEAP = 150 * MEGABYTE
MOST_SEARCH = 50.0  # ms
MOST_PAGE = 10 * MEGABYTE
MOST_BUNDLE = 200_000


@dataclass
class Row:
    what: str
    tool: str
    opened: Opened | None = None
    search: float | None = None  # ms
    size: int = 0  # bytes of the file that was opened
    failure: str = ""
    faults: list[str] = field(default_factory=list)  # promises that are missed

    def cells(self) -> list[str]:
        if self.opened is None:
            return [
                self.what,
                self.tool,
                self.failure,
                "",
                "",
                "",
                f"{self.size / MEGABYTE:.1f} MB",
                "",
            ]
        frames = sorted(self.opened.frames)
        speed = ""
        if frames:
            speed = f"{statistics.median(frames):.1f} / {frames[int(len(frames) * 0.95)]:.1f} ms"
        is_ours = self.tool.startswith("pyrometer")
        return [
            self.what,
            self.tool,
            f"{self.opened.seconds:.2f} s",
            speed,
            f"{self.opened.heap / MEGABYTE:.0f} MB",
            "" if self.search is None else f"{self.search:.0f} ms",
            f"{self.size / MEGABYTE:.1f} MB",
            ("missed: " + ", ".join(self.faults) if self.faults else "met") if is_ours else "",
        ]


def check(row: Row, nodes: int) -> None:
    if row.opened is None:
        row.faults.append("it did not open")
        return
    frames = sorted(row.opened.frames)
    promises = {
        "open": (row.opened.seconds, MOST_OPEN[nodes]),
        "frames, median": (statistics.median(frames), MOST_MEDIAN),
        "frames, slowest of 20": (frames[int(len(frames) * 0.95)], MOST_SLOW),
        "heap": (row.opened.heap, MOST_HEAP),
        "search": (row.search or 0, MOST_SEARCH),
        "size of the page": (row.size if "page" in row.tool else 0, MOST_PAGE),
    }
    row.faults += [what for what, (value, most) in promises.items() if value > most]


def pyrometer(*words: object) -> None:
    subprocess.run([str(PYROMETER), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def measure(browser: Browser, row: Row, address: str, rounds: int) -> Row:
    """The median round by the time it took to open."""
    done: list[tuple[Opened, float | None]] = []
    for _ in range(rounds):
        page = browser.new_page(viewport={"width": 1600, "height": 900})
        try:
            opened = open_page(page, address)
            search = None
            if row.tool.startswith("pyrometer"):
                search = statistics.median(
                    page.evaluate(SEARCH, text)
                    for text in ("function_12", "_1[0-4]+3$", "99 -module_7")
                )
            done.append((opened, search))
        except Error as error:
            row.failure = f"failed: {str(error).splitlines()[0][:60]}"
            return row
        finally:
            page.close()
    done.sort(key=lambda each: each[0].seconds)
    row.opened, row.search = done[len(done) // 2]
    return row


@contextmanager
def snakeviz(file: Path) -> Iterator[str]:
    tools = make_environment("snakeviz", Path(sys.executable), ["snakeviz"], say)
    port = 18_000 + file.stat().st_size % 1000
    command = [tools / "bin" / "snakeviz", "-s", "-p", str(port), "-H", "127.0.0.1", file]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(3)
        yield f"http://127.0.0.1:{port}/snakeviz/{urllib.parse.quote(str(file), safe='')}"
    finally:
        server.terminate()
        server.wait()


def tree_rows(browser: Browser, folder: Path, nodes: int, rounds: int) -> list[Row]:
    what = f"{nodes:,} call paths"
    run = folder / f"run-{nodes}"
    shape = [f"--nodes={nodes}", f"--functions={SIZES[nodes]}", f"--deepest={DEEPEST}"]
    subprocess.run([BINARIES / "make_recordings", run, "--compressed", *shape], check=True)
    recording = next(run.glob("raw/*/*.pyr"))
    rows = []
    with served_view(PYROMETER, run) as address:
        row = Row(what, "pyrometer view", size=recording.stat().st_size)
        rows.append(measure(browser, row, f"{address}#/flame", rounds))
    page = folder / "page.html"
    pyrometer("view", run, "--html", page)
    row = Row(what, "pyrometer, its page", size=page.stat().st_size)
    rows.append(measure(browser, row, f"{page.as_uri()}#/flame", rounds))
    for row in rows:
        check(row, nodes)
    pyrometer("export", run, "-o", folder / "profile.speedscope.json")
    pyrometer("export", run, "-o", folder / "profile.prof")
    if tool := install_speedscope(say):
        file = folder / "profile.speedscope.json"
        release = tool / "node_modules" / "speedscope" / "dist" / "release"
        with served_folder(release) as pages, served_folder(folder) as files:
            address = f"{pages}/index.html#profileURL={files}/{file.name}"
            row = Row(what, "speedscope", size=file.stat().st_size)
            rows.append(measure(browser, row, address, 1))
    file = folder / "profile.prof"
    with snakeviz(file) as address:
        row = Row(what, "SnakeViz (10 levels)", size=file.stat().st_size)
        rows.append(measure(browser, row, address, 1))
    return rows


def rank_rows(browser: Browser, folder: Path, rounds: int) -> list[str]:
    """1,024 ranks: the first screen, and the heatmap from the click that asks for it."""
    run, job = folder / "job", folder / "job.pyro"
    words = ["--ranks=1024", "--nodes=2000", "--density=0.5"]
    subprocess.run([BINARIES / "make_recordings", run, *words], check=True)
    pyrometer("merge", run, "-o", job)
    first, heatmap = [], []
    with served_view(PYROMETER, job) as address:
        for _ in range(rounds):
            page = browser.new_page(viewport={"width": 1600, "height": 900})
            began = time.perf_counter()
            page.goto(f"{address}#/overview")
            page.wait_for_selector("main h1")
            first.append(time.perf_counter() - began)
            page.wait_for_load_state("networkidle")
            page.evaluate("window.openedAfter = undefined")
            heatmap.append(page.evaluate(HEATMAP))
            page.close()
    return [
        f"| first screen | {statistics.median(first):.2f} s | 1.0 s |",
        f"| heatmap of functions and ranks | {statistics.median(heatmap) / 1000:.2f} s | 0.3 s |",
    ]


HEATMAP = """
async () => {
  const before = performance.now()
  location.hash = '#/ranks'
  const frame = () => new Promise(done => requestAnimationFrame(done))
  while (!document.querySelector('.heatmap canvas[role=img]')?.width) await frame()
  await frame()
  return performance.now() - before
}
"""


def make_table(rows: Sequence[Row], ranks: Sequence[str], bundle: int) -> str:
    head = [
        *("profile", "tool", "open", "zoom: frames, median / slowest of 20", "heap", "search"),
        *("file", "promised"),
    ]
    lines = [f"| {' | '.join(head)} |", "|---|---|---:|---:|---:|---:|---:|---|"]
    lines += [f"| {' | '.join(row.cells())} |" for row in rows]
    lines += ["", "| 1,024 ranks in one file | took | promised |", "|---|---:|---:|", *ranks]
    lines += ["", f"The page itself has {bundle:,} bytes compressed ({MOST_BUNDLE:,} promised)."]
    return f"{describe_machine()}.\n\n" + "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, action="append", choices=list(SIZES))
    parser.add_argument("--rounds", type=int, default=3, help="(3)")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument("--check", action="store_true", help="fail when a promise is missed")
    options = parser.parse_args(arguments)
    bundle = ROOT / "view" / "bundle" / "view.html.gz"
    assert gzip.decompress(bundle.read_bytes())
    rows: list[Row] = []
    with chromium() as browser, tempfile.TemporaryDirectory(prefix="pyrometer-view-") as name:
        for nodes in options.nodes or SIZES:
            say(f"{nodes:,} call paths")
            rows += tree_rows(browser, Path(name), nodes, options.rounds)
        say("1,024 ranks")
        ranks = rank_rows(browser, Path(name), options.rounds)
    table = make_table(rows, ranks, bundle.stat().st_size)
    print(table)
    if options.write_docs:
        write_section("view", table)
    return 1 if options.check and any(row.faults for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
