"""Processes that a program starts are recorded in the same run, each in its own file."""

import json
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from running import BUSY, Recorded, Recorder, run_command, same_behaviour, wait_until

PRELUDE = f"import json\nimport os\nimport subprocess\nimport sys\n{BUSY}\n"


def printed_pids(recorded: Recorded) -> list[int]:
    assert recorded.result.returncode == 0, recorded.complaint
    pids: list[int] = json.loads(recorded.result.stdout.splitlines()[-1])
    return pids


def expect_each_recorded_once(recorded: Recorded, pids: list[int]) -> None:
    seen = Counter(recorded.profile().pids)
    missing = [pid for pid in pids if seen[pid] != 1]
    assert not missing, f"{len(missing)} of {len(pids)} children{recorded.complaint}"


def test_fork_without_exec(recorder: Recorder) -> None:
    source = """
pids = []
told, writing = os.pipe()
for number in range(3):
    pid = os.fork()
    if pid == 0:
        busy(0.2 * (number + 1))
        os.write(writing, json.dumps([os.getpid(), time.process_time()]).encode() + b"\\n")
        sys.exit(number)
    pids.append(pid)
busy(0.3)
os.close(writing)
print(*open(told), sep="", end="")
print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]))
print(json.dumps(pids))
"""
    recorded = recorder.record(recorder.write(PRELUDE + source))
    pids = printed_pids(recorded)
    *told, statuses, _ = map(json.loads, recorded.result.stdout.splitlines())
    assert statuses == [0, 1, 2]
    expect_each_recorded_once(recorded, pids)
    cpu = recorded.profile().by_process("cpu")
    assert len(cpu) == 4
    used = dict(told)
    for number, pid in enumerate(pids):
        # Nothing of the parent's time before the fork, and all of the child's after it.
        assert used[pid] >= 0.2 * (number + 1)
        assert cpu[pid] == pytest.approx(1e9 * used[pid], rel=0.3, abs=0.05e9)


def test_fork_in_a_thread(recorder: Recorder) -> None:
    """While other threads are sampled: no child hangs, none is lost."""
    source = """
import threading
stop = False
def noise():
    while not stop:
        busy(0.01)
threads = [threading.Thread(target=noise) for _ in range(3)]
for thread in threads:
    thread.start()
pids = []
def fork():
    for _ in range(30):
        pid = os.fork()
        if pid == 0:
            busy(0.002)
            os._exit(0)
        pids.append(pid)
        assert os.waitpid(pid, 0)[1] == 0
forker = threading.Thread(target=fork)
forker.start()
forker.join()
stop = True
for thread in threads:
    thread.join()
print(json.dumps(pids))
"""
    recorded = recorder.record(recorder.write(PRELUDE + source), options=["--rate", 2000])
    expect_each_recorded_once(recorded, printed_pids(recorded))


def test_double_fork_daemon(recorder: Recorder) -> None:
    """It outlives the run and is in the report once it ended."""
    done = recorder.folder / "daemon.json"
    source = f"""
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir("/")
    def in_the_daemon():
        busy(1.2)
    in_the_daemon()
    with open({str(done)!r} + ".new", "w") as file:
        json.dump(os.getpid(), file)
    os.rename({str(done)!r} + ".new", {str(done)!r})
    sys.exit()
os.wait()
busy(0.2)
print("main done")
"""
    recorded = recorder.record(recorder.write(PRELUDE + source))
    assert recorded.result.stdout == "main done\n"
    assert recorded.result.returncode == 0
    wait_until(done.is_file)
    daemon = json.loads(done.read_text())
    wait_until(lambda: not Path(f"/proc/{daemon}").exists())
    profile = recorded.profile()
    assert daemon in profile.pids
    below = sum(
        stack.value
        for stack in profile.stacks("cpu")
        if any(frame.name == "in_the_daemon" for frame in stack.frames)
    )
    assert below == pytest.approx(1.2e9, rel=0.1)


def test_subprocesses(recorder: Recorder) -> None:
    """Also a child of a child, one without our variables, and one with an empty environment."""
    inner = (
        "import subprocess, sys; "
        "p = subprocess.Popen([sys.executable, '-c', 'import os; print(os.getpid())']); p.wait()"
    )
    source = f"""
def start(code, **keywords):
    child = subprocess.Popen([sys.executable, "-c", code], **keywords)
    assert child.wait() == 0, code
    return child.pid

ours = [start("pass"), start({inner!r})]
less = {{k: v for k, v in os.environ.items() if not k.startswith("PYROMETER_")}}
others = [start("pass", env=less), start("pass", env={{}})]
sys.stdout.flush()
print(json.dumps([ours, others]))
"""
    recorded = recorder.record(recorder.write(PRELUDE + source))
    assert recorded.result.returncode == 0, recorded.complaint
    grandchild, last = recorded.result.stdout.splitlines()
    ours, others = json.loads(last)
    expect_each_recorded_once(recorded, [*ours, int(grandchild)])
    assert not set(others) & set(recorded.profile().pids)


