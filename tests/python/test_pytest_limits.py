"""@pytest.mark.limit_memory and limit_leaks: tests that hold or keep too much fail, and are told
where."""

import re
import sys
from pathlib import Path

import pytest
from pytest_projects import Project, section_of
from running import PACKAGE, Result

sys.path.insert(0, str(PACKAGE))
from pyrometer._memory_size import parse_size, show_size

LIMITED = """
import gc, threading
import pytest
import numpy as np
from library import keep, table, kept

@pytest.fixture
def large():
    return bytearray(50_000_000)

@pytest.mark.limit_memory("24 MB")
def test_holds_little(large):
    for _ in range(10):
        bytearray(20_000_000)

@pytest.mark.limit_memory("24 MB")
def test_holds_much():
    first = bytearray(20_000_000)
    second = table(10)

@pytest.mark.limit_memory("1 MB")
def test_holds_objects():
    return_value = [str(number) * 3 for number in range(40_000)]

@pytest.mark.limit_memory("24 MB")
def test_holds_in_a_thread():
    thread = threading.Thread(target=table, args=(40,))
    thread.start()
    thread.join()

@pytest.mark.limit_memory("24 MB", current_thread_only=True)
def test_holds_in_a_thread_that_does_not_count():
    test_holds_in_a_thread()

@pytest.mark.limit_leaks("100 KB")
def test_keeps():
    for _ in range(100):
        keep(4000)

@pytest.mark.limit_leaks("100 KB")
def test_frees():
    for _ in range(100):
        keep(4000)
    kept.clear()

@pytest.mark.limit_leaks("100 KB")
def test_cycles_are_no_leaks():
    for _ in range(100):
        cycle = [bytearray(10_000)]
        cycle.append(cycle)

@pytest.mark.limit_leaks("100 KB", warmups=2)
def test_fills_a_cache_once(cache={}):
    cache.setdefault("table", table(1))

@pytest.mark.limit_leaks("100 KB", filter_fn=lambda stack: stack.frames[0].function != "keep")
def test_keeps_what_is_known():
    keep(1_000_000)

@pytest.mark.limit_memory("1 MB")
@pytest.mark.limit_leaks("1 MB")
def test_both():
    keep(5_000_000)
"""
LIBRARY = """
import numpy as np
kept = []

def keep(size):
    kept.append(bytearray(size))

def table(rows):
    return np.ones((rows, 125_000))
"""


@pytest.fixture
def project(tmp_path: Path, executable: Path) -> Project:
    project = Project(tmp_path, executable)
    project.write("library.py", LIBRARY)
    return project


