"""cProfile files: Pyrometer reads and writes what each interpreter's own pstats says of them."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from pstats_oracle import write_program

Label = tuple[str, int, str]

PROGRAMS = {
    "recursion": """
        def fibonacci(n):
            return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        def is_even(n):
            return n == 0 or is_odd(n - 1)
        def is_odd(n):
            return n != 0 and is_even(n - 1)
        fibonacci(12), is_even(20)
    """,
    "library": """
        import json
        for size in range(30):
            json.loads(json.dumps({"list": list(range(size)), "text": "x" * size}))
    """,
    "generators": """
        def numbers():
            for number in range(50):
                try:
                    yield int("x") if number % 3 else number
                except ValueError:
                    yield -1
        sum(numbers()), sorted(numbers(), key=lambda n: -n), [len(str(n)) for n in numbers()]
    """,
    "names": """
        class Größe:
            def __init__(self): self.values = {}
            def __getitem__(self, key): return self.values.setdefault(key, len(self.values))
        size = Größe()
        exec(compile("for key in 'a b c'.split(): size[key]", "no such file.py", "exec"))
    """,
}
BUSY_PROGRAM = """
    def spin(n):
        total = 0
        for i in range(n):
            total += i * i
        return total
    def outer(depth):
        return outer(depth - 1) if depth else spin(2_000_000)
    for _ in range(5):
        outer(3), spin(100_000)
