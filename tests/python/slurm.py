"""A Slurm of one node, for the tests: daemons, keys, ports and folders of its own."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from running import Result, run_command, wait_until

DAEMONS = ("munged", "slurmctld", "slurmd")
CPUS = 8  # more than there are, as ranks are many

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
KillWait=3
InactiveLimit=0
SlurmUser=root
SlurmdUser=root
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=YES State=UP
"""


def why_not() -> str:
    """Empty where a Slurm can be had."""
    missing = [name for name in DAEMONS if not shutil.which(name, path="/usr/sbin:/usr/bin")]
    if missing:
        return f"there is no {missing[0]}; on Debian: apt-get install munge slurmctld slurmd"
    return "" if os.geteuid() == 0 else "the daemons of Slurm need root"


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@dataclass
class Slurm:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), "OMP_NUM_THREADS": "1"}

    def run(self, *words: object, **keywords: object) -> Result:
        environment = {**self.environment, **keywords.pop("env", {})}  # type: ignore[dict-item]
        return run_command(words, env=environment, **keywords)

    def is_ready(self) -> bool:
        states = self.run("sinfo", "-h", "-o", "%T", timeout=10).stdout.split()
        return states == ["idle"]

    def has_job(self, job: str) -> bool:
        return self.run("squeue", "-h", "-j", job, timeout=10).stdout.strip() != ""


@contextmanager
def one_node(folder: Path) -> Iterator[Slurm]:
    """Ended with everything it started when the context ends."""
    folder.chmod(0o755)  # munged wants to be sure of the way to its socket
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    controller_port, node_port = free_ports(2)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0],
            folder=folder,
            cpus=CPUS,
            controller_port=controller_port,
            node_port=node_port,
        )
    )
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    files = [f"--{name}={folder}/munge.{name.split('-')[0]}" for name in ("pid-file", "log-file")]
    munged: Sequence[object] = [
        *("/usr/sbin/munged", "--foreground", "--force", f"--key-file={key}"),
        *(f"--socket={folder}/munge.socket", f"--seed-file={folder}/munge.seed", *files),
    ]
    slurm = Slurm(folder)
    daemons: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> None:
        log = (folder / "daemons.log").open("ab")
        daemons.append(
            subprocess.Popen(
                [str(word) for word in words], env=slurm.environment, stdout=log, stderr=log
            )
        )

    try:
        start(*munged)
        wait_until((folder / "munge.socket").exists)
        start("/usr/sbin/slurmctld", "-D", "-i")
        start("/usr/sbin/slurmd", "-D")
        try:
            wait_until(slurm.is_ready, 60)
        except AssertionError:
            logs = "\n".join(path.read_text()[-2000:] for path in folder.glob("*.log"))
            print(logs, file=sys.stderr)
            raise
        yield slurm
    finally:
        slurm.run("scancel", "--full", "--state=RUNNING", timeout=10)
        for daemon in reversed(daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def require_slurm() -> None:
    reason = why_not()
    if not reason:
        return
    if os.environ.get("CI") and "no " in reason:
        pytest.fail(reason)
    pytest.skip(reason)
