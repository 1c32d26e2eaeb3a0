"""`pyrometer.load`: a profile as tables of plain records.

The executable reads the files, so whatever it understands can be loaded.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias

from pyrometer._profile_query import Document, ask
from pyrometer._profile_records import (
    FindingRecord,
    FunctionRecord,
    LineRecord,
    MemoryLineRecord,
    MemoryPointRecord,
    MemoryRecord,
    PathRecord,
    ProcessRecord,
    ProfileMetadata,
    RankFunctionRecord,
    RankRecord,
    RegionRecord,
    TaskRecord,
)
from pyrometer._record_reading import Row, in_base_unit, read_table
from pyrometer._record_table import RecordTable

Name: TypeAlias = str | os.PathLike[str]

WHOLE_TREE = ["--tree", "--depth", str(2**32 - 1), "--min-share", "0", "--no-fold"]
UNIT_NAMES = {"ns": "seconds"}
# Of these at least one is measured where memory is.
MEMORY_METRICS = {"allocated", "increment", "live", "memory", "peak"}


def load(profile: Name, *more: Name, metric: str | None = None) -> "LoadedProfile":
    """A run directory, a merged file, or a file of any profiler that Pyrometer reads; several are
    added up. `metric` is one of `metadata.metrics`, by default what a report is about. LoadError
    says why a profile cannot be read.
    """
    # The program may be in another directory when it asks for a table.
    profiles = tuple(os.path.abspath(name) for name in (profile, *more))  # noqa: PTH100
    return LoadedProfile(profiles, metric)


class LoadedProfile:
    """Tables of one profile. Functions, processes, regions, tasks and findings are there at once;
    the others are read from the files when they are first asked for.
    """

    def __init__(self, profiles: tuple[str, ...], metric: str | None = None) -> None:
        self._profiles = profiles
        self._metric_words = () if metric is None else (f"--metric={metric}",)
        self._report = self._ask_report()
        self._unit: str = self._report["unit"]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self._profiles)}>"

    @cached_property
    def metadata(self) -> ProfileMetadata:
        report, totals = self._report, self._report["totals"]
        return ProfileMetadata(
            profiles=self._profiles,
            metric=report["metric"],
            unit=UNIT_NAMES.get(self._unit, self._unit),
            metrics=tuple(metric["name"] for metric in report["metrics"]),
            total=in_base_unit(totals["self"], self._unit),
            wall_seconds=in_base_unit(totals["wall_ns"], "ns"),
            calls=totals["calls"],
            samples=totals["samples"],
            sampled=report["sampled"],
            paths_estimated=report["paths_estimated"],
        )

    @cached_property
    def findings(self) -> RecordTable[FindingRecord]:
        """In words, warnings about the data first."""
        return read_table(FindingRecord, self._report["findings"])

    @cached_property
    def functions(self) -> RecordTable[FunctionRecord]:
        """The largest `self` first."""
        rows = self._report["functions"]
        return read_table(FunctionRecord, rows, self._unit, name=_qualified_name)

    @cached_property
    def processes(self) -> RecordTable[ProcessRecord]:
        return read_table(ProcessRecord, self._report["processes"], self._unit)

    @cached_property
    def regions(self) -> RecordTable[RegionRecord]:
        """Empty where the program named none."""
        rows = self._report.get("regions", ())
        return read_table(RegionRecord, rows, increment_bytes=lambda row: row.get("increment", 0))

    @cached_property
    def tasks(self) -> RecordTable[TaskRecord]:
        """Those with most time first; empty where the program runs no event loop."""
        rows = [{**row, **_longest_wait(row)} for row in self._report.get("tasks", ())]
        return read_table(TaskRecord, rows, tasks=itemgetter("count"))

    @cached_property
    def lines(self) -> RecordTable[LineRecord]:
        """The largest `self` first; empty where no lines were recorded."""
        return read_table(LineRecord, self._ask_report("--lines")["lines"], self._unit)

    @cached_property
    def paths(self) -> RecordTable[PathRecord]:
        """The call tree; `stack` gives all of one path."""
        rows = self._ask_report(*WHOLE_TREE, "--limit=1")["tree"]  # that limits the functions
        depths = _depths(rows)
        return read_table(PathRecord, rows, self._unit, depth=lambda _: next(depths))

    def stack(self, path: PathRecord) -> tuple[PathRecord, ...]:
        """From the root to this call."""
        stack = [path]
        while stack[-1].parent >= 0:
            stack.append(self.paths[stack[-1].parent])
        return tuple(reversed(stack))

    @cached_property
    def ranks(self) -> RecordTable[RankRecord]:
        """Empty where no launcher started the program."""
        return read_table(RankRecord, self._rank_document["ranks"])

    @cached_property
    def rank_functions(self) -> RecordTable[RankFunctionRecord]:
        """The costliest imbalance first."""
        document = self._rank_document
        return read_table(RankFunctionRecord, document["functions"], document["unit"])

    @cached_property
    def memory(self) -> RecordTable[MemoryRecord]:
        """Who allocated; empty where that was not recorded."""
        return read_table(MemoryRecord, self._memory_document["sites"], called_from=_caller)

    @cached_property
    def memory_lines(self) -> RecordTable[MemoryLineRecord]:
        """Lines whose memory was measured whenever they ran."""
        rows = (
            {"peak_bytes": None, "temporary_bytes": None, "source": "", **line}
            | {"function": function["name"], "file": function["file"]}
            for function in self._memory_document["functions"]
            for line in function["lines"]
        )
        return read_table(MemoryLineRecord, rows)

    @cached_property
    def memory_over_time(self) -> RecordTable[MemoryPointRecord]:
        return RecordTable(
            MemoryPointRecord,
            (
                MemoryPointRecord(series["process"], series["of"], in_base_unit(time, "ns"), size)
                for series in self._memory_document["series"]
                for time, size in series["points"]
            ),
        )

    @cached_property
    def _rank_document(self) -> Document:
        if all(process.rank is None for process in self.processes):
            return {"unit": "ns", "ranks": (), "functions": ()}
        return ask("ranks", self._profiles)

    @cached_property
    def _memory_document(self) -> Document:
        if MEMORY_METRICS.intersection(self.metadata.metrics) or self._report.get("counters"):
            return ask("memory", self._profiles)
        return {"sites": (), "functions": (), "series": ()}

    def _ask_report(self, *words: str) -> Document:
        return ask("report", self._profiles, *self._metric_words, *words)


def _qualified_name(row: Row) -> str:
    name: str = row["qualified_name"] or row["name"]
    return name


def _caller(row: Row) -> str:
    place = row["called_from"]
    return f"{place['file']}:{place['line']}" if place else ""


def _longest_wait(row: Row) -> Row:
    wait: Row = row["waits"][0] if row["waits"] else {"awaited": "", "place": None}
    place: Row = wait["place"] or {"function": "", "file": "", "line": 0}
    return {"awaited": wait["awaited"], **place}


def _depths(rows: Iterable[Row]) -> Iterator[int]:
    """Of each row, whose parent comes before it."""
    known: list[int] = []
    for row in rows:
        known.append(known[row["parent"]] + 1 if row["parent"] >= 0 else 0)
        yield known[-1]
