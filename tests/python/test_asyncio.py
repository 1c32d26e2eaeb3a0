"""Tasks of asyncio in a recording: work and waiting by task, await chains, blocked loops."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from pyrometer import _profile_query as profile_query
from pyrometer import load
from running import BUSY, Recorded, Recorder, on_a_calm_machine, same_behaviour, truth_of

PROGRAM = (
    BUSY
    + """
import asyncio, json

waited, truth = [], {}

async def crunch():
    cpu = time.thread_time()
    busy(0.3)
    truth["work"], begin = time.thread_time() - cpu, time.perf_counter()
    await asyncio.sleep(0.7)  # crunch sleeps
    truth["cruncher"] = time.perf_counter() - begin

async def consume(queue):
    while await queue.get():  # consumer waits
        pass

async def sleeper():
    begin = time.perf_counter()
    await asyncio.sleep(0.5)  # sleeper sleeps
    waited.append(time.perf_counter() - begin)

async def main():
    begin = time.perf_counter()
    queue = asyncio.Queue()
    consumer = asyncio.create_task(consume(queue))
    tasks = [asyncio.create_task(sleeper(), name=f"sleeper-{i}") for i in range(50)]
    await asyncio.create_task(crunch(), name="cruncher")  # main waits
    await asyncio.gather(*tasks)
    queue.put_nowait(None)
    await consumer
    truth.update(sleepers=sum(waited), main=time.perf_counter() - begin)
    print(json.dumps(truth))

asyncio.run(main())
"""
)


def record(recorder: Recorder, source: str, *options: object) -> Recorded:
    recorded = recorder.record(recorder.write(source), options=options)
    assert recorded.result.returncode == 0, recorded.complaint
    return recorded


def tasks_of(recorded: Recorded, profile: Path | None = None) -> dict[str, dict[str, Any]]:
    document = recorded.report("--limit=0") if profile is None else None
    if document is None:
        document = Recorded(recorded.executable, profile or recorded.run, recorded.result).report()
    return {row["name"]: row for row in document.get("tasks", ())}


def line_of(source: str, comment: str) -> int:
    [line] = [i for i, text in enumerate(source.splitlines(), 1) if text.endswith(f"# {comment}")]
    return line


def seconds(row: dict[str, Any], what: str) -> float:
    return float(row[f"{what}_ns"]) / 1e9


def test_work_and_waiting_by_task(recorder: Recorder) -> None:
    def attempt() -> None:
        recorded = record(recorder, PROGRAM)
        truth, tasks = truth_of(recorded.result), tasks_of(recorded)
        # What the cruncher did before it was first met may be its coroutine's.
        early = tasks.pop("crunch()", None)
        assert {name: row["count"] for name, row in tasks.items()} == {
            "main()": 1,
            "consume()": 1,
            "sleeper-*": 50,
            "cruncher": 1,
        }
        cruncher = tasks["cruncher"]
        work = seconds(cruncher, "work") + (seconds(early, "work") if early else 0)
        assert work == pytest.approx(truth["work"], abs=0.05)
        assert seconds(cruncher, "waiting") == pytest.approx(truth["cruncher"], abs=0.1)
        assert seconds(tasks["consume()"], "waiting") == pytest.approx(truth["main"], rel=0.1)
        assert seconds(tasks["consume()"], "work") < 0.05
        assert seconds(tasks["sleeper-*"], "waiting") == pytest.approx(truth["sleepers"], rel=0.15)
        assert seconds(tasks["main()"], "waiting") == pytest.approx(truth["main"], rel=0.1)

    on_a_calm_machine(attempt)


def test_where_and_for_what_tasks_wait(recorder: Recorder) -> None:
    tasks = tasks_of(record(recorder, PROGRAM))
    expected = {
        "cruncher": ("crunch", "crunch sleeps", "sleep"),
        "consume()": ("consume", "consumer waits", "Queue.get"),
        "sleeper-*": ("sleeper", "sleeper sleeps", "sleep"),
        "main()": ("main", "main waits", "task cruncher"),
    }
    for name, (function, comment, awaited) in expected.items():
        wait = next(wait for wait in tasks[name]["waits"] if wait["awaited"] != "its turn")
        assert wait["awaited"] == awaited
        assert wait["place"]["function"] == function
        assert wait["place"]["line"] == line_of(PROGRAM, comment)
        assert wait["place"]["file"].endswith("program.py")


NESTED = """
import asyncio, contextlib

