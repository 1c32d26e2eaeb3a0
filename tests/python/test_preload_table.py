"""A library loaded before the program and the agent find each other, and live without."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from running import Recorder

ROOT = Path(__file__).resolve().parents[2]
PRELOAD = """
#include "agent_table.h"
#include <stdio.h>

static void agent_came(const struct pyrometer_agent_table* agent) {
  if (agent->version < 1 || agent->size < sizeof(*agent)) return;
  if (agent->is_recording()) agent->message("the preload library was here");
}

const struct pyrometer_preload_table pyrometer_preload_table = {
    PYROMETER_TABLE_VERSION, sizeof(struct pyrometer_preload_table), agent_came};
"""


@pytest.fixture
def preload(tmp_path: Path) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    source = tmp_path / "preload.c"
    source.write_text(PRELOAD)
    library = tmp_path / "preload.so"
    include = f"-I{ROOT / 'src' / 'collect'}"
    subprocess.run([compiler, "-shared", "-fPIC", include, "-o", library, source], check=True)
    return library


def test_agent_introduces_itself_to_a_preload_library(recorder: Recorder, preload: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(preload)}
    recorded = recorder.record("-c", "sum(range(3_000_000))", env=environment)
    assert recorded.result.returncode == 0, recorded.complaint
    (file,) = recorded.recordings
    assert "the preload library was here" in recorded.command("dump", file)


def test_preload_library_without_an_agent(recorder: Recorder, preload: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(preload)}
    result = recorder.plain("-c", "print('fine')", env=environment)
    assert (result.returncode, result.stdout) == (0, "fine\n")
