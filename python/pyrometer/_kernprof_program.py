"""The program that kernprof runs: found, compiled, and run as `__main__`, as plain Python does."""

import importlib.util
import io
import linecache
import os
import sys
import textwrap
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from pyrometer._kernprof_words import Program


class Prepared(NamedTuple):
    source: str | bytes
    filename: str
    attributes: dict[str, Any]  # of the module
    argv0: str
    name: str  # for output files

    def compile(self, tree: Any = None) -> CodeType:
        code = compile(self.source if tree is None else tree, self.filename, "exec")
        assert isinstance(code, CodeType)
        return code


class NotFoundError(Exception):
    """A program that is not there, in one sentence."""


def prepare(program: Program) -> Prepared:
    """Changes sys.path as running the program would."""
    if program.kind == "module":
        return _prepare_module(program.target)
    if program.kind == "script":
        return _prepare_script(find_script(program.target))
    is_code = program.kind == "code"
    text = textwrap.dedent(program.target) if is_code else sys.stdin.read()
    word = "command" if is_code else "stdin"
    filename = f"<kernprof {word}>"
    # For the tables, and for tracebacks.
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    sys.path.insert(0, "")
    attributes: dict[str, Any] = {"__spec__": None, "__package__": None}
    return Prepared(text, filename, attributes, "-c" if is_code else "-", f"kernprof-{word}")


def find_script(name: str) -> str:
    """The file, or the one of that name on PATH."""
    for folder in ("", *os.environ.get("PATH", os.defpath).split(os.pathsep)):
        path = Path(folder, name)
        if path.is_file():
            return name if folder == "" else str(path)
    raise NotFoundError(f"Could not find script {name!r}")


def _prepare_script(path: str) -> Prepared:
    sys.path.insert(0, str(Path(path).resolve().parent))
    attributes = {
        "__file__": path,
        "__spec__": None,
        "__package__": None,
        "__cached__": None,
    }
    with io.open_code(path) as file:
        return Prepared(file.read(), path, attributes, path, Path(path).name)


def _prepare_module(name: str) -> Prepared:
    sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ImportError:
        spec = None
    get_source = getattr(spec and spec.loader, "get_source", None)
    source = get_source(spec.name) if spec is not None and get_source is not None else None
    if spec is None or source is None or spec.origin is None:
        raise NotFoundError(f"Could not find module `{name}`")
    attributes = {
        "__file__": spec.origin,
        "__cached__": spec.cached,
        "__loader__": spec.loader,
        "__package__": spec.parent,
        "__spec__": spec,
    }
    return Prepared(source, spec.origin, attributes, spec.origin, name)


def run(prepared: Prepared, code: CodeType, execute: Any = exec) -> None:
    """In a real `__main__`, so that it can be imported and pickled from."""
    module = ModuleType("__main__")
    module.__dict__.update(prepared.attributes)
    sys.modules["__main__"] = module
    execute(code, module.__dict__)
