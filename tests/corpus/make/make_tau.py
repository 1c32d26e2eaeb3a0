"""TAU's files. TAU is in no package registry, so these are written by hand after its format and
are marked so: what they hold is the truth by construction, not the word of the tool."""

from pathlib import Path
from typing import Any, NamedTuple

from truths import make_truth
from workshop import CORPUS, Workshop

HEADER = "# Name Calls Subrs Excl Incl ProfileCalls"
METADATA = (
    "<metadata><attribute><name>Executable</name><value>/tmp/corpus/solver</value></attribute>"
    "<attribute><name>TAU Version</name><value>2.33</value></attribute></metadata>"
)


class Timer(NamedTuple):
    name: str
    calls: int
    inner_calls: int
    exclusive: float  # microseconds
    inclusive: float
    group: str = "TAU_USER"


def text_of(metric: str, timers: list[Timer], events: list[str]) -> str:
    lines = [f"{len(timers)} templated_functions{metric}", f"{HEADER} # {METADATA}"]
    lines += [
        f'"{t.name}" {t.calls} {t.inner_calls} {t.exclusive:.16G} {t.inclusive:.16G} 0 '
        f'GROUP="{t.group}" '
        for t in timers
    ]
    lines.append("0 aggregates")
    if events:
        lines += [f"{len(events)} userevents", "# eventname numevents max min mean sumsqr", *events]
    return "\n".join(lines) + "\n"


def flat(rank: int) -> list[Timer]:
    solve, receive = 400_000.5 + 1000 * rank, 90_000.25 - 500 * rank
    whole = 10_000 + solve + receive
    return [
        Timer(".TAU application", 1, 2, 10_000, whole, "TAU_DEFAULT"),
        Timer("solve [{solver.py}{12}]", 40, 0, solve, solve, "TAU_PYTHON"),
        Timer("MPI_Recv()", 80, 0, receive, receive, "MPI"),
    ]


def paths() -> list[Timer]:
    above = "TAU_CALLPATH|TAU_PYTHON"
    return [
        Timer(".TAU application", 1, 1, 1000, 61_000, "TAU_DEFAULT"),
        Timer("main [{solver.py}{3}]", 1, 2, 5000, 60_000, "TAU_PYTHON"),
        Timer("step [{solver.py}{20}]", 10, 10, 30_000, 50_000, "TAU_PYTHON"),
        Timer("norm [{solver.py}{40}]", 11, 0, 25_000, 25_000, "TAU_PYTHON"),
        Timer(".TAU application => main [{solver.py}{3}]", 1, 2, 5000, 60_000, above),
        Timer(
            ".TAU application => main [{solver.py}{3}] => step [{solver.py}{20}]",
            10, 10, 30_000, 50_000, above,
        ),
        Timer(
            ".TAU application => main [{solver.py}{3}] => norm [{solver.py}{40}]",
            1, 0, 5000, 5000, above,
        ),
        Timer(
            ".TAU application => main [{solver.py}{3}] => step [{solver.py}{20}] => "
            "norm [{solver.py}{40}]",
            10, 0, 20_000, 20_000, above,
        ),
    ]  # fmt: skip


def truth_of(files: list[list[Timer]]) -> dict[str, Any]:
    """Rows of call paths repeat what the rows of functions say."""
    functions: dict[str, list[float]] = {}
    for timers in files:
        for timer in timers:
            if "=>" not in timer.name:
                sums = functions.setdefault(timer.name, [0, 0, 0])
                sums[0] += timer.exclusive * 1000
                sums[1] += timer.inclusive * 1000
                sums[2] += timer.calls
    ordered = sorted(functions.items(), key=lambda item: -item[1][0])
    return make_truth(
        "TIME",
        "nanoseconds",
        round(sum(sums[0] for sums in functions.values())),
        [
            {
                "name": name.split(" [")[0],
                "self": round(own),
                "total": round(whole),
                "calls": int(calls),
            }
            for name, (own, whole, calls) in ordered[:3]
        ],
        tolerance=len(ordered),
        functions=len(functions),
        threads=len(files),
    )


def write(workshop: Workshop, folder: str, files: dict[str, str], truth: dict[str, Any]) -> None:
    for name, text in files.items():
        path = CORPUS / "tau" / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    is_one = len(files) == 1
    workshop.entries.append(
        {
            "file": str(
                Path("tau") / folder / next(iter(files)) if is_one else Path("tau") / folder
            ),
            "format": "tau",
            "tool": "by hand",
            "command": "",
            "program": "",
            "read_by": "construction",
            "truth": truth,
        }
    )
    print(f"  tau/{folder}: {len(files)} files, total {truth['total']}")


def make(workshop: Workshop) -> None:
    one = flat(0)
    write(workshop, "flat", {"profile.0.0.0": text_of("_MULTI_TIME", one, [])}, truth_of([one]))
    old = flat(3)
    write(workshop, "old-header", {"profile.0.0.0": text_of("", old, [])}, truth_of([old]))
    calls = paths()
    event = '"Message size received from all nodes" 80 8192 8 4096.5 1342504960'
    text = text_of("_MULTI_TIME", calls, [event])
    write(workshop, "call-paths", {"profile.0.0.0": text}, truth_of([calls]))
    ranks = [flat(rank) for rank in range(4)]
    texts = {
        f"profile.{rank}.0.0": text_of("_MULTI_TIME", timers, [])
        for rank, timers in enumerate(ranks)
    }
    write(workshop, "ranks", texts, truth_of(ranks))
    threads = [flat(rank) for rank in range(2)]
    texts = {}
    for thread, timers in enumerate(threads):
        name = f"profile.0.0.{thread}"
        texts[f"MULTI__TIME/{name}"] = text_of("_MULTI_TIME", timers, [])
        counted = [t._replace(exclusive=t.calls * 1e4, inclusive=t.calls * 1e4) for t in timers]
        texts[f"MULTI__PAPI_TOT_CYC/{name}"] = text_of("_MULTI_PAPI_TOT_CYC", counted, [])
    write(workshop, "metrics", texts, truth_of(threads))
