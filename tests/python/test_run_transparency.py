"""`pyrometer run` is not there: what the program sees, and what its caller sees of it.

The recorder is a stand-in (conftest.installed), so all of this is the launcher's own doing.
"""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OURS = {"PYTHONPATH", "PYROMETER_RUN", "PYROMETER_LAUNCH", "PYROMETER_NOTICES"}

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(installed: Path, tmp_path: Path) -> Start:
    """Starts `pyrometer run -q --python THIS ...`; with plain=True the same without Pyrometer."""

    def run(*words: str | bytes, plain: bool = False, **keywords: Any) -> subprocess.Popen[bytes]:
        if plain:
            is_python = words[0] in ("-c", "-m") or os.fsdecode(words[0]).endswith(".py")
            command = [sys.executable, *words] if is_python else list(words)
        else:
            command = [str(installed), "run", "-q", "--python", sys.executable, *words]
        options: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "cwd": tmp_path,
        }
        return subprocess.Popen(command, **(options | keywords))

    return run


def outcome(process: subprocess.Popen[bytes], given: bytes | None = None) -> tuple[int, Any, Any]:
    output, errors = process.communicate(given, timeout=60)
    return process.returncode, output, errors


def same(start: Start, *words: str | bytes, given: bytes | None = None, **keywords: Any) -> bytes:
    """What the program writes, which must be the same with and without Pyrometer."""
    if given is not None:
        keywords["stdin"] = subprocess.PIPE
    plain = outcome(start(*words, plain=True, **keywords), given)
    assert outcome(start(*words, **keywords), given) == plain
    output: bytes = plain[1]
    return output


SHOW = """
import json, os, sys
main = sys.modules["__main__"]
names = ["__name__", "__file__", "__package__"]
path = [p for p in sys.path if "libexec" not in p]
print(json.dumps([sys.argv, sys.orig_argv, path, os.getcwd(), sys.executable, sys.flags,
                  [getattr(main, name, None) for name in names]]))
"""


def test_the_program_finds_itself(start: Start, tmp_path: Path) -> None:
    (tmp_path / "show.py").write_text(SHOW)
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "sub dir" / "show.py").write_text(SHOW)
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__main__.py").write_text(SHOW)
    same(start, "show.py", "-h", "--help", "-o", "x", "--", "-q")
    same(start, "sub dir/show.py")
    same(start, str(tmp_path / "show.py"))
    same(start, "-m", "show", "-h")
    same(start, "-m", "app")
    same(start, "-c", SHOW, "-c", "x", "--rate", "7")


def test_arguments_are_passed_byte_by_byte(start: Start, tmp_path: Path) -> None:
    (tmp_path / "show.py").write_text("import os, sys; print([os.fsencode(a) for a in sys.argv])")
    words = [b"", b"a\nb", b"\xff\xfe", b"--x=\xc3\xa9", b"*", b"$HOME", b"'\"", b"x" * 10_000]
    assert b"\\xff\\xfe" in same(start, "show.py", *words)


def test_environment_is_as_given(start: Start, tmp_path: Path) -> None:
    (tmp_path / "show.py").write_text(
        "import os; print([(os.fsdecode(k), os.fsdecode(v)) for k, v in os.environb.items()])"
    )
    given = {**os.environb, b"ODD": b"\xff\n=", b"EMPTY": b"", b"PYTHONPATH": b"/one:/two"}
    show = [sys.executable, "show.py"]
    plain = dict(eval(outcome(start(*show, plain=True, env=given))[1]))
    ours = dict(eval(outcome(start("show.py", env=given))[1]))
    assert {name for name in ours if ours[name] != plain.get(name)} == OURS
    assert plain.keys() - ours.keys() == set()
    first, rest = ours["PYTHONPATH"].split(":", 1)
    assert rest == "/one:/two"
    assert (Path(first) / "sitecustomize.py").is_file()
    run = Path(ours["PYROMETER_RUN"])
    assert run.is_absolute()
    assert json.loads((run / "RUN.json").read_text())["launch"] == ours["PYROMETER_LAUNCH"]


