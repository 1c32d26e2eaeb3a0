"""Rows of the executable's JSON become records: nanoseconds become seconds, names stay."""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, TypeAlias

from pyrometer._record_table import Record, RecordTable

Row: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Row], Any]

# What is in the unit of the document's metric.
MEASURED = {"cost", "deviation", "maximum", "mean", "minimum", "self", "total", "value"}


def read_table(
    kind: type[Record], rows: Iterable[Row], unit: str = "", **special: Reader
) -> RecordTable[Record]:
    """Each field comes from the member of its name, unless it is a special one."""
    fields = kind.__annotations__
    readers = [special.get(name) or _reader_of(name, unit) for name in fields]
    return RecordTable(kind, (kind(*[read(row) for read in readers]) for row in rows))


def in_base_unit(value: int, unit: str) -> float:
    return value / 1e9 if unit == "ns" else float(value)


def _reader_of(name: str, unit: str) -> Reader:
    if name in MEASURED:
        return lambda row: in_base_unit(row[name], unit)
    if name.endswith("_seconds"):
        member = name.removesuffix("seconds") + "ns"
        return lambda row: in_base_unit(row[member], "ns")
    return itemgetter(name)
