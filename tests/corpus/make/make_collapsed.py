"""Collapsed stacks: of py-spy, austin, perf with inferno, and Python 3.15's sampler."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from make_pstats import full_version, stem
from truths import Place, Stack, truth_of_stacks
from workshop import HOME, Truth, Unavailable, Words, Workshop

PY_SPY = "py-spy==0.4.1"
AUSTIN_3 = "austin-dist==3.7.0"
AUSTIN_OLD = "austin-dist==3.4.1"
AUSTIN_4 = "austin-dist==4.0.0"
AUSTIN_READER = "austin-python==2.1.1"

PY_SPY_CASES = [
    ("recursion.py", "raw", []),
    ("numeric.py", "function", ["--function"]),
    ("threads.py", "threads", ["--threads", "--idle"]),
    ("threads.py", "gil", ["--gil"]),
    ("processes.py", "subprocesses", ["--subprocesses"]),
    ("processes.py", "subprocesses-threads", ["--subprocesses", "--threads"]),
    ("builtins_at_work.py", "native", ["--native"]),
    ("deep.py", "full-filenames", ["--full-filenames", "--nolineno"]),
]
AUSTIN_CASES = [
    (AUSTIN_3, "recursion.py", "wall", []),
    (AUSTIN_3, "threads.py", "cpu", ["-s"]),
    (AUSTIN_3, "memory.py", "memory", ["-m"]),
    (AUSTIN_3, "memory.py", "full", ["-f"]),
    (AUSTIN_3, "processes.py", "children", ["-C"]),
    (AUSTIN_OLD, "recursion.py", "wall", []),
    (AUSTIN_4, "recursion.py", "wall", []),
    (AUSTIN_4, "threads.py", "cpu", ["-c"]),
    (AUSTIN_4, "memory.py", "memory", ["-m"]),
    (AUSTIN_4, "memory.py", "full", ["-f"]),
]
SAMPLING_CASES = [
    ("recursion.py", "wall", []),
    ("threads.py", "all-threads", ["-a"]),
    ("coroutines.py", "async", ["--async-aware"]),
    ("builtins_at_work.py", "cpu-native", ["--mode", "cpu", "--native"]),
]
# Some seconds' tenths of work of each program.
ROUNDS = {
    "recursion.py": 8000,
    "numeric.py": 1200,
    "threads.py": 80,
    "processes.py": 200,
    "builtins_at_work.py": 1000,
    "deep.py": 2000,
    "memory.py": 8,
    "coroutines.py": 500,
}

SplitFrame = Callable[[str], Place]


def read(text: str, split: SplitFrame, metric: str = "samples", unit: str = "count") -> Truth:
    """Each line is a stack and, behind the last space, its weight."""
    return truth_of_stacks(stacks_of(text, split, unit), metric, unit)


def stacks_of(text: str, split: SplitFrame, unit: str) -> Iterator[Stack]:
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        stack, weights = line.rsplit(" ", 1)
        weight = int(weights.split(",")[0])  # of austin's full mode: the time
        if unit == "nanoseconds":
            weight *= 1000
        elif unit == "bytes":
            weight = max(weight, 0)  # austin writes what was freed as negative
        frames = stack.split(";")
        process: str = ""
        thread: str = ""
        while frames and (found := re.match(r"(process \d+|thread \(|P\d|T\d|tid:)", frames[0])):
            if found.group().startswith(("process", "P")):
                process = frames[0]
            else:  # the same thread may have got its name later
                thread = frames[0].split(":" if found.group() == "thread (" else ";")[0]
            frames = frames[1:]
        yield Stack(tuple(split(frame) for frame in frames if frame), weight, thread, process)


def py_spy_frame(frame: str) -> Place:
    """`name (file:line)`, `name (file)` or `name`."""
    found = re.fullmatch(r"(.*) \(([^()]*?)(?::\d+)?\)", frame)
    return Place(found.group(1), found.group(2)) if found else Place(frame)


def colon_frame(frame: str) -> Place:
    """`file:name:line`"""
    parts = frame.rsplit(":", 2)
    return Place(parts[1], parts[0]) if len(parts) == 3 else Place(frame)


def plain_frame(frame: str) -> Place:
    return Place(frame)


def keep(
    workshop: Workshop, made: Path, name: str, tool: str, command: Words, program: str, truth: Truth
) -> None:
    workshop.keep(
        made,
        name,
        format="collapsed",
        tool=tool,
        command=command,
        program=program,
        read_by="the definition of the format: one stack and one weight per line",
        truth=truth,
    )


def py_spy(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    tools = workshop.environment(PY_SPY)
    made = workshop.fresh("out.txt")
    command = [tools / "py-spy", "record", "-f", "raw", "-r", "200", "-o", made, *options]
    command += ["--", workshop.python("3.11"), program, ROUNDS[program]]
    workshop.run_until_it_works(command)
    truth = read(made.read_text(), py_spy_frame)
    file = f"{stem(program)}-py-spy-{name}.txt"
    keep(workshop, made, file, PY_SPY.replace("==", " "), command, program, truth)


def austin(workshop: Workshop, package: str, program: str, name: str, options: list[str]) -> None:
    tools = workshop.environment(package)
    made = workshop.fresh("out.austin")
    command: list[object] = [
        tools / "austin",
        "-i",
        "3ms" if name != "children" else "20ms",
        *options,
    ]
    command += ["-o", made, workshop.python("3.11"), program, ROUNDS[program]]
    workshop.run([*newer_loader(workshop, package), *command])
    if made.read_bytes()[:3] == b"MOJ":  # since version 4
        readers = workshop.environment(AUSTIN_READER)
        text = HOME / "out.txt"
        workshop.run([readers / "mojo2austin", made, text])
        made = text
    metric, unit = ("allocated", "bytes") if name == "memory" else ("time", "nanoseconds")
    truth = read(made.read_text(), colon_frame, metric, unit)
    version = package.partition("==")[2]
    file = f"{stem(program)}-austin{version}-{name}.txt"
    keep(workshop, made, file, f"austin {version}", command, program, truth)


def newer_loader(workshop: Workshop, package: str) -> Words:
    """austin 4 needs a newer C library than Debian 12's; the unpacked Pythons bring one."""
    if package != AUSTIN_4:
        return []
    prefix = workshop.python("3.13").parents[2]
    libraries = next(prefix.glob("usr/lib/*/libc.so.6")).parent
    return [libraries / "ld-linux-x86-64.so.2", "--library-path", libraries]


