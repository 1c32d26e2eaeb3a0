"""All contenders on one program, in turn, round after round."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.contenders import Contender, fill
from harness.measure import CommandError, Cost, run

MEASURED = re.compile(r"^measured cpu ([\d.]+) wall ([\d.]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    """One run: of the whole process tree, and what the program says its work took (seconds)."""

    cost: Cost
    own_cpu: float
    own_wall: float
    samples: int | None = None  # taken by the tool, where that can be told


@dataclass
class Entry:
    """A contender that takes part. `failure` is why it cannot, or why it failed last."""

    contender: Contender
    words: Mapping[str, str] = field(default_factory=dict)  # to fill in its command
    version: str = ""
    failure: str = ""
    takes_part: bool = True
    runs: list[Run | None] = field(default_factory=list)  # by round; None where it failed


def clean_environment() -> dict[str, str]:
    """Ours without what would change how the program's Python behaves."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYROMETER")) and name != "VIRTUAL_ENV"
    }
    # Idle threads of a linear-algebra library spin, which hides a profiler's cost in noise.
    return kept | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def run_once(entry: Entry, program: Path, arguments: Sequence[str]) -> Run:
    """Raises CommandError unless program and tool have both done their work."""
    with tempfile.TemporaryDirectory(prefix="pyrometer-bench-") as folder:
        words = {**entry.words, "program": str(program), "output": folder}
        command = [*fill(entry.contender.command, words), *arguments]
        cost, said = run(command, environment=clean_environment(), folder=Path(folder))
        measured = MEASURED.findall(said)
        if not measured:
            raise CommandError("the program did not say what its work took")
        if entry.contender.output and not any(
            path.stat().st_size for path in Path(folder).glob(entry.contender.output)
        ):
            raise CommandError("wrote no profile")
        samples = count_samples(entry, Path(folder))
    own_cpu, own_wall = measured[-1]
    return Run(cost, float(own_cpu), float(own_wall), samples)


def count_samples(entry: Entry, folder: Path) -> int | None:
    """A profile without a sample is none, and one that cannot be read is no better."""
    count = entry.contender.count_samples
    if count is None:
        return None
    try:
        samples = count(folder, entry.words)
    except (OSError, LookupError, TypeError, ValueError, subprocess.SubprocessError) as error:
        raise CommandError(f"wrote a profile that cannot be read: {error!r}") from None
    if samples == 0:
        raise CommandError("wrote a profile without a sample")
    return samples


def try_once(
    entry: Entry,
    program: Path,
    arguments: Sequence[str],
    say: Callable[[str], None],
    when: str = "",
) -> Run | None:
    """None when the contender fails, for the reason it then gives."""
    try:
        result = run_once(entry, program, arguments)
    except CommandError as error:
        entry.failure = str(error)
        say(f"{when}{entry.contender.name}: failed: {entry.failure}")
        return None
    cost = result.cost
    say(f"{when}{entry.contender.name}: {cost.cpu:.2f} s CPU, {cost.wall:.2f} s wall")
    return result


def try_all(
    entries: Sequence[Entry], program: Path, arguments: Sequence[str], say: Callable[[str], None]
) -> None:
    """A run that does not count. Who fails it twice does not take part in the rounds."""
    for entry in entries:
        if entry.takes_part:
            entry.takes_part = any(
                try_once(entry, program, arguments, say, "trial: ") for _ in range(2)
            )
            if entry.takes_part:
                entry.failure = ""


def run_rounds(
    entries: Sequence[Entry],
    program: Path,
    arguments: Sequence[str],
    rounds: int,
    say: Callable[[str], None],
) -> None:
    """Each round begins with another contender, so that none always follows the same one."""
    for number in range(rounds):
        start = number % len(entries)
        for entry in [*entries[start:], *entries[:start]]:
            if entry.takes_part:
                when = f"round {number + 1}: "
                entry.runs.append(try_once(entry, program, arguments, say, when))
