"""A Python that this Pyrometer does not know runs as always; only sampling is off, and said so."""

import os
from pathlib import Path

from running import Recorded, Recorder

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
