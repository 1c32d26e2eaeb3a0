"""Programs that know the answer: every share is within two points, on every Python.

The programs measure themselves during the very run that is sampled. With 10,000 samples the
noise of a share of one half is 0.5 points, so two points are four times the noise. Where a
program spends its time in the kernel only the kernel's tick samples it, 100 to 1,000 times a
second: there the tolerance of a short run grows with the noise, and a long one takes enough.
"""

import math
from collections import Counter

import pytest
from profiles import RecordedProfile, shares
from running import PROGRAMS, Recorded, Recorder, on_a_calm_machine, truth_of

TOLERANCE = 2.0  # percentage points
SECONDS = 3
RATE = 4000


def record_known(
    recorder: Recorder, program: str, clock: str = "perf", seconds: float = SECONDS
) -> Recorded:
    """`auto` is what users have: it takes the slower clock where there is much system time."""
    # Where the kernel works as well, ticks at this rate would be a part of what is measured.
    rate = RATE if clock == "perf" else 1000
    options = ["--rate", rate, "--clock", clock]
    recorded = recorder.record(PROGRAMS / program, seconds, options=options, timeout=200)
    assert recorded.sum_of("sampler.rejected") <= 0.001 * recorded.sum_of("sampler.samples")
    return recorded


def noise(recorded: Recorded) -> float:
    """Of a share of one half, in percentage points."""
    samples = recorded.sum_of("sampler.samples")
    assert samples > 200, recorded.complaint
    return 50 / math.sqrt(samples)


def expect_shares(
    seen: Counter[str], truth: dict[str, int], recorded: Recorded, tolerance: float = TOLERANCE
) -> None:
    expected = shares(Counter(truth), list(truth))
    measured = shares(seen, list(truth))
    for name, share in expected.items():
        assert measured[name] == pytest.approx(share, abs=tolerance), (
            f"{name}: {measured} instead of {expected}{recorded.complaint}"
        )
    # Not only the shares: the nanoseconds as well.
    whole = sum(seen[name] for name in truth)
    assert whole == pytest.approx(sum(truth.values()), rel=0.1), recorded.complaint


@pytest.mark.parametrize("program", ["function_shares.py", "mutual_recursion.py", "generators.py"])
def test_functions(recorder: Recorder, program: str) -> None:
    recorded = record_known(recorder, program)
    truth = truth_of(recorded.result)
    expect_shares(recorded.profile().by_function("cpu"), truth["spent"], recorded)


def test_recursion_counts_once(recorder: Recorder) -> None:
    recorded = recorder.record(PROGRAMS / "mutual_recursion.py", 1, options=["--rate", 1000])
    functions = {
        f["name"]: f
        for f in recorded.report("--metric", "cpu")["functions"]
        if f["module_file"] == "mutual_recursion.py"  # Python's own start has a main too
    }
    whole = functions["main"]["total"]
    assert functions["even"]["total"] == pytest.approx(whole, rel=0.05)
    # The first call of odd comes after the first work of even: a fortieth less.
    assert functions["odd"]["total"] == pytest.approx(whole, rel=0.1)
    assert functions["even"]["total"] <= whole


def expect_line_shares(recorded: Recorded, program: str, tolerance: float = TOLERANCE) -> None:
    truth = truth_of(recorded.result)
    by_line = recorded.profile().by_line("cpu", program)
    seen = Counter({name: by_line[line] for name, line in truth["lines"].items()})
    expect_shares(seen, truth["spent"], recorded, tolerance)


def test_lines(recorder: Recorder) -> None:
    expect_line_shares(record_known(recorder, "line_shares.py"), "line_shares.py")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_long_system_time(recorder: Recorder) -> None:
    recorded = record_known(recorder, "system_time.py", "auto", seconds=60)
    assert noise(recorded) < TOLERANCE / 3, recorded.complaint
    expect_line_shares(recorded, "system_time.py")


def test_lines_that_work_in_the_kernel(recorder: Recorder) -> None:
    recorded = record_known(recorder, "system_time.py", "auto", seconds=5)
    expect_line_shares(recorded, "system_time.py", TOLERANCE + 3 * noise(recorded))


