"""callgrind's files: of valgrind with several options, yappi, and pyprof2calltree."""

import re
from pathlib import Path

from make_collapsed import compile_c
from make_pstats import stem
from truths import TOP, make_truth
from workshop import HOME, Truth, Words, Workshop

VALGRIND_CASES = [
    ("calls", "plain", []),
    ("calls", "instructions", ["--dump-instr=yes"]),
    ("calls", "uncompressed", ["--compress-strings=no", "--compress-pos=no"]),
    ("calls", "jumps", ["--collect-jumps=yes", "--dump-instr=yes"]),
    ("calls", "caches", ["--cache-sim=yes", "--branch-sim=yes"]),
    ("calls", "lines-only", ["--dump-line=no", "--dump-instr=yes"]),
    ("calls", "recursion", ["--separate-recs=3"]),
    ("threads", "together", []),
]
YAPPI = """
import runpy, sys, yappi
clock, output, *sys.argv = sys.argv[1:]
yappi.set_clock_type(clock)
yappi.start()
runpy.run_path(sys.argv[0], run_name="__main__")
yappi.stop()
yappi.get_func_stats().save(output, type="callgrind")
"""


def read(workshop: Workshop, made: Path, unit: str) -> Truth:
    """What callgrind_annotate says of it, without and with what functions call."""
    own, totals, events = annotate(workshop, made, "--inclusive=no")
    whole, _, _ = annotate(workshop, made, "--inclusive=yes")
    top = [
        {"name": name, "file": file, "self": value, "total": whole.get((file, name), value)}
        for (file, name), value in sorted(own.items(), key=lambda item: -item[1])[:TOP]
    ]
    return make_truth(
        events[0], unit, totals[0], top, totals=dict(zip(events, totals, strict=True))
    )


def annotate(
    workshop: Workshop, made: Path, option: str
) -> tuple[dict[tuple[str, str], int], list[int], list[str]]:
    text = workshop.run(
        ["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", option, made]
    )
    events = re.search(r"^Events shown: +(.*)$", text, re.MULTILINE).group(1).split()
    totals = re.search(r"^([\d,. ]+?) +PROGRAM TOTALS$", text, re.MULTILINE).group(1).split()
    rows: dict[tuple[str, str], int] = {}
    body = text[text.index("file:function") :]
    for numbers, file, name in re.findall(
        r"^ *((?:[\d,.]+ +)+)(\S*?):(.*?)(?: \[.*\])?$", body, re.MULTILINE
    ):
        key = (file, name)
        rows[key] = rows.get(key, 0) + number(numbers.split()[0])
    return rows, [number(word) for word in totals], events


def number(word: str) -> int:
    return 0 if word == "." else int(word.replace(",", ""))


def keep(
    workshop: Workshop,
    made: Path,
    name: str,
    tool: str,
    command: Words,
    program: str,
    unit: str = "count",
) -> None:
    version = workshop.run(["valgrind", "--version"]).strip()
    workshop.keep(
        made,
        name,
        format="callgrind",
        tool=tool,
        command=command,
        program=program,
        read_by=f"callgrind_annotate of {version}",
        truth=read(workshop, made, unit),
    )


def valgrind(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    made = HOME / "callgrind.out"
    target = compile_c(workshop, program)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}", *options]
    command += [f"./{target.name}", 2]
    workshop.run(command)
    version = workshop.run(["valgrind", "--version"]).strip()
    keep(workshop, made, f"callgrind.out.{program}-{name}", version, command, f"{program}.c")


def valgrind_threads(workshop: Workshop) -> None:
    """A file per thread."""
    made = HOME / "callgrind.out"
    target = compile_c(workshop, "threads")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}"]
    command += ["--separate-threads=yes", f"./{target.name}", 2]
    workshop.run(command)
    version = workshop.run(["valgrind", "--version"]).strip()
    for part in ("01", "02", "03"):
        name = f"callgrind.out.threads-separate-{part}"
        keep(workshop, HOME / f"callgrind.out-{part}", name, version, command, "threads.c")


def valgrind_parts(workshop: Workshop) -> None:
    """Several dumps in one file."""
    made = HOME / "callgrind.out"
    target = compile_c(workshop, "calls")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}", "--combine-dumps=yes"]
    command += ["--dump-before=add_roots", f"./{target.name}", 2]
    workshop.run(command)
    version = workshop.run(["valgrind", "--version"]).strip()
    keep(workshop, made, "callgrind.out.calls-parts", version, command, "calls.c")


def yappi(workshop: Workshop, clock: str, program: str) -> None:
    made = HOME / "callgrind.out"
    tools = workshop.environment("yappi==1.6.10")
    command = [tools / "python", "-c", YAPPI, clock, made, program, 20]
    workshop.run(command)
    name = f"callgrind.out.{stem(program)}-yappi-{clock}"
    keep(workshop, made, name, "yappi 1.6.10", command, program, "ticks")


def pyprof2calltree(workshop: Workshop, program: str, rounds: int) -> None:
    recorded, made = HOME / "out.prof", HOME / "callgrind.out"
    tools = workshop.environment("pyprof2calltree==1.4.5")
    workshop.run([tools / "python", "-m", "cProfile", "-o", recorded, program, rounds])
    command = [tools / "pyprof2calltree", "-i", recorded, "-o", made]
    workshop.run(command)
    name = f"callgrind.out.{stem(program)}-pyprof2calltree"
    keep(workshop, made, name, "pyprof2calltree 1.4.5", command, program, "nanoseconds")


def make(workshop: Workshop) -> None:
    for case in VALGRIND_CASES:
        workshop.attempt(valgrind, *case)
    workshop.attempt(valgrind_threads)
    workshop.attempt(valgrind_parts)
    for clock, program in (("wall", "recursion.py"), ("cpu", "numeric.py")):
        workshop.attempt(yappi, clock, program)
    for program, rounds in (("recursion.py", 20), ("numeric.py", 5), ("exceptions.py", 5)):
        workshop.attempt(pyprof2calltree, program, rounds)
