"""line_profiler's pickles and the texts it prints of them, by several versions."""

import json
import re
from pathlib import Path

from truths import TOP, make_truth
from workshop import Truth, Workshop

# Version and the Python it has wheels for.
VERSIONS = [("3.5.1", "3.10"), ("4.0.3", "3.11"), ("4.2.0", "3.11"), ("5.0.0", "3.11")]
VERSIONS += [("5.0.2", "3.13")]
PROGRAMS = [("numeric", "3"), ("exceptions", "4"), ("pipelines", "6")]
TEXTS = [
    ("3.5.1", "3.10", "numeric", []),
    ("4.0.3", "3.11", "numeric", []),
    ("4.0.3", "3.11", "exceptions", ["-u", "1e-3"]),
    ("4.2.0", "3.11", "numeric", ["-z"]),
    ("4.2.0", "3.11", "pipelines", ["-t", "-u", "1"]),
    ("5.0.0", "3.11", "exceptions", ["-m", "-z"]),
    ("5.0.2", "3.13", "numeric", []),
    ("5.0.2", "3.13", "pipelines", ["-t", "-z", "-u", "1e-9"]),
]

READ = """
import json, sys
from line_profiler import load_stats
stats = load_stats(sys.argv[1])
json.dump([stats.unit, list(stats.timings.items())], sys.stdout)
"""


def read(workshop: Workshop, tools: Path, file: Path, rounding: float = 0) -> Truth:
    """The rounding is the seconds by which a printed time may be wrong."""
    unit, timings = json.loads(workshop.run([tools / "python", "-c", READ, file]))
    functions = []
    for (source, line, name), lines in timings:
        if lines:
            functions.append(
                {
                    "name": name,
                    "file": source,
                    "line": line,
                    "total": round(sum(time for _, _, time in lines) * unit * 1e9),
                    "hits": sum(hits for _, hits, _ in lines),
                    "lines": len(lines),
                }
            )
    functions.sort(key=lambda function: -function["total"])
    return make_truth(
        "line-time",
        "nanoseconds",
        sum(function["total"] for function in functions),
        functions[:TOP],
        tolerance=round(rounding * 1e9 * sum(function["lines"] for function in functions)),
        functions=len(functions),
        hits=sum(function["hits"] for function in functions),
        lines=sum(function["lines"] for function in functions),
    )


def record(workshop: Workshop, tools: Path, program: str, rounds: str) -> tuple[Path, list[object]]:
    made = workshop.fresh("out.lprof")
    command = [tools / "kernprof", "-l", "-o", made, f"{program}.py", rounds]
    workshop.run(command)
    return made, command


def file(workshop: Workshop, version: str, python: str, program: str, rounds: str) -> None:
    tools = workshop.environment(f"line_profiler=={version}", python=python)
    made, command = record(workshop, tools, program, rounds)
    workshop.keep(
        made,
        f"{program}-{version}.lprof",
        format="lprof",
        tool=f"line_profiler {version}",
        command=command,
        program=f"{program}.py",
        read_by=f"load_stats of line_profiler {version}",
        truth=read(workshop, tools, made),
    )


def text(workshop: Workshop, version: str, python: str, program: str, options: list[str]) -> None:
    tools = workshop.environment(f"line_profiler=={version}", python=python)
    recorded, _ = record(workshop, tools, program, dict(PROGRAMS)[program])
    command = [tools / "python", "-m", "line_profiler", *options, recorded]
    made = workshop.fresh("out.txt")
    made.write_text(workshop.run(command))
    unit = float(options[options.index("-u") + 1]) if "-u" in options else 1e-6
    described = "".join(options).replace("-", "").replace("1e", "e")
    workshop.keep(
        made,
        "-".join(filter(None, [program, version, described])) + ".txt",
        format="line_profiler_text",
        tool=f"line_profiler {version}",
        command=command,
        program=f"{program}.py",
        read_by=f"load_stats of line_profiler {version}, of the file that the text was printed of",
        # Times have one digit after the point.
        truth=read(workshop, tools, recorded, rounding=unit * 0.051)
        | {"printed_total": printed_total(made.read_text())},
    )


def printed_total(printed: str) -> float:
    """The sum of what the text itself says of its functions, in seconds."""
    return round(sum(map(float, re.findall(r"^Total time: (\S+) s", printed, re.MULTILINE))), 9)


def make_files(workshop: Workshop) -> None:
    for version, python in VERSIONS:
        for program, rounds in PROGRAMS:
            if version != "5.0.0" or program == "numeric":
                workshop.attempt(file, version, python, program, rounds)


def make_texts(workshop: Workshop) -> None:
    for case in TEXTS:
        workshop.attempt(text, *case)
