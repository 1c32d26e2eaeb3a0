"""Code objects that die all the time, and whose addresses are used again, keep their names."""

import re
from collections.abc import Callable

import pytest
from profiles import Stack
from running import PROGRAMS, Recorder


def generations_in(stack: Stack) -> set[str]:
    found = set()
    for frame in stack.python_frames:
        found |= set(re.findall(r"_(\d+)\b", frame.qualified_name))
        found |= set(re.findall(r"<generation (\d+)>", frame.file))
    return found


def test_code_churn(
    recorder: Recorder, python_version: str, record_property: Callable[[str, object], None]
) -> None:
    recorded = recorder.record(PROGRAMS / "code_churn.py", 4, 1001, options=["--rate", 5000])
    assert recorded.result.returncode == 0, recorded.complaint
    assert int(recorded.result.stdout) > 1000
    named = mixed = 0
    examples = []
    for stack in recorded.profile().stacks("cpu"):
        generations = generations_in(stack)
        named += stack.value if generations else 0
        if len(generations) > 1:
            mixed += stack.value
            examples.append(" > ".join(frame.qualified_name for frame in stack.frames))
    assert named > 1e9
    share = mixed / named
    record_property("misnamed", share)
    print(f"{python_version}: {share:.3%} of the stacks mix generations")
    # 3.11 tells nobody when a code object dies.
    limit = 0.01 if python_version == "3.11" else 0
    assert share <= limit, "\n".join(examples[:10])
    assert recorded.sum_of("sampler.rejected") <= 0.01 * recorded.sum_of("sampler.samples")


# Each interpreter's functions lie where those of the one before lay, and none has the same name.
OTHER_INTERPRETERS = """
try: import _interpreters as interpreters
except ImportError: import _xxsubinterpreters as interpreters
run = getattr(interpreters, "run_string", None) or interpreters.exec
for number in range(25):
    other = interpreters.create()
    run(other, f'''
import time
def inside_{number}():
    end = time.thread_time() + 0.05
    while time.thread_time() < end: pass
inside_{number}()
''')
    interpreters.destroy(other)
"""


def test_code_of_interpreters_that_come_and_go(recorder: Recorder) -> None:
    """Nobody tells us of the end of their code."""
    if recorder.python_version() < (3, 12):
        pytest.skip("only the first interpreter's frames are known")
    script = recorder.write(OTHER_INTERPRETERS)
    recorded = recorder.record(script, options=["--rate", 1000])
    cpu = recorded.profile().by_function("cpu")
    spent = {name: cpu[name] / 1e6 for name in (f"inside_{number}" for number in range(25))}
    # The first sample of a function also stands for those that failed while its interpreter began.
    assert {name: time for name, time in spent.items() if not 25 < time < 100} == {}