def sampling(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    made = workshop.fresh("out.txt")
    python = workshop.python("3.15")
    command = [python, "-m", "profiling.sampling", "run", "--collapsed", "-o", made, *options]
    command += [program, ROUNDS[program]]
    workshop.run(command)
    truth = read(made.read_text(), colon_frame)
    tool = f"profiling.sampling of Python {full_version(workshop, '3.15')}"
    keep(workshop, made, f"{stem(program)}-sampling-{name}.txt", tool, command, program, truth)


def perf(workshop: Workshop, name: str, target: Callable[[Workshop], Words]) -> None:
    inferno = inferno_folder(workshop)
    recorded, script, made = HOME / "perf.data", HOME / "perf.script", HOME / "out.txt"
    command = ["perf", "record", "-F", 199, "-g", "-o", recorded, *target(workshop)]
    workshop.run(command)
    script.write_text(workshop.run(["perf", "script", "-i", recorded]))
    made.write_text(workshop.run([inferno / "inferno-collapse-perf", script]))
    truth = read(made.read_text(), plain_frame)
    version = workshop.run(["perf", "--version"]).split()[-1]
    keep(
        workshop,
        made,
        f"{name}-perf.txt",
        f"perf {version}, inferno-collapse-perf",
        [*command, "&&", "perf", "script", "|", "inferno-collapse-perf"],
        f"{name}",
        truth,
    )


def inferno_folder(workshop: Workshop) -> Path:
    """From the package registry of Rust, once."""
    folder = HOME / "tools" / "inferno"
    if not (folder / "bin" / "inferno-collapse-perf").exists():
        if shutil.which("cargo") is None:
            raise Unavailable("inferno needs cargo")
        words = ["cargo", "install", "--locked", "--root", folder, "inferno", "--version", "0.12.3"]
        workshop.run([*words, "--no-default-features", "--features", "cli"])
    return folder / "bin"


def c_calls(workshop: Workshop) -> Words:
    return [compile_c(workshop, "calls"), 12000]


def c_threads(workshop: Workshop) -> Words:
    return [compile_c(workshop, "threads"), 4000]


def python_with_perf(workshop: Workshop) -> Words:
    return [workshop.python("3.13"), "-X", "perf", "numeric.py", 1500]


def compile_c(workshop: Workshop, name: str, *options: str) -> Path:
    words = ["gcc", "-g", "-O1", "-fno-omit-frame-pointer", *options, "-o", name, f"{name}.c"]
    workshop.run([*words, "-lm"])
    return HOME / name


def make(workshop: Workshop) -> None:
    for case in PY_SPY_CASES:
        workshop.attempt(py_spy, *case)
    for austin_case in AUSTIN_CASES:
        workshop.attempt(austin, *austin_case)
    for case in SAMPLING_CASES:
        workshop.attempt(sampling, *case)
    for name, target in (("calls.c", c_calls), ("threads.c", c_threads)):
        workshop.attempt(perf, name, target)
    workshop.attempt(perf, "numeric.py", python_with_perf)
