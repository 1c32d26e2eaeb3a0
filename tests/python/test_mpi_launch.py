"""How ranks are started and recorded under Open MPI and MPICH."""

import json
import os
import sys
from pathlib import Path

import pytest
from mpi_launch import Mpi, require_launcher
from running import BUSY, Recorded, Recorder, run_command

HELLO = (
    BUSY
    + """
import sys
from mpi4py import MPI

world = MPI.COMM_WORLD
busy(0.1)
total = world.allreduce(world.rank)
if world.rank == 0:
    print("ranks", world.size, "sum", total, sys.argv[1:])
"""
)


def test_every_rank_is_recorded_with_its_label(mpi_of_every_python: Mpi) -> None:
    mpi = mpi_of_every_python
    recorded = mpi.record(3, mpi.write(HELLO), "a word", options=["-q"])
    assert recorded.result.returncode == 0, recorded.complaint
    assert recorded.result.stdout == "ranks 3 sum 3 ['a word']\n"
    assert ranks_of(recorded) == [0, 1, 2]


def ranks_of(recorded: Recorded) -> list[int]:
    return sorted(each["rank"] for each in recorded.profile().document["processes"])


def test_one_summary_speaks_of_all_ranks(mpi: Mpi) -> None:
    recorded = mpi.record(4, mpi.write(HELLO))
    said = recorded.result.stderr.splitlines()
    assert len([line for line in said if line.startswith("pyrometer  ")]) == 1, said
    assert "   4 ranks, " in said[0]
    assert len(said) <= 12
    assert said[-1] == f"  next: pyrometer view {recorded.run}"


def test_summary_as_json_is_one_document(mpi: Mpi) -> None:
    recorded = mpi.record(3, mpi.write(HELLO), options=["--json"])
    document = json.loads(recorded.result.stderr)
    assert document["summary"]["ranks"] == 3
    assert document["summary"]["idle_ranks"] == []


def test_chosen_ranks(mpi: Mpi) -> None:
    """The others run all the same, and nobody misses their recordings."""
    recorded = mpi.record(5, mpi.write(HELLO), options=["-q", "--ranks", "1,%4"])
    assert recorded.result.stdout == "ranks 5 sum 10 []\n", recorded.complaint
    assert ranks_of(recorded) == [0, 1, 4]
    assert json.loads((recorded.run / "RUN.json").read_text())["options"]["ranks"] == "1,%4"
    assert "missing-ranks" not in {each["id"] for each in recorded.report()["findings"]}


def test_chosen_ranks_see_no_trace_of_us_elsewhere(mpi: Mpi) -> None:
    program = mpi.write(
        "import os\nfrom mpi4py import MPI\nworld = MPI.COMM_WORLD\n"
        "ours = sorted(n for n in os.environ if n.startswith('PYROMETER_') and 'TEST' not in n)\n"
        "seen = world.gather((ours, os.environ.get('LD_PRELOAD'), os.environ['PYTHONPATH']))\n"
        "if world.rank == 0:\n    print(seen[1])\n"
    )
    recorded = mpi.record(2, program, options=["-q", "--ranks", "0"])
    assert recorded.result.stdout == f"{([], None, str(mpi.mpi4py))}\n", recorded.complaint


def test_bad_ranks_are_refused(mpi: Mpi) -> None:
    recorded = mpi.record(1, mpi.write(HELLO), options=["--ranks", "3-1"])
    assert recorded.result.returncode != 0
    assert "'3-1' names no ranks; write them as 0,5-9,%16" in recorded.result.stderr
    assert not recorded.run.exists()


def test_launcher_inside(mpi: Mpi) -> None:
    """`pyrometer run -- mpirun ...`: the ranks record with their own labels."""
    run, program = mpi.folder / "inside", mpi.write(HELLO)
    command = [mpi.executable, "run", "-o", run, "--ranks", "0-2", "--", *mpi.launcher(4)]
    result = mpi.run([*command, mpi.python, program])
    assert result.stdout == "ranks 4 sum 6 []\n", result.stderr
    recorded = Recorded(mpi.executable, run, result)
    assert ranks_of(recorded) == [0, 1, 2]
    assert result.stderr.count("pyrometer  ") == 1
    assert "   3 ranks, " in result.stderr


def test_programs_of_one_launch_share_a_run(mpi: Mpi) -> None:
    """MPMD: several programs, one MPI_COMM_WORLD."""
    other = mpi.write(HELLO.replace("ranks", "parts"), "other.py")
    run = mpi.folder / "job"
    words = [*mpi.launcher(2), *mpi.recorded(run, mpi.write(HELLO), options=["-q"])]
    result = mpi.run([*words, ":", "-n", 1, *mpi.recorded(run, other, options=["-q"])])
    assert result.stdout == "ranks 3 sum 3 []\n", result.stderr
    recorded = Recorded(mpi.executable, run, result)
    assert ranks_of(recorded) == [0, 1, 2]
    files = {function["file"] for function in recorded.profile().document["functions"]}
    assert {str(mpi.folder / "program.py"), str(other)} <= files


