"""The decorator that stays in the program: `from pyrometer import profile`.

It does nothing until somebody records: LINE_PROFILE=1, `--line-profile`, profile.enable(),
kernprof or `pyrometer run --lines`. Nothing is imported before that.
"""

import builtins
import os
import sys
from _weakref import ref

TYPE_CHECKING = False  # typing itself takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any, TypeVar
    from weakref import ReferenceType

    from pyrometer._line_config import Given

    F = TypeVar("F")


USUAL_SETUP = {"environ_flags": ["LINE_PROFILE"], "cli_flags": ["--line-profile", "--line_profile"]}


class GlobalProfiler:
    """line_profiler's GlobalProfiler: hands functions to a LineProfiler, whose results are
    written at the end of the program, or to whoever records the program.
    """

    def __init__(self, config: "Given" = None) -> None:
        self.enabled: bool | None = None
        self._config = config
        self._tables: dict[str, Any] | None = None
        self._prefix: str | None = None
        self._profile: Any = None
        self._owner = 0  # pid of the process that shall write
        self._is_off = False  # because the program said so

    def __call__(self, func: "F") -> "F":
        """Measures a function, method or class if somebody records; returns it unchanged."""
        _remember(func)
        if self.enabled is None:
            self._set_up()
        if self.enabled:
            self._profile(func)
        elif not self._is_off and (recording := self._recording()) is not None:
            recording(func)  # it began after the first decoration
        return func

    def enable(self, output_prefix: str | None = None) -> None:
        """What is decorated from now on is measured; results are written at the end."""
        if output_prefix is not None:
            self.output_prefix = output_prefix
        recording = self._recording()
        if recording is not None:
            self._profile = recording
        elif self._profile is None:
            if is_child_of_multiprocessing():
                self.enabled = False  # it would write over its parent's results
                return
            import atexit

            from pyrometer.line_profiler import LineProfiler

            self._table("write")  # now, as the program may change the directory
            self._profile = LineProfiler()
            self._owner = os.getpid()
            atexit.register(self.show)
        self.enabled = True
        self._is_off = False

    def disable(self) -> None:
        """What is decorated from now on is not measured."""
        self.enabled = False
        self._is_off = True

    def show(self) -> None:
        """Writes what was measured: by default to standard output and to three files."""
        if self._profile is None or self._recording() is not None or os.getpid() != self._owner:
            return
        from pyrometer._explicit_output import write_results

        show = {**self.show_config, "config": self._config}
        write_results(self._profile, self.output_prefix, self.write_config, show)

    # ---- settings, which are read when they are needed

    @property
    def setup_config(self) -> "dict[str, Any]":
        """Which variables and arguments of the command line turn it on."""
        return self._table("setup")

    @property
    def write_config(self) -> "dict[str, Any]":
        """Which results are written."""
        return self._table("write")

    @property
    def show_config(self) -> "dict[str, Any]":
        """How they look, in the words of LineProfiler.print_stats()."""
        return self._table("show")

    @property
    def output_prefix(self) -> str:
        if self._prefix is None:
            self._table("write")
        return str(self._prefix)

    @output_prefix.setter
    def output_prefix(self, prefix: str) -> None:
        self._prefix = prefix

    def _table(self, name: str) -> "dict[str, Any]":
        if self._tables is None:
            from pyrometer._line_config import load_settings

            settings = load_settings(self._config)
            self._config = settings.path or False
            self._tables = settings.tables
            prefix = self._tables["write"].pop("output_prefix")
            self._prefix = prefix if self._prefix is None else self._prefix
            self._tables["show"].pop("column_widths")
        table: dict[str, Any] = self._tables[name]
        return table

    # ---- who records

    def _recording(self) -> "Any":
        """The decorator of `pyrometer run --lines`, if that is at work."""
        decorator = getattr(builtins, "profile", None)
        return decorator if hasattr(decorator, "__pyrometer__") else None

    def _set_up(self) -> None:
        """Decides at the first decoration."""
        if self._recording() is not None:
            self.enable()
            return
        may_differ = self._tables or self._config is not None or _has_settings()
        setup = self.setup_config if may_differ else USUAL_SETUP
        flags = any(flag in sys.argv for flag in setup["cli_flags"])
        if flags or any(is_set(variable) for variable in setup["environ_flags"]):
            self.enable()
        else:
            self.enabled = False

    def _kernprof_overwrite(self, profile: "Any") -> None:
        """kernprof has us hand functions to its own profiler, and writes them itself."""
        self._profile = profile
        self.enabled = profile is not None


_decorated: "dict[int, ReferenceType[Any]]" = {}


def _remember(target: object) -> None:
    """A recording may begin later. In the place of methods and properties, which nothing can
    refer to weakly, are the functions behind them.
    """
    try:
        references = [ref(target, _forget)]
    except TypeError:
        references = [ref(function, _forget) for function in _functions_behind(target)]
    _decorated.update((id(reference), reference) for reference in references)


def _functions_behind(target: object) -> "list[Any]":
    from pyrometer._line_targets import find_functions

    try:
        return list(find_functions(target))
    except TypeError:
        return []  # whoever measures says what is wrong with it


def _forget(reference: "Any", known: "Any" = _decorated) -> None:
    known.pop(id(reference), None)


def decorated_objects() -> "list[object]":
    """What was decorated and is still there."""
    found = [reference() for reference in _decorated.values()]
    return [target for target in found if target is not None]


def _has_settings() -> bool:
    """Whether a file may say otherwise; to parse it would cost every program that decorates."""
    if os.environ.get("LINE_PROFILER_RC"):
        return True
    folder, above = os.getcwd(), None  # noqa: PTH109  pathlib takes long to import
    while folder != above:
        for name in ("line_profiler.toml", "pyproject.toml"):
            try:
                with open(f"{folder}/{name}", "rb") as file:  # noqa: PTH123
                    content = file.read()
            except OSError:
                continue
            return b"line_profiler" in content or b"pyrometer" in content
        folder, above = os.path.dirname(folder), folder  # noqa: PTH120
    return False


def is_set(variable: str) -> bool:
    """Whether an environment variable says anything but no."""
    value = os.environ.get(variable, "")
    return value.casefold() not in ("", "0", "off", "false", "f", "no", "n")


def is_child_of_multiprocessing() -> bool:
    words = getattr(sys, "orig_argv", [])
    if any(word.startswith(("--multiprocessing", "from multiprocessing.")) for word in words):
        return True
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.current_process().name != "MainProcess"


profile = GlobalProfiler()
