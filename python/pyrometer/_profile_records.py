"""What a profile consists of, as plain records.

Times are in seconds. `self`, `total` and `value` are of the profile's metric, in its unit
(`metadata.unit`: seconds, bytes or count): `self` without what was called, `total` with it.
"""

from typing import NamedTuple


class ProfileMetadata(NamedTuple):
    """What is known of the profile as a whole."""

    profiles: tuple[str, ...]
    metric: str
    unit: str  # seconds, bytes or count
    metrics: tuple[str, ...]  # what load(metric=...) may choose
    total: float  # the metric over everything
    wall_seconds: float  # of the longest process; 0 when unknown
    calls: int  # 0 when not counted
    samples: int  # 0 when not sampled
    sampled: bool  # values are estimates
    paths_estimated: bool  # from callers and callees, as in cProfile's files


class FindingRecord(NamedTuple):
    """What the profile says in words."""

    id: str
    kind: str  # warning, hot or hint
    sentence: str
    share: float  # of the metric, from 0 to 1


class FunctionRecord(NamedTuple):
    """A function over all its calls; recursion counts once."""

    name: str  # qualified, where that is known
    file: str
    line: int  # its first; 0 when unknown
    kind: str  # python, builtin, native or label
    self: float
    total: float
    self_share: float
    total_share: float
    calls: int
    primitive_calls: int
    samples: int  # that saw it running itself
    stack_samples: int  # that saw it anywhere on the stack
    module_file: str  # relative to the module search path: equal on every machine


class LineRecord(NamedTuple):
    """A line of source."""

    function: str
    file: str
    line: int
    self: float
    total: float
    hits: int  # 0 when not counted
    samples: int
    source: str  # without indentation; empty when it cannot be had


class PathRecord(NamedTuple):
    """A function as reached along one path of calls; callers come before callees."""

    parent: int  # the row of the caller; -1 for a root
    depth: int  # 0 for a root
    function: str
    file: str
    line: int  # the function's first
    self: float
    total: float


class ProcessRecord(NamedTuple):
    """A process that was recorded."""

    rank: int | None
    host: str
    pid: int
    status: str  # finished, killed, truncated or damaged
    exit_status: int | None
    start_seconds: float  # since 1970; 0 when unknown
    duration_seconds: float
    value: float
    source: str  # the file it was loaded from


class RankRecord(NamedTuple):
    """A rank of a parallel job, with its children."""

    rank: int
    host: str
    pid: int
    processes: int
    wall_seconds: float
    useful_seconds: float  # on a CPU, outside MPI
    mpi_seconds: float
    mpi_wait_seconds: float
    io_seconds: float
    sleep_seconds: float
    runnable_seconds: float
    samples: int
    status: str
    exit_status: int | None


class RankFunctionRecord(NamedTuple):
    """The useful time of a function in seconds, with what it calls, across all ranks."""

    name: str
    file: str
    line: int
    mean: float
    deviation: float
    minimum: float
    minimum_rank: int
    maximum: float
    maximum_rank: int
    imbalance: float  # the maximum over the mean
    cost: float  # the maximum beyond the mean
    share: float  # the cost over the time of the job
    effective_ranks: float
    samples: int
    certain: bool  # sampling noise does not explain the imbalance


class RegionRecord(NamedTuple):
    """A named region of the program in one process, over all its calls."""

    name: str
    process: int  # a row of the processes
    calls: int
    duration_seconds: float
    increment_bytes: int  # of memory; 0 when not measured


class TaskRecord(NamedTuple):
    """Tasks of asyncio with one name, and where they wait most."""

    name: str
    tasks: int  # that were seen
    work_seconds: float  # of CPU
    blocked_seconds: float  # in calls that kept the event loop waiting
    waiting_seconds: float  # suspended
    ready_seconds: float  # of that, only for the event loop
    longest_step_seconds: float  # without giving the event loop a turn
    awaited: str  # what most of the waiting is for; empty where that is not known
    function: str  # and where
    file: str
    line: int


class MemoryRecord(NamedTuple):
    """What a line allocated."""

    function: str
    file: str
    line: int
    peak_bytes: int  # held when the process had most
    live_bytes: int  # not freed at the end
    live_blocks: int
    allocated_bytes: int  # ever
    allocations: int
    temporary_bytes: int  # freed again within 0.1 s
    untouched_bytes: int  # live, in pages that were never used
    copied_bytes: int  # by memcpy and its relatives
    copies: int
    peak_numpy_bytes: int
    peak_native_bytes: int
    live_numpy_bytes: int
    live_native_bytes: int
    allocated_numpy_bytes: int
    allocated_native_bytes: int
    called_from: str  # of a library's code, the user's line: "file:line"


class MemoryLineRecord(NamedTuple):
    """The memory of a line that was measured each time it ran."""

    function: str
    file: str
    line: int
    hits: int
    memory_bytes: int  # of the whole process after the line, the most
    increment_bytes: int  # over all visits
    peak_bytes: int | None  # above what there was when the line began
    temporary_bytes: int | None  # allocated and freed again within the line
    source: str


class MemoryPointRecord(NamedTuple):
    """The memory of a process at a moment."""

    process: int  # a row of the processes
    of: str  # resident or heap
    seconds: float  # since the first process began
    bytes: int