def test_spawned_ranks(mpi: Mpi) -> None:
    """MPI_Comm_spawn: the launcher starts them, so it is the launcher that is recorded."""
    worker = mpi.write(
        "from mpi4py import MPI\n"
        "parent = MPI.Comm.Get_parent()\n"
        "parent.gather(MPI.COMM_WORLD.rank, root=0)\n"
        "parent.Disconnect()\n",
        "worker.py",
    )
    program = mpi.write(
        BUSY + "import sys\nfrom mpi4py import MPI\nbusy(0.1)\n"
        f"workers = MPI.COMM_SELF.Spawn(sys.executable, args=[{str(worker)!r}], maxprocs=2)\n"
        "print(workers.gather(None, root=MPI.ROOT))\n"
        "workers.Disconnect()\n"
    )
    if mpi.plain(1, program).returncode != 0:
        pytest.skip(f"ranks of this {mpi.name} cannot spawn others, with or without Pyrometer")
    run = mpi.folder / "spawning"
    command = [mpi.executable, "run", "-q", "-o", run, "--", *mpi.launcher(1), mpi.python]
    result = mpi.run([*command, program])
    assert result.stdout == "[0, 1]\n", result.stderr
    assert len(Recorded(mpi.executable, run, result).recordings) == 3


def test_shell_between_launcher_and_run(mpi: Mpi) -> None:
    run, program = mpi.folder / "run", mpi.write(HELLO)
    words = " ".join(map(str, mpi.recorded(run, program, options=["-q"])))
    result = mpi.run([*mpi.launcher(3), "sh", "-c", f"{words}; exit $?"])
    assert result.stdout == "ranks 3 sum 3 []\n", result.stderr
    assert ranks_of(Recorded(mpi.executable, run, result)) == [0, 1, 2]


def test_several_nodes_of_hydra_are_one_launch(executable: Path, tmp_path: Path) -> None:
    """Each node has a helper of its own that starts its ranks: here two, on one machine."""
    require_launcher("mpich")
    command = ["mpirun.mpich", "-launcher", "fork", "-hosts", "one,two", "-n", "4"]
    words = [
        executable,
        "run",
        "-q",
        "-o",
        "job",
        "--python",
        sys.executable,
        "-c",
        "sum(range(9))",
    ]
    result = run_command([*command, *words], cwd=tmp_path, timeout=60)
    assert result.returncode == 0, result.stderr
    ranks = {path.name[:8] for path in (tmp_path / "job").glob("raw/*/*.pyr")}
    assert ranks == {f"r{rank:07}" for rank in range(4)}


def test_attributes_of_each_rank(mpi: Mpi) -> None:
    recorded = mpi.record(2, mpi.write(HELLO), options=["-q"], env={"MKL_NUM_THREADS": "3"})
    launcher = {"openmpi": "openmpi", "mpich": "hydra"}[mpi.name]
    for local_rank, attributes in enumerate(recorded.attributes()):
        assert attributes["launcher"] == launcher
        assert attributes["rank.local"] == str(local_rank)
        assert int(attributes["cores"]) == len(os.sched_getaffinity(0))
        assert attributes["cores.host"] == str(os.cpu_count())
        assert attributes["threads.OMP_NUM_THREADS"] == "1"
        assert attributes["threads.MKL_NUM_THREADS"] == "3"
        assert "threads.OPENBLAS_NUM_THREADS" not in attributes


def test_debian_mpi4py(executable: Path, tmp_path: Path) -> None:
    """Linked with Open MPI, where the wheel loads it."""
    require_launcher("openmpi")
    if not Path("/usr/lib/python3/dist-packages/mpi4py").is_dir():
        pytest.skip("there is no python3-mpi4py of the distribution")
    mpi = Mpi("openmpi", executable, Path("/usr/bin/python3"), None, tmp_path)
    recorded = mpi.record(2, mpi.write(HELLO), options=["-q"])
    assert recorded.result.stdout == "ranks 2 sum 1 []\n", recorded.complaint
    assert ranks_of(recorded) == [0, 1]


def test_threads_of_blas(executable: Path, tmp_path: Path) -> None:
    recorder = Recorder(executable, Path(sys.executable), tmp_path)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    program = recorder.write("import numpy\nprint(numpy.ones(3).sum())\n")
    recorded = recorder.record(program, options=["-q"], env=environment)
    (attributes,) = recorded.attributes()
    assert attributes["blas"] == "openblas 2", recorded.complaint
    assert attributes["threads.OPENBLAS_NUM_THREADS"] == "2"
