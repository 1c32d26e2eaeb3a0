"""The Pythons to measure with, by version."""

import os
import re
import subprocess
from pathlib import Path

from harness.machine import ROOT

SYSTEM = Path("/usr/bin/python3")


def parse_pythons(text: str) -> dict[str, Path]:
    """`3.11=/usr/bin/python3 3.13=/a path/python`; the last of a version counts."""
    entries = re.findall(r"(\d+\.\d+)=(.+?)(?=\s+\d+\.\d+=|\s*$)", text, re.DOTALL)
    return {version: Path(path) for version, path in entries}


def version_of(python: Path, *, parts: int = 2) -> str:
    """`3.11` of a Python, `3.11.2` with three parts."""
    code = f"import sys; print(*sys.version_info[:{parts}], sep='.')"
    result = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return result.stdout.strip()


def unpack_pythons() -> dict[str, Path]:
    """Those of the distribution's newer suites; takes a minute the first time."""
    script = ROOT / "tools" / "unpack_pythons.sh"
    result = subprocess.run([script], stdout=subprocess.PIPE, text=True)
    return parse_pythons(result.stdout) if result.returncode == 0 else {}


def find_pythons(wanted: list[str]) -> dict[str, Path]:
    """Each wanted version (`3.15`, or `3.12=/path/to/python`), in the order asked for."""
    known = {version_of(SYSTEM): SYSTEM} if SYSTEM.exists() else {}
    known |= parse_pythons(os.environ.get("PYROMETER_TEST_PYTHONS", ""))
    for entry in wanted:
        known |= parse_pythons(entry)
    versions = [entry.split("=", 1)[0] for entry in wanted]
    if any(version not in known for version in versions):
        known = unpack_pythons() | known
    missing = [version for version in versions if version not in known]
    if missing:
        raise LookupError(
            f"There is no Python {', '.join(missing)} here; name one with "
            f"--python {missing[0]}=/path/to/python."
        )
    return {version: known[version] for version in versions}
