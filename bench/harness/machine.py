"""Where a benchmark ran, for the reader of its table."""

import os
import platform
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def describe_machine() -> str:
    models = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return (
        f"{os.cpu_count()} cores of {models[0] if models else platform.machine()}, "
        f"{platform.system()} {platform.release().split('-')[0]}, "
        f"load average before the run {os.getloadavg()[0]:.1f}"
    )
