"""line_profiler with another word: the same classes, files and text, at a twentieth of the cost.

    python -m pyrometer.line_profiler [-u UNIT] [-r] [-z] [-t] [-m] FILE.lprof…

    from pyrometer.line_profiler import LineProfiler, load_stats, show_text

Differences, all of them on purpose: functions are given other code instead of wrappers, so a
decorated function stays the same object, costs next to nothing to call, and is measured at every
call, in every thread; functions that were added count while the profiler is enabled, and from the
first decoration on; files are read without unpickling. docs/guides/line_profiler.md has the
reasons.
"""

from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from pyrometer._line_config import Given
from pyrometer._line_stats import LineStats, PathLike, load_stats
from pyrometer._line_targets import add_members, find_functions, to_policies
from pyrometer._line_text import Writable, get_code_block, is_generated_code, show_func, show_text
from pyrometer._lprof import Label, LprofError
from pyrometer._measured_functions import Measured, label_of, rewrite_tree
from pyrometer._native import load_agent
from pyrometer._warning import warn

if TYPE_CHECKING:
    from pyrometer._agent import LineTimes

__all__ = [
    "LineProfiler",
    "LineStats",
    "LprofError",
    "get_code_block",
    "is_generated_code",
    "load_stats",
    "main",
    "show_func",
    "show_text",
]

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F")


