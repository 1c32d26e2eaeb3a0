"""`pyrometer view` as a browser and a person at a terminal see it."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from conftest import Run
from corpus import CORPUS, Entry, read_entries
from running import Recorder, wait_until
from view_client import Columns, View, decode_page, open_view

DATA = Path(__file__).resolve().parents[1] / "data"
RECORDING = DATA / "recording-v1.pyr"

ENTRIES = read_entries()


def requests_of(summary: dict[str, Any]) -> list[str]:
    """Everything that the screens may ask for."""
    metrics = [quote(metric["name"]) for metric in summary["metrics"]]
    requests = ["tables", "lines", "source?file=0", "timeline?by=thread", "samples?thread=0"]
    requests += ["timeline?by=process&buckets=10&from=0.1&to=0.2", "export?format=speedscope"]
    for metric in metrics[:3]:
        requests += [f"{name}?metric={metric}" for name in ("values", "functions", "calls")]
        requests += [f"values?metric={metric}&threads=0", f"values?metric={metric}&from=0&to=1"]
        requests += [f"ranks?metric={metric}&by={by}" for by in ("self", "total")]
    return requests


def ask_everything(view: View, profile: int = 0) -> None:
    """No request may fail but with a sentence that says why."""
    summary = view.json(f"api/{profile}/summary")
    assert summary["title"]
    for request in requests_of(summary):
        status, body, headers = view.ask(f"{view.path}api/{profile}/{request}")
        assert status in (200, 400, 404, 409), (request, status, body)
        if status == 200:
            continue
        assert headers["Content-Type"] == "application/json"
        assert json.loads(body)["error"], request


def check_tables(tables: Columns) -> None:
    columns = tables.columns
    texts = tables.texts()
    for row, up in enumerate(columns["node.up"]):
        assert 0 <= up <= row
    for name in ("function.name", "function.module", "file.name", "thread.name", "process.host"):
        assert all(number < len(texts) for number in columns[name]), name


def test_address_and_page(executable: Path) -> None:
    with open_view(executable, RECORDING) as view:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", view.url)
        status, page, headers = view.ask(view.path)
        assert status == 200
        assert page.lstrip().lower().startswith(b"<!doctype html>")
        assert headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        status, packed, headers = view.ask(view.path, Accept_Encoding="gzip")
        assert headers["Content-Encoding"] == "gzip"
        assert len(packed) < len(page)
        profiles = view.json("api/profiles")["profiles"]
        assert profiles == [{"id": 0, "name": "recording-v1.pyr", "live": False, "generation": 0}]
        check_tables(view.columns("api/0/tables"))


def test_strangers_are_refused(executable: Path) -> None:
    with open_view(executable, RECORDING) as view:
        here = f"127.0.0.1:{view.port}"
        assert view.ask("/")[0] == 404
        assert view.ask("/" + "0" * 32 + "/")[0] == 404
        assert view.ask(view.path.upper())[0] == 404
        assert view.ask(view.path, Host="evil.example")[0] == 403
        assert view.ask(view.path, Host=f"127.0.0.1.evil.example:{view.port}")[0] == 403
        assert view.ask(view.path, Host="localhost:9999")[0] == 200  # another end of ssh -L
        assert view.ask(view.path, Origin="http://evil.example")[0] == 403
        assert view.ask(view.path, Origin=f"http://{here}", Host=here)[0] == 200
        assert view.ask(view.path, Sec_Fetch_Site="cross-site")[0] == 403
        assert view.ask(view.path, Sec_Fetch_Site="same-site")[0] == 403
        assert view.ask(view.path, method="POST")[0] == 405
        for target in (
            "../../../etc/passwd",
            "..%2f..%2fetc%2fpasswd",
            "api/0/source?file=/etc/passwd",
        ):
            status, body, headers = view.ask(view.path + target)
            assert status in (400, 404)
            assert b"root:" not in body
            assert "Access-Control-Allow-Origin" not in headers
        status, body, headers = view.ask(view.path + "api/0/tables", method="HEAD")
        assert status == 200
        assert body == b""
        assert int(headers["Content-Length"]) > 0


def test_listens_on_this_machine_only(executable: Path) -> None:
    with open_view(executable, RECORDING) as view:
        sockets = Path(f"/proc/{view.process.pid}/net/tcp").read_text()
        listening = [
            line.split()[1] for line in sockets.splitlines()[1:] if line.split()[3] == "0A"
        ]
        assert f"0100007F:{view.port:04X}" in listening
        assert f"00000000:{view.port:04X}" not in listening


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ends_at_once(executable: Path, number: int) -> None:
    with (
        open_view(executable, RECORDING) as view,
        socket.create_connection(("127.0.0.1", view.port)) as kept,
    ):
        kept.sendall(f"GET {view.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert kept.recv(100)
        began = time.monotonic()
        assert view.stop(number) == 0
        assert time.monotonic() - began < 2


def test_errors_come_before_anything_listens(
    executable: Path, pyrometer: Run, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.prof"
    broken.write_bytes(b"nothing that anybody knows")
    for words in (["view", tmp_path / "none"], ["view", broken], ["view", RECORDING, broken]):
        done = pyrometer(*words)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith("pyrometer: ")
        assert done.stderr.count("\n") == 1
    with open_view(executable, RECORDING) as view:
        done = pyrometer("view", "--port", view.port, RECORDING)
        assert done.returncode == 1
        assert "already in use" in done.stderr
        assert "--port" in done.stderr
    assert pyrometer("view", "--port", "70000", RECORDING).returncode == 2
    assert pyrometer("view", "--port", "-1", RECORDING).returncode == 2
    assert pyrometer("view").returncode == 2
    assert pyrometer("view", "-o", "x.html", "--port", "80", RECORDING).returncode == 2


def say_and_stop(executable: Path, environment: dict[str, str], *words: object) -> str:
    """What it prints until it would wait."""
    command = [executable, "view", *map(str, words), str(RECORDING)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    assert process.stdout
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line
        said += line
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 0
    return said


def bare_environment(**more: str) -> dict[str, str]:
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION")
    return {**{k: v for k, v in os.environ.items() if k not in unwanted}, **more}


def test_through_ssh(executable: Path) -> None:
    said = say_and_stop(executable, bare_environment(SSH_CONNECTION="10.0.0.1 5 10.0.0.2 22"))
    port = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
    assert port
    assert f"ssh -L {port[1]}:127.0.0.1:{port[1]} " in said
    assert "ssh -L" not in say_and_stop(executable, bare_environment())


def test_answers_through_ssh_are_compressed(executable: Path) -> None:
    big = CORPUS / next(e.file for e in ENTRIES if e.format == "speedscope")
    environment = bare_environment(SSH_CONNECTION="10.0.0.1 5 10.0.0.2 22")
    with open_view(executable, big, environment=environment) as view:
        target = view.path + "api/0/export?format=speedscope"
        _, plain, _ = view.ask(target)
        _, packed, headers = view.ask(target, Accept_Encoding="gzip")
        assert (headers["Content-Encoding"] == "gzip") == (len(plain) > 16 << 10)
        assert len(packed) <= len(plain)


@pytest.fixture
def browser(tmp_path: Path) -> tuple[str, Path]:
    """A stand-in for a browser that notes what it is to open."""
    noted = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(
        "#!/bin/sh\necho chatter; echo chatter >&2\n"
        f'echo "$@" >{noted}.part; mv {noted}.part {noted}\n'
    )
    script.chmod(0o755)
    return str(script), noted


def wait_for(path: Path) -> str:
    end = time.monotonic() + 10
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.02)
    return path.read_text()


def test_opens_the_browser(executable: Path, browser: tuple[str, Path]) -> None:
    script, noted = browser
    said = say_and_stop(executable, bare_environment(BROWSER=f"{script} --new %s"))
    url = re.search(r"http://\S+", said)
    assert url
    option, opened = wait_for(noted).split()
    assert option == "--new"
    # Everybody sees command lines: the token is not there, but a word that leads to it once.
    place, token = url[0].rstrip("/").rsplit("/", 1)
    assert opened.startswith(f"{place}/enter/")
    assert token not in opened
    assert "chatter" not in said


def test_does_not_open_the_browser(executable: Path, browser: tuple[str, Path]) -> None:
    script, noted = browser
    say_and_stop(executable, bare_environment(BROWSER=script), "--no-open")
    say_and_stop(executable, bare_environment(BROWSER=script, SSH_CONNECTION="a 1 b 22"))
    time.sleep(0.3)
    assert not noted.exists()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry.file))
def test_every_file_of_the_corpus_is_shown(executable: Path, entry: Entry) -> None:
    with open_view(executable, entry.path) as view:
        ask_everything(view)
        check_tables(view.columns("api/0/tables"))


@pytest.mark.parametrize("name", ["recording-v1.pyr", "merged-v1.pyro", "recording-v1.prof"])
def test_our_own_files_are_shown(executable: Path, name: str) -> None:
    with open_view(executable, DATA / name) as view:
        ask_everything(view)


def test_totals_are_those_of_the_report(executable: Path, pyrometer: Run) -> None:
    report = json.loads(pyrometer("report", RECORDING, "--json", "-n", "0").stdout)
    with open_view(executable, RECORDING) as view:
        tables = view.columns("api/0/tables")
        texts = tables.texts()
        metric = view.json("api/0/summary")["main_metric"]
        found = view.columns(f"api/0/functions?metric={metric}").columns
        names = [texts[tables.columns["function.name"][row]] for row in found["function"]]
        shown = dict(zip(names, zip(found["self"], found["total"], strict=True), strict=True))
        told = {f["qualified_name"]: (f["self"], f["total"]) for f in report["functions"]}
        assert {name: shown[name] for name in told} == told
        values = view.columns(f"api/0/values?metric={metric}")
        assert sum(values.columns[f"self:{metric}"]) == values.meta["totals"][metric]


def test_two_profiles_are_compared(executable: Path) -> None:
    with open_view(executable, RECORDING, DATA / "merged-v1.pyro") as view:
        assert len(view.json("api/profiles")["profiles"]) == 2
        ask_everything(view, 1)
        diff = view.json("api/diff?before=0&after=1&by=functions")
        assert diff["kind"] == "pyrometer-diff"
        assert view.ask(view.path + "api/diff?before=0&after=2")[0] == 404


def test_page_of_its_own(pyrometer: Run, tmp_path: Path) -> None:
    pages = []
    for name in ("a.html", "b.html"):
        done = pyrometer("view", RECORDING, "--html", tmp_path / name)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    assert len(pages[0]) < 1_000_000
    answers = decode_page(pages[0])
    summary = answers["api/0/summary"]
    assert summary["title"]
    check_tables(answers["api/0/tables"])
    values = next(key for key in answers if key.startswith("api/0/values?"))
    metric = summary["main_metric"]
    total = answers[values].meta["totals"][metric]
    assert sum(answers[values].columns[f"self:{metric}"]) == total
    said = json.loads(pyrometer("view", RECORDING, "-o", tmp_path / "c.html", "--json").stdout)
    assert said == {"file": str(tmp_path / "c.html"), "bytes": len(pages[0])}


def test_page_that_cannot_be_written(pyrometer: Run, tmp_path: Path) -> None:
    done = pyrometer("view", RECORDING, "--html", tmp_path / "none" / "a.html")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry.file))
def test_every_file_of_the_corpus_becomes_a_page(
    pyrometer: Run, tmp_path: Path, entry: Entry
) -> None:
    page = tmp_path / "page.html"
    done = pyrometer("view", entry.path, "--html", page)
    assert done.returncode == 0, done.stderr
    answers = decode_page(page.read_bytes())
    assert answers["api/0/summary"]["title"]
    check_tables(answers["api/0/tables"])


def test_sources_are_shown_unless_unwanted(
    one_recorder: Recorder, executable: Path, tmp_path: Path
) -> None:
    program = tmp_path / "busy.py"
    program.write_text(
        "import time\nend = time.time() + 0.6\nwhile time.time() < end:\n    sum(range(999))\n"
    )
    run = one_recorder.record(program).run
    for words, is_there in (((), True), (("--no-source",), False)):
        with open_view(executable, run, *words) as view:
            tables = view.columns("api/0/tables")
            paths = [tables.texts()[row] for row in tables.columns["file.path"]]
            told = view.json(f"api/0/source?file={paths.index(str(program))}")
            assert (told["text"] == program.read_text()) == is_there
            assert view.json("api/0/summary")["facts"][0] == "busy.py"
        page = tmp_path / "page.html"
        subprocess.run([executable, "view", run, "-o", page, *words], check=True)
        sources = [key for key in decode_page(page.read_bytes()) if "/source?" in key]
        assert bool(sources) == is_there


def test_live_run_is_followed(one_recorder: Recorder, executable: Path, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    program = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]):\n    sum(range(9999))\n"
    script = tmp_path / "live.py"
    script.write_text(program)
    process = one_recorder.start(script, flag)
    try:
        end = time.monotonic() + 20
        while not list(one_recorder.run.glob("raw/*/*.pyr")) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.5)
        began = time.monotonic()
        with open_view(executable, one_recorder.run) as view:
            first = view.json("api/profiles")["profiles"][0]
            is_early = time.monotonic() - began < 2  # before it looks again
            assert first["live"]
            assert first["generation"] == 0 or not is_early
            samples = view.json("api/0/summary")["quality"]["samples"]

            def has_grown() -> bool:
                later = view.json("api/profiles")["profiles"][0]
                assert later["live"]
                more = view.json("api/0/summary")["quality"]["samples"]
                return later["generation"] > first["generation"] and more > samples

            wait_until(has_grown)
            flag.touch()
            assert process.wait(timeout=20) == 0
            wait_until(lambda: not view.json("api/profiles")["profiles"][0]["live"])
            assert view.json("api/0/summary")["finished"]
            ask_everything(view)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_killed_run_is_not_live(one_recorder: Recorder, executable: Path) -> None:
    run = one_recorder.record(
        "-c", "import os, time\nsum(range(9**7))\ntime.sleep(1.2)\nos.kill(os.getpid(), 9)"
    ).run
    with open_view(executable, run) as view:
        assert not view.json("api/profiles")["profiles"][0]["live"]
        assert not view.json("api/0/summary")["finished"]


def test_run_says_how_to_look_at_it(one_recorder: Recorder) -> None:
    recorded = one_recorder.record("-c", "sum(range(9**7))")
    assert f"next: pyrometer view {recorded.run}" in recorded.result.stderr
