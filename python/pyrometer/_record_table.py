"""Records of one kind, in order: a sequence that becomes a data frame or an array on request."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from types import UnionType
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints, overload

Record = TypeVar("Record", bound=tuple[Any, ...])


class ColumnTypes(NamedTuple):
    """How libraries keep a column; `numpy` has no integers that may be missing."""

    numpy: str
    pandas: str


TEXT = ColumnTypes("object", "str")
OBJECT = ColumnTypes("object", "object")
COLUMN_TYPES: dict[type, ColumnTypes] = {
    bool: ColumnTypes("bool", "bool"),
    float: ColumnTypes("float64", "float64"),
    int: ColumnTypes("int64", "int64"),
    str: TEXT,
}
OPTIONAL_TYPES: dict[type, ColumnTypes] = {
    float: ColumnTypes("float64", "float64"),
    int: ColumnTypes("float64", "Int64"),
    str: OBJECT,
}


class RecordTable(Sequence[Record], Generic[Record]):
    """Immutable. A slice of it is a table again."""

    def __init__(self, kind: type[Record], records: Iterable[Record]) -> None:
        self._kind = kind
        self._records = tuple(records)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the records' fields."""
        return tuple(get_type_hints(self._kind))

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary for each record."""
        columns = self.columns
        return [dict(zip(columns, record, strict=True)) for record in self._records]

    def to_numpy(self) -> Any:
        """A structured array; what is missing in a column of numbers is NaN."""
        numpy = _library("numpy", "to_numpy()")
        types = {name: types.numpy for name, types in self._column_types().items()}
        array = numpy.empty(len(self), dtype=list(types.items()))
        for name, values in self._values():
            array[name] = values
        return array

    def to_pandas(self) -> Any:
        """A DataFrame; integers that may be missing are pandas' own `Int64`."""
        pandas = _library("pandas", "to_pandas()")
        types = self._column_types()
        return pandas.DataFrame(
            {
                name: pandas.Series(values, dtype=types[name].pandas)
                for name, values in self._values()
            }
        )

    def _values(self) -> Iterator[tuple[str, list[Any]]]:
        for position, name in enumerate(self.columns):
            yield name, [record[position] for record in self._records]

    def _column_types(self) -> dict[str, ColumnTypes]:
        return {name: _types_of(hint) for name, hint in get_type_hints(self._kind).items()}

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> "RecordTable[Record]": ...
    def __getitem__(self, index: int | slice) -> "Record | RecordTable[Record]":
        if isinstance(index, slice):
            return RecordTable(self._kind, self._records[index])
        return self._records[index]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordTable):
            return NotImplemented
        return self._kind is other._kind and self._records == other._records

    def __hash__(self) -> int:
        return hash(self._records)

    def __repr__(self) -> str:
        return f"<{len(self)} x {self._kind.__name__}({', '.join(self.columns)})>"


def _types_of(hint: Any) -> ColumnTypes:
    if isinstance(hint, UnionType):
        return OPTIONAL_TYPES[get_args(hint)[0]]
    return COLUMN_TYPES.get(hint, OBJECT)


def _library(name: str, user: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"{user} needs {name}, which is not installed: 'pip install {name}', or use "
            "to_dicts(), which needs nothing",
            name=name,
        ) from None