"""


@dataclass
class Cost:
    """As pstats has it; a caller of whom only a count is known has no times."""

    calls: int
    primitive_calls: int
    self_seconds: float | None = None
    total_seconds: float | None = None


@dataclass
class Statistics:
    functions: dict[Label, Cost]
    callers: dict[tuple[Label, Label], Cost]  # (function, caller)
    total: Cost  # without total_seconds


# ---- what Pyrometer says: the only place that knows the report's JSON


def report_on(pyrometer: Run, file: Path, *, sampled: bool) -> Statistics:
    result = pyrometer("report", file, "--json", "--callers", "--limit", "0")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["schema_version"] == 1
    calls, primitive = ("stack_samples", "samples") if sampled else ("calls", "primitive_calls")

    def label_of(entry: dict[str, Any]) -> Label:
        return entry["file"], entry["line"], entry["name"]

    def cost_of(entry: dict[str, Any]) -> Cost:
        seconds = [entry[name] / 1e9 if name in entry else None for name in ("self", "total")]
        return Cost(entry[calls], entry[primitive], *seconds)

    functions = document["functions"]
    callers = {
        (label_of(function), label_of(caller)): cost_of(caller)
        for function in functions
        for caller in function["callers"]
    }
    return Statistics(
        {label_of(function): cost_of(function) for function in functions},
        callers,
        cost_of(document["totals"]),
    )


# ---- what the interpreter says

PSTATS = """
import json, pstats, sys
stats = pstats.Stats(sys.argv[1])
json.dump({
    "class": type(stats).__name__,
    "total": [stats.total_calls, stats.prim_calls, stats.total_tt],
    "functions": [[label, nc, cc, tt, ct] for label, (cc, nc, tt, ct, _) in stats.stats.items()],
    "callers": [
        [label, caller, *(cost if isinstance(cost, tuple) else (cost, cost))]
        for label, value in stats.stats.items() for caller, cost in value[4].items()
    ],
}, sys.stdout)
"""


def run_python(python: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


def ask_pstats(python: Path, file: Path, *, sampled: bool = False) -> Statistics:
    result = run_python(python, "-c", PSTATS, file)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["class"] == ("SampledStats" if sampled else "Stats")
    return Statistics(
        {tuple(label): Cost(*cost) for label, *cost in answer["functions"]},
        {(tuple(f), tuple(caller)): Cost(*cost) for f, caller, *cost in answer["callers"]},
        Cost(*answer["total"]),
    )


# ---- comparing


def is_same_time(a: float | None, b: float | None, tolerance: float) -> bool:
    return a is None or b is None or abs(a - b) <= tolerance


def expect_same_cost(got: Cost, expected: Cost, what: str, tolerance: float = 1.01e-9) -> None:
    assert got.calls == expected.calls, what
    assert got.primitive_calls == expected.primitive_calls or expected.self_seconds is None, what
    assert is_same_time(got.self_seconds, expected.self_seconds, tolerance), what
    assert is_same_time(got.total_seconds, expected.total_seconds, tolerance), what


def expect_same(got: Statistics, expected: Statistics, version: str) -> None:
    assert got.functions.keys() == expected.functions.keys(), version
    assert got.callers.keys() == expected.callers.keys(), version
    for label, cost in expected.functions.items():
        expect_same_cost(got.functions[label], cost, f"{label} in {version}")
    for (label, caller), cost in expected.callers.items():
        expect_same_cost(got.callers[label, caller], cost, f"{label} <- {caller} in {version}")
    # Each function's time may have been rounded to a nanosecond.
    tolerance = 1e-9 * (1 + len(expected.functions))
    expect_same_cost(got.total, expected.total, f"the totals of {version}", tolerance)


def record(python: Path, folder: Path, program: str) -> Path:
    script = write_program(folder, PROGRAMS[program])
    file = folder / f"{program}.prof"
    result = run_python(python, "-m", "cProfile", "-o", file, script)
    assert result.returncode == 0, result.stderr
    return file


@pytest.mark.parametrize("program", PROGRAMS)
def test_report_agrees_with_pstats(
    program: str, pythons: dict[str, Path], pyrometer: Run, tmp_path: Path
) -> None:
    for version, python in pythons.items():
        file = record(python, tmp_path / version, program)
        got = report_on(pyrometer, file, sampled=False)
        expect_same(got, ask_pstats(python, file), version)


@pytest.mark.parametrize("program", PROGRAMS)
def test_exported_file_loads_in_every_pstats(
    program: str, pythons: dict[str, Path], pyrometer: Run, tmp_path: Path
) -> None:
    for version, python in pythons.items():
        file = record(python, tmp_path / version, program)
        exported = file.with_name("exported.prof")
        result = pyrometer("export", file, "--format", "pstats", "-o", exported)
        assert result.returncode == 0, result.stderr
        expected = ask_pstats(python, file)
        for reader, reading_python in pythons.items():
            got = ask_pstats(reading_python, exported)
            expect_same(got, expected, f"{version}, exported and read by {reader}")


def test_old_profile_module(pythons: dict[str, Path], pyrometer: Run, tmp_path: Path) -> None:
    code = "import profile, sys; profile.run('sorted([3, 1, 2], key=abs)', sys.argv[1])"
    for version, python in pythons.items():
        file = tmp_path / f"{version}.prof"
        result = run_python(python, "-W", "ignore", "-c", code, file)
        assert result.returncode == 0, result.stderr
        expect_same(report_on(pyrometer, file, sampled=False), ask_pstats(python, file), version)


@pytest.fixture(scope="module")
def sampled_file(pythons: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "3.15" not in pythons:
        pytest.skip("Sampled files are written by Python 3.15.")
    folder = tmp_path_factory.mktemp("sampled")
    script = write_program(folder, BUSY_PROGRAM)
    file = folder / "sampled.prof"
    command = ["-m", "profiling.sampling", "run", "--pstats", "-o", file, script]
    result = run_python(pythons["3.15"], *command)
    if not file.is_file():
        pytest.skip(f"Python's own sampler cannot run here: {result.stderr.strip()[-200:]}")
    return file


def test_report_on_samples(sampled_file: Path, pythons: dict[str, Path], pyrometer: Run) -> None:
    got = report_on(pyrometer, sampled_file, sampled=True)
    expect_same(got, ask_pstats(pythons["3.15"], sampled_file, sampled=True), "3.15")


def test_exported_samples_load_in_every_pstats(
    sampled_file: Path, pythons: dict[str, Path], pyrometer: Run
) -> None:
    exported = sampled_file.with_name("exported.prof")
    result = pyrometer("export", sampled_file, "--format", "pstats", "-o", exported)
    assert result.returncode == 0, result.stderr
    expected = ask_pstats(pythons["3.15"], sampled_file, sampled=True)
    for reader, python in pythons.items():
        expect_same(ask_pstats(python, exported), expected, f"exported and read by {reader}")


def test_cut_file_is_an_error_that_names_it(
    pythons: dict[str, Path], pyrometer: Run, tmp_path: Path
) -> None:
    file = record(next(iter(pythons.values())), tmp_path, "recursion")
    whole = file.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 60):
        file.write_bytes(whole[:size])
        result = pyrometer("report", file)
        assert result.returncode == 1, size
        assert result.stdout == "", size
        assert file.name in result.stderr, size
        assert "byte" in result.stderr, size
