"""memory_profiler's tables of lines, and the files of its mprof."""

import json

from make_pstats import stem
from truths import TOP, make_truth
from workshop import Workshop

MEBIBYTE = 1 << 20

# Version, the newest Python that can import it, the program, and the digits that are printed.
TEXTS = [
    ("0.50.0", "3.10", "memory.py", 3),
    ("0.52.0", "3.10", "memory.py", 3),
    ("0.55.0", "3.10", "memory.py", 3),
    ("0.57.0", "3.10", "pipelines.py", 3),
    ("0.58.0", "3.10", "memory.py", 3),
    ("0.60.0", "3.10", "exceptions.py", 3),
    ("0.61.0", "3.11", "memory.py", 3),
    ("0.61.0", "3.11", "numeric.py", 1),
    ("0.61.0", "3.11", "pipelines.py", 6),
]
DAT_FILES = [
    ("0.61.0", "3.11", "memory.py", "with-functions", ["--python"]),
    ("0.61.0", "3.11", "threads.py", "single", ["--nopython"]),
    ("0.61.0", "3.11", "memory_processes.py", "include-children", ["--include-children"]),
    ("0.61.0", "3.11", "memory_processes.py", "multiprocess", ["--multiprocess"]),
    ("0.58.0", "3.10", "memory.py", "with-functions", ["--python"]),
    ("0.55.0", "3.10", "memory_processes.py", "multiprocess", ["--multiprocess"]),
]

# What `python -m memory_profiler` does, and then tells what is behind the printed tables.
RUN = """
import builtins, json, memory_profiler, runpy, sys
precision, output, *sys.argv = sys.argv[1:]
builtins.profile = profiler = memory_profiler.LineProfiler()
runpy.run_path(sys.argv[0], run_name="__main__")
with open(output, "w") as stream:
    memory_profiler.show_results(profiler, stream=stream, precision=int(precision))
tables = [[file, [[line, value] for line, value in lines if value]]
          for file, lines in profiler.code_map.items()]
json.dump(tables, sys.stdout)
"""
READ_DAT = """
import json, sys
import mprof
data = mprof.read_mprofile_file(sys.argv[1])
calls = (data.get("func_timestamp") or {}).items()
json.dump([data["mem_usage"], data["timestamp"], list(calls),
           [list(values) for values in data.get("children", {}).values()]], sys.stdout)
"""


def text(workshop: Workshop, version: str, python: str, program: str, precision: int) -> None:
    tools = workshop.environment(f"memory_profiler=={version}", "psutil<7", python=python)
    made = workshop.fresh("out.txt")
    run = [tools / "python", "-c", RUN, precision, made, program]
    tables = json.loads(workshop.run(run).splitlines()[-1])
    # Increment, usage and, since 0.58, occurrences.
    values = [value for _, lines in tables for _, value in lines]
    top = [
        {"line": line, "memory": round(value[1] * MEBIBYTE)}
        for line, value in sorted(
            (line for _, lines in tables for line in lines), key=lambda line: -line[1][1]
        )[:TOP]
    ]
    truth = make_truth(
        "memory",
        "bytes",
        round(max(value[1] for value in values) * MEBIBYTE),
        top,
        tolerance=round(MEBIBYTE * 0.5 * 10**-precision) + 1,
        functions=len(tables),
        lines=len(values),
    )
    if all(len(value) > 2 for value in values):
        truth["hits"] = sum(value[2] for value in values)
    workshop.keep(
        made,
        f"{stem(program)}-{version}" + (f"-digits{precision}" if precision != 3 else "") + ".txt",
        format="memory_profiler_text",
        tool=f"memory_profiler {version}",
        command=["python", "-m", "memory_profiler", "--precision", precision, program],
        program=program,
        read_by=f"code_map of memory_profiler {version}; the total is the highest usage",
        truth=truth,
    )


def dat_file(
    workshop: Workshop, version: str, python: str, program: str, name: str, options: list[str]
) -> None:
    tools = workshop.environment(f"memory_profiler=={version}", "psutil<7", python=python)
    made = workshop.fresh("out.dat")
    made.unlink(missing_ok=True)
    command = [tools / "mprof", "run", "-T", "0.02", "-o", made, *options]
    if options == ["--nopython"]:
        command.append(workshop.python(python))
    command += [program, 40 if program == "threads.py" else 3 if program == "memory.py" else 1]
    workshop.run(command)
    usage, times, calls, children = json.loads(
        workshop.run([tools / "python", "-c", READ_DAT, made])
    )
    truth = make_truth(
        "memory",
        "bytes",
        round(max(usage) * MEBIBYTE),
        [
            {"name": name, "calls": len(regions), "increment": increment(regions)}
            for name, regions in calls[:TOP]
        ],
        tolerance=1,
        samples=len(usage),
        functions=len(calls),
        seconds=round(max(times) - min(times), 4),
        children=[
            {"samples": len(values), "peak": round(max(value for value, _ in values) * MEBIBYTE)}
            for values in children
        ],
        processes=1 + len(children),
    )
    workshop.keep(
        made,
        f"{stem(program)}-{version}-{name}.dat",
        format="mprof",
        tool=f"mprof of memory_profiler {version}",
        command=command,
        program=program,
        read_by=f"read_mprofile_file of mprof {version}; the total is the peak of the parent",
        truth=truth,
    )


def increment(regions: list[list[float]]) -> int:
    """A region is begin, end, memory at the begin and at the end."""
    return round(sum(region[3] - region[2] for region in regions) * MEBIBYTE)


def make_texts(workshop: Workshop) -> None:
    for case in TEXTS:
        workshop.attempt(text, *case)


def make_dat_files(workshop: Workshop) -> None:
    for case in DAT_FILES:
        workshop.attempt(dat_file, *case)
