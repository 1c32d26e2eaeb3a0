"""What the pages of docs/ tell their reader to type works, and prints what they show."""

import shutil
import sys
from pathlib import Path

import pytest
from guides import ROOT, missing_line, run_guide, table_commands
from mpi_launch import require_launcher

DOCS = ROOT / "docs"
PAGES = [
    *("index.md", "run.md", "dataframes.md", "workers.md"),
    *sorted(f"guides/{page.name}" for page in DOCS.glob("guides/*.md")),
]
# As root, with more ranks than cores; see mpi_launch.
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMP_NUM_THREADS": "1",
}


def open_mpi(folder: Path) -> list[Path]:
    """Open MPI's launcher, and the interpreter whose mpi4py it is."""
    require_launcher("openmpi")
    links = folder / "bin"
    links.mkdir()
    for name, program in (("mpirun", "mpirun.openmpi"), ("python3", "/usr/bin/python3")):
        (links / name).symlink_to(str(shutil.which(program)))
    (links / "python").symlink_to("python3")
    return [links]


@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, executable: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    path = [Path(sys.executable).parent]
    if "mpirun " in (DOCS / page).read_text():
        path = open_mpi(tmp_path) + path
    run_guide(page, folder, executable, path=path, environment=OPEN_MPI)


def test_what_is_shown_is_compared_loosely() -> None:
    printed = "Wall  8.67 s\n  61 %  solve  wave.py:45\n  3 %  load   wave.py:7\n"
    assert missing_line("wall", printed) == "wall"
    assert missing_line("Wall 900 ms\n…\n58.1 %   solve …:30\n", printed) is None
    assert missing_line("… load wave.py:7\n… solve", printed) == "… solve"
    assert missing_line("61 %  save", printed) == "61 %  save"


def test_commands_of_tables() -> None:
    table = """
| you used | now type |
|---|---|
| `pyrometer a` | `pyrometer b`, or `--c`; `PYTHONPATH=. python -m x` |
| a pipe | `pyrometer graph x.prof \\| dot -Tpng` |

| you used | now write |
|---|---|
| `pyrometer c` | `pyrometer d` |
"""
    commands = ["pyrometer b", "PYTHONPATH=. python -m x", "pyrometer graph x.prof | dot -Tpng"]
    assert list(table_commands(table)) == commands
