"""Profiles for the Firefox Profiler: of Python 3.15's sampler."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from make_collapsed import ROUNDS
from make_pstats import full_version, stem
from truths import Place, Stack, truth_of_stacks
from workshop import Truth, Workshop

SAMPLING_CASES = [
    ("recursion.py", "wall", []),
    ("threads.py", "all-threads", ["-a"]),
    ("numeric.py", "no-gc", ["--no-gc"]),
    ("builtins_at_work.py", "native", ["--native"]),
    ("exceptions.py", "blocking", ["--blocking"]),
    ("memory.py", "wall", []),
    ("coroutines.py", "async", ["--async-aware"]),
    ("deep.py", "opcodes", ["--opcodes"]),
]


def read(made: Path) -> Truth:
    """The samples of all threads, by the format's tables."""
    document = json.loads(made.read_text())
    stacks = list(stacks_of(document))
    version = document["meta"]["preprocessedProfileVersion"]
    return truth_of_stacks(
        stacks, "samples", "count", version=version, tracks=len(document["threads"])
    )


def stacks_of(document: dict[str, Any]) -> Iterator[Stack]:
    shared = document.get("shared", {})
    for number, thread in enumerate(document["threads"]):
        tables = {**thread, **{key: value for key, value in shared.items() if key != "stringArray"}}
        texts = shared.get("stringArray") or thread.get("stringArray") or thread["stringTable"]
        functions, sources = tables["funcTable"], tables.get("sources")
        paths: list[tuple[Place, ...]] = []
        stack_table = tables["stackTable"]
        for prefix, frame in zip(stack_table["prefix"], stack_table["frame"], strict=True):
            function = tables["frameTable"]["func"][frame]
            file = file_of(functions, sources, function)
            place = Place(texts[functions["name"][function]], "" if file is None else texts[file])
            paths.append((*(() if prefix is None else paths[prefix]), place))
        samples = thread["samples"]
        weights = samples.get("weight") or [1] * len(samples["stack"])
        for stack, weight in zip(samples["stack"], weights, strict=True):
            yield Stack(() if stack is None else paths[stack], weight, number, thread["pid"])


def file_of(functions: dict[str, Any], sources: dict[str, Any] | None, function: int) -> int | None:
    if sources is not None and "source" in functions:
        source = functions["source"][function]
        return None if source is None else int(sources["filename"][source])
    file = functions["fileName"][function]
    return None if file is None else int(file)


def sampling(workshop: Workshop, program: str, name: str, options: list[str]) -> None:
    made = workshop.fresh("out.json")
    python = workshop.python("3.15")
    command = [python, "-m", "profiling.sampling", "run", "--gecko", "-r", "300", "-o", made]
    command += [*options, program, ROUNDS.get(program, 3000)]
    workshop.run(command)
    workshop.keep(
        made,
        f"{stem(program)}-sampling-{name}.json",
        format="firefox",
        tool=f"profiling.sampling of Python {full_version(workshop, '3.15')}",
        command=command,
        program=program,
        read_by="the published description of the processed profile",
        truth=read(made),
    )


def make(workshop: Workshop) -> None:
    for case in SAMPLING_CASES:
        workshop.attempt(sampling, *case)
