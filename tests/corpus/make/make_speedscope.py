"""speedscope's JSON: of py-spy, pyinstrument and austin2speedscope."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from make_collapsed import AUSTIN_3, AUSTIN_READER, PY_SPY, ROUNDS
from make_pstats import stem
from truths import Place, Stack, truth_of_stacks
from workshop import Truth, Words, Workshop

UNITS = {"seconds": 1e9, "milliseconds": 1e6, "microseconds": 1e3, "nanoseconds": 1}

PY_SPY_CASES = [
    ("numeric.py", "plain", []),
    ("threads.py", "threads", ["--threads", "--idle"]),
    ("processes.py", "subprocesses", ["--subprocesses"]),
    ("builtins_at_work.py", "native", ["--native"]),
]
PYINSTRUMENT_CASES: list[tuple[str, str, list[str]]] = [
    ("4.6.2", "recursion.py", []),
    ("5.0.0", "numeric.py", []),
    ("5.1.3", "coroutines.py", []),
]
AUSTIN_CASES = [("recursion.py", []), ("threads.py", ["-s"])]


def read(made: Path) -> Truth:
    document = json.loads(made.read_text())
    units = {profile["unit"] for profile in document["profiles"]}
    (unit,) = units
    scale = UNITS.get(unit, 1)
    stacks = list(stacks_of(document, scale))
    facts = {"profiles": len(document["profiles"])}
    if scale != 1:
        return truth_of_stacks(stacks, "time", "nanoseconds", tolerance=len(stacks), **facts)
    return truth_of_stacks(stacks, unit, "bytes" if unit == "bytes" else "count", **facts)


def stacks_of(document: dict[str, Any], scale: float) -> Iterator[Stack]:
    # The others' lines are those at which functions were.
    has_first_lines = "pyinstrument" in document["exporter"]
    places = [
        Place(frame["name"], frame.get("file") or "", frame["line"] or 0 if has_first_lines else 0)
        for frame in document["shared"]["frames"]
    ]
    # py-spy --subprocesses puts a frame for the process below the others.
    processes = {place for place in places if place.name.startswith("process ")}
    for number, profile in enumerate(document["profiles"]):
        found = re.match(r"Process (\d+)", profile["name"])  # of py-spy --subprocesses
        process = found.group(1) if found else ""
        if profile["type"] == "sampled":
            for sample, weight in zip(profile["samples"], profile["weights"], strict=True):
                frames = tuple(places[i] for i in sample if places[i] not in processes)
                yield Stack(frames, weight * scale, number, process)
            continue
        frames, now = (), profile["startValue"]
        for event in profile["events"]:
            yield Stack(frames, (event["at"] - now) * scale, number, process)
            now = event["at"]
            frames = (*frames, places[event["frame"]]) if event["type"] == "O" else frames[:-1]


def keep(
    workshop: Workshop, made: Path, name: str, tool: str, command: Words, program: str
) -> None:
    workshop.keep(
        made,
        name,
        format="speedscope",
        tool=tool,
        command=command,
        program=program,
        read_by="the published schema: weights of samples, times between events",
        truth=read(made),
    )


def py_spy(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    tools = workshop.environment(PY_SPY)
    made = workshop.fresh("out.json")
    command = [tools / "py-spy", "record", "-f", "speedscope", "-r", 200, "-o", made, *options]
    command += ["--", workshop.python("3.11"), program, ROUNDS[program]]
    workshop.run_until_it_works(command)
    file = f"{stem(program)}-py-spy-{name}.json"
    keep(workshop, made, file, PY_SPY.replace("==", " "), command, program)


def pyinstrument(workshop: Workshop, version: str, program: str, options: list[str]) -> None:
    tools = workshop.environment(f"pyinstrument=={version}")
    made = workshop.fresh("out.json")
    command = [tools / "pyinstrument", "-r", "speedscope", "-i", "0.005", "-o", made, *options]
    command += [program, ROUNDS[program] // 2]
    workshop.run(command)
    file = f"{stem(program)}-pyinstrument{version}.json"
    keep(workshop, made, file, f"pyinstrument {version}", command, program)


def austin(workshop: Workshop, program: str, options: list[str]) -> None:
    tools, readers = workshop.environment(AUSTIN_3), workshop.environment(AUSTIN_READER)
    recorded, made = workshop.fresh("out.austin"), workshop.fresh("out.json")
    command = [tools / "austin", "-i", "5ms", *options, "-o", recorded]
    command += [workshop.python("3.11"), program, ROUNDS[program]]
    workshop.run(command)
    convert = [readers / "austin2speedscope", recorded, made]
    workshop.run(convert)
    tool = f"austin {AUSTIN_3.partition('==')[2]}, austin2speedscope of {AUSTIN_READER}"
    keep(workshop, made, f"{stem(program)}-austin.json", tool, [*command, "&&", *convert], program)


def make(workshop: Workshop) -> None:
    for case in PY_SPY_CASES:
        workshop.attempt(py_spy, *case)
    for version, program, options in PYINSTRUMENT_CASES:
        workshop.attempt(pyinstrument, version, program, options)
    for program, options in AUSTIN_CASES:
        workshop.attempt(austin, program, options)
