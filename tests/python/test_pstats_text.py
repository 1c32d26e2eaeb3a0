"""`pyrometer report --format pstats` prints what each interpreter's own pstats prints."""

import itertools
import marshal
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import PYTHONS, Run, expect_refusal
from pstats_oracle import (
    METHODS,
    PROGRAMS,
    Case,
    expect_same_text,
    pstats_texts,
    record,
    record_with_old_module,
)

KEYS = (
    *("calls", "ncalls", "cumulative", "cumtime", "file", "filename", "line", "module"),
    *("name", "nfl", "pcalls", "stdname", "time", "tottime"),
)
PREFIXES = ("ca", "nc", "cu", "cumt", "cumu", "f", "l", "m", "na", "nf", "p", "s", "ti", "to")
NUMBERS = (-1, 0, 1, 2)
SEVERAL = (("time", "name"), ("calls", "cumulative"), ("name", "file", "line"), ("pcalls", "nfl"))
RESTRICTIONS = (
    *((3,), (0,), (10_000,), (-1,), (0.1,), (0.5,), (0.0,), (1.0,), (0.333,)),
    *(("program",), (r"\.py:\d+\(", 0.5), (20, "built-in", 2), (0.9, "e", 0.9, "o", 3)),
    *(("(?i)JSON|COPY",), ("^{",), ("nothing at all",), ("a'b",), ("[",), ("[", 2)),
    *((r"(?P<twice>.)(?P=twice)", 4), ("größe",), ("ö",), (r"^~$|\)$",)),
)