MULTIPROCESSING = (
    PRELUDE
    + """
import multiprocessing

def work(number):
    busy(0.15)
    return os.getpid()

def main():
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        pids = set(pool.map(work, range(8), chunksize=1))
        pool.close()
        pool.join()
    process = context.Process(target=work, args=(1,))
    process.start()
    process.join()
    assert process.exitcode == 0
    print(json.dumps([*pids, process.pid]))

if __name__ == "__main__":
    main()
"""
)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(recorder: Recorder, method: str) -> None:
    recorded = recorder.record(recorder.write(MULTIPROCESSING), method)
    pids = printed_pids(recorded)
    expect_each_recorded_once(recorded, pids)
    cpu = recorded.profile().by_process("cpu")
    # Nine pieces of work: the ordinary end of a worker process loses none of it.
    assert sum(cpu[pid] for pid in pids) > 9 * 0.15e9 * 0.9, (cpu, recorded.complaint)


def test_concurrent_futures(recorder: Recorder) -> None:
    source = """
from concurrent.futures import ProcessPoolExecutor

def work(number):
    busy(0.1)
    return os.getpid()

if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        pids = sorted(set(pool.map(work, range(6))))
    print(json.dumps(pids))
"""
    recorded = recorder.record(recorder.write(PRELUDE + source))
    pids = printed_pids(recorded)
    expect_each_recorded_once(recorded, pids)
    cpu = recorded.profile().by_process("cpu")
    assert sum(cpu[pid] for pid in pids) > 6 * 0.1e9 * 0.95, (cpu, recorded.complaint)


@pytest.mark.timeout(300)
def test_500_short_children(one_recorder: Recorder) -> None:
    source = """
pids = []
for _ in range(25):
    children = [subprocess.Popen([sys.executable, "-c", "pass"]) for _ in range(10)]
    assert [child.wait() for child in children] == [0] * 10
    pids += [child.pid for child in children]
    forked = []
    for _ in range(10):
        forked.append(os.fork())
        if forked[-1] == 0:
            os._exit(0)
    for pid in forked:
        os.waitpid(pid, 0)
    pids += forked
print(json.dumps(pids))
"""
    recorded = one_recorder.record(one_recorder.write(PRELUDE + source), timeout=250)
    pids = printed_pids(recorded)
    assert len(pids) == 500
    expect_each_recorded_once(recorded, pids)
    folders = Counter(path.parent for path in recorded.recordings)
    assert max(folders.values()) <= 1000


def test_killed_child(recorder: Recorder) -> None:
    """The parent goes on, and what the child did is there up to its last second."""
    source = """
import signal
child = os.fork()
if child == 0:
    busy(30)
time.sleep(2)
os.kill(child, signal.SIGKILL)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps([child]))
"""
    recorded = recorder.record(recorder.write(PRELUDE + source))
    pids = printed_pids(recorded)
    assert recorded.result.stdout.startswith(f"{-signal.SIGKILL}\n")
    processes: list[dict[str, Any]] = recorded.report("--processes")["processes"]
    status = {process["pid"]: process["status"] for process in processes}
    assert status[pids[0]] in ("killed", "truncated")
    # Another program may have had the processor.
    assert recorded.profile().by_process("wall")[pids[0]] > 0.5e9


def test_output_of_children_is_untouched(recorder: Recorder) -> None:
    source = """
for code in ("print('a')", "import sys; sys.exit('b')", "1 / 0", "import os; os._exit(4)"):
    print(subprocess.run([sys.executable, "-c", code], capture_output=True))
print(subprocess.run(["/bin/sh", "-c", "echo shell; exit 3"], capture_output=True))
"""
    plain, recorded = recorder.both(recorder.write(PRELUDE + source))
    same_behaviour(plain, recorded)


def test_subprocess_while_descriptors_run_out(one_recorder: Recorder) -> None:
    """With 30 descriptors in all: recorded or not, the program works as without us."""
    source = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
opened = []
try:
    while True:
        opened.append(os.open("/dev/null", os.O_RDONLY))
except OSError as error:
    print(error.strerror, len(opened))
os.close(opened.pop())
os.close(opened.pop())
os.close(opened.pop())
busy(0.2)
pid = os.fork()
if pid == 0:
    os._exit(9)
print(os.waitpid(pid, 0)[1])
"""
    same_behaviour(*one_recorder.both(one_recorder.write(PRELUDE + source)))


def test_two_runs_into_one_directory_are_refused(one_recorder: Recorder) -> None:
    script = one_recorder.write(f"{BUSY}\nbusy(0.2)\nprint('ran')\n")
    first = one_recorder.record(script)
    before = first.recordings
    line = one_recorder.line(first.run, script)
    refused = run_command(line)
    assert refused.returncode != 0
    assert refused.stdout == ""
    assert str(first.run) in refused.stderr
    assert first.recordings == before
