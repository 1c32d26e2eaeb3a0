"""bench/harness: what it computes, what it writes, and what it says of contenders that fail."""

import json
import os
import random
import sys
from dataclasses import replace
from pathlib import Path

import overhead
import pytest
from conftest import ROOT
from harness import command as bench_command
from harness import interpreters
from harness.comparison import Comparison, Result, compare_entries
from harness.contenders import PLAIN, SAMPLERS, Contender, fill, package_name
from harness.document import replace_section
from harness.entries import make_entry
from harness.environments import InstallError, installed_version, make_environment
from harness.measure import CommandError, Cost, explain, run
from harness.ratios import Ratio, bootstrap_median, compare
from harness.rounds import Entry, Run, clean_environment, run_once, run_rounds, try_all
from harness.samples import (
    count_austin,
    count_collapsed,
    count_pyinstrument,
    count_pyrometer,
    count_scalene,
)
from harness.tables import format_comparison

PYTHON = sys.executable
PROGRAM = "print('measured cpu 0.5 wall 0.6')\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def make_run(cpu: float, own: float | None = None) -> Run:
    return Run(Cost(wall=2 * cpu, cpu=cpu, peak=1e6), cpu if own is None else own, 2 * cpu)


def entry(name: str, *code: str, output: str = "") -> Entry:
    """A contender that runs the program after some code of its own."""
    tool = "\n".join([*code, "import runpy", "runpy.run_path(sys.argv[1])"])
    command = ("{python}", "-c", f"import os, sys\n{tool}".replace("{", "{{"), "{program}")
    return Entry(Contender(name, command, output=output), {"python": PYTHON})


# ---- ratios


def test_ratio_is_the_median_over_rounds() -> None:
    # The machine was ten times slower in the second round, which the pairing removes.
    ratio = compare([1.1, 12.0, 1.3], [1.0, 10.0, 1.0])
    assert ratio.median == pytest.approx(1.2)
    assert ratio.low == pytest.approx(1.1)
    assert ratio.high == pytest.approx(1.3)


def test_interval_covers_the_truth_and_shrinks() -> None:
    generator = random.Random(7)
    covered = 0
    for _ in range(100):
        ratio = bootstrap_median([generator.gauss(1.0, 0.05) for _ in range(15)])
        assert ratio.low is not None
        assert ratio.high is not None
        assert ratio.low <= ratio.median <= ratio.high
        covered += ratio.low <= 1.0 <= ratio.high
    assert covered >= 85
    many = bootstrap_median([generator.gauss(1.0, 0.05) for _ in range(400)])
    assert many.high is not None
    assert many.low is not None
    assert many.high - many.low < 0.03


def test_the_same_runs_give_the_same_interval() -> None:
    values = [1.0, 1.02, 0.99, 1.05, 1.01]
    assert bootstrap_median(values) == bootstrap_median(values)


def test_few_runs_have_no_interval() -> None:
    assert bootstrap_median([1.5]) == Ratio(1.5)
    assert str(Ratio(1.5)) == "1.500"
    assert str(Ratio(1.5, 1.25, 2)) == "1.500 [1.250, 2.000]"


def test_unpaired_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        compare([1.0], [1.0, 2.0])


# ---- measuring


def test_output_and_cost_of_a_command() -> None:
    cost, said = run([PYTHON, "-c", "print('hello')"])
    assert said == "hello\n"
    assert cost.wall > 0
    assert cost.cpu > 0
    assert cost.peak > 1e6


@pytest.mark.parametrize("waits", [True, False])
def test_children_count_whether_waited_for_or_not(waits: bool) -> None:
    spin = "import time\nwhile time.process_time() < 0.3: pass"
    parent = f"import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', {spin!r}])\n"
    cost, _ = run([PYTHON, "-c", parent + ("p.wait()" if waits else "import os; os._exit(0)")])
    assert cost.cpu > 0.3


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit(3)", "status 3"),
        ("import sys; sys.exit('no such\\nthing')", "status 1: no such thing"),
        ("raise KeyError('x')", "status 1: KeyError: 'x'"),
        ("import os; os.kill(os.getpid(), 9)", "died of SIGKILL"),
        ("import time; time.sleep(60)", "took longer than 1 s"),
    ],
)
def test_failing_commands_are_explained(code: str, reason: str) -> None:
    with pytest.raises(CommandError) as error:
        run([PYTHON, "-c", code], timeout=1 if "sleep" in code else 60)
    assert str(error.value) == reason


