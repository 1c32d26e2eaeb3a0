"""Deep, many, full and forbidden: programs and machines at their limits."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import BUSY, PROGRAMS, Recorder, run_command, same_behaviour

# ---- recursion


def test_recursion_to_60_000(recorder: Recorder) -> None:
    script = recorder.write(
        f"import sys\nsys.setrecursionlimit(100_000)\n{BUSY}\n"
        "def dive(depth):\n"
        "    return dive(depth - 1) + 1 if depth else bottom()\n"
        "def bottom():\n    busy(1)\n    return 0\n"
        "print(dive(60_000))\n"
    )
    recorded = recorder.record(script)
    assert recorded.result.stdout == "60000\n", recorded.complaint
    assert recorded.result.returncode == 0
    functions = {f["name"]: f for f in recorded.report("--metric", "cpu")["functions"]}
    # The stack may be cut, but not at the end where the work is.
    assert functions["busy"]["self"] > 0.8e9
    assert functions["bottom"]["total"] > 0.8e9
    assert functions["dive"]["total"] > 0.8e9
    recorded.command("report", recorded.run, "--tree", "--bottom-up", "--lines")


@pytest.mark.parametrize("kind", ["python", "through C", "in a thread"])
def test_recursion_error(recorder: Recorder, kind: str) -> None:
    """The same exception at the same depth."""
    source = {
        "python": "def f(n):\n    depth[0] = n\n    f(n + 1)\n",
        "through C": "def f(n):\n    depth[0] = n\n    list(map(f, [n + 1]))\n",
        "in a thread": "def f(n):\n    depth[0] = n\n    f(n + 1)\n",
    }[kind]
    call = (
        "import threading\nt = threading.Thread(target=g)\nt.start()\nt.join()\n"
        if kind == "in a thread"
        else "g()\n"
    )
    program = (
        f"import sys\ndepth = [0]\n{source}"
        "def g():\n"
        "    try:\n        f(0)\n"
        "    except RecursionError as error:\n"
        f"        print(error, depth if {kind!r} != 'through C' else '')\n"
        "for _ in range(200):\n"
        "    pass\n" + call
    )
    same_behaviour(*recorder.both(recorder.write(program), options=["--rate", 5000]))


def test_recursion_error_traceback(recorder: Recorder) -> None:
    same_behaviour(*recorder.both(recorder.write("def f():\n    f()\nf()\n")))


# ---- threads


@pytest.mark.timeout(240)
def test_2_000_threads(recorder: Recorder) -> None:
    script = recorder.write(
        f"import threading\nthreading.stack_size(1 << 18)\n{BUSY}\n"
        "go, spent = threading.Event(), []\n"
        "def work(seconds=0.0005):\n"
        "    begin = time.thread_time()\n"
        "    busy(seconds)\n"
        "    spent.append(time.thread_time() - begin)\n"
        "def wait():\n    go.wait()\n    work()\n"
        "threads = [threading.Thread(target=wait, name=f'worker-{n}') for n in range(2000)]\n"
        "for thread in threads:\n    thread.start()\n"
        "print(threading.active_count())\n"
        "work(0.5)\n"
        "go.set()\n"
        "for thread in threads:\n    thread.join()\n"
        "print(sum(spent))\n"
    )
    recorded = recorder.record(script, timeout=200)
    assert recorded.result.returncode == 0, recorded.complaint
    count, spent = recorded.result.stdout.split()
    assert count == "2001"
    profile = recorded.profile()
    names = set(profile.thread_names)
    missing = {f"worker-{n}" for n in range(2000)} - names
    assert not missing, f"{len(missing)} threads are missing, such as {sorted(missing)[:5]}"
    # Half a second in the main thread, a whole one in threads of half a millisecond: they are
    # told by the few of them that were seen.
    assert float(spent) >= 1.5
    assert profile.by_function("cpu")["busy"] == pytest.approx(1e9 * float(spent), rel=0.3)


def test_threads_that_come_and_go(recorder: Recorder) -> None:
    """Three at a time, 600 in all: thread ids are used again, the names are right."""
    script = recorder.write(
        f"import threading\n{BUSY}\n"
        "spent = []\n"
        "def work():\n    busy(0.002)\n    spent.append(time.thread_time())\n"
        "for n in range(200):\n"
        "    threads = [threading.Thread(target=work, name=f't{n}-{m}') for m in range(3)]\n"
        "    for thread in threads:\n        thread.start()\n"
        "    for thread in threads:\n        thread.join()\n"
        "print(sum(spent))\n"
    )
    recorded = recorder.record(script, options=["--rate", 2000])
    assert recorded.result.returncode == 0, recorded.complaint
    seen = recorded.profile().by_thread("cpu")
    expected = {f"t{n}-{m}" for n in range(200) for m in range(3)}
    assert len(expected & set(seen)) > 0.95 * len(expected)
    # What a thread did after its last sample is counted for all of its kind together.
    expected.add("short threads: work")
    spent = 1e9 * float(recorded.result.stdout)
    assert spent >= 600 * 0.002e9
    assert sum(seen[name] for name in expected) == pytest.approx(spent, rel=0.15)


def test_thread_renamed(one_recorder: Recorder) -> None:
    script = one_recorder.write(
        f"import threading\n{BUSY}\n"
        "def work():\n    busy(0.1)\n"
        "    threading.current_thread().name = 'renamed'\n    busy(0.4)\n"
        "thread = threading.Thread(target=work, name='first')\nthread.start()\nthread.join()\n"
    )
    recorded = one_recorder.record(script)
    names = recorded.profile().thread_names
    assert "first" in names or "renamed" in names


def test_names_longer_than_a_frame(one_recorder: Recorder) -> None:
    """They are cut, and the program goes on."""
    script = one_recorder.write(
        f"import threading\n{BUSY}\n"
        "thread = threading.Thread(target=busy, args=(0.1,), name='z' * 70_000_000)\n"
        "thread.start()\nthread.join()\nprint('done')\n"
    )
    recorded = one_recorder.record(script)
    assert (recorded.result.returncode, recorded.result.stdout) == (0, "done\n"), recorded.complaint
    assert {len(name) for name in recorded.profile().thread_names if "zz" in name} == {1 << 20}


# ---- descriptors


def test_program_closes_every_descriptor(recorder: Recorder) -> None:
    script = recorder.write(
        f"import os\n{BUSY}\n"
        "def before():\n    busy(0.3)\n"
        "def after():\n    busy(1.5)\n"
        "before()\nos.closerange(3, 65536)\nafter()\nprint('done')\n"
    )
    recorded = recorder.record(script)
    assert recorded.result.stdout == "done\n", recorded.complaint
    functions = {f["name"]: f for f in recorded.report("--metric", "cpu")["functions"]}
    assert functions["before"]["total"] == pytest.approx(0.3e9, rel=0.25)
    assert functions["after"]["total"] == pytest.approx(1.5e9, rel=0.1)


def test_descriptors_used_again_stay_the_programs(recorder: Recorder) -> None:
    """It takes the very numbers that the recorder used: its files stay as it wrote them."""
    script = recorder.write(
        f"import os\nimport sys\n{BUSY}\n"
        "busy(0.2)\n"
        "taken = [int(name) for name in os.listdir('/proc/self/fd') if int(name) > 2]\n"
        "os.closerange(3, 65536)\n"
        "for number in taken:\n"
        "    file = os.open(f'{sys.argv[1]}/{number}', os.O_CREAT | os.O_RDWR)\n"
        "    if file != number:\n"
        "        os.dup2(file, number)\n"
        "        os.close(file)\n"
        "busy(2)\n"
        "for number in taken:\n"
        "    os.write(number, b'mine')\n"
        "print('done')\n"
    )
    folder = recorder.folder / "files"
    folder.mkdir()
    recorded = recorder.record(script, folder)
    assert recorded.result.stdout == "done\n", recorded.complaint
    assert recorded.result.returncode == 0
    assert {path.read_bytes() for path in folder.iterdir()} == {b"mine"}
    recorded.report()


def test_no_low_descriptor_is_taken(recorder: Recorder) -> None:
    """The program gets the same numbers for its files as without us."""
    script = recorder.write(
        "import os\nprint([os.open('/dev/null', os.O_RDONLY) for _ in range(20)])\n"
    )
    same_behaviour(*recorder.both(script))


# ---- what the machine does not give


def test_perf_events_denied(recorder: Recorder) -> None:
    """The other clock is used by itself, and the recording says so."""
    script = recorder.write(f"{BUSY}\nbusy(0.6)\nprint('done')\n")
    line = recorder.line(recorder.new_run(), script)
    result = run_command([sys.executable, PROGRAMS / "deny_perf.py", *line])
    if "deny_perf:" in result.stderr:
        pytest.skip(result.stderr.strip())
    recorded = recorder.finish(result)
    assert result.stdout == "done\n", recorded.complaint
    assert result.returncode == 0
    (attributes,) = recorded.attributes()
    assert attributes["sampler.clock"] == "timer"
    assert recorded.profile().by_function("cpu")["busy"] == pytest.approx(0.6e9, rel=0.15)


def test_timer_clock(recorder: Recorder) -> None:
    script = recorder.write(f"{BUSY}\nbusy(0.6)\nprint('done')\n")
    recorded = recorder.record(script, options=["--clock", "timer"])
    (attributes,) = recorded.attributes()
    assert attributes["sampler.clock"] == "timer"
    assert recorded.profile().by_function("cpu")["busy"] == pytest.approx(0.6e9, rel=0.15)


def in_new_mount(commands: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a shell script that may mount what it likes; skips where that is not allowed."""
    unshare = shutil.which("unshare")
    allowed = unshare and run_command([unshare, "-m", "true"]).returncode == 0
    if not allowed:
        pytest.skip("this user may not mount a file system")
    return run_command([unshare, "-m", "/bin/sh", "-c", commands, "sh", *arguments])


