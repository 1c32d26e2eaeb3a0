"""Profiles in JSON that other tools write: each says here what it says there."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, expect_refusal
from foreign_tools import PROGRAM, environment, run
from profiles import RecordedProfile

Json = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "program.py").write_text(PROGRAM)
    return folder


@pytest.fixture
def load(pyrometer: Run) -> Any:
    def load(file: Path) -> RecordedProfile:
        result = pyrometer("export", file, "--format", "json")
        assert (result.returncode, result.stderr) == (0, "")
        assert pyrometer("report", file).returncode == 0
        return RecordedProfile(json.loads(result.stdout))

    return load


def own_values(profile: RecordedProfile, metric: str) -> Counter[str]:
    """Self values by name, as the tools write names."""
    totals: Counter[str] = Counter()
    for stack in profile.stacks(metric):
        totals[stack.frames[-1].qualified_name] += stack.value
    return totals


def nearly(ours: Counter[str], theirs: Counter[str], rounding: float) -> None:
    assert +ours == pytest.approx(dict(+theirs), abs=rounding)


# ---- speedscope


def speedscope_seconds(document: Json) -> dict[str, Counter[str]]:
    """Self seconds by profile and function."""
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    profiles: dict[str, Counter[str]] = defaultdict(Counter)
    for profile in document["profiles"]:
        assert profile["unit"] == "seconds"
        own = profiles[profile["name"]]
        for sample, weight in zip(
            profile.get("samples", []), profile.get("weights", []), strict=True
        ):
            if sample:
                own[frames[sample[-1]]] += weight
        stack: list[str] = []
        at = profile["startValue"]
        for event in profile.get("events", []):
            if stack:
                own[stack[-1]] += event["at"] - at
            at = event["at"]
            if event["type"] == "O":
                stack.append(frames[event["frame"]])
            else:
                stack.pop()
    return profiles


def test_speedscope_of_py_spy(load: Any, folder: Path) -> None:
    file = folder / "py-spy.json"
    tools = environment("py-spy==0.4.3")
    program = [tools / "python", folder / "program.py", "0.5"]
    run(tools / "py-spy", "record", "-f", "speedscope", "-r", 50, "-o", file, "--", *program)
    theirs = speedscope_seconds(json.loads(file.read_text()))
    profile = load(file)
    assert len(profile.thread_names) == len(theirs)
    total: Counter[str] = Counter()
    for own in theirs.values():
        total.update({name: value * 1e9 for name, value in own.items()})
    nearly(own_values(profile, "wall"), total, rounding=1000)
    assert profile.document["sampled"]
    # Its lines are those that ran.
    lines = {f.line for s in profile.stacks("wall") for f in s.frames if f.name == "leaf"}
    assert lines <= {5}


def test_speedscope_of_pyinstrument(load: Any, folder: Path) -> None:
    file = folder / "pyinstrument.json"
    tools = environment("pyinstrument==5.1.3")
    run(tools / "pyinstrument", "-r", "speedscope", "-o", file, folder / "program.py", "0.3")
    (theirs,) = speedscope_seconds(json.loads(file.read_text())).values()
    profile = load(file)
    expected = Counter({name: value * 1e9 for name, value in theirs.items()})
    nearly(own_values(profile, "wall"), expected, rounding=1000)
    places = {f["name"]: f["line"] for f in profile.document["functions"]}
    assert places["main"] == 15


# ---- Chrome traces


def test_trace_of_py_spy(load: Any, folder: Path) -> None:
    file = folder / "py-spy.trace.json"
    tools = environment("py-spy==0.4.3")
    program = [tools / "python", folder / "program.py", "0.5"]
    run(tools / "py-spy", "record", "-f", "chrometrace", "-r", 50, "-o", file, "--", *program)
    whole: Counter[str] = Counter()
    stacks: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for event in json.loads(file.read_text()):
        stack = stacks[event["tid"]]
        if event["ph"] == "B":
            stack.append((event["name"], event["ts"]))
        elif event["ph"] == "E":
            name, start = stack.pop()
            assert name == event["name"]
            if not stack:
                whole[name] += 1000 * (event["ts"] - start)
    profile = load(file)
    assert profile.total("wall") == whole.total()
    assert "calls" not in profile.values
    assert profile.document["sampled"]


def test_trace_of_viztracer(load: Any, folder: Path) -> None:
    file = folder / "viztracer.json"
    tools = environment("viztracer==1.1.1")
    run(tools / "viztracer", "-o", file, folder / "program.py")
    events = [e for e in json.loads(file.read_text())["traceEvents"] if e["ph"] == "X"]
    profile = load(file)
    calls: Counter[str] = Counter(event["name"].split(" (")[0] for event in events)
    assert own_values(profile, "calls") == calls
    assert calls["fib"] == 2 * 465
    assert set(profile.thread_names) == {"MainThread", "helper"}
    outermost = microseconds_at_work(events)
    assert profile.total("wall") == pytest.approx(1000 * outermost, abs=len(events))
    kinds = {f["qualified_name"]: f["kind"] for f in profile.document["functions"]}
    assert (kinds["builtins.sum"], kinds["leaf"]) == ("builtin", "python")


def microseconds_at_work(events: list[Json]) -> float:
    """Of all threads: the time that is inside some call."""
    covered, ends = 0.0, dict[int, float]()
    for event in sorted(events, key=lambda event: float(event["ts"])):
        start, end = event["ts"], event["ts"] + event["dur"]
        covered += max(0.0, end - max(start, ends.get(event["tid"], 0.0)))
        ends[event["tid"]] = max(end, ends.get(event["tid"], 0.0))
    return covered


# ---- Firefox


def test_gecko_of_python(load: Any, folder: Path, pythons: dict[str, Path]) -> None:
    if "3.15" not in pythons:
        pytest.skip("there is no Python 3.15")
    file = folder / "gecko.json"
    words = ["-m", "profiling.sampling", "run", "--gecko", "-a", "-r", 50, "-o", file]
    run(pythons["3.15"], *words, folder / "program.py", "0.5")
    document = json.loads(file.read_text())
    theirs: Counter[str] = Counter()
    for leaf in leaves_of(document):
        theirs[leaf] += 1
    profile = load(file)
    assert own_values(profile, "samples") == theirs
    assert len(profile.thread_names) == len(document["threads"])
    interval = document["meta"]["interval"]
    assert profile.total("wall") == pytest.approx(theirs.total() * interval * 1e6)


def leaves_of(document: Json) -> Iterator[str]:
    """The innermost function of every sample."""
    texts = document["shared"]["stringArray"]
    for thread in document["threads"]:
        for stack in thread["samples"]["stack"]:
            frame = thread["stackTable"]["frame"][stack]
            yield texts[thread["funcTable"]["name"][thread["frameTable"]["func"][frame]]]


# ---- memray


@pytest.fixture(scope="module")
def memray(folder: Path) -> dict[str, Path]:
    python = environment("memray==1.20.0") / "python"
    recorded = folder / "memray.bin"
    run(python, "-m", "memray", "run", "-o", recorded, folder / "program.py")
    files = {name: folder / f"memray.{name}" for name in ("csv", "gprof2dot", "stats")}
    for name in ("csv", "gprof2dot"):
        run(python, "-m", "memray", "transform", name, "-o", files[name], recorded)
    run(python, "-m", "memray", "stats", "--json", "-o", files["stats"], recorded)
    return files


def test_memray(load: Any, memray: dict[str, Path]) -> None:
    with memray["csv"].open(newline="") as file:
        rows = list(csv.DictReader(file))
    profile = load(memray["csv"])
    assert profile.total("allocated") == sum(int(row["size"]) for row in rows)
    assert profile.total("allocations") == sum(int(row["num_allocations"]) for row in rows)
    document = json.loads(memray["gprof2dot"].read_text())
    expected = sum(event["cost"][0] for event in document["events"])
    assert load(memray["gprof2dot"]).total("allocated") == expected
    statistics = json.loads(memray["stats"].read_text())
    profile = load(memray["stats"])
    assert profile.total("allocated") == statistics["total_bytes_allocated"]
    assert profile.total("allocations") == statistics["total_num_allocations"]


# ---- what we wrote ourselves


def functions_of(pyrometer: Run, *words: object) -> dict[str, tuple[int, int]]:
    document = json.loads(pyrometer("report", *words, "--json").stdout)
    rows: dict[str, tuple[int, int]] = {}
    for row in document["functions"]:
        name = row["qualified_name"] or row["name"]
        before = rows.get(name, (0, 0))
        rows[name] = (before[0] + row["self"], before[1] + row["total"])
    return rows


def export(pyrometer: Run, profile: Path, form: str, to: Path) -> Path:
    assert pyrometer("export", profile, "--format", form, "-o", to).returncode == 0
    return to


def test_our_json_loads_as_it_was(
    pyrometer: Run, run_directory: Path, prof_file: Path, tmp_path: Path
) -> None:
    for profile in (run_directory, prof_file):
        first = export(pyrometer, profile, "json", tmp_path / "first")
        again = export(pyrometer, first, "json", tmp_path / "again")
        one, two = (without_ids(json.loads(file.read_text())) for file in (first, again))
        assert one == two
        views = ("--callers", "--callees", "--lines", "--threads", "--processes")
        reports = [pyrometer("report", each, *views).stdout for each in (profile, first)]
        assert reports[0].splitlines()[5:] == reports[1].splitlines()[5:]


def without_ids(document: Json) -> Json:
    """The ids of native code depend on its build, which is not written."""
    for row in (*document["functions"], *document["nodes"]):
        del row["id"]
    return document


def test_our_speedscope_keeps_its_totals(
    pyrometer: Run, run_directory: Path, tmp_path: Path
) -> None:
    file = export(pyrometer, run_directory, "speedscope", tmp_path / "x")
    assert functions_of(pyrometer, file) == functions_of(pyrometer, run_directory)
    processes = json.loads(pyrometer("report", file, "--processes", "--json").stdout)["processes"]
    assert [process["rank"] for process in processes] == [0, 1, 2]


def test_our_trace_keeps_its_calls(one_recorder: Any, pyrometer: Run, tmp_path: Path) -> None:
    script = one_recorder.write(PROGRAM)
    recorded = one_recorder.record(script, options=["--exact", "--timeline"])
    first = export(pyrometer, recorded.run, "chrome", tmp_path / "first")
    again = export(pyrometer, first, "chrome", tmp_path / "again")
    one, two = (json.loads(file.read_text())["traceEvents"] for file in (first, again))
    assert sorted(map(json.dumps, calls_in(one))) == sorted(map(json.dumps, calls_in(two)))
    document = json.loads(pyrometer("report", first, "--json").stdout)
    by_name = {row["name"]: row for row in document["functions"]}
    assert by_name["fib"]["calls"] == 2 * 465


def calls_in(events: list[Json]) -> list[list[object]]:
    keys = ("name", "pid", "tid", "ts", "dur")
    return [[event[key] for key in keys] for event in events if event["ph"] == "X"]


# ---- what is no profile


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1}', ["speedscope", "Chrome", "Firefox"]),
        ('{"profiles": [], "shared": {', ["ends early"]),
        ('{"a": NaN}', ["byte 6", "not JSON"]),
        ('{"a": ' + "[" * 1_000_000, ["200 levels"]),
        ('{"shared": {"frames": []}, "profiles": [{"type": 3, "unit": "none"}]}', ["profile 1"]),
    ],
)
def test_bad_json(pyrometer: Run, tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    expect_refusal(pyrometer("report", file), *words, name=str(file))