async def leaf():
    await asyncio.sleep(0.4)  # leaf

async def ticks():
    await leaf()  # ticks
    yield 1

class Awaitable:
    def __await__(self):
        return (yield from middle().__await__())  # awaitable

async def middle():
    async for _ in ticks():  # middle
        pass

async def outer():
    await Awaitable()  # outer

async def together():
    await asyncio.gather(outer(), outer())  # together

asyncio.run(together())
"""


def test_await_chain_has_every_line(recorder: Recorder) -> None:
    profile = record(recorder, NESTED).profile()
    chains = {
        tuple((frame.name, frame.line) for frame in stack.frames if "asyncio" not in frame.file)
        for stack in profile.stacks("await")
        if stack.frames[0].name == "task outer()"
    }
    lines = [
        ("outer", line_of(NESTED, "outer")),
        ("__await__", line_of(NESTED, "awaitable")),
        ("middle", line_of(NESTED, "middle")),
        ("ticks", line_of(NESTED, "ticks")),
        ("leaf", line_of(NESTED, "leaf")),
    ]
    assert (("task outer()", 0), *lines, ("(awaits Future)", 0)) in chains
    waits = tasks_of(record(recorder, NESTED))["together()"]["waits"]
    assert waits[0]["awaited"] == "gather"
    assert waits[0]["place"]["line"] == line_of(NESTED, "together")


BLOCKED = (
    BUSY
    + """
import asyncio, json, time

truth = {}

async def blocks():
    begin = time.perf_counter()
    time.sleep(0.8)  # blocks
    truth["blocks"] = time.perf_counter() - begin

async def hogs():
    await asyncio.sleep(1)
    cpu, begin = time.thread_time(), time.perf_counter()
    busy(0.3)  # hogs
    truth.update(hogs=time.thread_time() - cpu, hogs_step=time.perf_counter() - begin)

async def polite():
    cpu, longest = time.thread_time(), 0
    for _ in range(60):
        begin = time.perf_counter()
        busy(0.005)
        longest = max(longest, time.perf_counter() - begin)
        await asyncio.sleep(0)
    truth.update(polite=time.thread_time() - cpu, polite_step=longest)

async def main():
    await polite()  # no wait, whose end would not be told from the beginning of what blocks
    await asyncio.gather(blocks(), hogs())
    print(json.dumps(truth))

asyncio.run(main())
"""
)


def test_who_blocks_the_loop(recorder: Recorder) -> None:
    def attempt() -> None:
        recorded = record(recorder, BLOCKED)
        truth, tasks = truth_of(recorded.result), tasks_of(recorded)
        blocks, hogs = tasks["blocks()"], tasks["hogs()"]
        assert seconds(blocks, "blocked") == pytest.approx(truth["blocks"], abs=0.15)
        longest = seconds(blocks, "longest_step")
        assert truth["blocks"] - 0.2 <= longest <= truth["blocks"] + 0.05
        assert blocks["longest_step"]["line"] == line_of(BLOCKED, "blocks")
        assert seconds(hogs, "work") == pytest.approx(truth["hogs"], abs=0.05)
        assert seconds(hogs, "longest_step") >= truth["hogs"] - 0.1
        assert hogs["longest_step"]["line"] == line_of(BLOCKED, "hogs")
        # Much work in one task, but it lets others run.
        assert seconds(tasks["main()"], "work") == pytest.approx(truth["polite"], abs=0.06)
        assert seconds(tasks["main()"], "longest_step") < truth["polite_step"] + 0.09
        found = {finding["id"]: finding for finding in recorded.report()["findings"]}
        # Who works may take longer than who sleeps, where others have the processors.
        worst = "blocks()" if truth["blocks"] > truth["hogs_step"] else "hogs()"
        assert found["blocked-loop"]["sentence"].startswith(f"Task {worst} blocks the event loop")

    on_a_calm_machine(attempt)


THREADS = (
    BUSY
    + """
