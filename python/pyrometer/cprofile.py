"""cProfile with another word: the same functions, files and text, at less than half the cost.

    python -m pyrometer.cprofile [-o FILE] [-s KEY] [-m MODULE | SCRIPT] ARGUMENTS…

    from pyrometer.cprofile import Profile, run, runctx

Differences, all of them on purpose: the script's exit status is kept; functions that share file,
line and name are added up instead of hiding each other; `builtins=False` is obeyed by every
version; only the thread that enables a Profile is counted, also from 3.12 on, so that threads do
not spoil each other's figures; cProfile itself, coverage and debuggers can run at the same time
(from 3.12 on).
"""

import importlib.machinery
import io
import marshal
import pstats
import sys
import types
from collections.abc import Callable, Mapping
from optparse import OptionParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeAlias, TypeVar

from pyrometer._native import load_agent

if TYPE_CHECKING:
    from pyrometer._agent import Profiler
else:
    Profiler = load_agent().Profiler

__all__ = ["Profile", "run", "runctx"]

P = ParamSpec("P")
T = TypeVar("T")
Label: TypeAlias = tuple[str, int, str]
SortKey: TypeAlias = str | int | tuple[str | int, ...]


class Profile(Profiler):
    """Profile(timer=None, timeunit=0.0, subcalls=True, builtins=True)

    Counts and times every call of the thread that enables it. A timer of the caller's gives
    seconds, or integers of `timeunit` seconds each.
    """

    stats: dict[Label, tuple[Any, ...]]

    def print_stats(self, sort: SortKey = -1) -> None:
        keys: Any = sort if isinstance(sort, tuple) else (sort,)
        profile: Any = self  # pstats asks what it can do, not what it is
        pstats.Stats(profile).strip_dirs().sort_stats(*keys).print_stats()

    def dump_stats(self, file: str) -> None:
        with Path(file).open("wb") as out:
            self.create_stats()
            marshal.dump(self.stats, out)

    def create_stats(self) -> None:
        self.disable()
        self.snapshot_stats()

    def snapshot_stats(self) -> None:
        entries = self.getstats()
        self.stats = {}
        for entry in entries:
            label = _label(entry.code)
            *cost, callers = self.stats.get(label, (0, 0, 0.0, 0.0, {}))
            recursive = entry.reccallcount
            more = (entry.callcount - recursive, entry.callcount, entry.inlinetime, entry.totaltime)
            self.stats[label] = (*_sum(cost, more), callers)
        for entry in entries:
            caller = _label(entry.code)
            for called in entry.calls or ():
                # The callee itself may still be running: then it has no row yet.
                row = self.stats.get(_label(called.code))
                if row is not None:
                    callers = row[4]
                    primitive = called.callcount - called.reccallcount
                    more = (called.callcount, primitive, called.inlinetime, called.totaltime)
                    callers[caller] = _sum(callers.get(caller, (0, 0, 0.0, 0.0)), more)

    def run(self, cmd: str) -> Self:
        import __main__

        namespace = __main__.__dict__
        return self.runctx(cmd, namespace, namespace)

    def runctx(
        self,
        cmd: str | types.CodeType,
        globals: dict[str, Any],  # noqa: A002  as cProfile calls them
        locals: Mapping[str, Any] | None,  # noqa: A002
    ) -> Self:
        self.enable()
        try:
            exec(cmd, globals, locals)
        finally:
            self.disable()
        return self

    def runcall(self, func: Callable[P, T], /, *args: P.args, **kw: P.kwargs) -> T:
        self.enable()
        try:
            return func(*args, **kw)
        finally:
            self.disable()

    def __enter__(self) -> Self:
        self.enable()
        return self

    def __exit__(self, *exception: object) -> None:
        self.disable()


def run(statement: str, filename: str | None = None, sort: SortKey = -1) -> None:
    """Runs a statement in `__main__`; prints what it cost, or writes it to a file."""
    import __main__

    namespace = __main__.__dict__
    runctx(statement, namespace, namespace, filename, sort)


def runctx(
    statement: str | types.CodeType,
    globals: dict[str, Any],  # noqa: A002
    locals: Mapping[str, Any] | None,  # noqa: A002
    filename: str | None = None,
    sort: SortKey = -1,
) -> None:
    """Like run(), in other namespaces."""
    profile = Profile()
    try:
        profile.runctx(statement, globals, locals)
    except SystemExit:
        pass
    finally:
        _write(profile, filename, sort)


def _write(profile: Profile, filename: str | None, sort: SortKey) -> None:
    if filename is not None:
        profile.dump_stats(filename)
    else:
        profile.print_stats(sort)


def _label(code: types.CodeType | str) -> Label:
    if isinstance(code, str):
        return ("~", 0, code)  # a built-in function
    return (code.co_filename, code.co_firstlineno, code.co_name)


def _sum(one: Any, other: Any) -> tuple[Any, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _parser() -> OptionParser:
    parser = OptionParser(
        usage="python -m pyrometer.cprofile [-o output_file_path] [-s sort] "
        "[-m module | scriptfile] [arg] ..."
    )
    parser.allow_interspersed_args = False
    parser.add_option("-o", "--outfile", help="Save stats to <outfile>")
    parser.add_option(
        "-s",
        "--sort",
        default=2,
        choices=sorted(pstats.Stats.sort_arg_dict_default),
        help="Sort order when printing to stdout, based on pstats.Stats class",
    )
    parser.add_option(
        "-m", dest="module", action="store_true", default=False, help="Profile a library module"
    )
    return parser


def _module_code(name: str) -> tuple[str, dict[str, Any]]:
    import runpy

    code = "run_module(modname, run_name='__main__')"
    return code, {"run_module": runpy.run_module, "modname": name}


def _script_code(script: str) -> tuple[types.CodeType, dict[str, Any]]:
    """The script in a real `__main__`, so that it can be imported and pickled from."""
    with io.open_code(script) as file:
        code = compile(file.read(), script, "exec")
    sys.path.insert(0, str(Path(script).parent) if "/" in script else "")
    spec = importlib.machinery.ModuleSpec("__main__", None, origin=script)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    names = {"__spec__": None, "__file__": spec.origin, "__package__": None, "__cached__": None}
    module.__dict__.update(names)
    return code, module.__dict__


def _write_or_say(profile: Profile, outfile: str | None, sort: SortKey) -> bool:
    """A file that cannot be written is one sentence, and the program's own ending stays."""
    try:
        _write(profile, outfile, sort)
    except OSError as error:
        if outfile is None:
            raise
        print(f"pyrometer.cprofile: cannot write {outfile}: {error.strerror}.", file=sys.stderr)
        return False
    return True


def main() -> int:
    parser = _parser()
    if not sys.argv[1:]:
        parser.print_usage()
        return 2
    options, arguments = parser.parse_args()
    sys.argv[:] = arguments
    if not arguments:
        parser.print_usage()
        return 0
    # The script may change the directory.
    outfile = None if options.outfile is None else str(Path(options.outfile).absolute())
    try:
        code, namespace = (_module_code if options.module else _script_code)(arguments[0])
    except OSError as error:
        print(f"pyrometer.cprofile: {arguments[0]}: {error.strerror}.", file=sys.stderr)
        return 2
    profile = Profile()
    is_written = True
    try:
        try:
            profile.runctx(code, namespace, None)
        finally:
            is_written = _write_or_say(profile, outfile, options.sort)
    except BrokenPipeError as error:
        # Nothing more to say, and nothing to complain of at shutdown.
        sys.stdout = None
        return error.errno or 1
    return 0 if is_written else 1


if __name__ == "__main__":
    sys.exit(main())
