"""Every kind of code with measured lines does what it did, and is counted as it should be."""

from pathlib import Path
from typing import Any

import pytest
from line_checks import agent_of, differences, run_json
from running import PROGRAMS


def names_in(program: str, beginning: str) -> list[str]:
    lines = (PROGRAMS / program).read_text().splitlines()
    start = f"def {beginning}"
    return [line[4 : line.index("(")] for line in lines if line.startswith(start)]


FILES = ("line_cases.py", "line_cases_exceptions.py")
CASES = [case for file in FILES for case in names_in(file, "case_")]


@pytest.fixture(scope="module")
def cases(executable: Path, python: Path) -> dict[str, Any]:
    """Of each way: by case, what came out and how often each line was hit."""
    runner, agent = "line_cases_runner.py", agent_of(executable)
    answers = [run_json(python, runner, agent, PROGRAMS / file) for file in FILES]
    return {way: {**answers[0][way], **answers[1][way]} for way in answers[0]}


@pytest.mark.parametrize("way", ["probes", "events"])
@pytest.mark.parametrize("case", CASES)
def test_case(cases: dict[str, Any], python_version: str, case: str, way: str) -> None:
    outcome, hits = cases[way][case]
    assert outcome == cases["plain"][case][0]
    if case == "case_recursion_error":
        return  # a trace function takes a place on the stack itself
    if case == "case_threads" and way == "events" and python_version == "3.11":
        return  # of the calling thread only
    different = differences(cases["trace"][case][1], hits)
    if python_version == "3.12" and way == "probes":
        # 3.12.1 reports a line twice when it goes on after a call at the target of a jump.
        different = {line: hits for line, hits in different.items() if hits[0] <= hits[1]}
    assert not different
    assert len(hits) >= 2


def test_all_cases_can_be_rewritten(cases: dict[str, Any], python_version: str) -> None:
    names = {key.rpartition(":")[2] for key in cases["refused"]}
    assert names == ({"with_several"} if python_version in ("3.11", "3.12") else set())


@pytest.fixture(scope="module")
def checks(executable: Path, python: Path) -> dict[str, Any]:
    return run_json(python, "line_engine.py", agent_of(executable))


@pytest.mark.parametrize("check", names_in("line_engine.py", "check_"))
def test_check(checks: dict[str, Any], check: str) -> None:
    assert checks[check] is None, checks[check]
