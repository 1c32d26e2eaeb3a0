"""pstats files: of cProfile, profile, yappi, pyinstrument, and Python 3.15's two profilers."""

import json
from pathlib import Path

from truths import TOP, make_truth
from workshop import HOME, Truth, Words, Workshop

# Marshal differs between versions, so each file is read by the Python that wrote it.
READ = """
import json, pstats, sys
stats = pstats.Stats(sys.argv[1])
rows = [[*key, *value[:4]] for key, value in stats.stats.items() if len(key) == 3]
json.dump([stats.total_tt, stats.total_calls, stats.prim_calls, rows], sys.stdout)
"""

C_PROFILE = [
    ("3.11", "recursion.py", ["20"]),
    ("3.11", "imports.py", []),
    ("3.11", "exceptions.py", ["30"]),
    ("3.12", "pipelines.py", ["50"]),
    ("3.12", "builtins_at_work.py", ["5"]),
    ("3.12", "recursion.py", ["3"]),
    ("3.13", "numeric.py", ["10"]),
    ("3.13", "pipelines.py", ["5"]),
    ("3.13", "threads.py", ["5"]),
    ("3.14", "deep.py", ["20", "900"]),
    ("3.14", "imports.py", []),
    ("3.14", "processes.py", ["2"]),
    ("3.15", "numeric.py", ["10"]),
    ("3.15", "builtins_at_work.py", ["5"]),
]
SAMPLED = [
    ("recursion.py", ["8000"], []),
    ("numeric.py", ["1200"], ["--mode", "cpu"]),
    ("threads.py", ["100"], ["-a"]),
    ("builtins_at_work.py", ["300"], ["-r", "2khz", "--mode", "gil"]),
    ("deep.py", ["3000", "60"], ["--native"]),
]
PROFILE = "import profile, sys; sys.argv[1:], (file, out) = [], sys.argv[1:]; "
PROFILE += "profile.run(open(file).read(), out)"
STRIP = "import pstats, sys; pstats.Stats(sys.argv[1]).strip_dirs().dump_stats(sys.argv[2])"
ADD = "import pstats, sys; pstats.Stats(*sys.argv[2:]).dump_stats(sys.argv[1])"
YAPPI = """
import runpy, sys, yappi
clock, output, *sys.argv = sys.argv[1:]
yappi.set_clock_type(clock)
yappi.start()
runpy.run_path(sys.argv[0], run_name="__main__")
yappi.stop()
yappi.get_func_stats().save(output, type="pstat")
"""


def read(workshop: Workshop, python: Path, file: Path) -> Truth:
    seconds, calls, primitive_calls, rows = json.loads(workshop.run([python, "-c", READ, file]))
    rows.sort(key=lambda row: -row[5])
    top = [
        {
            "name": name,
            "file": source,
            "line": line,
            "self": round(own * 1e9),
            "total": round(whole * 1e9),
            "calls": all_calls,
            "primitive_calls": first_calls,
        }
        for source, line, name, first_calls, all_calls, own, whole in rows[:TOP]
    ]
    return make_truth(
        "wall",
        "nanoseconds",
        round(seconds * 1e9),
        top,
        tolerance=len(rows),  # each is rounded to a nanosecond
        functions=len(rows),
        calls=calls,
        primitive_calls=primitive_calls,
    )


def keep(
    workshop: Workshop, version: str, made: Path, name: str, tool: str, command: Words
) -> None:
    python = workshop.python(version)
    workshop.keep(
        made,
        name,
        format="pstats",
        tool=tool,
        command=command,
        program=name.split("-")[0] + ".py",
        read_by=f"pstats of Python {full_version(workshop, version)}",
        truth=read(workshop, python, made),
    )


def full_version(workshop: Workshop, version: str) -> str:
    python = workshop.python(version)
    return workshop.run([python, "-c", "import platform; print(platform.python_version())"]).strip()


def stem(program: str) -> str:
    return Path(program).stem