def expect_system_time(recorder: Recorder) -> None:
    recorded = record_known(recorder, "system_time.py", "auto", seconds=6)
    truth = truth_of(recorded.result)
    profile = recorded.profile()
    spent, lines = truth["spent"], truth["lines"]
    by_line = profile.by_line("system", "system_time.py")
    assert by_line[lines["loop"]] < 0.02 * spent["loop"], by_line
    assert by_line[lines["read"]] > 0.95 * spent["read"], by_line
    whole = sum(spent.values())
    seen = sum(by_line[line] for line in lines.values())
    least, most = spent["read"] / whole, (spent["read"] + spent["stat"]) / whole
    room = (TOLERANCE + 3 * noise(recorded)) / 100
    assert least - room <= seen / whole <= most + room, (by_line, spent)


def test_system_time(recorder: Recorder) -> None:
    """The reads are all system time, the calls of stat partly, the loop is none."""
    on_a_calm_machine(lambda: expect_system_time(recorder))


@pytest.mark.parametrize("clock", ["perf", "timer"])
def test_threads(recorder: Recorder, clock: str) -> None:
    """Also with the slow clock, as the weight of a sample is what the thread's own clock says."""
    recorded = record_known(recorder, "thread_shares.py", clock)
    truth = truth_of(recorded.result)
    expect_shares(recorded.profile().by_thread("cpu"), truth["spent"], recorded)


def test_functions_with_the_slow_clock(one_recorder: Recorder) -> None:
    """A kernel's tick gives 100 to 1,000 samples a second, so the shares are less certain."""
    recorded = record_known(one_recorder, "function_shares.py", "timer")
    assert {a["sampler.clock"] for a in recorded.attributes()} == {"timer"}
    truth = truth_of(recorded.result)
    by_function = recorded.profile().by_function("cpu")
    expect_shares(by_function, truth["spent"], recorded, TOLERANCE + 3 * noise(recorded))


def test_sleep_and_spin(recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_sleep_and_spin(recorder))


def expect_sleep_and_spin(recorder: Recorder) -> None:
    recorded = record_known(recorder, "sleep_and_spin.py")
    truth = truth_of(recorded.result)
    profile = recorded.profile()
    wall = profile.by_function("wall")
    wall.subtract(profile.by_function("runnable"))
    expect_shares(wall, truth["spent"], recorded)
    asleep = profile.by_function("sleep")
    assert asleep["doze"] == pytest.approx(truth["spent"]["doze"], rel=0.05), asleep
    assert asleep["spin"] < 0.02 * truth["spent"]["spin"], asleep
    assert profile.by_function("cpu")["doze"] < 0.05 * truth["spent"]["doze"]


def test_fight_for_the_gil(recorder: Recorder) -> None:
    on_a_calm_machine(lambda: expect_fight_for_the_gil(recorder))


def expect_fight_for_the_gil(recorder: Recorder) -> None:
    recorded = record_known(recorder, "gil_fight.py")
    truth = truth_of(recorded.result)
    profile = recorded.profile()
    wall, waiting = in_function(profile, "wall", "fight"), in_function(profile, "gil-wait", "fight")
    for thread, elapsed in truth["spent"].items():
        assert wall[thread] == pytest.approx(elapsed, rel=0.05), (wall, truth)
        expected = 100 * truth["gil_wait"][thread] / elapsed
        seen = 100 * waiting[thread] / wall[thread]
        assert seen == pytest.approx(expected, abs=TOLERANCE), (waiting, truth)


def in_function(profile: RecordedProfile, metric: str, function: str) -> Counter[str]:
    """Values by thread of the stacks that go through a function."""
    totals: Counter[str] = Counter()
    for stack in profile.stacks(metric):
        if any(frame.name == function for frame in stack.python_frames):
            totals[profile.thread_names[stack.thread]] += stack.value
    return totals


@pytest.mark.parametrize("program", ["sleep_and_spin.py", "gil_fight.py", "system_time.py"])
def test_books_balance(recorder: Recorder, program: str) -> None:
    on_a_calm_machine(lambda: expect_balance(recorder, program))


def expect_balance(recorder: Recorder, program: str) -> None:
    """What a thread did and what it waited for is its wall time."""
    recorded = recorder.record(PROGRAMS / program, 1.5, options=["--rate", 1000])
    profile = recorded.profile()
    parts = ["cpu", "runnable", "gil-wait", "lock-wait", "io", "sleep", "idle"]
    wall = profile.total("wall")
    assert sum(profile.total(part) for part in parts) == pytest.approx(wall, rel=0.02)
    kinds = sum(profile.total(part) for part in ("python", "native", "system"))
    assert kinds == pytest.approx(profile.total("cpu"), rel=0.02)
