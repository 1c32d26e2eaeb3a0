"""What the commands that compare tools on programs have in common."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.comparison import Comparison, compare_entries
from harness.contenders import PLAIN, Contender
from harness.document import write_section
from harness.entries import make_entries
from harness.interpreters import find_pythons, version_of
from harness.machine import ROOT, describe_machine
from harness.rounds import run_rounds, try_all
from harness.tables import format_comparisons

PROGRAMS = ROOT / "bench" / "programs"
# What a first, uncounted run does: enough to see whether a tool works at all.
TRIAL = 0.1


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def find_program(name: str) -> Path:
    path = PROGRAMS / f"{name.removesuffix('.py')}.py"
    if not path.is_file():
        raise LookupError(f"There is no program {path}.")
    return path


def choose_contenders(known: Sequence[Contender], names: Sequence[str]) -> list[Contender]:
    """Those whose names begin with one of the names; the plain program always takes part."""
    for name in names:
        if not any(contender.name.startswith(name) for contender in known):
            there_are = ", ".join(contender.name for contender in known)
            raise LookupError(f"There is no contender '{name}'; there are {there_are}.")
    return [
        contender
        for contender in known
        if contender.name == PLAIN.name or not names or contender.name.startswith(tuple(names))
    ]


def compare_on(
    program: Path,
    python: Path,
    options: argparse.Namespace,
    contenders: Sequence[Contender],
) -> Comparison:
    version = version_of(python, parts=3)
    entries = make_entries(contenders, python, options.pyrometer, say)

    def say_where(text: str) -> None:
        say(f"{program.stem}, Python {version}: {text}")

    try_all(entries, program, [str(min(TRIAL, options.scale))], say_where)
    if entries[0].takes_part:
        run_rounds(entries, program, [str(options.scale)], options.rounds, say_where)
    return compare_entries(entries, program.stem, version, options.rounds)


def split_list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not a positive number")
    return number


def part(text: str) -> float:
    number = float(text)
    if not 0 < number <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100")
    return number


def parse_arguments(
    description: str | None, default_programs: str, arguments: Sequence[str] | None
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--programs", type=split_list, default=default_programs, help=f"({default_programs})"
    )
    parser.add_argument(
        "--python",
        type=split_list,
        default="3.11",
        metavar="VERSION[=EXE],…",
        help="Pythons to run the programs with (3.11)",
    )
    parser.add_argument(
        "--contenders", type=split_list, default="", help="beginnings of their names (all)"
    )
    parser.add_argument("--rounds", type=positive, default=5, help="(5)")
    parser.add_argument("--scale", type=part, default=1.0, help="part of the work to do (1)")
    parser.add_argument(
        "--pyrometer",
        type=Path,
        default=ROOT / "build" / "release" / "bin" / "pyrometer",
        help="the executable (the release build)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write-docs", action="store_true", help="update docs/benchmarks.md")
    parser.add_argument(
        "--check", action="store_true", help="fail when a promise is missed beyond noise"
    )
    return parser.parse_args(arguments)


def find_broken_promises(comparisons: Sequence[Comparison]) -> list[str]:
    broken = []
    for comparison in comparisons:
        for result in comparison.results:
            where = f"{result.name} on {comparison.program} with Python {comparison.python}"
            if result.verdict == "missed":
                broken.append(f"{where}: {result.cpu}, promised {result.most:g}")
            elif result.cpu is None and result.most:
                broken.append(f"{where}: failed: {result.failure}")
    return broken


def run_comparison(
    command: str,
    section: str,
    contenders_for: Callable[[str], Sequence[Contender]],
    options: argparse.Namespace,
) -> int:
    """`contenders_for` a program's name; the tables are those of `section` in the documentation."""
    try:
        pythons = find_pythons(options.python)
        programs = [find_program(name) for name in options.programs]
        contenders = {
            program: choose_contenders(contenders_for(program.stem), options.contenders)
            for program in programs
        }
    except LookupError as error:
        say(f"{command}: {error.args[0]}")
        return 2
    machine = describe_machine()
    try:
        comparisons = [
            compare_on(program, python, options, contenders[program])
            for python in pythons.values()
            for program in programs
        ]
    except RuntimeError as error:
        say(f"{command}: {error}")
        return 1
    text = f"{machine}.\n\n{format_comparisons(comparisons)}"
    if options.json:
        document = {"machine": machine, "scale": options.scale}
        print(json.dumps(document | {"comparisons": [c.as_json() for c in comparisons]}, indent=2))
    else:
        print(text)
    if options.write_docs:
        write_section(section, text)
    broken = find_broken_promises(comparisons) if options.check else []
    for sentence in broken:
        say(sentence)
    return 1 if broken else 0
