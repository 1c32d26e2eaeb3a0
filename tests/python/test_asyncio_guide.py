"""docs/asyncio.md: its program and its commands do what they say."""

import json
import re
import shlex
import subprocess
from pathlib import Path

from conftest import ROOT
from running import on_a_calm_machine

GUIDE = (ROOT / "docs" / "asyncio.md").read_text()


def test_commands(executable: Path, python: Path, tmp_path: Path) -> None:
    on_a_calm_machine(lambda: expect_commands(executable, python, tmp_path))


def expect_commands(executable: Path, python: Path, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n# crawl.py\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "crawl.py").write_text(program)
    [block] = re.findall(r"```\n(pyrometer run .*?)```", GUIDE, re.DOTALL)
    output = {}
    for line in block.splitlines():
        words = shlex.split(line)[1:]
        if words[0] == "run":
            words[1:1] = ["--replace", "--python", str(python)]
        done = subprocess.run(
            [executable, *words], cwd=tmp_path, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
        output[line] = done.stdout
    assert output["pyrometer run -o crawl crawl.py"] == "30 pages\n"
    table = output["pyrometer report crawl --tasks"]
    assert "blocks the event loop" in table
    shown = set(re.findall(r"   ([\w-]+(?:\(\)|\*))(?:   |$)", table, re.MULTILINE))
    assert shown == {"crawler-*", "main()", "report()"}
    tree = output["pyrometer report crawl --metric await --tree"]
    assert "task crawler-*" in tree
    assert "Queue.get" in tree
    document = json.loads(output["pyrometer report crawl --json"])
    assert {row["name"] for row in document["tasks"]} == shown
    assert "crawler" in (tmp_path / "crawl.svg").read_text()
