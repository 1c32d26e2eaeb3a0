"""Our text and files beside those of line_profiler itself, old and new."""

import io
import re
import sys
from pathlib import Path

import pytest
from harness.environments import InstallError, cache_folder, make_environment
from line_programs import LineRunner

PROGRAM = """\
import functools

@profile
def total(count):
    result = 0
    for number in range(count):
        if number % 3:
            result += sum(
                range(number),
                number,
            )
        # a comment, and a blank line

        else:
            result -= 1
    return result

class Thing:
    @profile
    def method(self):
        "Ünïcode."
        return 'ä€𝄞'

@profile
def never():
    pass

total(2000)
Thing().method()
"""

LINK = re.compile(r"(?<=\x1b\]8;)id=\d+")  # a random number
OPTIONS = [
    [],
    ["-u", "1e-3"],
    ["-u", "1e-12"],
    ["-u", "5"],
    ["-z"],
    ["-t"],
    ["-m"],
    ["-ztm", "-u", "1e-9"],
    ["--skip-zero=yes", "--no-sort", "-r", "--summarize=on"],
    ["-rt"],
    ["-rmt", "--no-config"],
]


@pytest.fixture(scope="module", params=["4.2.0", "5.0.2"])
def theirs(request: pytest.FixtureRequest) -> Path:
    """The Python of an environment that has line_profiler; made once, kept in the cache folder."""
    version = request.param
    cache = cache_folder().parent / "viewers"
    packages = [f"line_profiler=={version}", "rich"]
    try:
        folder = make_environment(
            f"line_profiler-{version}", Path(sys.executable), packages, print, cache
        )
    except InstallError as error:
        pytest.skip(f"line_profiler {version} cannot be installed: {error}")
    return folder / "bin" / "python"


@pytest.fixture
def both(theirs: Path, tmp_path: Path) -> LineRunner:
    """Ours too runs with their Python, so that rich is the same."""
    runner = LineRunner(theirs, tmp_path)
    runner.write("program.py", PROGRAM)
    return runner


def expect_same_text(runner: LineRunner, *files: str, options: list[list[str]] = OPTIONS) -> None:
    is_old = "4.2" in str(runner.python)
    for words in options:
        if is_old and any(word.startswith(("--", "1e-12")) for word in words):
            continue  # other flags, other digits of numbers too wide, no colours in a summary
        command = ("-m", "line_profiler", *words, *files)
        expected = runner(*command, variables={"PYTHONUTF8": "1", "COLUMNS": "300"})
        assert expected.returncode == 0, expected.stderr
        ours = runner(
            "-m",
            "pyrometer.line_profiler",
            *words,
            *files,
            variables={"PYTHONUTF8": "1", "COLUMNS": "300"},
        )
        texts = [LINK.sub("", done.stdout) for done in (ours, expected)]
        assert texts[0] == texts[1], words
        assert (ours.stderr, ours.returncode) == (expected.stderr, 0)


def test_their_file_looks_the_same(both: LineRunner) -> None:
    done = both("-m", "kernprof", "-l", "program.py")
    assert done.returncode == 0, done.stderr
    expect_same_text(both, "program.py.lprof")


def test_our_file_opens_there(both: LineRunner) -> None:
    done = both.kernprof("-l", "program.py")
    assert done.returncode == 0, done.stderr
    expect_same_text(both, "program.py.lprof")
    check = (
        "from line_profiler import load_stats; s = load_stats('program.py.lprof');"
        "print(s.unit, [(k[0], k[1], k[2], len(v)) for k, v in s.timings.items()])"
    )
    told = both("-c", check).stdout
    assert told == both("-c", check.replace("line_profiler", "pyrometer.line_profiler")).stdout
    assert told.startswith("1e-09 [('program.py', 3, 'total', ")
    assert told.endswith(
        "), ('program.py', 19, 'Thing.method', 1), ('program.py', 24, 'never', 0)]\n"
    )


