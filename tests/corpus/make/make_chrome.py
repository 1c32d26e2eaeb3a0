"""Chrome traces: of viztracer and py-spy."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from make_collapsed import PY_SPY, ROUNDS
from make_pstats import stem
from truths import TOP, Place, make_truth
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


class Figures:
    """Of the functions of a trace, in nanoseconds."""

    def __init__(self) -> None:
        self.own: defaultdict[Place, float] = defaultdict(float)
        self.whole: defaultdict[Place, float] = defaultdict(float)
        self.calls: Counter[Place] = Counter()

    def add(self, place: Place, duration: float, around: list[Place]) -> None:
        self.calls[place] += 1
        self.own[place] += duration
        if around:
            self.own[around[-1]] -= duration
        if place not in around:
            self.whole[place] += duration


def read(made: Path) -> Truth:
    """The duration of every event without what is inside it, by the rules of the format."""
    document = json.loads(made.read_text())
    events: list[Event] = document["traceEvents"] if isinstance(document, dict) else document
    threads: dict[tuple[Any, Any], list[Event]] = {}
    for event in events:
        if event["ph"] in "XBE":
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    figures = Figures()
    for each in threads.values():
        add_complete([event for event in each if event["ph"] == "X"], figures)
        add_pairs([event for event in each if event["ph"] != "X"], figures)
    calls = sum(figures.calls.values())
    top = [
        {**place.facts(), "self": round(value), "total": round(figures.whole[place])}
        | {"calls": figures.calls[place]}
        for place, value in sorted(figures.own.items(), key=lambda item: -item[1])[:TOP]
        if value > 0
    ]
    return make_truth(
        "time",
        "nanoseconds",
        round(sum(figures.own.values())),
        top,
        tolerance=calls,
        functions=len(figures.calls),
        calls=calls,
        threads=len(threads),
        processes=len({process for process, _ in threads}),
    )


def place_of(event: Event) -> Place:
    """viztracer's names are `name (file:line)`, py-spy has the file beside the name."""
    found = re.fullmatch(r"(.*) \((.*):(\d+)\)", event["name"])
    if found is None:
        return Place(event["name"], event.get("args", {}).get("filename") or "")
    return Place(found.group(1), found.group(2), int(found.group(3)))


def add_complete(events: list[Event], figures: Figures) -> None:
    """Complete events nest by time; of equal ones the last written is the outer."""
    spans = [(float(e["ts"]) * 1000, float(e["dur"]) * 1000, place_of(e)) for e in reversed(events)]
    around: list[tuple[float, Place]] = []
    for begin, duration, place in sorted(spans, key=lambda span: (span[0], -span[1])):
        while around and around[-1][0] <= begin:
            around.pop()
        figures.add(place, duration, [outer for _, outer in around])
        around.append((begin + duration, place))


def add_pairs(events: list[Event], figures: Figures) -> None:
    """Begins and ends are in order."""
    begun: list[tuple[float, Place]] = []
    for event in events:
        now = float(event["ts"]) * 1000
        if event["ph"] == "B":
            begun.append((now, place_of(event)))
        elif begun:
            began, place = begun.pop()
            figures.add(place, now - began, [outer for _, outer in begun])


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
    for program, name, options in PY_SPY_CASES:
        workshop.attempt(py_spy, program, name, options)
