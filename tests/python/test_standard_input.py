"""Profiles that come through a pipe: "-" in place of a name, in every command."""

import gzip
import marshal
import os
import pstats
import pty
from pathlib import Path
from typing import Any

from conftest import Run, expect_refusal, read_json

STACKS = b"main (a.py);solve (a.py) 5\nmain (a.py);save (b.py) 3\n"


def pipe(pyrometer: Run, content: bytes, *words: object, **options: Any) -> Any:
    """Runs pyrometer with the content on standard input; streams are bytes."""
    return pyrometer(*words, input=content, text=False, **options)


def test_the_same_as_from_a_file(pyrometer: Run, prof_file: Path, recording: Path) -> None:
    for file in (prof_file, recording):
        from_file = read_json(pyrometer("report", file, "--json"), "report")
        piped = pyrometer("report", "-", "--json", stdin=file.open("rb"))
        from_pipe = read_json(piped, "report")
        for key in ("functions", "totals", "metric"):
            assert from_pipe[key] == from_file[key]
    packed = pipe(pyrometer, gzip.compress(STACKS), "report", "-")
    assert packed.returncode == 0, packed.stderr
    assert b"solve" in packed.stdout


def test_between_other_programs(pyrometer: Run, tmp_path: Path) -> None:
    drawn = pipe(pyrometer, STACKS, "graph", "-")
    assert drawn.returncode == 0, drawn.stderr
    assert drawn.stdout.startswith(b"digraph")
    assert b"solve" in drawn.stdout
    exported = pipe(pyrometer, STACKS, "export", "-", "-F", "collapsed", "-o", "-")
    assert sorted(exported.stdout.splitlines()) == sorted(STACKS.splitlines())
    before = tmp_path / "before.collapsed"
    before.write_bytes(STACKS)
    compared = pipe(pyrometer, STACKS.replace(b"5", b"50000"), "diff", before, "-")
    assert b"solve" in compared.stdout, compared.stderr


def test_merge_in_and_out(pyrometer: Run, prof_file: Path, tmp_path: Path) -> None:
    content = prof_file.read_bytes()
    merged = pipe(pyrometer, content, "merge", prof_file, "-", "-o", "-")
    assert (merged.returncode, merged.stderr) == (0, b"")
    output = tmp_path / "sum.prof"
    output.write_bytes(merged.stdout)
    assert len(marshal.loads(merged.stdout)) == len(marshal.loads(content))
    once, twice = (pstats.Stats(str(file)).total_calls for file in (prof_file, output))  # type: ignore[attr-defined]
    assert twice == 2 * once
    expect_refusal(pyrometer("merge", prof_file, "-o", "-", "-F", "pyro"), "database", status=2)
    expect_refusal(pyrometer("merge", prof_file, "-o", "-", "--json"), "--json", status=2)
    assert not Path("-").exists()


def test_nothing_is_left_behind(pyrometer: Run, tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    for words in (["report", "-"], ["view", "-", "--html", "-"], ["diff", "-", "-"]):
        done = pipe(pyrometer, STACKS, *words, env=environment)
        assert done.returncode == 0, done.stderr
    pipe(pyrometer, b"no profile at all\n", "report", "-", env=environment)
    assert list(tmp_path.iterdir()) == []


def test_refusals(pyrometer: Run) -> None:
    expect_refusal(pyrometer("report", "-"), "standard input is empty")
    expect_refusal(pyrometer("report", "-", input="hello\n"), "not a profile", name="stdin")
    controller, terminal = pty.openpty()
    try:
        expect_refusal(pyrometer("report", "-", stdin=terminal), "terminal", status=2)
    finally:
        os.close(controller)
        os.close(terminal)
