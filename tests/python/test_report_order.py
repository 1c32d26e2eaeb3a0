"""The order of the ordinary report's rows, and restrictions of them, in pstats' words."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal, read_json

Function = dict[str, Any]


def functions(pyrometer: Run, *arguments: object) -> list[Function]:
    listed: list[Function] = read_json(pyrometer("report", *arguments, "--json"), "report")[
        "functions"
    ]
    return listed


def standard_name(function: Function) -> str:
    file, line, name = function["file"] or "~", function["line"], function["name"]
    if (file, line) != ("~", 0):
        return f"{file}:{line}({name})"
    return re.sub(r"^<(.*)>$", r"{\1}", name)


KEYS: dict[str, Callable[[Function], Any]] = {
    "calls": lambda f: -f["calls"],
    "ncalls": lambda f: -f["calls"],
    "cumulative": lambda f: -f["total"],
    "cumtime": lambda f: -f["total"],
    "cu": lambda f: -f["total"],
    "filename": lambda f: f["module_file"],
    "module": lambda f: f["module_file"],
    "line": lambda f: f["line"],
    "nfl": lambda f: (f["qualified_name"] or f["name"], f["module_file"], f["line"]),
    "pcalls": lambda f: -f["primitive_calls"],
    "stdname": standard_name,
    "time": lambda f: -f["self"],
    "tottime": lambda f: -f["self"],
    "-1": standard_name,
    "0": lambda f: -f["calls"],
    "1": lambda f: -f["self"],
    "2": lambda f: -f["total"],
    "nsamples": lambda f: -f["stack_samples"],
    "psamples": lambda f: -f["samples"],
}


@pytest.mark.parametrize("key", KEYS)
def test_keys_of_pstats(key: str, pyrometer: Run, run_directory: Path, prof_file: Path) -> None:
    for profile in (run_directory, prof_file):
        listed = functions(pyrometer, profile, "--sort", key)
        order = [KEYS[key](function) for function in listed]
        assert order == sorted(order)
        reverse = functions(pyrometer, profile, f"--sort={key}", "--reverse")
        assert reverse == listed[::-1]


def test_several_keys(pyrometer: Run, prof_file: Path) -> None:
    def order(function: Function) -> Any:
        return -function["calls"], function["name"]

    expected = sorted(functions(pyrometer, prof_file), key=order)
    for words in (["-s", "calls,name"], ["--sort", "calls", "--sort", "name"], ["-sca,na"]):
        listed = functions(pyrometer, prof_file, *words)
        assert [order(function) for function in listed] == [order(f) for f in expected]


def test_restrictions(pyrometer: Run, run_directory: Path) -> None:
    everything = functions(pyrometer, run_directory, "-s", "total")
    count = len(everything)

    def restricted(*restrictions: object) -> list[Function]:
        words = [f"--restrict={restriction}" for restriction in restrictions]
        return functions(pyrometer, run_directory, "-s", "total", *words)

    assert restricted(7) == everything[:7]
    assert restricted(0.25) == everything[: math.floor(0.25 * count + 0.5)]
    matching = [f for f in everything if re.search(r"_1\d?\(|_1\d?\)", standard_name(f))]
    assert matching
    assert restricted(r"_1\d?\(|_1\d?\)") == matching
    assert restricted(r"_1\d?\(|_1\d?\)", 2) == matching[:2]
    first = [f for f in everything[:9] if re.search("1", standard_name(f))]
    assert restricted(9, "[1]") == first
    assert restricted(count + 1) == everything


def test_restricted_text(pyrometer: Run, run_directory: Path) -> None:
    """Who restricts the rows sees them all; the default limit is for others."""
    text = pyrometer("report", run_directory, "--restrict", 30).stdout
    assert len(text.split("\n\n")[-1].splitlines()) == 31
    for section in ("--callers", "--callees", "--lines"):
        assert pyrometer("report", run_directory, section, "--restrict", 2).returncode == 0
    nothing = pyrometer("report", run_directory, "--restrict", "no such function").stdout
    assert nothing.endswith("No function matches.\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sort", "t"], "could be any of time, tottime"),
        (["--sort", "cum"], "could be any of cumtime, cumulative"),
        (["--sort", "calls,luck"], "no order 'luck'; choose from calls"),
        (["--sort", "-2"], "no order '-2'"),
        (["--restrict", "7.5"], "between 0 and 1"),
        (["--restrict", "["], "not a valid regular expression"),
        (["--format", "xml"], "text, json, pstats"),
        (["--strip-dirs"], "--format pstats"),
    ],
)
def test_wrong_usage(words: list[str], sentence: str, pyrometer: Run, prof_file: Path) -> None:
    expect_refusal(pyrometer("report", prof_file, *words), sentence, status=2)


def test_json_is_a_format(pyrometer: Run, prof_file: Path) -> None:
    by_name, by_flag = (
        pyrometer("report", prof_file, *words).stdout for words in (["--format=json"], ["--json"])
    )
    assert by_name == by_flag
    assert pyrometer("report", prof_file, "-F", "text").stdout.startswith("pyrometer  ")