def test_missing_command() -> None:
    with pytest.raises(CommandError, match="cannot start /nowhere/tool: No such file"):
        run(["/nowhere/tool"])


def test_reason_is_the_last_paragraph_without_decoration() -> None:
    said = "\x1b[1mbanner\x1b[0m\n\n\N{ALIEN MONSTER} not a Python\nprocess\n"
    assert explain(32, said) == "status 32: not a Python process"
    assert len(explain(1, "x" * 1000)) < 200


# ---- rounds


def test_each_round_begins_with_another(program: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    entries = [entry(name, f"open({str(log)!r}, 'a').write({name!r})") for name in "abc"]
    run_rounds(entries, program, [], 4, lambda _: None)
    assert log.read_text() == "abcbcacababc"
    assert [len(each.runs) for each in entries] == [4, 4, 4]


def test_program_reports_its_own_time(program: Path) -> None:
    result = run_once(Entry(PLAIN, {"python": PYTHON}), program, [])
    assert (result.own_cpu, result.own_wall) == (0.5, 0.6)


def test_tool_must_leave_a_profile(program: Path) -> None:
    with pytest.raises(CommandError, match="wrote no profile"):
        run_once(entry("lazy", output="profile"), program, [])
    with pytest.raises(CommandError, match="wrote no profile"):
        run_once(entry("empty", "open('profile', 'w')", output="profile"), program, [])
    run_once(entry("good", "open('profile', 'w').write('x')", output="profile"), program, [])


def test_profile_must_hold_samples(program: Path) -> None:
    write = "open('profile', 'w').write('a;b 3\\nc 4\\n')"
    good = entry("good", write, output="profile")
    good.contender = replace(good.contender, count_samples=count_collapsed)
    assert run_once(good, program, []).samples == 7
    for text, reason in (("# x\\n", "cannot be read"), ("a 0\\n", "without a sample")):
        bad = entry("bad", f"open('profile', 'w').write('{text}')", output="profile")
        bad.contender = replace(bad.contender, count_samples=count_collapsed)
        with pytest.raises(CommandError, match=reason):
            run_once(bad, program, [])


def test_samples_in_the_files_of_peers(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text("# mode: wall\n\nP1;T1;a:f:1 5000\nP1;T2;a:g:1 5000\n")
    assert count_austin(tmp_path, {}) == 2
    (tmp_path / "profile").write_text('{"sample_count": 248}')
    assert count_pyinstrument(tmp_path, {}) == 248
    (tmp_path / "profile.json").write_text(
        '{"stacks": [[["a"], {"count": 31}], [[], {"count": 2}]]}'
    )
    assert count_scalene(tmp_path, {}) == 33


def test_samples_in_our_recordings(tmp_path: Path) -> None:
    """The last value of each recording, added up over the processes."""
    for name in ("a", "b"):
        (tmp_path / "run/raw/000").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"run/raw/000/{name}.pyr").touch()
    tool = tmp_path / "pyrometer"
    lines = "".join(f"1  attribute  key='sampler.samples'  value='{n}'\n" for n in (5, 311))
    tool.write_text(f"#!/bin/sh\ncat <<'END'\n{lines}END\n")
    tool.chmod(0o755)
    assert count_pyrometer(tmp_path, {"pyrometer": str(tool)}) == 622


def test_program_that_was_not_run_to_the_end(program: Path) -> None:
    program.write_text("print('nothing')")
    with pytest.raises(CommandError, match="did not say what its work took"):
        run_once(entry("tool"), program, [])


def test_environment_is_free_of_python_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("PYROMETER_RATE", "1")
    assert not {"PYTHONPATH", "PYROMETER_RATE"} & clean_environment().keys()
    assert os.environ["PATH"] == clean_environment()["PATH"]


def test_failing_contenders_are_shown_not_hidden(program: Path) -> None:
    said: list[str] = []
    flaky = entry("flaky")
    broken = entry("broken", "sys.exit('cannot | attach <here>')")
    entries = [entry("plain"), flaky, broken]
    try_all(entries, program, [], said.append)
    assert [each.takes_part for each in entries] == [True, True, False]
    run_rounds(entries, program, [], 3, said.append)
    flaky.runs[1], flaky.failure = None, "status 32"
    assert "trial: broken: failed: status 1: cannot | attach <here>" in said
    text = format_comparison(compare_entries(entries, "program", "3.11.2", 3))
    assert "| broken | failed: status 1: cannot \\| attach &lt;here> |" in text
    assert "| flaky (1 of 3 runs failed: status 32) | " in text


def test_plain_program_must_work() -> None:
    plain = Entry(PLAIN, failure="status 1", takes_part=False)
    with pytest.raises(RuntimeError, match="fails without any profiler: status 1"):
        compare_entries([plain], "program", "3.11.2", 3)


# ---- results


def compare_with_promise(cpus: list[float], most: float) -> Result:
    plain = Entry(PLAIN, runs=[make_run(1.0) for _ in cpus])
    tool = Entry(Contender("tool", (), most=most), runs=[make_run(cpu, 1.0) for cpu in cpus])
    return compare_entries([plain, tool], "p", "3.11.2", len(cpus)).results[1]


@pytest.mark.parametrize(
    ("cpus", "verdict"),
    [
        ([1.001, 1.002, 1.003], "met"),
        ([1.2, 1.3, 1.25], "missed"),
        ([1.0, 1.005, 1.1], "met, within noise"),
        ([1.0, 1.02, 1.1], "missed, within noise"),
        ([1.0], "met, within noise"),
    ],
)
def test_promise_is_judged_with_its_noise(cpus: list[float], verdict: str) -> None:
    assert compare_with_promise(cpus, 1.01).verdict == verdict


def test_promise_for_a_rate_needs_the_rate() -> None:
    result = replace(compare_with_promise([1.001, 1.002, 1.003], 1.01), rate=200, sampled=170)
    assert result.verdict == "met"
    slow = replace(result, sampled=23.4)
    assert slow.verdict == "not shown, as only 23 Hz were kept"


def test_cost_outside_the_program() -> None:
    result = compare_with_promise([1.4, 1.5, 1.6], 1.01)
    assert result.outside == pytest.approx(0.5)
    assert result.own_cpu is not None
    assert result.own_cpu.median == 1.0


def test_table() -> None:
    plain = Result("plain", "", seconds=8.0)
    tool = Result(
        "tool 200 Hz", "1.2", cpu=Ratio(1.5, 1.4, 1.6), wall=Ratio(1.1, 1.0, 1.2),
        own_cpu=Ratio(1.05), outside=3.4, most=1.01, sampled=190.4, rate=200,
    )  # fmt: skip
    assert format_comparison(Comparison("p", "3.15.2", 5, [plain, tool])).splitlines() == [
        "**p**, Python 3.15.2, 5 rounds:",
        "",
        "| | CPU, all processes | wall | the program's own CPU | CPU outside | samples "
        "| promised |",
        "|---|---:|---:|---:|---:|---:|---|",
        "| plain | 8.00 s | | | | | |",
        "| tool 200 Hz, version 1.2 | 1.500 [1.400, 1.600] | 1.100 [1.000, 1.200] | 1.050 "
        "| +3.40 s | 190/s | 1.01: missed |",
    ]


def test_section_of_the_document() -> None:
    text = "a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb <!-- y:begin -->1<!-- y:end -->"
    replaced = replace_section(text, "x", "new\n")
    assert replaced == text.replace("old", "new")
    assert replace_section(replaced, "x", "new") == replaced
    for name in ("z", "y:begin --><!-- x"):
        with pytest.raises(ValueError, match="once each"):
            replace_section(text, name, "new")


def test_the_document_has_every_section() -> None:
    text = (ROOT / "docs" / "benchmarks.md").read_text()
    names = (
        *("overhead", "exact", "exact-lines", "legal-stacks", "reading-and-merging", "loading"),
        *("regions", "view", "mpi", "memory-lines", "memory-overhead"),
    )
    for name in names:
        replace_section(text, name, "")


# ---- contenders and their environments


def test_rows_are_complete() -> None:
    words = dict.fromkeys(("python", "bin", "pyrometer", "output", "program"), "x")
    assert SAMPLERS[0] is PLAIN
    assert len({contender.name for contender in SAMPLERS}) == len(SAMPLERS)
    for contender in SAMPLERS:
        command = " ".join(fill(contender.command, words))
        assert "{" not in command
        assert contender.command[-1] == "{program}"
        assert ("{bin}" in contender.command[0] or contender.in_process) == bool(contender.packages)


def test_package_names() -> None:
    assert package_name("austin-dist>=3.7,<4") == "austin-dist"
    assert package_name("py-spy") == "py-spy"


def test_missing_executable_is_an_entry_that_failed() -> None:
    contender = Contender("pyrometer 200 Hz", ("{pyrometer}", "{program}"))
    result = make_entry(contender, Path("/environment"), Path("/nowhere/pyrometer"))
    assert not result.takes_part
    assert "there is no /nowhere/pyrometer" in result.failure


def test_environment_is_kept_and_made_anew_for_another_recipe(tmp_path: Path) -> None:
    said: list[str] = []
    folder = make_environment("tool", Path(PYTHON), (), said.append, cache=tmp_path)
    assert (folder / "bin" / "python").exists()
    assert make_environment("tool", Path(PYTHON), (), said.append, cache=tmp_path) == folder
    assert len(said) == 1
    missing = str(tmp_path / "missing.whl")
    with pytest.raises(InstallError):
        make_environment("tool", Path(PYTHON), (missing,), said.append, cache=tmp_path)
    assert len(said) == 2


def test_installed_version(tmp_path: Path) -> None:
    (tmp_path / "lib/python3.11/site-packages/py_spy-0.4.3.dist-info").mkdir(parents=True)
    assert installed_version(tmp_path, "py-spy") == "0.4.3"
    assert installed_version(tmp_path, "py") is None


def test_pythons_by_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "unpack_pythons", lambda: {"3.15": Path("/new/python")})
    monkeypatch.setenv("PYROMETER_TEST_PYTHONS", "3.12=/a/python")
    found = interpreters.find_pythons(["3.15", "3.12", "3.14=/b/python"])
    assert list(found.items()) == [
        ("3.15", Path("/new/python")),
        ("3.12", Path("/a/python")),
        ("3.14", Path("/b/python")),
    ]
    with pytest.raises(LookupError, match=r"no Python 3\.9 here"):
        interpreters.find_pythons(["3.9"])


