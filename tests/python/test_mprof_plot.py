"""`python -m pyrometer.mprof plot`: pictures of mprof's files, by our executable; and the real
mprof, which draws what ours wrote.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run
from line_programs import LineRunner
from memory_tools import memory_profiler
from pyrometer import _mprof_plot as mprof_plot
from pyrometer._mprof_files import MprofError

PROFILE = "".join(
    [
        "CMDLINE python x.py\n",
        *(f"MEM {20 + i % 7}.500000 {100 + i / 10:.4f}\n" for i in range(30)),
        *(f"CHLD 4711 {5 + i % 3}.250000 {100 + i / 10:.4f}\n" for i in range(20)),
        "FUNC __main__.outer 20.5000 100.2000 24.5000 102.2000 0\n",
        "FUNC __main__.grow 20.5000 100.5000 24.5000 101.2000 1\n",
    ]
)
# Says what it was asked for, in the place of the picture.
STAND_IN = """\
#!/usr/bin/env python3
import pathlib, sys
words = sys.argv[1:]
pathlib.Path(words[words.index("--plot") + 1]).write_text("\\n".join(words))
print("the report, which nobody asked for")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("mprofile_20260101120000.dat", "mprofile_20260101120001.dat", "other.dat"):
        (tmp_path / name).write_text(PROFILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "stand-in"
    path.write_text(STAND_IN)
    path.chmod(0o755)
    monkeypatch.setattr(mprof_plot, "find_executable", lambda: path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.mark.usefixtures("stand_in")
def test_options_reach_the_executable(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert mprof_plot.plot(["-o", "x.png", "0", "other.dat", "--backend", "agg"]) == 0
    plain = ["memory", "mprofile_20260101120000.dat", "other.dat", "--plot", "x.png"]
    assert (folder / "x.png").read_text().split("\n") == plain
    assert mprof_plot.plot(["-n", "-f", "-s", "-t", "-a title", "-w", "0,20.5", "-o", "x.svg"]) == 0
    assert (folder / "x.svg").read_text().split("\n") == [
        "memory",
        "mprofile_20260101120001.dat",
        "--plot",
        "x.svg",
        "--title=-a title",
        "--window=0,20.5",
        "--no-functions",
        "--flame",
        "--slope",
    ]
    assert mprof_plot.plot(["-t", "", "-w", "0,123456.789", "-o", "x.svg", "other.dat"]) == 0
    precise = (folder / "x.svg").read_text().split("\n")
    assert precise[-2:] == ["--title= ", "--window=0,123456.789"]
    said = capfd.readouterr()
    assert said.out == "Using last profile data.\n"
    assert said.err == ""


@pytest.mark.usefixtures("stand_in")
def test_shown_or_named(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url) or True))
    assert mprof_plot.plot([]) == 0
    assert opened == []
    name = capfd.readouterr().err.removeprefix("The picture is ").partition(";")[0]
    assert Path(name).name == "mprofile_20260101120001.svg"
    assert Path(name).is_file()
    monkeypatch.setenv("DISPLAY", ":0")
    assert mprof_plot.plot(["other.dat"]) == 0
    assert capfd.readouterr().err == ""
    (url,) = opened
    assert url.startswith("file:///")
    assert url.endswith("/other.svg")


def test_pictures_only(folder: Path) -> None:
    with pytest.raises(MprofError, match=r"cannot draw a\.pdf: -o takes the name of an \.svg or"):
        mprof_plot.plot(["-o", "a.pdf"])
    assert not (folder / "a.pdf").exists()


@pytest.mark.usefixtures("folder")
def test_refusals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for window in ("1", "1,2,3", "a,b"):
        with pytest.raises(SystemExit):
            mprof_plot.plot(["-w", window])
        assert f"--window/-w: {window!r} is no window" in capsys.readouterr().err
    with pytest.raises(MprofError, match=r"there is no file no\.dat"):
        mprof_plot.plot(["no.dat"])
    monkeypatch.setattr(mprof_plot, "find_executable", lambda: None)
    with pytest.raises(MprofError, match="the pyrometer executable is not where"):
        mprof_plot.plot(["other.dat"])


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ([], "--plot"),
        (["-s"], "--slope"),
        (["-t", "A title"], "--title"),
        (["-w", "0.5,1.5"], "--window"),
        (["-n"], "--no-functions"),
        (["-f"], "--flame"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_picture(folder: Path, pyrometer: Run, words: list[str], option: str) -> None:
    if option not in pyrometer("memory", "--help").stdout:
        pytest.skip(f"this executable has no command memory {option}")
    program = LineRunner(Path(sys.executable), folder)
    done = program("-m", "pyrometer.mprof", "plot", *words, "-o", "x.svg", "other.dat")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    picture = (folder / "x.svg").read_text()
    assert picture.rstrip().endswith("</svg>")
    assert ("A title" in picture) == (option == "--title")


def test_the_real_mprof_draws_what_ours_wrote(folder: Path) -> None:
    program = LineRunner(Path(sys.executable), folder)
    program.write("script.py", "@profile\ndef work():\n    return bytearray(1 << 20)\nwork()\n")
    done = program(
        "-m", "pyrometer.mprof", "run", "-M", "-T", "0.01", "-o", "ours.dat", "script.py"
    )
    assert done.returncode == 0, done.stderr
    command = [memory_profiler("matplotlib==3.10.3") / "mprof", "plot", "-o", "x.png", "ours.dat"]
    environment = {**os.environ, "MPLBACKEND": "agg"}
    subprocess.run(command, env=environment, check=True, timeout=100, capture_output=True)
    assert (folder / "x.png").read_bytes().startswith(b"\x89PNG")