# Many functions with names that cannot be compressed, so that the recording is large.
LARGE = """
import hashlib, time
clock = time.thread_time
names = ["name_" + hashlib.sha512(bytes([n % 256, n // 256])).hexdigest() for n in range(3000)]
for name in names:
    exec(f"def {name}(end):\\n    while clock() < end: pass", globals())
for name in names:
    globals()[name](clock() + 0.0005)
print('done')
"""


def expect_full_disk(recorder: Recorder, size: str, reading: str) -> None:
    script = recorder.write(LARGE)
    disk = recorder.folder / "disk"
    disk.mkdir()
    line = recorder.line(disk / "run", script, options=["--rate", 2000])
    result = in_new_mount(
        f'mount -t tmpfs -o size={size} none "$1" || exit 99; disk=$1; shift; '
        'TMPDIR=/tmp "$@"; echo "status $?"; '
        f'"{recorder.executable}" {reading} --json >/dev/null && echo readable',
        disk,
        *line,
    )
    assert result.stdout == "done\nstatus 0\nreadable\n", result.stderr
    assert "No space left on device" in result.stderr
    assert result.stderr.count("No space left on device") == 1


@pytest.mark.parametrize("size", ["32k", "64k"])
def test_disk_full(one_recorder: Recorder, size: str) -> None:
    """The program goes on, the user is told, and what was written can be read."""
    expect_full_disk(one_recorder, size, 'report "$disk/run"')


