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
    """What callgrind_annotate says of it, without and with what functions call.

    A function has a row for each file whose code was inlined into it; yappi counts microseconds.
    """
    scale = 1000 if "events: Ticks" in made.read_text() else 1
    # Others have no names for the levels of recursion, and so count it twice.
    is_of_valgrind = made.read_text().startswith("# callgrind format")
    own, totals, events = annotate(workshop, made, "--inclusive=no")
    whole, _, _ = annotate(workshop, made, "--inclusive=yes")
    top = []
    for name, values in sorted(own.items(), key=lambda item: -sum(item[1]))[:TOP]:
        row = {"name": name, "self": sum(values) * scale}
        is_in_cycle = "'" in name or f"{name}'2" in own
        if is_of_valgrind and len(whole.get(name, [])) == 1 and not is_in_cycle:
            row["total"] = whole[name][0] * scale
        top.append(row)
    return make_truth(
        events[0],
        unit,
        sum(sum(values) for values in own.values()) * scale,
        top,
        totals=dict(zip(events, totals, strict=True)),
    )


def annotate(
    workshop: Workshop, made: Path, option: str
) -> tuple[dict[str, list[int]], list[int], list[str]]:
    """The values of each function's rows, the totals, and the names of the events."""
    options = ["--threshold=100", "--auto=no", "--show-percs=no", option]
    text = workshop.run(["callgrind_annotate", *options, made])
    events = re.search(r"^Events shown: +(.*)$", text, re.MULTILINE)
    totals = re.search(r"^([\d,. ]+?) +PROGRAM TOTALS", text, re.MULTILINE)
    assert events is not None
    assert totals is not None
    rows: dict[str, list[int]] = {}
    body = text[text.index("file:function") :]
    row = re.compile(r"^ *((?:[\d,.]+ +)+)(.*?):(.*?)(?: \[[^]]*\])?$", re.MULTILINE)
    for numbers, _, name in row.findall(body):
        rows.setdefault(name, []).append(number(numbers.split()[0]))
    return rows, [number(word) for word in totals.group(1).split()], events.group(1).split()


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
    made = workshop.fresh("callgrind.out")
    target = compile_c(workshop, program)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}", *options]
    # The loader alone would fill 80 KB.
    command += ["--toggle-collect=main", f"./{target.name}", "2"]
    workshop.run(command, env={"LD_BIND_NOW": "1"})
    version = workshop.run(["valgrind", "--version"]).strip()
    keep(workshop, made, f"callgrind.out.{program}-{name}", version, command, f"{program}.c")


def valgrind_threads(workshop: Workshop, choice: str) -> None:
    """All threads together, or a file for each."""
    made = workshop.fresh("callgrind.out")
    target = compile_c(workshop, "threads", "-static")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}"]
    command += [f"--separate-threads={choice}", f"./{target.name}", "2"]
    for part in HOME.glob("callgrind.out-*"):
        part.unlink()
    workshop.run(command)
    version = workshop.run(["valgrind", "--version"]).strip()
    parts = [made] if choice == "no" else sorted(HOME.glob("callgrind.out-*"))
    for part in parts:
        name = part.name.replace("out", "out.threads")
        keep(workshop, part, name, version, command, "threads.c")


def valgrind_parts(workshop: Workshop) -> None:
    """Several dumps in one file, of which callgrind_annotate reads one."""
    made = workshop.fresh("callgrind.out")
    target = compile_c(workshop, "calls")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={made}"]
    command += ["--combine-dumps=yes", "--dump-before=add_roots", "--toggle-collect=main"]
    command += [f"./{target.name}", "2"]
    workshop.run(command, env={"LD_BIND_NOW": "1"})
    totals = re.findall(r"^totals: (\d+)$", made.read_text(), re.MULTILINE)
    workshop.keep(
        made,
        "callgrind.out.calls-parts",
        format="callgrind",
        tool=workshop.run(["valgrind", "--version"]).strip(),
        command=command,
        program="calls.c",
        read_by="the totals that valgrind itself writes at the end of each part",
        truth=make_truth("Ir", "count", sum(map(int, totals)), [], parts=len(totals)),
    )


def yappi(workshop: Workshop, clock: str, program: str) -> None:
    made = workshop.fresh("callgrind.out")
    tools = workshop.environment("yappi==1.6.10")
    command = [tools / "python", "-c", YAPPI, clock, made, program, 20]
    workshop.run(command)
    name = f"callgrind.out.{stem(program)}-yappi-{clock}"
    keep(workshop, made, name, "yappi 1.6.10", command, program, "nanoseconds")


def pyprof2calltree(workshop: Workshop, program: str, rounds: int) -> None:
    recorded, made = workshop.fresh("out.prof"), workshop.fresh("callgrind.out")
    tools = workshop.environment("pyprof2calltree==1.4.5")
    workshop.run([tools / "python", "-m", "cProfile", "-o", recorded, program, rounds])
    command = [tools / "pyprof2calltree", "-i", recorded, "-o", made]
    workshop.run(command)
    name = f"callgrind.out.{stem(program)}-pyprof2calltree"
    keep(workshop, made, name, "pyprof2calltree 1.4.5", command, program, "nanoseconds")


def make(workshop: Workshop) -> None:
    for case in VALGRIND_CASES:
        workshop.attempt(valgrind, *case)
    for choice in ("no", "yes"):
        workshop.attempt(valgrind_threads, choice)
    workshop.attempt(valgrind_parts)
    for clock, program in (("wall", "recursion.py"), ("cpu", "numeric.py")):
        workshop.attempt(yappi, clock, program)
    for program, rounds in (("recursion.py", 20), ("numeric.py", 5), ("exceptions.py", 5)):
        workshop.attempt(pyprof2calltree, program, rounds)
