"""What `kernprof -p` names: found, imported, and given to a LineProfiler."""

import ast
import importlib
import pkgutil
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from pyrometer._kernprof_program import NotFoundError, Prepared, find_script
from pyrometer.line_profiler import LineProfiler

PROFILER = "__import__('builtins').profile"  # the program may have another one of that name
ADD = "add_imported_function_or_module"


def normalize(targets: Iterable[str]) -> list[str]:
    """Files by their absolute paths, all else as dotted names; "" forgets those before it."""
    found: dict[str, None] = {}
    for words in targets:
        if not words:
            found.clear()
            continue
        # A file's name may have commas.
        for word in [words] if _file(words) else words.split(","):
            if word:
                found.setdefault(_file(word) or word)
    return list(found)


def _file(word: str) -> str | None:
    if Path(word).is_dir() and "/" in word:
        return str(Path(word).resolve())
    try:
        return str(Path(find_script(word)).resolve())
    except NotFoundError:
        return None


def names_program(targets: list[str], prepared: Prepared, module: str | None) -> bool:
    """Whether the program itself is among the targets."""
    own = str(Path(prepared.filename).resolve())
    return own in targets or (module is not None and module in targets)


def import_and_add(targets: list[str], prepared: Prepared, profiler: LineProfiler) -> None:
    """Imports the targets, packages with all below them, and measures them from now on."""
    own = str(Path(prepared.filename).resolve())
    for target in targets:
        if target == own:
            continue
        name = _module_name(target)
        if name is None:
            warnings.warn(f"{target} cannot be imported: it is on no path.", stacklevel=2)
            continue
        try:
            _add(name, profiler)
        except Exception as error:
            warnings.warn(f"{target} cannot be imported: {error!r}.", stacklevel=2)


def _module_name(target: str) -> str | None:
    if "/" not in target:
        return target
    path = Path(target)
    parts = [path.stem]
    while (path.parent / "__init__.py").is_file():
        path = path.parent
        parts.insert(0, path.name)
    roots = {str(Path(root or ".").resolve()) for root in sys.path}
    return ".".join(parts) if str(path.parent) in roots else None


def _add(name: str, profiler: LineProfiler) -> None:
    found = _resolve(name.removesuffix(".__init__"))
    profiler.add_imported_function_or_module(found)
    if isinstance(found, ModuleType) and hasattr(found, "__path__") and "__init__" not in name:
        for below in pkgutil.walk_packages(found.__path__, f"{found.__name__}.", lambda _: None):
            if below.name.endswith(".__main__"):
                continue
            try:
                profiler.add_imported_function_or_module(importlib.import_module(below.name))
            except Exception as error:
                warnings.warn(f"{below.name} cannot be imported: {error!r}.", stacklevel=2)


def _resolve(name: str) -> object:
    """The module, or what is in it: package.module.Class.method."""
    words = name.split(".")
    for length in range(len(words), 0, -1):
        module = ".".join(words[:length])
        try:
            found: object = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if length == 1 or (error.name and not f"{module}.".startswith(f"{error.name}.")):
                raise
            continue
        for word in words[length:]:
            found = getattr(found, word)
        return found
    raise ModuleNotFoundError(name)


class ImportWatcher(ast.NodeTransformer):
    """Has a program hand what it imports to the profiler: all of it, or the targets alone."""

    def __init__(self, targets: list[str] | None) -> None:
        self._wanted = None if targets is None else {_module_name(target) for target in targets}

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        return self._after(node, [(name.name, name) for name in node.names])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        return self._after(node, [(f"{node.module}.{name.name}", name) for name in node.names])

    def _after(
        self, node: ast.Import | ast.ImportFrom, names: list[tuple[str, ast.alias]]
    ) -> list[ast.stmt]:
        statements: list[ast.stmt] = [node]
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return statements
        for full, alias in names:
            if alias.name != "*" and self._is_wanted(full):
                call = ast.parse(f"{PROFILER}.{ADD}({alias.asname or alias.name})").body[0]
                # On the import's own line, so that none is hit twice.
                for inner in ast.walk(call):
                    ast.copy_location(inner, node)
                statements.append(call)
        return statements

    def _is_wanted(self, name: str) -> bool:
        wanted = self._wanted
        return wanted is None or name in wanted or name.rpartition(".")[0] in wanted