def test_disk_too_small_for_the_first_samples(one_recorder: Recorder) -> None:
    """There may be nothing to report, but the file is what it claims to be."""
    expect_full_disk(one_recorder, "16k", 'dump "$disk"/run/raw/*/*.pyr')


def test_file_size_limit(one_recorder: Recorder) -> None:
    """The limit of the shell or the batch system: no death by SIGXFSZ."""
    script = one_recorder.write(LARGE)
    prlimit = shutil.which("prlimit")
    if not prlimit:
        pytest.skip("there is no prlimit")
    line = one_recorder.line(one_recorder.new_run(), script, options=["--rate", 2000])
    result = run_command([prlimit, "--fsize=24576", *line])
    recorded = one_recorder.finish(result)
    assert result.stdout == "done\n", recorded.complaint
    assert result.returncode == 0
    assert "File too large" in result.stderr
    recorded.report()


def test_run_directory_vanishes(one_recorder: Recorder) -> None:
    """A job script that cleans up too early: the program does not notice."""
    script = one_recorder.write(
        f"import os\nimport shutil\n{BUSY}\nbusy(0.3)\n"
        "shutil.rmtree(os.environ['PYROMETER_RUN'])\nbusy(1.3)\nprint('done')\n"
    )
    recorded = one_recorder.record(script)
    assert recorded.result.stdout == "done\n", recorded.complaint
    assert recorded.result.returncode == 0


@pytest.mark.parametrize("output", ["given", "default"])
def test_read_only_working_directory(one_recorder: Recorder, output: str) -> None:
    script = one_recorder.write("import os\nprint(os.getcwd())\n" + BUSY + "\nbusy(0.2)\n")
    line = one_recorder.line(one_recorder.new_run(), script)
    if output == "default":
        at = line.index("-o")
        del line[at : at + 2]
    result = run_command(line, cwd="/proc")
    if output == "given":
        assert result.stdout == "/proc\n", result.stderr
        assert one_recorder.finish(result).profile().by_function("cpu")["busy"] > 0
    else:
        # Refused before the program starts, with the way out.
        assert result.stdout == ""
        assert result.returncode != 0
        assert "-o" in result.stderr
        assert result.stderr.count("\n") == 1, result.stderr


def test_deleted_working_directory(one_recorder: Recorder) -> None:
    script = one_recorder.write(f"{BUSY}\nbusy(0.2)\nprint('done')\n")
    gone = one_recorder.folder / "gone"
    gone.mkdir()
    line = [str(word) for word in one_recorder.line(one_recorder.new_run(), script)]
    result = run_command(["/bin/sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *line], cwd=gone)
    assert result.stdout == "done\n", result.stderr
    assert one_recorder.finish(result).profile().by_function("cpu")["busy"] > 0


def test_little_address_space(one_recorder: Recorder) -> None:
    """What a batch system's limit leaves to a small program is enough for us too."""
    prlimit = shutil.which("prlimit")
    if not prlimit:
        pytest.skip("there is no prlimit")
    script = one_recorder.write(f"{BUSY}\nbusy(0.3)\nprint('done')\n")
    line = one_recorder.line(one_recorder.new_run(), script)
    result = run_command([prlimit, f"--as={400 << 20}", *line])
    assert result.stdout == "done\n", result.stderr
    assert result.returncode == 0
    assert Path(one_recorder.run).is_dir(), result.stderr
