"""Profilers whose files Pyrometer reads, as they are on PyPI, in environments of their own."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from harness.environments import InstallError, cache_folder, make_environment

# Two threads, recursion and built-in functions; with an argument, for that many seconds.
PROGRAM = """
import sys, threading, time

def leaf(n):
    return sum(range(n))

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def work():
    for _ in range(20):
        leaf(5000)
    fib(12)

def main():
    thread = threading.Thread(target=work, name="helper")
    thread.start()
    work()
    thread.join()

end = time.monotonic() + float(sys.argv[1]) if len(sys.argv) > 1 else 0
main()
while time.monotonic() < end:
    main()
"""


@cache
def environment(package: str) -> Path:
    """The folder of commands of an environment with the package, `name==version`."""
    cached = cache_folder().parent / "viewers"
    try:
        folder = make_environment(package, Path(sys.executable), [package], print, cached)
    except InstallError as error:
        pytest.skip(f"{package} cannot be installed: {error}")
    return folder / "bin"


def run(*words: object) -> str:
    """What a tool prints."""
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