class LineProfiler:
    """LineProfiler(*functions)

    Counts and times every line of the functions it is given, in all threads.
    """

    timer_unit = 1e-9

    def __init__(
        self,
        *functions: object,
        wrap_trace: bool | None = None,
        set_frame_local_trace: bool | None = None,
    ) -> None:
        # There is no trace function, so these change nothing.
        self.wrap_trace = bool(wrap_trace)
        self.set_frame_local_trace = bool(set_frame_local_trace)
        self.enable_count = 0
        self._times: LineTimes = load_agent().LineTimes()
        self._measured = Measured(self._times)
        self._is_decorating = False
        for function in functions:
            self.add_function(function)

    # ---- what to measure

    def __call__(self, func: F) -> F:
        """As a decorator: measured from now on, at every call; the same object is returned."""
        self.add_callable(func)
        self._is_decorating = True
        self._start()
        return func

    wrap_callable = __call__

    def add_function(self, func: object) -> None:
        """Just this function, also where it stands for another one."""
        inner = func.__func__ if isinstance(func, MethodType) else func
        if not isinstance(inner, FunctionType):
            self.add_callable(func)
            return
        if hasattr(inner, "__wrapped__"):
            warn(
                f"{inner.__qualname__} stands for another function; to measure that one, add "
                f"{inner.__qualname__}.__wrapped__, or use add_callable()."
            )
        self._add([inner])

    def add_callable(
        self,
        func: object,
        guard: Callable[[Any], bool] | None = None,
        name: str | None = None,  # noqa: ARG002  line_profiler's logs have it
    ) -> int:
        """The functions behind anything that can be called; 1 if there are any, else 0.

        `guard` says of a function that it shall be left out.
        """
        problems: list[str] = []
        found = find_functions(func, problems)
        for problem in problems:
            warn(problem)
        return self._add([each for each in found if guard is None or not guard(each)])

    def add_class(
        self,
        cls: type,
        *,
        scoping_policy: str | dict[str, str] | None = None,
        wrap: bool = False,
    ) -> int:
        """The members of a class; how many. `wrap` measures them from now on."""
        return self._add_members(cls, scoping_policy, wrap)

    def add_module(
        self,
        mod: ModuleType,
        *,
        scoping_policy: str | dict[str, str] | None = None,
        wrap: bool = False,
    ) -> int:
        """The functions and classes of a module; how many. `wrap` measures them from now on."""
        return self._add_members(mod, scoping_policy, wrap)

    def add_imported_function_or_module(
        self,
        item: object,
        *,
        scoping_policy: str | dict[str, str] | None = None,
        wrap: bool = False,
    ) -> int:
        """Anything, measured from now on; 1 if there was something to measure, else 0."""
        try:
            if isinstance(item, type | ModuleType):
                count = self._add_members(item, scoping_policy, wrap)
            else:
                count = self.add_callable(item)
        except TypeError:
            return 0
        if count:
            self.enable_by_count()
        return min(count, 1)

    def add_code(self, code: CodeType) -> CodeType:
        """A module's code with all functions in it measured, to be run in the place of it."""
        return rewrite_tree(code, self._rewrite)

    def add_statements(self, code: CodeType) -> CodeType:
        """The same with the module's own statements measured, and no function in it."""
        return self._rewrite(code)

    def _rewrite(self, code: CodeType) -> CodeType:
        self._measured.codes[id(code)] = code
        return self._measured.rewrite(code)

    def _add(self, functions: list[FunctionType]) -> int:
        for function in functions:
            self._measured.add(function)
        self._warn()
        return min(len(functions), 1)

    def _add_members(
        self, space: type | ModuleType, policy: str | dict[str, str] | None, wrap: bool
    ) -> int:
        count = add_members(
            space, to_policies(policy), lambda member: bool(self.add_callable(member))
        )
        if wrap and count:
            self._is_decorating = True
            self._start()
        return count

    # ---- when to measure

    def enable(self) -> None:
        """Every function that was added is measured, those that are running too."""
        self._start()

    def disable(self) -> None:
        """Every function gets its own code back; enable() goes on where this stopped."""
        self._is_decorating = False
        self._measured.stop()

    def enable_by_count(self) -> None:
        if self.enable_count == 0:
            self._start()
        self.enable_count += 1

    def disable_by_count(self) -> None:
        """The last one stops the measuring, but of functions that were decorated."""
        if self.enable_count > 0:
            self.enable_count -= 1
            if self.enable_count == 0 and not self._is_decorating:
                self._measured.stop()

    def __enter__(self) -> Self:
        self.enable_by_count()
        return self

    def __exit__(self, *exception: object) -> None:
        self.disable_by_count()

    def run(self, cmd: str) -> Self:
        """Runs a statement in `__main__`."""
        import __main__

        return self.runctx(cmd, __main__.__dict__, __main__.__dict__)

    def runctx(
        self,
        cmd: str | CodeType,
        globals: dict[str, Any],  # noqa: A002  as line_profiler calls them
        locals: Mapping[str, Any] | None,  # noqa: A002
    ) -> Self:
        with self:
            exec(cmd, globals, locals)
        return self

    def runcall(self, func: Callable[P, T], /, *args: P.args, **kw: P.kwargs) -> T:
        with self:
            return func(*args, **kw)

    def _start(self) -> None:
        self._measured.start()
        self._warn()

    def _warn(self) -> None:
        while self._measured.refusals:
            warn(self._measured.refusals.pop(0))

    # ---- what was measured

    @property
    def functions(self) -> list[FunctionType]:
        """Those that were added and are still alive."""
        return self._measured.functions

    @property
    def code_map(self) -> dict[CodeType, dict[int, dict[str, Any]]]:
        """Of each code object that ran, by line; a copy."""
        return {
            code: {
                line: {"code": code, "lineno": line, "total_time": time, "nhits": hits}
                for line, hits, time, _ in rows
            }
            for code, _, rows in self._times.stats()
        }

    @property
    def code_hash_map(self) -> dict[CodeType, list[int]]:
        """line_profiler's, without the hashes, as lines are not told by them here."""
        return {code: [] for code in list(self._measured.codes.values())}

    @property
    def engines(self) -> dict[Label, str]:
        """How each function was measured: "rewritten", "events" or "trace function"."""
        return {label_of(code): engine for code, engine, _ in self._times.stats()}

    @property
    def has_targets(self) -> bool:
        """Whether anything was ever given to be measured."""
        return bool(self._measured.codes)

    def get_stats(self) -> LineStats:
        """All that was added, also what never ran. Times are inclusive, in nanoseconds."""
        totals: dict[Label, dict[int, tuple[int, int]]] = {}
        for code in list(self._measured.codes.values()):
            totals.setdefault(label_of(code), {})
        for code, _, rows in self._times.stats():
            lines = totals.setdefault(label_of(code), {})
            for line, hits, time, _ in rows:
                other_hits, other_time = lines.get(line, (0, 0))
                lines[line] = (hits + other_hits, time + other_time)
        timings = {
            label: [(line, hits, time) for line, (hits, time) in sorted(lines.items()) if hits]
            for label, lines in totals.items()
        }
        return LineStats(timings, self.timer_unit)

    def clear(self) -> None:
        """Forgets what was measured, not what is to be measured."""
        self._times.clear()

    def dump_stats(self, filename: PathLike) -> None:
        """Writes a `.lprof` file, which line_profiler loads too."""
        self.get_stats().to_file(filename)

    def print_stats(
        self,
        stream: Writable | None = None,
        output_unit: float | None = None,
        stripzeros: bool = False,
        details: bool = True,
        summarize: bool = False,
        sort: bool = False,
        rich: bool = False,
        *,
        config: Given = None,
    ) -> None:
        """Writes the tables, to standard output unless told otherwise."""
        stats = self.get_stats()
        stats.print(stream, output_unit, stripzeros, details, summarize, sort, rich, config=config)


def main() -> None:
    """The command `python -m pyrometer.line_profiler`."""
    from pyrometer._line_viewer import view

    view()


if __name__ == "__main__":
    main()