import asyncio, json, threading

truth = {}

async def waits(name):
    begin = time.perf_counter()
    await asyncio.sleep(0.5)
    waited, cpu = time.perf_counter() - begin, time.thread_time()
    busy(0.1)
    truth[name] = waited, time.thread_time() - cpu

def run(name):
    async def main():
        await asyncio.create_task(waits(name), name=name)
    asyncio.run(main())

threads = [threading.Thread(target=run, args=(name,)) for name in ("left", "right")]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(truth))
"""
)


def test_loops_of_several_threads(recorder: Recorder) -> None:
    def attempt() -> None:
        recorded = record(recorder, THREADS)
        truth, tasks = truth_of(recorded.result), tasks_of(recorded)
        for name in ("left", "right"):
            waited, worked = truth[name]
            assert seconds(tasks[name], "waiting") == pytest.approx(waited, abs=0.1)
            assert seconds(tasks[name], "work") == pytest.approx(worked, abs=0.05)
        assert tasks["run.<locals>.main()"]["count"] == 2

    on_a_calm_machine(attempt)


UNUSUAL = """
import asyncio, asyncio.tasks, gc, sys, types, weakref

class OwnTask(asyncio.Task):
    def get_name(self): raise SystemError("not for you")
    def get_coro(self): raise SystemError("not for you")

def python_task(loop, coro, **words):
    return asyncio.tasks._PyTask(coro, loop=loop, **words)

@types.coroutine
def generator():
    yield from asyncio.sleep(0.2).__await__()

async def old_style():
    await generator()

async def pause(time=0.2):
    await asyncio.sleep(time)

async def main():
    loop = asyncio.get_running_loop()
    died = []
    tasks = [loop.create_task(pause(), name="plain")]
    tasks.append(OwnTask(pause(), loop=loop, name="own"))
    tasks.append(python_task(loop, pause(), name="python"))
    tasks.append(loop.create_task(old_style(), name="old-style"))
    tasks.append(loop.create_task(pause(), name="emoji \\N{SNOWMAN}"))
    if sys.version_info >= (3, 12):
        tasks.append(asyncio.eager_task_factory(loop, pause(), name="eager"))
    async with asyncio.TaskGroup() as group:
        group.create_task(pause(), name="grouped")
    await asyncio.wait(tasks)
    for task in tasks:
        weakref.finalize(task, died.append, None)
    count = len(tasks)
    tasks.clear()
    del task
    await asyncio.sleep(0.1)
    gc.collect()
    print(len(died) == count, gc.isenabled(), gc.garbage)
    gc.disable()
    await asyncio.sleep(0.1)
    print(gc.isenabled())

asyncio.run(main())
asyncio.run(pause(0))
print(len(asyncio.tasks._all_tasks) if hasattr(asyncio.tasks, "_all_tasks") else 0)
"""


def test_programs_do_not_notice(recorder: Recorder) -> None:
    script = recorder.write(UNUSUAL)
    strict = {**os.environ, "PYTHONDEVMODE": "1", "PYTHONWARNINGS": "error"}
    plain, recorded = recorder.both(script, env=strict)
    same_behaviour(plain, recorded)
    assert plain.stdout.splitlines()[:2] == ["True True []", "False"], plain.stderr
    names = {"plain", "own", "old-style", "emoji ☃", "grouped", "main()"}
    version = recorder.python_version()
    if version >= (3, 12):
        names.add("eager")
    if version < (3, 14):  # later asyncio.all_tasks() does not know of such tasks either
        names.add("python")
    assert names <= set(tasks_of(recorded))


FORKS = """
import asyncio, os, threading, sys

async def child():
    await asyncio.sleep(0.5)  # so is met, however late a busy machine lets somebody look

async def main():
    helper = asyncio.create_task(asyncio.sleep(5), name="helper")
    for _ in range(5):
        pid = os.fork()
        if pid == 0:
            thread = threading.Thread(target=lambda: asyncio.run(child()))
            thread.start()
            thread.join()
            os._exit(0)
        await asyncio.sleep(0.03)
        assert os.waitpid(pid, 0)[1] == 0

