"""What came of the rounds on one program with one Python."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.ratios import Ratio, compare
from harness.rounds import Entry, Run

KEPT = 0.8  # of the rate asked for, to count as that rate


@dataclass(frozen=True)
class Result:
    """A contender against the plain program; the ratios are None when it never succeeded."""

    name: str
    version: str
    failure: str = ""  # the last one
    failed_rounds: int = 0
    cpu: Ratio | None = None  # of all processes, from start to end
    wall: Ratio | None = None
    own_cpu: Ratio | None = None  # of the program's work, as the program measured it
    # CPU seconds more than without the tool that the program's own measure does not see:
    # the tool's process, if it is one, and what it does before and after the program's work.
    outside: float = 0
    seconds: float = 0  # CPU, median
    sampled: float | None = None  # samples per CPU second of the program's work, median
    rate: int | None = None  # that it was asked for
    peak: float = 0  # bytes, most
    most: float | None = None  # the promised CPU ratio

    @property
    def verdict(self) -> str:
        """On the promise: met and missed only when the interval says so too.

        A promise for a rate says nothing when the rate was not kept.
        """
        if self.most is None or self.cpu is None:
            return ""
        if self.cpu.low is not None and self.cpu.low > self.most:
            return "missed"
        if self.sampled is not None and self.rate and self.sampled < KEPT * self.rate:
            return f"not shown, as only {self.sampled:.0f} Hz were kept"
        if self.cpu.high is not None and self.cpu.high <= self.most:
            return "met"
        return "met, within noise" if self.cpu.median <= self.most else "missed, within noise"


@dataclass(frozen=True)
class Comparison:
    program: str
    python: str
    rounds: int
    results: Sequence[Result]

    def as_json(self) -> dict[str, Any]:
        document = asdict(self)
        for entry, result in zip(document["results"], self.results, strict=True):
            entry["verdict"] = result.verdict
        return document


def outside(runs: Sequence[Run]) -> float:
    return statistics.median(run.cost.cpu - run.own_cpu for run in runs)


def sampled(runs: Sequence[Run]) -> float | None:
    rates = [run.samples / run.own_cpu for run in runs if run.samples is not None and run.own_cpu]
    return statistics.median(rates) if rates else None


def make_result(entry: Entry, plain: Entry) -> Result:
    contender = entry.contender
    pairs = [
        (run, reference)
        for run, reference in zip(entry.runs, plain.runs, strict=False)
        if run is not None and reference is not None
    ]
    if not pairs:
        failure = entry.failure or "did not run"
        return Result(contender.name, entry.version, failure, most=contender.most)
    runs = [run for run, _ in pairs]
    references = [reference for _, reference in pairs]
    return Result(
        contender.name,
        entry.version,
        entry.failure,
        failed_rounds=entry.runs.count(None),
        cpu=compare([r.cost.cpu for r in runs], [r.cost.cpu for r in references]),
        wall=compare([r.cost.wall for r in runs], [r.cost.wall for r in references]),
        own_cpu=compare([r.own_cpu for r in runs], [r.own_cpu for r in references]),
        outside=outside(runs) - outside(references),
        seconds=statistics.median(r.cost.cpu for r in runs),
        sampled=sampled(runs),
        rate=contender.rate,
        peak=max(r.cost.peak for r in runs),
        most=contender.most,
    )


def compare_entries(entries: Sequence[Entry], program: str, python: str, rounds: int) -> Comparison:
    """The first entry is the plain program, which the others are compared with."""
    plain = entries[0]
    if None in plain.runs or not plain.runs:
        raise RuntimeError(f"{program} fails without any profiler: {plain.failure}")
    return Comparison(program, python, rounds, [make_result(entry, plain) for entry in entries])
