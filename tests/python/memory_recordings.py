"""Recordings of memory with known answers: what each place allocated, held and kept.

Places are written as in job_recordings: "main:3;load:7".
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from job_recordings import SECOND, START, RankWriter, checkpoint
from recordings import (
    ATTRIBUTE,
    CHECKPOINT,
    COUNTER,
    COUNTER_VALUES,
    END,
    LIVE,
    METRIC,
    NODES,
    REGIONS,
    THREAD,
    frame,
    header,
    signed_varint,
    sized,
    varint,
)

MIB = 1 << 20
GIB = 1 << 30
COUNT, BYTES = 0, 2
SUM, MAX = 0, 1
COUNTS = {"allocations", "live-blocks", "hits"}
LEVELS = {"memory", "line-peak"}  # of which the most counts

Points = list[tuple[float, int]]  # seconds since the beginning, bytes


@dataclass
class MemoryOfProcess:
    values: dict[str, dict[str, int]] = field(default_factory=dict)  # by place and metric
    live: dict[str, Points] = field(default_factory=dict)  # by place
    counters: dict[str, Points] = field(default_factory=dict)
    lines: dict[str, dict[str, int]] = field(default_factory=dict)  # by "function:line" and metric
    regions: list[tuple[str, float, float]] = field(default_factory=list)  # name, start, seconds
    attributes: dict[str, str] = field(default_factory=dict)


class MemoryWriter(RankWriter):
    def metric(self, name: str) -> int:
        if name not in self.metrics:
            self.metrics[name] = len(self.metrics)
            kinds = bytes([COUNT if name in COUNTS else BYTES, MAX if name in LEVELS else SUM])
            self.records.append((METRIC, sized(name.encode()) + kinds))
        return self.metrics[name]


def deltas(rows: Iterable[tuple[int, ...]], delta_columns: int) -> bytes:
    """Rows whose first columns are differences to the row before, and the others plain."""
    rows = list(rows)
    out, before = varint(len(rows)), (0,) * delta_columns
    for row in rows:
        out += b"".join(signed_varint(row[i] - before[i]) for i in range(delta_columns))
        out += b"".join(map(varint, row[delta_columns:]))
        before = row[:delta_columns]
    return out


def on_clock(seconds: float) -> int:
    return START + round(seconds * SECOND)


def live_records(tracks: dict[int, Points]) -> list[bytes]:
    """A snapshot per moment, of the places that changed."""
    moments: dict[float, list[tuple[int, int]]] = {}
    for node, points in tracks.items():
        for time, size in points:
            moments.setdefault(time, []).append((node, size))
    return [
        varint(0) + signed_varint(on_clock(time)) + deltas(sorted(rows), 1)
        for time, rows in sorted(moments.items())
    ]


def lines_record(writer: MemoryWriter, lines: dict[str, dict[str, int]], end: int) -> bytes:
    names = sorted({name for figures in lines.values() for name in figures})
    metrics = [writer.metric(name) for name in names]
    out = signed_varint(end) + varint(0) + bytes([1]) + varint(len(metrics))
    out += b"".join(varint(metric) + varint(1) for metric in metrics) + varint(len(lines))
    before = (0, 0)
    for place, figures in lines.items():
        name, _, line = place.partition(":")
        key = (writer.code(0, name, f"/job/{name}.py"), int(line))
        out += signed_varint(key[0] - before[0]) + signed_varint(key[1] - before[1])
        out += b"".join(signed_varint(figures.get(name, 0)) for name in names)
        before = key
    return out


def memory_recording(
    memory: MemoryOfProcess, *, wall: float = 10, rank: int = -1, size: int = 0
) -> bytes:
    writer = MemoryWriter()
    end = on_clock(wall)
    for key, text in {"sys.path": "/job", **memory.attributes}.items():
        writer.records.append((ATTRIBUTE, sized(key.encode()) + sized(text.encode())))
    main = writer.string("MainThread")
    writer.records.append(
        (THREAD, varint(0) + varint(1) + bytes([0]) + varint(main) + signed_varint(START) + b"\0")
    )
    values = {
        writer.place(place): {writer.metric(name): value for name, value in figures.items()}
        for place, figures in memory.values.items()
    }
    tracks = {writer.place(place): points for place, points in memory.live.items()}
    lines = lines_record(writer, memory.lines, end) if memory.lines else b""
    regions = [
        (on_clock(start), writer.string(name), round(seconds * SECOND), 0, 0)
        for name, start, seconds in memory.regions
    ]
    numbers = [writer.string(name) for name in memory.counters]
    writer.records.append((NODES, writer.nodes_record()))
    if values:
        metrics = list(writer.metrics.values())
        writer.records.append((CHECKPOINT, checkpoint(values, metrics, end)))
    if lines:
        writer.records.append((CHECKPOINT, lines))
    writer.records += [(LIVE, record) for record in live_records(tracks)]
    if regions:
        writer.records.append((REGIONS, varint(0) + varint(1) + deltas(regions, 2)))
    for row, (name, points) in enumerate(zip(numbers, memory.counters.values(), strict=True)):
        rows = [(on_clock(time), value) for time, value in points]
        writer.records.append((COUNTER, varint(name) + bytes([BYTES])))
        writer.records.append((COUNTER_VALUES, varint(row) + varint(1) + deltas(rows, 2)))
    writer.records.append((END, signed_varint(end) + b"\0" + signed_varint(0)))
    frames = (frame(*record, row) for row, record in enumerate(writer.records))
    return header(pid=1000 + max(rank, 0), rank=rank, size=size) + b"".join(frames)


def write_memory_job(folder: Path, processes: list[MemoryOfProcess], *, wall: float = 10) -> Path:
    """A run directory of ranks."""
    shard = folder / "raw" / "000"
    shard.mkdir(parents=True)
    about = {"version": 1, "launch": "test:1", "argv": ["job.py"], "size": len(processes)}
    (folder / "RUN.json").write_text(json.dumps(about))
    for rank, memory in enumerate(processes):
        name = f"r{rank:07}-node07-{1000 + rank}-1.pyr"
        recorded = memory_recording(memory, wall=wall, rank=rank, size=len(processes))
        (shard / name).write_bytes(recorded)
    return folder


def leaking(scale: int = 1) -> MemoryOfProcess:
    """Loads 600 MiB, steps with temporaries, and remembers 10 MiB a second."""
    grown = [(tenth / 10, tenth * scale * MIB) for tenth in range(1, 101)]
    return MemoryOfProcess(
        values={
            "main:3;load:7": {
                "peak": 600 * MIB,
                "live": 600 * MIB,
                "allocated": 600 * MIB,
                "allocations": 2,
                "peak-numpy": 600 * MIB,
                "live-numpy": 600 * MIB,
                "allocated-numpy": 600 * MIB,
                "untouched": 200 * MIB,
            },
            "main:4;step:9": {
                "peak": 8 * MIB,
                "allocated": 20 * GIB,
                "allocations": 2560,
                "temporary": 20 * GIB,
                "allocated-native": 20 * GIB,
            },
            "main:4;remember:2": {
                "peak": 100 * scale * MIB,
                "live": 100 * scale * MIB,
                "allocated": 100 * scale * MIB,
                "allocations": 100,
            },
        },
        live={"main:3;load:7": [(0.5, 600 * MIB)], "main:4;remember:2": grown},
        counters={
            "heap": [(tenth / 10, (600 + tenth * scale) * MIB) for tenth in range(5, 101)],
            "memory": [(0.5, 300 * MIB), (5.0, 420 * MIB), (9.9, 500 * MIB)],
        },
        regions=[("assembly", 1, 3), ("solve", 4, 5)],
        attributes={
            "memory.mode": "exact",
            "memory.heap-peak": str((600 + 100 * scale) * MIB),
            "memory.heap-peak-time": str(11 * 10**9),  # 10 s after the start
            "memory.rss-peak": str(500 * MIB),
            "memory.limit": str(2 * GIB),
            "memory.physical": str(8 * GIB),
            "memory.sizes": "6:100 24:2560 30:2",
        },
    )