@pytest.fixture(scope="module")
def profiles(python_version: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Of cProfile, one per program, made by the interpreter that will print them."""
    folder = tmp_path_factory.mktemp(f"text-{python_version}")
    return [record(PYTHONS[python_version], folder, program) for program in PROGRAMS]


@pytest.fixture(scope="module")
def python(python_version: str) -> Path:
    return PYTHONS[python_version]


def test_sort_keys(pyrometer: Run, python: Path, profiles: list[Path]) -> None:
    one_key = [(key,) for key in (*KEYS, *PREFIXES, *NUMBERS)]
    orders: list[tuple[str | int, ...]] = [(), *one_key, *SEVERAL]
    cases = [
        Case([str(file)], sort=sort, reverse=reverse)
        for sort, reverse in itertools.product(orders, (False, True))
        # pstats knows "file" as a prefix only.
        for file in profiles[:: 1 if len(sort) > 1 else 2]
    ]
    expect_same_text(pyrometer, python, cases)


def test_restrictions(pyrometer: Run, python: Path, profiles: list[Path]) -> None:
    cases = [
        Case([str(file)], sort=sort, restrictions=restrictions)
        for file, sort in zip(profiles, ((), ("time",), ("name",), ("calls", "line")), strict=True)
        for restrictions in RESTRICTIONS
    ]
    expect_same_text(pyrometer, python, cases)


def test_callers_and_callees(pyrometer: Run, python: Path, profiles: list[Path]) -> None:
    cases = [
        Case([str(file)], sort=sort, restrictions=restrictions, method=method, strip=strip)
        for file in profiles
        for method in ("print_callers", "print_callees")
        for strip in (False, True)
        for sort, restrictions in (((), ()), (("cumulative",), (0.3,)), (("nfl",), ("a", 5)))
    ]
    expect_same_text(pyrometer, python, cases)


def test_stripped_folders(pyrometer: Run, python: Path, profiles: list[Path]) -> None:
    # There are many files called __init__.py, so that functions become equal.
    cases = [
        Case([str(file)], sort=sort, strip=True, reverse=reverse)
        for file in profiles
        for sort in ((), ("stdname",), ("time", "name"), ("file",))
        for reverse in (False, True)
    ]
    expect_same_text(pyrometer, python, cases)


def test_several_files(pyrometer: Run, python: Path, profiles: list[Path]) -> None:
    names = [str(file) for file in profiles]
    lists = [names[:2], names[::-1], names + names[:1], [names[0]] * 3]
    cases = [
        Case(files, sort=sort, strip=strip, method=method)
        for files in lists
        for sort in ((), ("calls", "stdname"))
        for strip in (False, True)
        for method in METHODS
    ]
    expect_same_text(pyrometer, python, cases)


def test_old_profile_module(pyrometer: Run, python: Path, tmp_path: Path) -> None:
    programs = ("json", "text")
    names = [str(record_with_old_module(python, tmp_path, program)) for program in programs]
    cases = [
        Case(files, sort=("stdname",), strip=strip, method=method)
        for files in (names[:1], names)
        for strip in (False, True)
        for method in METHODS
    ]
    expect_same_text(pyrometer, python, cases)


# ---- files that nobody has recorded


def write(folder: Path, name: str, content: Any) -> str:
    file = folder / name
    file.write_bytes(marshal.dumps(content))
    os.utime(file, (1_000_000_000.75, 1_000_000_000.75))  # a day of one digit
    return str(file)


f, g, h = ("/x/a.py", 3, "f"), ("/y/a.py", 3, "f"), ("/x/a.py", 12, "größe")
length, odd = ("~", 0, "<built-in method builtins.len>"), ("~", 0, "no brackets")
gone = ("/gone.py", 1, "caller without an entry")
STRANGE = {
    "a caller without an entry": {f: (1, 1, 0.5, 0.5, {gone: (1, 1, 0.5, 0.5)})},
    "callers that become equal": {
        h: (5, 7, 0.1, 0.2, {g: (1, 1, 0.1, 0.1), f: (2, 1, 0.0625, 0.125), h: (3, 3, 0.0, 0.0)}),
        f: (1, 1, 0.5, 0.5, {}),
        g: (2, 3, 0.25, 0.25, {f: (1, 1, 0.1, 0.1), g: (2, 1, 0.1, 0.1)}),
    },
    "no calls": {f: (0, 0, 0, 0, {}), g: (0, 3, 1.0, 2.0, {}), length: (2, 0, 1.0, 2.0, {})},
    "large": {
        f: (2**40, 2**62, 123456789.0004, 1e15, {f: (2**50, 1, 1e9, 1e10)}),
        odd: (1, 1, 0.0005, 0.0015, {}),
        length: (1, 1, -0.0001, -3.5, {odd: (1, 1, 2.0005, 2.5)}),
    },
    "equal": {(file, line, "f"): (1, 1, 0.1, 0.1, {}) for file in "cab" for line in (3, 1, 2)},
    "ancient": {
        f: (1, 1, 0.5, 0.5, {("jprofile", 0, "profiler"): (1, 1, 0.5, 0.5)}),
        g: (1, 1, 0.5, 0.5, {f: (1, 1, 0.5, 0.5)}),
    },
    "negative lines": {("a.py", -7, "x"): (1, 1, 0.1, 0.1, {}), ("a.py", 5, "x"): (1, 1, 0, 0, {})},
}


def test_strange_files(pyrometer: Run, python: Path, tmp_path: Path) -> None:
    names = [write(tmp_path, f"{name}.prof", content) for name, content in STRANGE.items()]
    cases = [
        Case([name], sort=sort, strip=strip, method=method)
        for name in names
        for sort in ((), ("time",), ("name", "file"), ("stdname",), ("line", "calls"))
        for strip in (False, True)
        for method in METHODS
    ]
    cases += [Case(names, strip=strip, method=m) for strip in (False, True) for m in METHODS]
    expect_same_text(pyrometer, python, cases)


SAMPLED = {
    ("__sampled__",): True,
    ("/x/spin.py", 3, "spin"): (90, 100, 0.09, 0.1, {("/x/spin.py", 9, "<module>"): 100}),
    ("/x/spin.py", 9, "<module>"): (0, 100, 0.0, 0.1, {}),
}


def test_sampled_files(pyrometer: Run, pythons: dict[str, Path], tmp_path: Path) -> None:
    if "3.15" not in pythons:
        pytest.skip("pstats knows sampled files from Python 3.15 on")
    sampled = write(tmp_path, "sampled.prof", SAMPLED)
    timed = write(tmp_path, "timed.prof", STRANGE["large"] | {("__sampled__",): True})
    plain = write(tmp_path, "plain.prof", STRANGE["equal"])
    cases = [
        Case(files, sort=sort, method=method, restrictions=restrictions)
        for files in ([sampled], [timed], [sampled, sampled], [sampled, plain], [plain, sampled])
        for sort in ((), ("calls",), ("tottime", "name"))
        for method in METHODS
        for restrictions in ((), (1,))
    ]
    expect_same_text(pyrometer, pythons["3.15"], cases)
    # Python knows these orders of sampled files, though not of those that Stats() loads.
    text = pyrometer("report", sampled, "--format", "pstats", "--sort", "nsamples").stdout
    assert "   Ordered by: sample count\n" in text
    assert " nsamples  tottime persample cumtime persample filename:lineno(function)\n" in text


# ---- profiles of other kinds


def body(text: str) -> list[str]:
    """What stands below the title."""
    lines = text.splitlines()
    title = next(i for i, line in enumerate(lines) if "tottime" in line)
    return lines[title + 1 :]


@pytest.mark.parametrize("method", METHODS)
def test_recordings(
    method: str, pyrometer: Run, pythons: dict[str, Path], run_directory: Path, tmp_path: Path
) -> None:
    exported, merged = tmp_path / "run.prof", tmp_path / "run.pyro"
    for command in (["export", "-o", exported], ["merge", "-o", merged]):
        assert pyrometer(*command, run_directory).returncode == 0
    python = next(iter(pythons.values()))
    order = ("cumulative", "stdname")
    [expected] = pstats_texts(python, [Case([str(exported)], sort=order, method=method)])
    for profile in (exported, run_directory, merged):
        words = Case([str(profile)], sort=order, method=method).words()
        text = pyrometer("report", *words).stdout
        assert body(text) == body(expected), profile
        if method == "print_stats":
            assert text.splitlines()[0].endswith(f"    {profile}")


def test_sum_of_different_kinds(
    pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path
) -> None:
    total = tmp_path / "sum.prof"
    assert pyrometer("merge", prof_file, run_directory, "-o", total).returncode == 0
    words = ("--format", "pstats", "-s", "tottime,stdname")
    both = pyrometer("report", prof_file, run_directory, *words).stdout
    assert body(both) == body(pyrometer("report", total, *words).stdout)


# ---- wrong usage


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--tree"], "--tree"),
        (["--lines"], "--lines"),
        (["--json"], "--json"),
        (["--threads"], "--threads"),
        (["--filter", "x"], "--restrict x"),
        (["--exclude", "x"], "--exclude"),
        (["--sort", "per-call"], "per call"),
        (["--sort", "c"], "calls, cumtime, cumulative"),
        (["--sort", "time,luck"], "'luck'"),
        (["--sort", "3"], "'3'"),
        (["--restrict", "1.5"], "between 0 and 1"),
    ],
)
def test_what_pstats_cannot_do(
    words: list[str], sentence: str, pyrometer: Run, prof_file: Path
) -> None:
    result = pyrometer("report", prof_file, "--format", "pstats", *words)
    expect_refusal(result, sentence, status=2)


def test_file_without_functions(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    empty = write(tmp_path, "empty.prof", {})
    result = pyrometer("report", prof_file, empty, "--format", "pstats")
    expect_refusal(result, "no functions", name=empty)
