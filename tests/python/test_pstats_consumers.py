"""The cProfile files that Pyrometer writes, opened by those who will open them."""

import marshal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from conftest import Run
from harness.environments import InstallError, cache_folder, make_environment
from pstats_oracle import PROGRAMS, Case, pstats_texts, record, run_python

SUM = "import pstats, sys; pstats.Stats(*sys.argv[2:]).dump_stats(sys.argv[1])"


@pytest.fixture(scope="module")
def parts(
    python_version: str, pythons: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    folder = tmp_path_factory.mktemp(f"parts-{python_version}")
    return [record(pythons[python_version], folder, program) for program in PROGRAMS]


def below_the_files(text: str) -> str:
    """Without the lines that name the files."""
    return text.split("\n\n", 1)[1]


def test_sum_is_that_of_pstats(
    pyrometer: Run, python_version: str, pythons: dict[str, Path], parts: list[Path], tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "ours.prof", tmp_path / "theirs.prof"
    assert pyrometer("merge", *parts, "-o", ours).returncode == 0
    run_python(pythons[python_version], "-c", SUM, theirs, *parts)
    for python in pythons.values():
        orders = ((), ("stdname",), ("time", "calls"))
        texts = [
            pstats_texts(python, [Case([str(file)], sort=sort) for sort in orders])
            for file in (ours, theirs)
        ]
        assert [*map(below_the_files, texts[0])] == [*map(below_the_files, texts[1])]


def test_exported_recording_loads_in_every_pstats(
    pyrometer: Run, pythons: dict[str, Path], run_directory: Path, tmp_path: Path
) -> None:
    exported = tmp_path / "run.prof"
    assert pyrometer("export", run_directory, "--format", "pstats", "-o", exported).returncode == 0
    case = Case([str(exported)], sort=("cumulative",))
    texts = {version: pstats_texts(python, [case])[0] for version, python in pythons.items()}
    assert len(set(texts.values())) == 1
    assert len(next(iter(texts.values())).splitlines()) > 100


def test_sum_of_samples_loads_in_every_pstats(
    pyrometer: Run, pythons: dict[str, Path], tmp_path: Path
) -> None:
    """Python 3.15's mark of a sampled file would stop all others."""
    spin, module = ("spin.py", 3, "spin"), ("spin.py", 9, "<module>")
    content = {
        ("__sampled__",): True,
        spin: (90, 100, 0.09, 0.1, {module: 100}),
        module: (0, 100, 0.0, 0.1, {}),
    }
    (tmp_path / "sampled.prof").write_bytes(marshal.dumps(content))
    total = tmp_path / "sum.prof"
    words = ("merge", tmp_path / "sampled.prof", tmp_path / "sampled.prof", "-o", total)
    assert pyrometer(*words).returncode == 0
    for python in pythons.values():
        [text] = pstats_texts(python, [Case([str(total)], sort=("name",), method="print_callers")])
        assert "<- spin.py:9(<module>)(200)" in text


# ---- viewers


@pytest.fixture(scope="module")
def viewers() -> Path:
    """The Python of an environment that has them; made once, kept in the cache folder."""
    cache = cache_folder().parent / "viewers"
    try:
        folder = make_environment(
            "pstats", Path(sys.executable), ["gprof2dot", "snakeviz"], print, cache
        )
    except InstallError as error:
        pytest.skip(f"snakeviz and gprof2dot cannot be installed: {error}")
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def written(
    pyrometer: Run, prof_file: Path, run_directory: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """What we write, and a function that is in it."""
    folder = tmp_path_factory.mktemp("written")
    exported, recorded, total = (folder / f"{name}.prof" for name in ("exported", "run", "sum"))
    for command in (
        ["export", prof_file, "-o", exported],
        ["export", run_directory, "-o", recorded],
        ["merge", prof_file, prof_file, "-o", total],
    ):
        assert pyrometer(*command).returncode == 0
    return {"fibonacci": exported, "function_1": recorded, "work": total}


def test_gprof2dot(viewers: Path, written: dict[str, Path]) -> None:
    for function, file in written.items():
        words = ("-m", "gprof2dot", "-f", "pstats", "-n", "0", "-e", "0", file)
        graph = run_python(viewers, *words)
        assert graph.startswith("digraph {")
        assert function in graph
        assert "->" in graph


def test_snakeviz(viewers: Path, written: dict[str, Path]) -> None:
    # Its own server on a free port: port 0 would not tell us which.
    server = subprocess.Popen(
        [viewers, "-c", SERVE, *written.values()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    assert server.stderr
    try:
        port = server.stdout.readline().strip()
        assert port, server.stderr.read()
        for function, file in written.items():
            path = urllib.parse.quote(str(file), safe="")
            page = fetch(f"http://127.0.0.1:{port}/snakeviz/{path}")
            assert "Could not read" not in page
            assert function in page
    finally:
        server.kill()
        server.communicate()


SERVE = """
import snakeviz.main, tornado.httpserver, tornado.ioloop, tornado.netutil
sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
server = tornado.httpserver.HTTPServer(snakeviz.main.app)
server.add_sockets(sockets)
print(sockets[0].getsockname()[1], flush=True)
tornado.ioloop.IOLoop.current().start()
"""


def fetch(url: str) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return str(answer.read(), "utf-8")
        except urllib.error.URLError as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"nobody answers at {url}")