def test_rate_and_clock_are_told_when_given(start: Start) -> None:
    code = "import os; print([os.environ.get('PYROMETER_' + n) for n in ('RATE', 'CLOCK')])"
    outer = {**os.environ, "PYROMETER_RATE": "5", "PYROMETER_CLOCK": "perf"}
    assert outcome(start("-c", code, env=outer))[1] == b"[None, None]\n"
    words = ("--rate", "1000", "--clock", "timer", "-c", code)
    assert outcome(start(*words))[1] == b"['1000', 'timer']\n"


def test_standard_streams(start: Start) -> None:
    code = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data[::-1])"
    assert same(start, "-c", code, given=bytes(range(256)) * 1000)[:2] == b"\xff\xfe"
    same(start, "sh", "-c", "echo out; echo err >&2; cat", given=b"in")


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_closed_streams_stay_closed(start: Start, tmp_path: Path, closed: tuple[int, ...]) -> None:
    (tmp_path / "fds.py").write_text(
        "import os\n"
        "found = [fd for fd in range(64) if os.path.exists(f'/proc/self/fd/{fd}')]\n"
        "open('fds.txt', 'w').write(repr(found))\n"
    )

    def close() -> None:
        for fd in closed:
            os.close(fd)

    found = []
    for plain in (True, False):
        process = start("fds.py", plain=plain, preexec_fn=close)
        assert outcome(process)[0] == 0
        found.append((tmp_path / "fds.txt").read_text())
    assert found[0] == found[1]


def test_signal_dispositions_and_mask(start: Start) -> None:
    def set_up() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM, signal.SIGRTMIN + 3])

    keywords = {"preexec_fn": set_up, "restore_signals": False}
    shown = same(start, "grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status", **keywords)
    assert shown.count(b"\n") == 3
    # With SIGCHLD ignored, the status of a child is easily lost.
    assert outcome(start("-c", "raise SystemExit(3)", **keywords))[0] == 3


def test_limits_and_umask(start: Start) -> None:
    def set_up() -> None:
        os.umask(0o027)
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 300))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 1000))

    same(start, "sh", "-c", "ulimit -Sa; ulimit -Ha; umask", preexec_fn=set_up)


@pytest.mark.parametrize("status", [0, 1, 3, 126, 127, 128, 255])
def test_exit_status(start: Start, status: int) -> None:
    assert outcome(start("-c", f"raise SystemExit({status})")) == (status, b"", b"")