def failures_of(result: Result) -> dict[str, str]:
    """What is said of each test that failed."""
    text = result.stdout.partition("= pyrometer")[0]
    parts = re.split(r"^_+ (\S+) _+\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


INSIDE = (sys.executable, "-c", "import pytest, sys; sys.exit(pytest.main(['--pyrometer']))")


@pytest.mark.parametrize("way", ["plain", "xdist", "inside"])
def test_limits(project: Project, way: str) -> None:
    """Also of a session that is a part of a program."""
    project.write("test_limited.py", LIMITED)
    words = ("--pyrometer", "-n", "2") if way == "xdist" else ("--pyrometer",)
    result = project.run(command=INSIDE) if way == "inside" else project.run(*words)
    assert result.returncode == 1, result.stdout + result.stderr
    failures = failures_of(result)
    assert failures.keys() == {
        "test_holds_much",
        "test_holds_objects",
        "test_holds_in_a_thread",
        "test_keeps",
        "test_both",
    }, result.stdout
    much = failures["test_holds_much"].splitlines()
    assert 'The test held 28.6 MiB at once; limit_memory("24 MB") allows less.' in much
    assert "    19.1 MiB  test_limited.py:18 test_holds_much" in much
    assert re.search(
        r"^ +9\.5 MiB  library\.py:9 table, in .*numeric\.py:\d+ ones$",
        failures["test_holds_much"],
        re.MULTILINE,
    )
    assert not re.search(r"^ +\d+ B  ", failures["test_holds_much"], re.MULTILINE), "pytest's own"
    assert "test_limited.py:23" in failures["test_holds_objects"]
    assert "38.1 MiB  library.py:9 table" in failures["test_holds_in_a_thread"]
    keeps = failures["test_keeps"]
    assert "The test keeps 396." in keeps
    assert 'limit_leaks("100 KB") allows less at one place.' in keeps
    assert "in 200 blocks  library.py:6 keep" in keeps
    assert "called from test_limited.py:38 test_keeps" in keeps
    assert "limit_memory" in failures["test_both"]
    assert "limit_leaks" in failures["test_both"]


def test_other_failures_stay_what_they_are(project: Project) -> None:
    project.write(
        "test_it.py",
        """
import pytest

@pytest.mark.limit_memory("1 KB")
def test_fails():
    data = bytearray(10**6)
    assert len(data) == 1

@pytest.mark.limit_memory("1 KB")
def test_skips():
    pytest.skip("not here")

@pytest.mark.xfail(strict=True)
@pytest.mark.limit_memory("1 KB")
def test_is_known_to_be_large():
    bytearray(10**6)

@pytest.mark.limit_memory("12 parsecs")
def test_has_no_size(): ...

@pytest.mark.limit_leaks("1 MB", warmups=-1)
def test_has_no_count(): ...

@pytest.mark.limit_leaks("1 MB", warmup=1)
def test_has_another_word(): ...

@pytest.mark.limit_memory()
def test_has_nothing(): ...
""",
    )
    result = project.run("--pyrometer")
    failures = failures_of(result)
    wrong = {"test_has_no_size", "test_has_no_count", "test_has_another_word", "test_has_nothing"}
    assert failures.keys() == {"test_fails", *wrong}
    assert "assert 1000000 == 1" in failures["test_fails"]
    assert "The test held" not in failures["test_fails"]
    sentence = "@pytest.mark.limit_memory: '12 parsecs' is not a size; write"
    assert sentence in failures["test_has_no_size"]
    assert "warmups=-1 is not a number of times." in failures["test_has_no_count"]
    sentence = "@pytest.mark.limit_leaks: got an unexpected keyword argument 'warmup'."
    assert failures["test_has_another_word"].splitlines()[0] == sentence
    assert "During handling of the above exception" not in result.stdout
    sentence = '@pytest.mark.limit_memory needs a size: @pytest.mark.limit_memory("24 MB").'
    assert sentence in failures["test_has_nothing"]
    assert "1 skipped, 1 xfailed" in result.stdout


def test_without_memory_nothing_is_enforced_and_said(project: Project) -> None:
    project.write("test_limited.py", LIMITED)
    source = "import pytest\n@pytest.mark.limit_leaks('no size', warmups=1)\ndef test_it(): ...\n"
    project.write("test_unread.py", source)
    result = project.run("--pyrometer", "--pyrometer-memory", "none")
    assert result.returncode == 0
    assert "no memory, so its limits are not enforced" in result.stdout
    assert section_of(result)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("24 MB", 24 << 20),
        ("1.5 GiB", 3 << 29),
        ("100b", 100),
        (" .5kb ", 512),
        ("+2 TB", 2 << 40),
        (1234, 1234),
    ],
)
def test_sizes(text: object, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "MB", "24", "24 MB or so", "-1 MB", "1e6 B", -1, 1.5, True, None]
)
def test_what_is_no_size(text: object) -> None:
    with pytest.raises(ValueError, match="is not a size; write"):
        parse_size(text)


def test_sizes_for_people() -> None:
    shown = [show_size(size) for size in (0, 1023, 1024, 3 << 19, 5 << 30, 7 << 50)]
    assert shown == ["0 B", "1023 B", "1.0 KiB", "1.5 MiB", "5.0 GiB", "7168.0 TiB"]
