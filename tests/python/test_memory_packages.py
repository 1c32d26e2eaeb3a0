"""Packages of scientific Python do under the library before malloc what they do without it."""

from pathlib import Path

import pytest
from harness.environments import InstallError, cache_folder, make_environment
from running import PROGRAMS, Recorder, same_behaviour

PACKAGES = ("numpy", "scipy", "pandas", "h5py", "pyarrow", "scikit-learn")


@pytest.fixture
def scientific(recorder: Recorder, python_version: str) -> Recorder:
    """With all of them, installed once for each Python."""
    if python_version not in ("3.11", "3.14"):
        pytest.skip("two versions tell enough")
    try:
        folder = make_environment("scientific", recorder.python, PACKAGES, print, cache_folder())
    except InstallError as error:
        pytest.skip(f"the packages cannot be installed: {error}")
    return Recorder(recorder.executable, folder / "bin" / "python", recorder.folder)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("mode", ["sampled", "exact", "objects"])
def test_same_results(scientific: Recorder, mode: str, tmp_path: Path) -> None:
    program = PROGRAMS / "memory_packages.py"
    plain, recorded = scientific.both(program, tmp_path, options=[f"--memory={mode}"], timeout=300)
    same_behaviour(plain, recorded)
    assert plain.stdout.count("\n") == 8, plain.stderr
    profile = recorded.profile()
    for owner in ("numpy", "native"):
        assert profile.total(f"allocated-{owner}") > 1 << 20