# ---- the command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--programs", "nothing"], "There is no program"),
        (["--contenders", "gprof"], "There is no contender 'gprof'"),
        (["--python", "2.7"], "There is no Python 2.7"),
    ],
)
def test_wrong_names_are_explained(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interpreters, "unpack_pythons", dict)
    assert overhead.main(["--python", f"3.11={PYTHON}", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_json_of_a_small_comparison(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [entry("plain"), entry("tool"), entry("broken", "sys.exit('broken')")]
    monkeypatch.setattr(bench_command, "make_entries", lambda *_: entries)
    python = f"{interpreters.version_of(Path(PYTHON))}={PYTHON}"
    arguments = ["--json", "--rounds", "3", "--scale", "0.001", "--programs", "threads8"]
    # The entries run the program from its file, so its own folder must be found as well.
    path = f"sys.path.insert(0, {str(ROOT / 'bench' / 'programs')!r})"
    for each in entries:
        code = each.contender.command[2].replace("import runpy", f"{path}\nimport runpy")
        code = code.replace(
            "run_path(sys.argv[1])", "run_path(sys.argv.pop(1), run_name='__main__')"
        )
        command = (*each.contender.command[:2], code, "{program}")
        each.contender = Contender(each.contender.name, command)
    assert overhead.main(["--python", python, *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    results = document["comparisons"][0]["results"]
    assert [result["name"] for result in results] == ["plain", "tool", "broken"]
    assert results[1]["cpu"]["low"] <= results[1]["cpu"]["median"]
    assert results[2]["cpu"] is None
    assert results[2]["failure"] == "status 1: broken"