def test_what_python_says_of_bad_scripts(start: Start, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def f(:\n")
    (tmp_path / "raises.py").write_text("def f():\n    1 / 0\nf()\n")
    same(start, "missing.py")
    same(start, "wrong.py")
    same(start, "raises.py")
    same(start, "-m", "no_such_module")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGSEGV", "SIGABRT", "SIGINT", "SIGUSR1"])
def test_death_by_signal(start: Start, tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]
    code = (
        "import os, resource, signal\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        f"if {number} != signal.SIGKILL: signal.signal({number}, signal.SIG_DFL)\n"
        f"os.kill(os.getpid(), {number})\n"
    )
    assert outcome(start("-c", code)) == (-number, b"", b"")
    assert list(tmp_path.glob("core*")) == []


WAIT = """
import os, signal, sys, time
got = []
def note(number, frame):
    got.append(signal.Signals(number).name)
for name in sys.argv[1:]:
    signal.signal(signal.Signals[name], note)
print("ready", os.getpid(), flush=True)
end = time.monotonic() + 30
while not got and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.2)
print(got, flush=True)
sys.exit(7)
"""


@pytest.mark.parametrize(
    "name", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGWINCH"]
)
def test_signals_sent_to_us_reach_the_program_once(start: Start, name: str) -> None:
    process = start("-c", WAIT, name)
    assert process.stdout
    assert process.stdout.readline().startswith(b"ready")
    process.send_signal(signal.Signals[name])
    assert outcome(process) == (7, f"['{name}']\n".encode(), b"")


def test_a_signal_that_the_program_ignores(start: Start) -> None:
    """As with nohup: the hang-up passes by both."""

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = start("-c", "print('ready', flush=True); input()", stdin=-1, preexec_fn=ignore)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    assert process.poll() is None
    assert outcome(process, b"\n")[0] == 0


def test_an_unhandled_signal_ends_both(start: Start) -> None:
    process = start("-c", "import time; print('ready', flush=True); time.sleep(60)")
    assert process.stdout
    process.stdout.readline()
    process.terminate()
    assert outcome(process)[0] == -signal.SIGTERM


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killing_us_kills_the_program(start: Start) -> None:
    process = start("-c", WAIT)
    assert process.stdout
    pid = int(process.stdout.readline().split()[1])
    process.kill()
    assert process.wait(timeout=60) == -signal.SIGKILL
    deadline = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(pid)
    process.communicate()


def test_a_program_stopped_from_outside_goes_on(start: Start) -> None:
    process = start("-c", WAIT, "SIGUSR1")
    assert process.stdout
    pid = int(process.stdout.readline().split()[1])
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.2)
    os.kill(pid, signal.SIGCONT)
    os.kill(pid, signal.SIGUSR1)
    assert outcome(process) == (7, b"['SIGUSR1']\n", b"")


# A shell in miniature: runs a job on the terminal, says when it stops, and continues it.
SHELL = """
import os, signal, sys, time
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        break
    print("job stopped", flush=True)
    time.sleep(0.2)
    os.killpg(job, signal.SIGCONT)
os.tcsetpgrp(0, os.getpgrp())
print("job ended", os.waitstatus_to_exitcode(status), flush=True)
"""


def on_terminal(keys: bytes, command: list[str], folder: Path) -> bytes:
    """What a terminal shows of a job when `keys` are pressed after it said ready."""
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-c", SHELL, *command])
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            if b"ready" not in shown and b"ready" in shown + piece:
                os.write(terminal, keys)
            shown += piece
    except OSError:  # the terminal has gone with its last process
        pass
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return shown


def test_interrupt_at_the_terminal_comes_once(installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "run", "-q", "-c", WAIT, "SIGINT"]
    shown = on_terminal(b"\x03", command, tmp_path)
    assert b"['SIGINT']" in shown
    assert b"job ended 7" in shown


def test_interrupt_that_kills_still_gives_a_summary(installed: Path, tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(2, signal.SIG_DFL); print('ready'); time.sleep(60)"
    shown = on_terminal(b"\x03", [str(installed), "run", "-c", code], tmp_path)
    assert b"next: " in shown
    assert b"job ended -2" in shown


def test_stop_at_the_terminal(installed: Path, tmp_path: Path) -> None:
    code = (
        "import os, signal, time\n"
        "woken = []\n"
        "signal.signal(signal.SIGCONT, lambda *_: woken.append(1))\n"
        "print('ready', flush=True)\n"
        "while not woken: time.sleep(0.01)\n"
        "print('woken'); raise SystemExit(4)\n"
    )
    shown = on_terminal(b"\x1a", [str(installed), "run", "-q", "-c", code], tmp_path)
    assert shown.index(b"job stopped") < shown.index(b"woken")
    assert shown.count(b"job stopped") == 1
    assert b"job ended 4" in shown


def test_notices_are_told_at_the_end(start: Start) -> None:
    code = (
        "import os, socket, sys\n"
        "address = '\\0' + os.environ['PYROMETER_NOTICES']\n"
        "with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:\n"
        "    for number in range(50):\n"
        "        notices.sendto(b'the disk is full \\x1b', address)\n"
        "print('program', file=sys.stderr)\n"
    )
    status, _, errors = outcome(start("-c", code))
    assert (status, errors) == (0, b"program\npyrometer: the disk is full \\x1b\n")


def test_nobody_listens_afterwards(start: Start) -> None:
    name = outcome(start("-c", "import os; print(os.environ['PYROMETER_NOTICES'], end='')"))[1]
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices,
        pytest.raises(ConnectionRefusedError),
    ):
        notices.sendto(b"late", b"\0" + name)
