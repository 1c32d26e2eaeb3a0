"""Loads the part of Pyrometer that lives inside a Python process."""

import sys
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from pyrometer._executable import NOT_FOUND, find_executable

NAME = "pyrometer._agent"


def native_file(name: str) -> Path:
    """Where the executable expects it."""
    executable = find_executable()
    if executable is None:
        raise ImportError(f"{NOT_FOUND}.")
    return executable.parent.parent / "libexec" / "pyrometer" / name


def loaded_agent() -> ModuleType | None:
    """Without loading it."""
    return sys.modules.get(NAME)


def load_agent() -> ModuleType:
    """The module `_agent`."""
    loaded = loaded_agent()
    if loaded is not None:
        return loaded
    if _is_free_threaded():
        raise ImportError("Pyrometer cannot record in free-threaded builds of Python.")
    path = str(native_file("_agent.abi3.so"))
    spec = spec_from_file_location(NAME, path, loader=ExtensionFileLoader(NAME, path))
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[NAME] = module
    return module


def load_timers() -> ModuleType:
    """The agent, or what stands for it where there can be none."""
    try:
        return load_agent()
    except ImportError:
        if _is_first_interpreter() and not _is_free_threaded():
            raise
    from pyrometer import _idle_timers

    return _idle_timers


def _is_free_threaded() -> bool:
    """Then objects are laid out differently: a library made for others would crash."""
    return "t" in sys.abiflags


def _is_first_interpreter() -> bool:
    try:
        interpreters = import_module("_interpreters")
    except ImportError:  # before 3.13
        interpreters = import_module("_xxsubinterpreters")
    is_first: bool = interpreters.get_current() == interpreters.get_main()
    return is_first