def test_hits_are_theirs(both: LineRunner) -> None:
    """Of plain lines; those of multi-line calls are a fault of theirs."""
    both.kernprof("-lq", "-o", "ours.lprof", "program.py")
    both("-m", "kernprof", "-l", "-o", "theirs.lprof", "program.py")
    check = (
        "from pyrometer.line_profiler import load_stats\n"
        "for file in 'ours', 'theirs':\n"
        "    timings = load_stats(file + '.lprof').timings\n"
        "    print([(k[1], k[2].split('.')[-1], [row[:2] for row in rows if not 8 <= row[0] <= 11])"
        " for k, rows in sorted(timings.items())])\n"
    )
    ours, expected = both("-c", check).stdout.splitlines()
    assert ours == expected


def test_sums_are_theirs(both: LineRunner) -> None:
    if "4.2" in str(both.python):
        pytest.skip("it reads one file only")
    for name in ("a", "b"):
        both("-m", "kernprof", "-l", "-o", f"{name}.lprof", "program.py")
    write = (
        "from line_profiler import LineStats; import pickle;"
        "s = LineStats({('program.py', 3, 'total'): [(5, 3, 1234567), (6, 1, 7)],"
        " ('other.py', 9, 'else'): [(10, 10**10, 10**15), (12, 1, 1)]}, 1e-6);"
        "pickle.dump(s, open('c.lprof', 'wb'), 4)"
    )
    both("-c", write)
    expect_same_text(both, "a.lprof", "b.lprof", "c.lprof")
    expect_same_text(both, "c.lprof")


def test_notebook_cells_and_missing_files(both: LineRunner) -> None:
    """Large numbers, columns that grow, and functions whose source is gone."""
    if "4.2" in str(both.python):
        pytest.skip("it has other digits of numbers too wide")
    code = """
import io, linecache, sys
module = __import__(sys.argv[1], fromlist=['x'])
source = ['def cell(x):\\n', '    return x\\n', '\\n', 'x = 1\\n']
linecache.cache['<ipython-input-1-abc>'] = (1, None, source, '<ipython-input-1-abc>')
timings = {
    ('<ipython-input-1-abc>', 1, 'cell'): [(2, 10**12, 10**17)],
    ('gone.py', 5, 'f'): [(7, 3, 0), (9, 1, 12345678901234567890)],
    ('gone.py', 50, 'empty'): [],
}
for unit in (None, 1e-3, 1e-15):
    module.show_text(timings, 1e-9, output_unit=unit, summarize=True, sort=True)
module.show_func('gone.py', 5, 'f', [(7, 3, 100.5)], 1e-6, stripzeros=True)
"""
    texts = [both("-c", code, name) for name in ("line_profiler", "pyrometer.line_profiler")]
    assert texts[0].returncode == 0, texts[0].stderr
    assert texts[1].stdout == texts[0].stdout, texts[1].stderr


def test_kernprof_has_all_their_options(both: LineRunner) -> None:
    wide = {"COLUMNS": "500"}
    names = ("kernprof", "pyrometer.kernprof")
    helps = [both("-m", name, "--help", variables=wide).stdout for name in names]
    theirs, ours = (set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text)) for text in helps)
    assert len(theirs) > 15
    assert theirs <= ours


def test_their_decorator_works_under_our_kernprof(both: LineRunner) -> None:
    source = "from line_profiler import profile\n@profile\ndef f():\n    return 1\nf()\n"
    both.write("imported.py", source)
    done = both.kernprof("-lv", "imported.py")
    assert "     4         1 " in done.stdout, done.stderr


def test_names_do_not_play_with_the_terminal() -> None:
    from pyrometer._line_text import show_text

    out = io.StringIO()
    show_text({("\x1b[2Jgone.py", 1, "f\x07"): [(1, 1, 1)]}, 1e-9, stream=out, summarize=True)
    assert "\x1b" not in out.getvalue()
    assert "Could not find file \\x1b[2Jgone.py" in out.getvalue()
