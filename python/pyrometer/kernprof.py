"""kernprof with another word.

    python -m pyrometer.kernprof [-l] [-v] [-o FILE] … {SCRIPT | -m MODULE | -c CODE | -} ARGUMENTS…

All of kernprof's options. Without -l, functions are counted by pyrometer.cprofile. The program's
exit status is kept; forked children write files of their own (NAME.PID.lprof), and so does each
rank of a parallel run. A run in which there was nothing to measure says so, and writes no file.
"""

import builtins
import contextlib
import importlib.util
import os
import shlex
import sys
import tempfile
import threading
from argparse import Namespace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pyrometer
from pyrometer._call_profile import ContextualProfile
from pyrometer._kernprof_children import Children
from pyrometer._kernprof_options import parse_options
from pyrometer._kernprof_program import NotFoundError, Prepared, find_script, prepare, run
from pyrometer._kernprof_words import Program
from pyrometer._line_options import python_command, short_path
from pyrometer._output_name import expand_name
from pyrometer.line_profiler import LineProfiler, LineStats

NOTHING = (
    "kernprof: nothing was measured, so no file was written: decorate functions with @profile, or "
    "name them, modules or the script itself with -p.\n"
)


def main(args: list[str] | None = None) -> None:
    options, program = parse_options(sys.argv[1:] if args is None else list(args))
    with contextlib.ExitStack() as stack:
        out = sys.stdout
        if options.verbose < -1:
            nowhere = stack.enter_context(Path(os.devnull).open("w"))
            stack.enter_context(contextlib.redirect_stdout(nowhere))
            if options.verbose < -2:
                stack.enter_context(contextlib.redirect_stderr(nowhere))
        sys.argv = [program.target, *program.arguments]
        try:
            if options.setup:
                _run_setup(find_script(options.setup))
            prepared = prepare(program)
        except NotFoundError as error:
            sys.exit(str(error))
        try:
            outfile = _outfile(options, program, prepared)
        except ValueError as error:
            sys.exit(f"kernprof: {error}.")
        sys.argv = [prepared.argv0, *program.arguments]
        _profile(options, program, prepared, Session(options, outfile, out))


def _run_setup(path: str) -> None:
    sys.path.insert(0, str(Path(path).resolve().parent))
    names = {"__file__": path, "__name__": "__main__"}
    exec(compile(Path(path).read_bytes(), path, "exec"), names)


def _outfile(options: Namespace, program: Program, prepared: Prepared) -> Path:
    suffix = ".lprof" if options.line_by_line else ".prof"
    if options.outfile:
        return expand_name(options.outfile, prepared.name)
    if program.kind in ("code", "stdin"):
        handle, name = tempfile.mkstemp(suffix, f"{prepared.name}-", ".")
        os.close(handle)
        Path(name).unlink()  # there may be nothing to write
        return Path(name)
    return expand_name("%s" + suffix, prepared.name)


