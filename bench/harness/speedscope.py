"""speedscope from npm, in the cache folder."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from harness.environments import cache_folder

VERSION = "1.25.0"


def install_speedscope(say: Callable[[str], None]) -> Path | None:
    """The folder with its node_modules; None, and said why, where it cannot be had."""
    npm = shutil.which("npm")
    folder = cache_folder() / "speedscope"
    if not (folder / "node_modules" / "speedscope").is_dir():
        if npm is None:
            say("Without speedscope: there is no npm.")
            return None
        folder.mkdir(parents=True, exist_ok=True)
        package = f"speedscope@{VERSION}"
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", package]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            say(f"Without speedscope: {done.stderr.strip()[-200:]}")
            return None
    return folder