def c_profile(workshop: Workshop, version: str, program: str, arguments: list[str]) -> None:
    made = workshop.fresh("out.prof")
    command = [workshop.python(version), "-m", "cProfile", "-o", made, program, *arguments]
    workshop.run(command)
    tool = f"cProfile of Python {full_version(workshop, version)}"
    keep(workshop, version, made, f"{stem(program)}-cprofile{version}.prof", tool, command)


def old_profile(workshop: Workshop, version: str, program: str) -> None:
    made = workshop.fresh("out.prof")
    command = [workshop.python(version), "-W", "ignore", "-c", PROFILE, program, made]
    workshop.run(command)
    tool = f"profile of Python {full_version(workshop, version)}"
    keep(workshop, version, made, f"{stem(program)}-profile{version}.prof", tool, command)


def changed(workshop: Workshop, version: str, how: str) -> None:
    """What people do to files with pstats itself."""
    python, made = workshop.python(version), workshop.fresh("out.prof")
    first, second = HOME / "first.prof", HOME / "second.prof"
    for file, rounds in ((first, 5), (second, 7)):
        workshop.run([python, "-m", "cProfile", "-o", file, "numeric.py", rounds])
    if how == "strip_dirs":
        command = [python, "-c", STRIP, first, made]
    else:
        command = [python, "-c", ADD, made, first, second]
    workshop.run(command)
    tool = f"pstats of Python {full_version(workshop, version)}"
    keep(workshop, version, made, f"numeric-{how}{version}.prof", tool, command)


def yappi(workshop: Workshop, clock: str, program: str) -> None:
    made = workshop.fresh("out.prof")
    tools = workshop.environment("yappi==1.6.10")
    command = [tools / "python", "-c", YAPPI, clock, made, program, 5]
    workshop.run(command)
    keep(workshop, "3.11", made, f"{stem(program)}-yappi-{clock}.prof", "yappi 1.6.10", command)


def pyinstrument(workshop: Workshop, program: str) -> None:
    made = workshop.fresh("out.prof")
    tools = workshop.environment("pyinstrument==5.0.0")
    command = [tools / "pyinstrument", "-r", "pstats", "-o", made, program, 200]
    workshop.run(command)
    name = f"{stem(program)}-pyinstrument.prof"
    keep(workshop, "3.11", made, name, "pyinstrument 5.0.0", command)


def sampled(workshop: Workshop, program: str, arguments: list[str], options: list[str]) -> None:
    made = workshop.fresh("out.prof")
    python = workshop.python("3.15")
    command = [python, "-m", "profiling.sampling", "run", "--pstats", "-o", made]
    command += [*options, program, *arguments]
    workshop.run(command)
    tool = f"profiling.sampling of Python {full_version(workshop, '3.15')}"
    keep(workshop, "3.15", made, f"{stem(program)}-sampled3.15.prof", tool, command)


def tracing(workshop: Workshop, program: str) -> None:
    made = workshop.fresh("out.prof")
    command = [workshop.python("3.15"), "-m", "profiling.tracing", "-o", made, program, "9"]
    workshop.run(command)
    tool = f"profiling.tracing of Python {full_version(workshop, '3.15')}"
    keep(workshop, "3.15", made, f"{stem(program)}-tracing3.15.prof", tool, command)


def make(workshop: Workshop) -> None:
    for case in C_PROFILE:
        workshop.attempt(c_profile, *case)
    for version in ("3.11", "3.13"):
        workshop.attempt(old_profile, version, "recursion.py")
        workshop.attempt(changed, version, "strip_dirs")
        workshop.attempt(changed, version, "added")
    for clock, program in (("wall", "exceptions.py"), ("cpu", "threads.py")):
        workshop.attempt(yappi, clock, program)
    workshop.attempt(pyinstrument, "numeric.py")
    for program, arguments, options in SAMPLED:
        workshop.attempt(sampled, program, arguments, options)
    workshop.attempt(tracing, "exceptions.py")