class Session:
    """One run: a profiler, and the file that it writes."""

    def __init__(self, options: Namespace, outfile: Path, out: Any) -> None:
        self.options = options
        self.outfile = outfile.absolute()
        self.folder = Path.cwd()
        self.out = out
        self.lines = LineProfiler() if options.line_by_line else None
        self.profiler: Any
        self.profiler = ContextualProfile() if self.lines is None else self.lines
        self.children = Children(outfile, self.profiler.clear, self._write_child)
        self._end = threading.Event()

    def write_now_and_then(self) -> None:
        """What there is so far, for runs that may be cut short."""
        if not self.options.output_interval:
            return
        seconds = max(self.options.output_interval, 1)

        def write() -> None:
            while not self._end.wait(seconds):
                if self.lines and self.lines.has_targets:
                    self.lines.dump_stats(self.outfile)

        threading.Thread(target=write, daemon=True, name="kernprof").start()

    def finish(self) -> None:
        self._end.set()
        if self.children.is_child:
            self.children.write()  # a fork that came back out of the program
            return
        with contextlib.suppress(OSError):
            os.chdir(self.folder)  # the program may have left it, and names may be relative
        files = self.children.files()
        self.children.stop()
        if self.lines and not self.lines.has_targets:
            if self.options.verbose > -1:
                sys.stderr.write(NOTHING)
            return
        try:
            self.profiler.dump_stats(str(self.outfile))
        except OSError as error:
            sys.stderr.write(f"kernprof: cannot write {self.outfile}: {error.strerror}.\n")
            return
        name = short_path(self.outfile)
        if self.options.verbose > -1:
            print(f"Wrote profile results to {name!r}")
        if self.options.verbose > 0:
            self._show(files)
        elif self.options.verbose > -1:
            viewer = "pyrometer.line_profiler -rmt" if self.lines else "pstats"
            names = " ".join(shlex.quote(short_path(file)) for file in (self.outfile, *files))
            print(f"Inspect results with:\n{python_command()} -m {viewer} {names}")
        self.profiler.disable()

    def _show(self, children: list[Path]) -> None:
        if not self.lines:
            self.profiler.print_stats()
            return
        options = self.options
        stats = self.lines.get_stats()
        for file in children:
            stats += LineStats.from_files(file)
        stats.print(
            stream=self.out,
            output_unit=options.unit,
            stripzeros=options.skip_zero,
            summarize=options.summarize,
            rich=options.rich,
            config=options.config,
        )

    def _write_child(self, file: Path) -> None:
        if self.lines:
            stats = self.lines.get_stats()
            if any(stats.timings.values()):
                stats.to_file(file)
        else:
            self.profiler.dump_stats(str(file))


def _profile(options: Namespace, program: Program, prepared: Prepared, session: Session) -> None:
    pyrometer.profile._kernprof_overwrite(session.profiler)  # noqa: SLF001
    if session.lines:
        _stand_in_for_line_profiler(session.lines)
    if options.line_by_line or options.builtin:
        builtins.__dict__["profile"] = session.profiler
    try:
        code = _code(options, program, prepared, session)
        session.write_now_and_then()
        if options.line_by_line or options.builtin:
            run(prepared, code)
        else:
            run(prepared, code, lambda code, names: session.profiler.runctx(code, names, names))
    finally:
        session.finish()
        pyrometer.profile._kernprof_overwrite(None)  # noqa: SLF001


def _code(options: Namespace, program: Program, prepared: Prepared, session: Session) -> CodeType:
    """Compiled, with everything measured that -p names."""
    is_literal = program.kind in ("code", "stdin")
    if not session.lines or not (options.prof_mod or is_literal):
        return prepared.compile()
    import ast

    from pyrometer import _kernprof_targets as targets

    chosen = targets.normalize(options.prof_mod)
    module = program.target if program.kind == "module" else None
    is_whole = is_literal or targets.names_program(chosen, prepared, module)
    if options.preimports:
        spec = prepared.attributes["__spec__"]
        others = [each for each in chosen if spec is None or each != spec.name]
        targets.import_and_add(others, prepared, session.lines)
    tree = ast.parse(prepared.source, prepared.filename)
    if is_whole and options.prof_imports:
        tree = targets.ImportWatcher(None).visit(tree)
    elif not options.preimports:
        tree = targets.ImportWatcher(chosen).visit(tree)
    code = prepared.compile(tree)
    return session.lines.add_code(code) if is_whole else code


def _stand_in_for_line_profiler(profiler: LineProfiler) -> None:
    """`from line_profiler import profile` works too, whether that is installed or not."""
    module: Any
    if importlib.util.find_spec("line_profiler") is None:
        module = ModuleType("line_profiler", "Pyrometer's, while it runs a program.")
        for name in ("LineProfiler", "LineStats", "load_stats", "show_func", "show_text"):
            setattr(module, name, getattr(sys.modules["pyrometer.line_profiler"], name))
        module.profile = pyrometer.profile
        sys.modules["line_profiler"] = module
        return
    with contextlib.suppress(Exception):
        module = importlib.import_module("line_profiler")
        module.profile._kernprof_overwrite(profiler)  # noqa: SLF001


if __name__ == "__main__":
    main()
