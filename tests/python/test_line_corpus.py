"""Thousands of functions of the standard library: every line is hit as often as a trace function
says, and everything comes out as without us, on every interpreter."""

import json
from pathlib import Path
from typing import Any

import pytest
from line_checks import agent_of, differences, run_program

Counts = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def corpus(executable: Path, python: Path, tmp_path_factory: pytest.TempPathFactory) -> Counts:
    """What each way did and counted."""
    answers = {}
    for way in ("plain", "trace", "probes", "events"):
        folder = tmp_path_factory.mktemp(way)
        output = folder.with_suffix(".json")
        run_program(python, "line_corpus.py", way, agent_of(executable), output, cwd=folder)
        answers[way] = json.loads(output.read_text())
    return answers


def differing_lines(corpus: Counts, way: str) -> dict[str, Any]:
    expected, found = corpus["trace"]["hits"], corpus[way]["hits"]
    return {
        f"{code} line {line}": hits
        for code in sorted(expected.keys() | found.keys())
        for line, hits in differences(expected.get(code, {}), found.get(code, {})).items()
    }


def test_enough_is_executed(corpus: Counts) -> None:
    executed = set(corpus["trace"]["functions"]) & corpus["trace"]["hits"].keys()
    assert len(executed) >= 5000
    assert sum(map(len, corpus["trace"]["hits"].values())) >= 20_000


def test_hits_are_those_of_a_trace_function(corpus: Counts, python_version: str) -> None:
    different = differing_lines(corpus, "probes")
    if python_version != "3.12":
        assert not different
        return
    # 3.12.1 reports a line again when a Python function returns to the target of a jump in it:
    # more than the line was executed, and never less.
    assert all(traced > counted for traced, counted in different.values()), different
    assert len(different) <= 30


def test_events_count_what_a_trace_function_counts(corpus: Counts) -> None:
    assert not differing_lines(corpus, "events")


def test_all_functions_can_be_rewritten(corpus: Counts) -> None:
    """But for few, which are then measured by events, and compared above as well."""
    assert len(corpus["probes"]["refused"]) <= 5, corpus["probes"]["refused"]


@pytest.mark.parametrize("way", ["probes", "events"])
def test_results_are_as_without_us(corpus: Counts, way: str) -> None:
    plain, measured = corpus["plain"]["results"], corpus[way]["results"]
    assert len(plain) > 9000
    assert [pair for pair in zip(plain, measured, strict=True) if pair[0] != pair[1]] == []
