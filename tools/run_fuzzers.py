#!/usr/bin/env python3
"""Runs every fuzz target of build/fuzz for a while, as many at once as there are cores.

Seeds come from fuzz/corpus/TARGET/ where there are some; what the fuzzer learns stays in a
temporary folder. An input that breaks a target is kept in build/fuzz/findings/TARGET/.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "fuzz"


def run_target(target: Path, seconds: int) -> bool:
    findings = BUILD / "findings" / target.name
    findings.mkdir(parents=True, exist_ok=True)
    seeds = ROOT / "fuzz" / "corpus" / target.name
    with tempfile.TemporaryDirectory(prefix="pyrometer-fuzz-") as corpus:
        if seeds.is_dir():
            shutil.copytree(seeds, corpus, dirs_exist_ok=True)
        options = ["-timeout=10", "-rss_limit_mb=2048", f"-artifact_prefix={findings}/"]
        result = subprocess.run(
            [target, f"-max_total_time={seconds}", *options, corpus],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    lines = result.stdout.splitlines()
    if result.returncode == 0:
        print(f"{target.name}: {next(line for line in reversed(lines) if 'Done' in line)}")
        return True
    print("\n".join(lines[-60:]))
    print(f"{target.name}: failed; the input is in {findings}")
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs every fuzz target of build/fuzz.")
    parser.add_argument("--seconds", type=int, default=10, help="for each target (10)")
    seconds: int = parser.parse_args().seconds
    targets = sorted(path for path in BUILD.glob("bin/fuzz_*") if os.access(path, os.X_OK))
    if not targets:
        print(f"There is no fuzz target in {BUILD / 'bin'}.")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda target: run_target(target, seconds), targets))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
