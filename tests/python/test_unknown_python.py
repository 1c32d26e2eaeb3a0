"""A Python that this Pyrometer does not know runs as always; only sampling is off, and said so."""

import os
import shutil
from pathlib import Path

import pytest
from running import PACKAGE, Recorded, Recorder, run_command

# Makes the interpreter claim a version from the future, then loads the agent as the hook does.
SCRIPT = """
import ctypes
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location

version = ctypes.c_ulong.in_dll(ctypes.pythonapi, "Py_Version")
page = ctypes.addressof(version) & ~4095
READ_WRITE_EXECUTE = 7
assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(page), 8192, READ_WRITE_EXECUTE) == 0
version.value = 0x031000F0

loader = ExtensionFileLoader("_agent", sys.argv[1])
agent = module_from_spec(spec_from_file_location("_agent", sys.argv[1], loader=loader))
agent.start()
print(sum(range(10_000_000)))
"""


def test_unknown_version_switches_off_sampling_only(recorder: Recorder, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    agent = recorder.executable.resolve().parents[1] / "libexec" / "pyrometer" / "_agent.abi3.so"
    environment = {**os.environ, "PYROMETER_RUN": str(run), "PYROMETER_LAUNCH": "test:1"}
    result = recorder.plain(recorder.write(SCRIPT), agent, env=environment)
    assert result.stdout == "49999995000000\n", result.stderr
    assert (result.returncode, result.stderr) == (0, "")
    recorded = Recorded(recorder.executable, run, result)
    (file,) = recorded.recordings
    said = recorded.command("dump", file)
    assert "Python 3.16 is not known to this Pyrometer (3.11 to 3.15 are)" in said
    assert "  samples  " not in said
    assert "  end  " in said


def claiming_to_be(recorder: Recorder, claim: str) -> Path:
    """An interpreter that says something else of itself before our hook asks."""
    folder = recorder.folder / "venv"
    made = recorder.plain("-m", "venv", "--without-pip", folder)
    assert made.returncode == 0, made.stderr
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "claim.pth").write_text(f"import sys; {claim}\n")
    return folder / "bin" / "python"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("sys.abiflags = 't'", "is a free-threaded build of Python"),
        ("sys.version_info = (3, 10, 4, 'final', 0)", "is CPython 3.10.4; only CPython 3.11 and"),
        ("sys.implementation.name = 'pypy'", "is pypy 3."),
    ],
)
def test_what_cannot_be_recorded_is_said(recorder: Recorder, claim: str, said: str) -> None:
    """The program runs as always, and the agent, which could crash it, stays away."""
    recorder.python = claiming_to_be(recorder, claim)
    plain, recorded = recorder.both(recorder.write("print('ran')\n"))
    assert recorded.result.stderr.startswith(f"pyrometer: {recorder.python} {said}")
    assert recorded.result.stderr.count("\n") == 1
    assert recorded.result.stdout == plain.stdout
    assert (recorded.result.returncode, recorded.recordings) == (0, [])


def test_recording_inside_a_free_threaded_build_is_refused(recorder: Recorder) -> None:
    """Timers may stay in the program; they are idle."""
    recorder.python = claiming_to_be(recorder, "sys.abiflags = 't'")
    script = recorder.write(
        f"import sys\nsys.path.append({str(PACKAGE)!r})\nimport pyrometer\n"
        "with pyrometer.timed_region('work'):\n    print('ran')\n"
        "try:\n    pyrometer.start('inside')\n"
        "except pyrometer.RecordingError as error:\n    print(error)\n"
    )
    result = recorder.plain(script)
    assert result.stdout.startswith("ran\n"), result.stderr
    assert "free-threaded" in result.stdout


OLD = ("python2", "python2.7", "python3.6", "python3.8", "python3.9", "python3.10")


@pytest.mark.parametrize("name", OLD)
def test_children_that_are_older_run_as_always(one_recorder: Recorder, name: str) -> None:
    path = shutil.which(name)
    show = "import sys; print('sitecustomize' in sys.modules, len(sys.path))"
    if not path or run_command([path, "-c", show]).returncode != 0:
        pytest.skip(f"there is no {name}")
    plain = run_command([path, "-c", show])
    recorded = one_recorder.record_program(path, "-c", show)
    assert recorded.result.stdout == plain.stdout
    assert recorded.result.returncode == 0
    assert "only CPython 3.11 and newer can be recorded" in recorded.result.stderr
    assert recorded.result.stderr.count("\n") == 1, recorded.result.stderr
