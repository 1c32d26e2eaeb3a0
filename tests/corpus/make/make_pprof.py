"""pprof: of Go's runtime, austin2pprof, and Node's profilers by @datadog/pprof."""

import re
import shutil
from pathlib import Path

from make_collapsed import AUSTIN_3, AUSTIN_READER, ROUNDS
from make_pstats import stem
from truths import TOP, make_truth, tidy
from workshop import HOME, Truth, Unavailable, Words, Workshop

# Kinds of Go's profiles, and the sample type that its own tool shows first.
GO_KINDS = ["cpu", "cpu-labels", "heap", "allocs", "mutex", "block", "goroutine", "threadcreate"]
AUSTIN_CASES = [("recursion.py", []), ("threads.py", ["-s"])]
NODE_PACKAGE = "@datadog/pprof@5.9.0"

# austin2pprof names microseconds by a Greek letter.
NANOSECONDS = {"nanoseconds": 1, "μs": 1000}


def go() -> str:
    for found in (shutil.which("go"), "/usr/local/go/bin/go"):
        if found and Path(found).exists():
            return found
    raise Unavailable("Go is not installed")


def read(workshop: Workshop, made: Path) -> Truth:
    """What `go tool pprof` says: all sample types, and the top of the default one."""
    tool = [go(), "tool", "pprof"]
    raw = workshop.run([*tool, "-raw", made])
    header = raw[raw.index("Samples:\n") :].splitlines()[1]
    types = re.findall(r"(\S.*?)/(\w+)(\[dflt\])?(?=\s|$)", header)
    totals = sum_samples(raw, len(types))
    names = [name for name, _, _ in types]
    chosen = next((i for i, (_, _, default) in enumerate(types) if default), len(types) - 1)
    unit = types[chosen][1]
    options = ["-top", f"-sample_index={names[chosen]}", "-nodecount=10000", "-nodefraction=0"]
    options += ["-edgefraction=0"] + [f"-unit={unit}"] * (unit in ("nanoseconds", "bytes"))
    scale = NANOSECONDS.get(unit, 1)
    printed = workshop.run([*tool, *options, made])
    rows = re.findall(
        r"^\s*(-?[\d.]+)\w*\s+[\d.]+%\s+[\d.]+%\s+(-?[\d.]+)\w*\s+[\d.]+%\s+(.*)$",
        printed,
        re.MULTILINE,
    )
    top = [
        {
            "name": name.removesuffix(" (inline)"),
            "self": tidy(float(own) * scale),
            "total": tidy(float(whole) * scale),
        }
        for own, whole, name in rows[:TOP]
        if float(own) > 0 and name != "<unknown>"  # a sample without a stack
    ]
    return make_truth(
        names[chosen],
        "nanoseconds" if unit in NANOSECONDS else unit,
        totals[chosen] * scale,
        top,
        functions=len(functions_of(raw, chosen)),
        totals={
            f"{name}/{unit}": total for (name, unit, _), total in zip(types, totals, strict=True)
        },
    )


def functions_of(raw: str, column: int) -> set[tuple[str, str]]:
    """Names and files of what has values; the rows of -top are by name alone."""
    samples = raw[raw.index("Samples:\n") : raw.index("Locations\n")]
    rows = re.findall(r"^([-\d ]+): ([\d ]+)$", samples, re.MULTILINE)
    stacks = [stack for values, stack in rows if int(values.split()[column])]
    used = {number for stack in stacks for number in stack.split()}
    functions = set()
    number = ""
    for line in raw[raw.index("Locations\n") : raw.index("Mappings\n")].splitlines()[1:]:
        found = re.match(r" +(?:(\d+): 0x[\da-f]+ (?:M=\d+ )?)?(\S.*?) (\S*):\d+:\d+ s=\d+", line)
        assert found is not None, line
        number = found.group(1) or number  # a line without one is inlined into the last
        if number in used:
            functions.add((found.group(2), found.group(3)))
    return functions


def sum_samples(raw: str, columns: int) -> list[int]:
    body = raw[raw.index("Samples:\n") : raw.index("Locations")]
    totals = [0] * columns
    for numbers in re.findall(r"^\s*((?:-?\d+\s+)*-?\d+): ", body, re.MULTILINE):
        for column, number in enumerate(numbers.split()):
            totals[column] += int(number)
    return totals


def keep(
    workshop: Workshop, made: Path, name: str, tool: str, command: Words, program: str
) -> None:
    version = workshop.run([go(), "version"]).split()[2]
    workshop.keep(
        made,
        name,
        format="pprof",
        tool=tool,
        command=command,
        program=program,
        read_by=f"go tool pprof of {version}",
        truth=read(workshop, made),
    )


def go_runtime(workshop: Workshop, kind: str) -> None:
    compiler = go()
    cache = {"GOCACHE": str(HOME / "tools" / "go"), "GO111MODULE": "off", "GOFLAGS": ""}
    workshop.run([compiler, "build", "-trimpath", "-o", "work", "work.go"], env=cache)
    made = workshop.fresh("out.pb.gz")
    command = ["./work", kind, made]
    workshop.run(command)
    version = workshop.run([compiler, "version"]).split()[2]
    keep(workshop, made, f"work-{kind}.pb.gz", f"runtime/pprof of {version}", command, "work.go")


def austin(workshop: Workshop, program: str, options: list[str]) -> None:
    tools, readers = workshop.environment(AUSTIN_3), workshop.environment(AUSTIN_READER)
    recorded, made = workshop.fresh("out.austin"), workshop.fresh("out.pprof")
    command = [tools / "austin", "-i", "5ms", *options, "-o", recorded]
    command += [workshop.python("3.11"), program, ROUNDS[program]]
    workshop.run(command)
    convert = [readers / "austin2pprof", recorded, made]
    workshop.run(convert)
    tool = f"austin {AUSTIN_3.partition('==')[2]}, austin2pprof of {AUSTIN_READER}"
    keep(workshop, made, f"{stem(program)}-austin.pprof", tool, [*command, "&&", *convert], program)


def node(workshop: Workshop, kind: str) -> None:
    folder = HOME / "tools" / "node"
    if not (folder / "node_modules" / "@datadog" / "pprof").exists():
        folder.mkdir(parents=True, exist_ok=True)
        workshop.run(["npm", "install", "--prefix", folder, NODE_PACKAGE])
    made = workshop.fresh("out.pb.gz")
    command = ["node", "work.js", kind, made]
    workshop.run(command, env={"NODE_PATH": str(folder / "node_modules")})
    keep(workshop, made, f"work-node-{kind}.pb.gz", NODE_PACKAGE, command, "work.js")


def make(workshop: Workshop) -> None:
    for kind in GO_KINDS:
        workshop.attempt(go_runtime, kind)
    for program, options in AUSTIN_CASES:
        workshop.attempt(austin, program, options)
    for kind in ("time", "heap"):
        workshop.attempt(node, kind)
