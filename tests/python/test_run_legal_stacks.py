"""No stack that the program cannot have had, whatever the moment of the sample."""

from pathlib import Path

import pytest
from profiles import RecordedProfile
from running import PROGRAMS, Recorder
from stack_checker import StackChecker

PROGRAM = PROGRAMS / "legal_stacks.py"
RATE = 5000
THREADS = 4
RUN_ONCE = {"Point", "Derived", "Guard", "Pause"}  # bodies of classes, too short to be seen


def expect_legal_stacks(recorder: Recorder, seconds: float, samples: int) -> None:
    checker = StackChecker(PROGRAM)
    options = ["--rate", RATE, "--clock", "perf"]
    taken, seen = 0, set[str]()
    for _ in range(4):  # a machine that is kept busy may tick less often than it is asked to
        recorded = recorder.record(PROGRAM, seconds, options=options, timeout=600)
        assert recorded.result.returncode == 0, recorded.complaint
        verdict = checker.check(recorded.profile())
        assert not verdict.illegal, verdict.describe()
        assert recorded.sum_of("sampler.rejected") <= samples / 1000
        # Start-up and shutdown are a small part.
        assert verdict.foreign < 0.1 * verdict.checked_value
        seen |= verdict.seen
        taken += recorded.sum_of("sampler.samples")
        if taken >= samples:
            break
    assert taken >= samples, recorded.complaint
    # No way of calling was missed.
    assert seen >= checker.functions - {"<listcomp>"} - RUN_ONCE


def test_legal_stacks(recorder: Recorder) -> None:
    expect_legal_stacks(recorder, 0.8, samples=10_000)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_legal_stacks_of_300_000_samples(recorder: Recorder) -> None:
    expect_legal_stacks(recorder, 300_000 / RATE / THREADS * 1.5, samples=300_000)


@pytest.mark.parametrize("clock", ["auto", "timer"])
def test_legal_stacks_with_the_slow_clock(recorder: Recorder, clock: str) -> None:
    recorded = recorder.record(PROGRAM, 0.4, options=["--clock", clock, "--rate", RATE])
    verdict = StackChecker(PROGRAM).check(recorded.profile())
    assert verdict.checked > 10, recorded.complaint
    assert not verdict.illegal, verdict.describe()


# ---- the checker itself


def document(*path: tuple[str, int, int], file: str = "legal_stacks.py") -> RecordedProfile:
    """A profile of one stack of frames (name, first line, line)."""
    functions = [
        {"name": name, "qualified_name": name, "file": file, "line": first, "kind": "python"}
        for name, first, _ in path
    ]
    nodes = [
        {"parent": number - 1 if number else None, "function": number, "line": line}
        for number, (_, _, line) in enumerate(path)
    ]
    return RecordedProfile(
        {
            "functions": functions,
            "nodes": nodes,
            "threads": [{"process": 0, "name": "main"}],
            "processes": [{"pid": 1}],
            "metrics": [{"name": "cpu", "values": [[0, len(path) - 1, 1]]}],
        }
    )


@pytest.fixture
def checker(tmp_path: Path) -> StackChecker:
    program = tmp_path / "legal_stacks.py"
    program.write_text("def f():\n    g()  # -> g\n\n\ndef g():\n    pass\n\n\nf()  # -> f\n")
    return StackChecker(program)


def test_checker_accepts_what_can_be(checker: StackChecker) -> None:
    verdict = checker.check(document(("<module>", 1, 9), ("f", 1, 2), ("g", 5, 6)))
    assert not verdict.illegal, verdict.describe()
    assert (verdict.checked, verdict.seen) == (1, {"<module>", "f", "g"})


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ([("f", 1, 2), ("g", 5, 6)], "begins wrongly"),
        ([("<module>", 1, 9), ("g", 5, 6)], "<module>:9 -> g"),
        ([("<module>", 1, 9), ("f", 1, 1), ("g", 5, 6)], "f:1 -> g"),
        ([("<module>", 1, 9), ("f", 1, 2), ("g", 5, 2)], "no such place: g:2"),
        ([("<module>", 1, 9), ("f", 1, 2), ("g", 6, 6)], "no such place: g:6"),
    ],
)
def test_checker_refuses_what_cannot_be(
    checker: StackChecker, path: list[tuple[str, int, int]], words: str
) -> None:
    verdict = checker.check(document(*path))
    assert any(words in fault for fault in verdict.illegal), verdict.illegal
