"""Records programs with named regions, and reads their figures."""

import os

from running import PACKAGE, Recorded, Recorder


def record(recorder: Recorder, source: str, *options: object, **variables: str) -> Recorded:
    program = recorder.folder / "program.py"
    program.write_text(source)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), **variables}
    return recorder.record(program, options=options, env=environment)


def timers(recorded: Recorded, *words: object) -> dict[str, dict[str, int]]:
    return {row["name"]: row for row in recorded.report(*words).get("timers", ())}


def counts(rows: dict[str, dict[str, int]]) -> dict[str, int]:
    return {name: row["count"] for name, row in rows.items()}
