"""The interpreters to test with."""

import os
import re
import sys
from pathlib import Path


def parse_pythons(text: str) -> dict[str, Path]:
    """`3.11=/usr/bin/python3 3.13=/a path/python` by version; the last of a version counts."""
    entries = re.findall(r"(\d+\.\d+)=(.+?)(?=\s+\d+\.\d+=|\s*$)", text, re.DOTALL)
    return {version: Path(path) for version, path in entries}


def find_pythons() -> dict[str, Path]:
    """The interpreters to test with by version, from PYROMETER_TEST_PYTHONS."""
    given = parse_pythons(os.environ.get("PYROMETER_TEST_PYTHONS", ""))
    return given or {"{}.{}".format(*sys.version_info): Path(sys.executable)}
