"""Parallel jobs with known answers: recordings of ranks whose times are written down, not measured.

A place is written as "main:3;solve:61": main calls solve on its line 3, and line 61 of solve runs.
Every function is in a file of its name.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from recordings import (
    ATTRIBUTE,
    CHECKPOINT,
    CODE,
    END,
    METRIC,
    MPI_CALLS,
    NODES,
    SAMPLES,
    STRING,
    THREAD,
    frame,
    header,
    signed_varint,
    sized,
    varint,
)

SECOND = 10**9
START = 10**9  # of the monotonic clock, as the header says
PERIOD = 5_000_000  # of samples
PYTHON, NATIVE = 0, 2
UNITS = {"samples": 0}  # of metrics, where it is not 1: nanoseconds


@dataclass
class MpiCall:
    place: str
    name: str
    seconds: float
    quickest: float = 1e-6
    calls: int = 1
    bytes: int = 8


@dataclass
class Stretch:
    """Work at a place, or time in an MPI call that the place makes."""

    place: str
    seconds: float
    call: str = ""


@dataclass
class RankOfJob:
    work: dict[str, float] = field(default_factory=dict)  # seconds on a CPU by place
    waits: dict[tuple[str, str], float] = field(default_factory=dict)  # by place and metric
    calls: list[MpiCall] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)  # the same in time, one by one
    host: str = "node0"
    attributes: dict[str, str] = field(default_factory=dict)
    exit_status: int | None = 0  # None: killed


class RankWriter:
    """One rank's recording, record by record."""

    def __init__(self) -> None:
        self.records: list[tuple[int, bytes]] = []
        self.strings: dict[str, int] = {}
        self.codes: dict[tuple[int, str], int] = {}
        self.metrics: dict[str, int] = {}
        self.nodes: dict[tuple[int, int, int], int] = {}
        self.node_rows: list[tuple[int, int, int]] = []  # parent + 1, code, line

    def string(self, text: str) -> int:
        if text not in self.strings:
            self.strings[text] = len(self.strings)
            self.records.append((STRING, text.encode()))
        return self.strings[text]

    def metric(self, name: str) -> int:
        if name not in self.metrics:
            self.metrics[name] = len(self.metrics)
            self.records.append((METRIC, sized(name.encode()) + bytes([UNITS.get(name, 1), 0])))
        return self.metrics[name]

    def code(self, kind: int, name: str, file: str) -> int:
        if (kind, name) not in self.codes:
            text, path = self.string(name), self.string(file)
            line = 1 if kind == PYTHON else 0
            fields = b"".join(map(varint, (text, text, path, line, 0)))
            self.codes[kind, name] = len(self.codes)
            self.records.append((CODE, bytes([kind]) + fields + varint(0)))
        return self.codes[kind, name]

    def node(self, parent: int, code: int, line: int) -> int:
        row = (parent, code, line)
        if row not in self.nodes:
            self.nodes[row] = len(self.nodes)
            self.node_rows.append(row)
        return self.nodes[row]

    def place(self, path: str) -> int:
        at = 0
        for step in path.split(";"):
            name, _, line = step.partition(":")
            code = self.code(PYTHON, name, f"/job/{name}.py")
            at = self.node(at, code, int(line or 0)) + 1
        return at - 1

    def mpi_function(self, place: str, name: str) -> int:
        return self.node(self.place(place) + 1, self.code(NATIVE, name, "MPI"), 0)

    def nodes_record(self) -> bytes:
        out, before = varint(len(self.node_rows)), (0, 0)
        for parent, code, line in self.node_rows:
            out += signed_varint(parent - before[0]) + signed_varint(2 * code - before[1])
            out += varint(line) + varint(0)
            before = (parent, 2 * code)
        return out


def checkpoint(values: dict[int, dict[int, int]], metrics: list[int], end: int) -> bytes:
    """Cumulative values by node and metric, of thread 0."""
    out = signed_varint(end) + varint(0) + bytes([0]) + varint(len(metrics))
    out += b"".join(varint(metric) + varint(1) for metric in metrics) + varint(len(values))
    before = 0
    for node, by_metric in sorted(values.items()):
        out += signed_varint(node - before)
        out += b"".join(signed_varint(by_metric.get(metric, 0)) for metric in metrics)
        before = node
    return out


