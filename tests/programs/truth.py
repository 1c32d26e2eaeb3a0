"""What a program with a known answer measures of itself."""

import json
import sys
import time
from collections import Counter
from pathlib import Path

clock = time.thread_time_ns  # CPU of this thread


def runnable() -> int:
    """Nanoseconds that this thread waited for a processor."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1])


def duration() -> int:
    """Nanoseconds to run, from the command line."""
    return int(float(sys.argv[1]) * 1e9)


def tell(spent: Counter[str], **more: object) -> None:
    """The last line of output: what was measured, in nanoseconds."""
    print(json.dumps({"spent": spent, **more}))
