"""Files of line_profiler are read without unpickling: what is not of their shape is refused."""

import pickle
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from line_programs import LineRunner
from pyrometer._line_stats import LineStats
from pyrometer._lprof import LprofError, read_lprof, write_lprof

TIMINGS: dict[tuple[str, int, str], list[tuple[int, int, int]]] = {
    ("a.py", 3, "f"): [(4, 1, 10), (5, 2**40, 2**70)],
    ("a.py", 300, "f.<locals>.ä"): [(70000, 300, -5)],
    ("b.py", 1, "empty"): [],
}


class Stats:
    """Pickled under the names that line_profiler uses."""

    def __init__(self, timings: Any, unit: Any) -> None:
        self.timings = timings
        self.unit = unit


def pickled(value: Any, protocol: int, name: str = "line_profiler.line_profiler") -> bytes:
    """As if Stats lived in another module."""
    Stats.__module__, Stats.__qualname__ = __name__, "Stats"
    content = pickle.dumps(value, protocol)
    own, other = __name__.encode(), name.encode()
    if protocol >= 4:
        content = content.replace(
            b"\x8c" + bytes([len(own)]) + own, b"\x8c" + bytes([len(other)]) + other
        )
        content = content.replace(b"\x8c\x05Stats", b"\x8c\x09LineStats")
        return content[:2] + content[11:] if content[2:3] == b"\x95" else content  # its length
    return content.replace(own + b"\nStats\n", other + b"\nLineStats\n")


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("module", ["line_profiler.line_profiler", "line_profiler._line_profiler"])
def test_every_protocol(tmp_path: Path, protocol: int, module: str) -> None:
    file = tmp_path / "x.lprof"
    file.write_bytes(pickled(Stats(TIMINGS, 1e-6), protocol, module))
    assert read_lprof(file) == (TIMINGS, 1e-6)


def test_ours(tmp_path: Path) -> None:
    file = tmp_path / "x.lprof"
    write_lprof(file, TIMINGS, 1e-9)
    assert read_lprof(file) == (TIMINGS, 1e-9)
    assert LineStats.from_files(file) == LineStats(TIMINGS, 1e-9)
    assert LineStats.from_files(file, file).timings["a.py", 3, "f"][0] == (4, 2, 20)


class Evil:
    def __reduce__(self) -> Any:
        return (Path.write_text, (Path("evil.txt"), "ran"))


shared: list[Any] = [(1, 1, 1)] * 3
HOSTILE = {
    "calls something": pickle.dumps(Evil()),
    "calls something inside": pickled(Stats({("a", 1, "b"): [(1, 1, Evil())]}, 1e-9), 5),
    "is something else": pickle.dumps({"timings": {}, "unit": 1.0}),
    "has no state": b"\x80\x02cline_profiler.line_profiler\nLineStats\n)\x81.",
    "another class": b"\x80\x02cos\nsystem\n)\x81}b.",
    "more state": pickled(Stats({}, 1e-9), 2).replace(b"unit", b"UNIT"),
    "wrong label": pickled(Stats({("a", "b"): []}, 1e-9), 5),
    "wrong rows": pickled(Stats({("a", 1, "b"): [(1, 1)]}, 1e-9), 5),
    "wrong row": pickled(Stats({("a", 1, "b"): [(1, 1, "x")]}, 1e-9), 5),
    "no rows": pickled(Stats({("a", 1, "b"): None}, 1e-9), 5),
    "wrong unit": pickled(Stats({}, "fast"), 5),
    "no unit": pickled(Stats({}, 0.0), 5),
    "shared tables": pickled(Stats({("a", n, "b"): shared for n in range(9)}, 1.0), 5),
    "itself": b"\x80\x02}q\x00h\x00h\x00s.",
    "huge memo": b"\x80\x02}r\xff\xff\xff\x7f.",
    "huge text": b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fabc.",
    "huge number": b"\x80\x02\x8b\xff\xff\xff\x7f.",
    "marks": b"\x80\x02" + b"(" * 1000 + b"\x86.",
    "nothing": b"",
    "not a pickle": b"Timer unit: 1e-06 s\n",
    "persistent": b"\x80\x02Pname\n.",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "x.lprof"
    file.write_bytes(content)
    with pytest.raises(LprofError, match=r"x\.lprof is not a file of line_profiler: .*\.$"):
        read_lprof(file)
    assert not (tmp_path / "evil.txt").exists()


def test_cut_and_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.lprof"
    content = pickled(Stats(TIMINGS, 1e-6), 5)
    for size in range(len(content)):
        file.write_bytes(content[:size])
        with pytest.raises(LprofError):
            read_lprof(file)
    chance = random.Random(5)
    for _ in range(2000):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        file.write_bytes(damaged)
        try:
            timings, unit = read_lprof(file)
        except LprofError:
            continue
        assert isinstance(timings, dict)
        assert isinstance(unit, float)


def test_viewer_refuses_in_one_sentence(tmp_path: Path) -> None:
    import subprocess
    import sys

    from running import PACKAGE

    (tmp_path / "x.lprof").write_bytes(pickle.dumps(Evil()))
    for name, words in (("x.lprof", "is not a file of line_profiler"), ("y", "No such file")):
        command = [sys.executable, "-m", "pyrometer.line_profiler", name]
        done = subprocess.run(
            command, cwd=tmp_path, env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith("pyrometer.line_profiler: ")
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "evil.txt").exists()


def test_viewer_without_files_tells_its_usage(tmp_path: Path) -> None:
    done = LineRunner(Path(sys.executable), tmp_path)("-m", "pyrometer.line_profiler")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python -m pyrometer.line_profiler ")