def samples_record(writer: RankWriter, stretches: list[Stretch]) -> bytes:
    """One sample at the end of each stretch, for all of its time."""
    kinds = ("wall", "cpu", "python", "mpi")
    out = varint(0) + varint(1) + varint(len(kinds))
    out += b"".join(varint(writer.metric(kind)) + varint(1) for kind in kinds)
    out += varint(len(stretches))
    now, node_before = START, 0
    for number, each in enumerate(stretches):
        is_call = each.call != ""
        node = writer.mpi_function(each.place, each.call) if is_call else writer.place(each.place)
        time = round(each.seconds * SECOND)
        now += time
        out += signed_varint(now if number == 0 else time) + signed_varint(node - node_before)
        out += b"".join(
            map(signed_varint, (time, 0, 0, time) if is_call else (time, time, time, 0))
        )
        node_before = node
    return out


def mpi_record(rows: Iterable[tuple[int, MpiCall]], size: int) -> bytes:
    rows = list(rows)
    out, before = varint(0) + varint(1) + varint(len(rows)), 0
    for node, call in rows:
        time, quickest = round(call.seconds * SECOND), round(call.quickest * SECOND)
        size_class = (call.bytes // call.calls).bit_length()
        out += signed_varint(node - before)
        numbers = (size, size_class, call.calls, time, call.bytes, quickest, time)
        out += b"".join(map(varint, numbers))
        before = node
    return out


def rank_recording(rank: RankOfJob, number: int, size: int, wall: float, sampled: bool) -> bytes:
    writer = RankWriter()
    end = START + round(wall * SECOND)
    for key, text in {"sys.path": "/job", **rank.attributes}.items():
        writer.records.append((ATTRIBUTE, sized(key.encode()) + sized(text.encode())))
    main = writer.string("MainThread")
    writer.records.append(
        (THREAD, varint(0) + varint(1) + bytes([0]) + varint(main) + signed_varint(START) + b"\0")
    )
    values: dict[int, dict[int, int]] = {}

    def add(node: int, metric: str, value: int) -> None:
        of_node = values.setdefault(node, {})
        of_node[writer.metric(metric)] = of_node.get(writer.metric(metric), 0) + value

    for place, seconds in rank.work.items():
        node, time = writer.place(place), round(seconds * SECOND)
        add(node, "wall", time)
        add(node, "cpu", time)
        add(node, "python", time)
        if sampled:
            add(node, "samples", time // PERIOD)
    for (place, metric), seconds in rank.waits.items():
        add(writer.place(place), "wall", round(seconds * SECOND))
        add(writer.place(place), metric, round(seconds * SECOND))
    calls = []
    for call in rank.calls:
        node = writer.mpi_function(call.place, call.name)
        calls.append((node, call))
        add(node, "wall", round(call.seconds * SECOND))
        add(node, "mpi", round(call.seconds * SECOND))
    samples = samples_record(writer, rank.stretches)
    writer.records.append((NODES, writer.nodes_record()))
    if rank.stretches:
        writer.records.append((SAMPLES, samples))
    writer.records.append((CHECKPOINT, checkpoint(values, list(writer.metrics.values()), end)))
    if calls:
        writer.records.append((MPI_CALLS, mpi_record(calls, size)))
    if rank.exit_status is not None:
        ended = signed_varint(end) + b"\0" + signed_varint(rank.exit_status)
        writer.records.append((END, ended))
    frames = (frame(*record, row) for row, record in enumerate(writer.records))
    return header(pid=1000 + number, rank=number, size=size, host=rank.host) + b"".join(frames)


def write_job(
    folder: Path, ranks: list[RankOfJob], *, wall: float = 10, sampled: bool = True, size: int = 0
) -> Path:
    """A run directory. `size` is what the launcher said, where some left no recording."""
    shard = folder / "raw" / "000"
    shard.mkdir(parents=True)
    about = {"version": 1, "launch": "test:1", "argv": ["job.py"], "size": size or len(ranks)}
    (folder / "RUN.json").write_text(json.dumps(about))
    for number, rank in enumerate(ranks):
        recording = rank_recording(rank, number, size or len(ranks), wall, sampled)
        (shard / f"r{number:07}-{rank.host}-{1000 + number}-1.pyr").write_bytes(recording)
    return folder
