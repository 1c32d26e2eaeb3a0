"""The settings of line_profiler: its TOML files, `[tool.line_profiler]` or `[tool.pyrometer]`."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Given: TypeAlias = str | os.PathLike[str] | bool | None
Table: TypeAlias = dict[str, Any]

NAMESPACES = ("line_profiler", "pyrometer")  # below [tool]; the second one wins
FILES = ("line_profiler.toml", "pyproject.toml")
VARIABLE = "LINE_PROFILER_RC"

DEFAULTS: Table = {
    "kernprof": {
        "line-by-line": False,
        "builtin": False,
        "rich": False,
        "skip-zero": False,
        "summarize": False,
        "preimports": True,
        "prof-imports": False,
        "verbose": 0,
        "outfile": "",
        "setup": "",
        "unit": 1e-6,
        "output-interval": 0,
        "prof-mod": [],
    },
    "cli": {
        "unit": 1e-6,
        "rich": False,
        "skip-zero": False,
        "sort": False,
        "summarize": False,
    },
    "setup": {
        "environ_flags": ["LINE_PROFILE"],
        "cli_flags": ["--line-profile", "--line_profile"],
    },
    "write": {
        "output_prefix": "profile_output",
        "lprof": True,
        "text": True,
        "timestamped_text": True,
        "stdout": True,
    },
    "show": {
        "sort": True,
        "stripzeros": True,
        "rich": True,
        "details": False,
        "summarize": True,
        "column_widths": {"line": 6, "hits": 9, "time": 12, "perhit": 8, "percent": 8},
    },
}


class Settings(NamedTuple):
    tables: Table
    path: Path | None  # where they come from; None for the defaults

    def options(self, name: str) -> Table:
        """Of a command, as its arguments are called."""
        return {key.replace("-", "_"): value for key, value in self.tables[name].items()}


def load_settings(config: Given = None) -> Settings:
    """Of the named file, or of the one that is looked up (None, True), or the defaults (False)."""
    if config is False:
        return Settings(_merge(DEFAULTS, {}), None)
    named = None if config is None or config is True else Path(config)
    for path in [named.absolute()] if named else _candidates():
        tables = _read(path)
        if tables is not None:
            return Settings(tables, path)
        if named and not named.exists():
            raise FileNotFoundError(f"There is no configuration file {named}.")
        if named:
            raise ValueError(f"{named} is no configuration file: not TOML, or a table is none.")
    return Settings(_merge(DEFAULTS, {}), None)


def _candidates() -> Iterator[Path]:
    named = os.environ.get(VARIABLE)
    if named:
        yield Path(named).absolute()
        return
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield from (folder / name for name in FILES)


def _read(path: Path) -> Table | None:
    """The settings with this file's values in them; None when it is not such a file."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    # Most projects' files have nothing for us, and a parser takes long to load.
    if not any(name.encode() in content for name in NAMESPACES):
        return _merge(DEFAULTS, {})
    import tomllib

    try:
        tool = tomllib.loads(content.decode()).get("tool", {})
        tables = DEFAULTS
        for name in NAMESPACES:
            tables = _merge(tables, tool.get(name, {}))
    except (ValueError, AttributeError, TypeError):
        return None
    return tables


def _merge(template: Table, given: Mapping[str, Any]) -> Table:
    """A copy of the template with the given values for its own keys."""
    merged = {}
    for key, default in template.items():
        value = given.get(key, default)
        if isinstance(default, dict):
            if not isinstance(value, Mapping):
                raise TypeError(f"{key} is not a table")
            value = _merge(default, value)
        elif isinstance(value, list):
            value = list(value)
        merged[key] = value
    return merged
