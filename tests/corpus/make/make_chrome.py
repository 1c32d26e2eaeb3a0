"""Chrome traces: of viztracer and py-spy."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from make_collapsed import PY_SPY, ROUNDS
from make_pstats import stem
from truths import TOP, make_truth
from workshop import HOME, Truth, Words, Workshop

# The sources of all files that were seen are in the trace.
OWN_FILES = ["--include_files", str(HOME)]
VIZTRACER_CASES = [
    ("0.16.3", "recursion.py", "plain", []),
    ("0.16.3", "numeric.py", "python-only", ["--ignore_c_function", "--max_stack_depth", "4"]),
    ("1.0.4", "pipelines.py", "arguments", ["--log_func_args", "--log_func_retval"]),
    ("1.0.4", "threads.py", "threads", ["--min_duration", "300us", *OWN_FILES]),
    ("1.1.1", "exceptions.py", "exceptions", ["--log_exception", *OWN_FILES]),
    ("1.1.1", "coroutines.py", "async", ["--log_async", "--min_duration", "50us", *OWN_FILES]),
    ("1.1.1", "processes.py", "processes", OWN_FILES),
    (
        "1.1.1",
        "builtins_at_work.py",
        "minimal",
        ["--minimize_memory", "--min_duration", "10us", *OWN_FILES],
    ),
]
PY_SPY_CASES = [
    ("numeric.py", "plain", []),
    ("threads.py", "threads", ["--threads"]),
    ("recursion.py", "idle", ["--idle", "-r", "50"]),
]

Event = dict[str, Any]


def read(made: Path) -> Truth:
    """The duration of every event without what is inside it, by the rules of the format."""
    document = json.loads(made.read_text())
    events: list[Event] = document["traceEvents"] if isinstance(document, dict) else document
    threads: dict[tuple[Any, Any], list[Event]] = {}
    for event in events:
        if event["ph"] in "XBE":
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for each in threads.values():
        add_thread(complete(each), own, whole, calls)
    top = [
        {"name": name, "self": round(value), "total": round(whole[name]), "calls": calls[name]}
        for name, value in sorted(own.items(), key=lambda item: -item[1])[:TOP]
    ]
    return make_truth(
        "time",
        "nanoseconds",
        round(sum(own.values())),
        top,
        tolerance=sum(calls.values()),
        names=len(calls),
        calls=sum(calls.values()),
        threads=len(threads),
        processes=len({process for process, _ in threads}),
    )


def complete(events: Iterable[Event]) -> list[tuple[float, float, str]]:
    """Begin, end in nanoseconds, and name; B and E paired."""
    spans, begun = [], []
    for event in sorted(events, key=lambda event: float(event["ts"])):
        start = float(event["ts"]) * 1000
        if event["ph"] == "X":
            spans.append((start, start + float(event["dur"]) * 1000, event["name"]))
        elif event["ph"] == "B":
            begun.append((start, event["name"]))
        elif begun:
            began, name = begun.pop()
            spans.append((began, start, name))
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def add_thread(
    spans: list[tuple[float, float, str]],
    own: Counter[str],
    whole: Counter[str],
    calls: Counter[str],
) -> None:
    around: list[tuple[float, float, str]] = []
    for begin, end, name in spans:
        while around and around[-1][1] <= begin:
            around.pop()
        calls[name] += 1
        own[name] += end - begin
        if around:
            own[around[-1][2]] -= end - begin
        if name not in [outer for _, _, outer in around]:
            whole[name] += end - begin
        around.append((begin, end, name))


def keep(
    workshop: Workshop, made: Path, name: str, tool: str, command: Words, program: str
) -> None:
    workshop.keep(
        made,
        name,
        format="chrome",
        tool=tool,
        command=command,
        program=program,
        read_by="the definition of the format: complete events nest by time in each thread",
        truth=read(made),
    )


def viztracer(
    workshop: Workshop, version: str, program: str, name: str, options: list[str]
) -> None:
    tools = workshop.environment(f"viztracer=={version}")
    made = workshop.fresh("out.json")
    command = [tools / "viztracer", "-o", made, "--quiet", *options, "--", program]
    workshop.run(command)
    file = f"{stem(program)}-viztracer{version}-{name}.json"
    keep(workshop, made, file, f"viztracer {version}", command, program)


def py_spy(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    tools = workshop.environment(PY_SPY)
    made = workshop.fresh("out.json")
    command = [tools / "py-spy", "record", "-f", "chrometrace", "-o", made, *options]
    command += ["--", workshop.python("3.11"), program, ROUNDS[program] // 2]
    workshop.run_until_it_works(command)
    file = f"{stem(program)}-py-spy-{name}.json"
    keep(workshop, made, file, PY_SPY.replace("==", " "), command, program)


def make(workshop: Workshop) -> None:
    for case in VIZTRACER_CASES:
        workshop.attempt(viztracer, *case)
    for case in PY_SPY_CASES:
        workshop.attempt(py_spy, *case)
