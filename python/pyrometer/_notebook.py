"""`%load_ext pyrometer`: the magics of IPython and Jupyter, one file each."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeAlias

from IPython.core.error import UsageError
from IPython.core.magic import no_var_expand, output_can_be_silenced

from pyrometer._native import load_agent

Magic: TypeAlias = Callable[[Any, str, str | None], object]  # of shell, line and cell

MAGICS = {
    "pyrun": "_notebook_run",
    "lprun": "_notebook_lines",
    "mprun": "_notebook_memory",
    "memit": "_notebook_memit",
    "pyprof": "_notebook_calls",
}


def load_ipython_extension(shell: Any) -> None:
    """Called by IPython. Other packages' magics of the same names are replaced."""
    try:
        load_agent()
    except ImportError as error:
        raise UsageError(f"%load_ext pyrometer: {error}") from None
    for name, module in MAGICS.items():
        magic = getattr(import_module(f"pyrometer.{module}"), name)
        shell.register_magic_function(_bind(magic, shell), magic_kind="line_cell", magic_name=name)


def _bind(magic: Magic, shell: Any) -> Any:
    @wraps(magic)
    def run(line: str, cell: str | None = None) -> object:
        __tracebackhide__ = True
        return magic(shell, line, cell)

    # A statement may have braces and dollar signs of its own.
    return output_can_be_silenced(no_var_expand(run))
