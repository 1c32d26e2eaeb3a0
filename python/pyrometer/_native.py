"""Loads the part of Pyrometer that lives inside a Python process."""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from pyrometer._executable import find_executable

NAME = "pyrometer._agent"


def load_agent() -> ModuleType:
    """The module `_agent`, which lies where the executable expects it."""
    loaded = sys.modules.get(NAME)
    if loaded is not None:
        return loaded
    executable = find_executable()
    if executable is None:
        raise ImportError(
            "Pyrometer's executable is not where this package was installed; reinstall the "
            "package, or run ./pyrometer once in a checkout."
        )
    path = str(executable.parent.parent / "libexec" / "pyrometer" / "_agent.abi3.so")
    spec = spec_from_file_location(NAME, path, loader=ExtensionFileLoader(NAME, path))
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[NAME] = module
    return module
