"""What the explicit profiler writes at the end of a program."""

import io
from datetime import datetime
from pathlib import Path
from typing import Any

from pyrometer._line_options import python_command
from pyrometer.line_profiler import LineProfiler


def write_results(
    profiler: LineProfiler, prefix: str, write: dict[str, bool], show: dict[str, Any]
) -> None:
    """As line_profiler: a summary on standard output, texts, and a `.lprof` file."""
    if write["stdout"]:
        profiler.print_stats(**show)
    texts = []
    if write["text"]:
        texts.append(f"{prefix}.txt")
    if write["timestamped_text"]:
        now = datetime.now()  # noqa: DTZ005  the user's own time
        texts.append(f"{prefix}_{now:%Y-%m-%dT%H%M%S}.txt")
    if texts:
        out = io.StringIO()
        profiler.print_stats(out, **{**show, "rich": False, "details": True})
        for name in texts:
            Path(name).write_text(out.getvalue(), encoding="utf-8")
            print(f"Wrote profile results to {Path(name)}")
    if write["lprof"]:
        file = Path(f"{prefix}.lprof")
        profiler.dump_stats(file)
        print(f"Wrote profile results to {file}")
        print("To view details run:")
        print(f"{python_command()} -m pyrometer.line_profiler -rtmz {file}")
