"""memray's exports: the statistics as JSON, and its two transforms."""

import csv
import json
from pathlib import Path

from make_pstats import stem
from truths import Place, Stack, make_truth, truth_of_stacks
from workshop import HOME, Truth, Workshop

CASES = [
    ("1.10.0", "3.11", "memory.py"),
    ("1.15.0", "3.11", "builtins_at_work.py"),
    ("1.19.1", "3.13", "memory.py"),
]


def stats_truth(made: Path) -> Truth:
    """memray's own sums."""
    document = json.loads(made.read_text())
    return make_truth(
        "allocated",
        "bytes",
        document["total_bytes_allocated"],
        [],  # its list is of lines
        allocations=document["total_num_allocations"],
        peak=document["metadata"]["peak_memory"],
    )


def csv_truth(made: Path) -> Truth:
    rows = list(csv.DictReader(made.read_text().splitlines()))
    sizes = sum(int(row["size"]) for row in rows)
    counts = sum(int(row["num_allocations"]) for row in rows)
    stacks = [Stack(frames_of(row["stack_trace"]), int(row["size"]), row["tid"]) for row in rows]
    truth = truth_of_stacks(stacks, "allocated", "bytes")
    assert truth["total"] == sizes
    return truth | {"allocations": counts, "rows": len(rows)}


def frames_of(text: str) -> tuple[Place, ...]:
    """`name;file;line|…` from the innermost."""
    frames = [frame.split(";") for frame in text.split("|") if frame]
    return tuple(Place(parts[0], parts[1]) for parts in reversed(frames))


def gprof2dot_truth(made: Path) -> Truth:
    document = json.loads(made.read_text())
    places = [
        Place(function["name"], function.get("module") or "") for function in document["functions"]
    ]
    stacks = [
        Stack(tuple(places[index] for index in reversed(event["callchain"])), event["cost"][0])
        for event in document["events"]
    ]
    return truth_of_stacks(stacks, "allocated", "bytes", weight=document["costs"][0]["description"])


def exports(workshop: Workshop, version: str, python: str, program: str) -> None:
    tools = workshop.environment(f"memray=={version}", python=python)
    recorded = HOME / "out.bin"
    memray = tools / "memray"
    command = [memray, "run", "-f", "-q", "-o", recorded, program, 1]
    workshop.run(command)
    wanted = [
        ("stats", ["stats", "--json", "-f"], ".stats.json", stats_truth),
        ("csv", ["transform", "csv", "-f"], ".csv", csv_truth),
        ("gprof2dot", ["transform", "gprof2dot", "-f"], ".gprof2dot.json", gprof2dot_truth),
    ]
    for _, words, suffix, read in wanted:
        made = workshop.fresh(f"out{suffix}")
        second = [memray, *words, "-o", made, recorded]
        workshop.run(second)
        workshop.keep(
            made,
            f"{stem(program)}-memray{version}{suffix}",
            format="memray",
            tool=f"memray {version}",
            command=[*command, "&&", *second],
            program=program,
            read_by="memray's own sums" if read is stats_truth else "the rows of the export",
            truth=read(made),
        )


def make(workshop: Workshop) -> None:
    for case in CASES:
        workshop.attempt(exports, *case)
