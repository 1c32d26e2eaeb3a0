"""Tools that record memory, and what Pyrometer promises to cost on each program."""

from dataclasses import replace

from harness.contenders import PLAIN, Contender

# Of the CPU time, by mode and program.
PROMISES = {
    "sampled": {
        "memory_small": 1.03,
        "memory_big": 1.03,
        "memory_imports": 1.03,
        "memory_fib": 1.02,
        "memory_objects": 1.10,
    },
    "exact": {"memory_small": 1.4, "memory_fib": 1.2},
    "objects": {"memory_objects": 2.5},
}


def pyrometer(mode: str) -> Contender:
    return Contender(
        f"pyrometer {mode}",
        ("{pyrometer}", "run", "-q", f"--memory={mode}", "-o", "{output}/run",
         "--python", "{python}", "{program}"),
        output="run/raw/*/*.pyr",
    )  # fmt: skip


def memray(name: str, *options: str) -> Contender:
    return Contender(
        name,
        ("{python}", "-m", "memray", "run", "-q", *options, "-o", "{output}/profile", "{program}"),
        packages=("memray>=1.15",),
        in_process=True,
        output="profile",
    )


TOOLS = (
    PLAIN,
    *(pyrometer(mode) for mode in PROMISES),
    memray("memray"),
    memray("memray objects", "--trace-python-allocators"),
    Contender(
        "scalene",
        ("{python}", "-m", "scalene", "run", "-o", "{output}/profile.json", "{program}"),
        packages=("scalene>=2",),
        in_process=True,
        output="profile.json",
    ),
    Contender("tracemalloc", ("{python}", "-X", "tracemalloc", "{program}")),
    Contender(
        "mprof",  # memory_profiler itself slows decorated loops some thousand times
        ("{bin}/mprof", "run", "-o", "{output}/profile.dat", "{python}", "{program}"),
        packages=("memory_profiler>=0.61",),
        output="profile.dat",
    ),
)


def contenders_for(program: str) -> list[Contender]:
    def with_promise(tool: Contender) -> Contender:
        mode = tool.name.removeprefix("pyrometer ")
        return replace(tool, most=PROMISES.get(mode, {}).get(program))

    return [with_promise(tool) for tool in TOOLS]
