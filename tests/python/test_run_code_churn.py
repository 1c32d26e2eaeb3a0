"""Code objects that die all the time, and whose addresses are used again, keep their names."""

import re
from collections.abc import Callable

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