async def spawn():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print('spawned')")
    await process.wait()
    await asyncio.to_thread(sum, range(10))
    await asyncio.sleep(0.3)  # who is there for a moment only may not be seen

asyncio.run(main())
asyncio.run(spawn())
print("done")
"""


def test_forks_and_children_while_a_loop_runs(recorder: Recorder) -> None:
    def attempt() -> None:
        recorded = record(recorder, FORKS)
        assert recorded.result.stdout == "spawned\ndone\n"
        tasks = tasks_of(recorded)
        assert tasks["child()"]["count"] == 5
        assert tasks["helper"]["count"] == 1
        assert "spawn()" in tasks

    on_a_calm_machine(attempt)


ENDINGS = {
    "exit": "raise SystemExit(3)",
    "error": "raise ValueError('x')",
    "daemon": """
import threading
threading.Thread(target=lambda: asyncio.run(asyncio.sleep(100)), daemon=True).start()
await asyncio.sleep(0.1)
""",
    "exit in a handler": """
import atexit
atexit.register(lambda: asyncio.run(asyncio.sleep(0.05)))
await asyncio.sleep(0.1)
""",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_endings(recorder: Recorder, ending: str) -> None:
    body = "".join(f"    {line}\n" for line in ENDINGS[ending].strip().splitlines())
    source = f"import asyncio\nasync def main():\n{body}\nasyncio.run(main())\n"
    plain, recorded = recorder.both(recorder.write(source))
    assert recorded.result.returncode == plain.returncode, recorded.complaint
    assert recorded.result.stdout == plain.stdout


def test_many_tasks_speak_for_all(recorder: Recorder) -> None:
    source = """
import asyncio, json, time
waited = []
async def sleeper():
    begin = time.perf_counter()
    await asyncio.sleep(1.5)
    waited.append(time.perf_counter() - begin)
async def main():
    await asyncio.gather(*(sleeper() for _ in range(5000)))
asyncio.run(main())
print(json.dumps({"waited": sum(waited)}))
"""

    def attempt() -> None:
        recorded = record(recorder, source)
        truth, row = truth_of(recorded.result), tasks_of(recorded)["sleeper()"]
        assert seconds(row, "waiting") == pytest.approx(truth["waited"], rel=0.25)
        assert 256 <= row["count"] <= 5000

    on_a_calm_machine(attempt)


def test_text_and_merged_file(recorder: Recorder) -> None:
    recorded = record(recorder, PROGRAM)
    text = recorded.command("report", recorded.run, "--tasks")
    assert re.search(
        r"^ +50 .* sleeper-\* +\S+ k?s for sleep in sleeper program.py:", text, re.MULTILINE
    )
    merged = recorder.folder / "job.pyro"
    recorded.command("merge", recorded.run, "-o", merged)
    alone, together = tasks_of(recorded), tasks_of(recorded, merged)
    assert together == alone
    tree = recorded.command("report", recorded.run, "--metric", "await", "--tree")
    assert "task sleeper-*" in tree
    # Other tables do not know of tasks.
    functions = recorded.report("--limit=0")["functions"]
    assert not [row for row in functions if row["name"].startswith("task ")]


def test_records_for_scripts(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = record(recorder, PROGRAM)
    monkeypatch.setattr(profile_query, "find_executable", lambda: recorded.executable)
    records = {record.name: record for record in load(recorded.run).tasks}
    rows = tasks_of(recorded)
    assert set(records) == set(rows)
    consumer = records["consume()"]
    assert consumer.tasks == 1
    assert consumer.waiting_seconds == pytest.approx(seconds(rows["consume()"], "waiting"))
    assert (consumer.function, consumer.awaited) == ("consume", "Queue.get")
    assert consumer.line == line_of(PROGRAM, "consumer waits")


def test_without_tasks(recorder: Recorder) -> None:
    recorded = record(recorder, "print(1)")
    assert "There are no tasks" in recorded.command("report", recorded.run, "--tasks")
    assert "tasks" not in recorded.report()
