"""A real Spark cluster on this machine: a standalone master and workers, each a process of its own with its executors.

    with spark_cluster(workers=2) as cluster:
        SparkSession.builder.master(cluster.url) ...
        cluster.kill_worker(0)                      # and its executors, without a word to anybody

Every process is in a process group of its own and ends with the ``with`` block. Should this process be killed, Linux kills the
master and the workers with it, and executors end themselves when their worker is gone.
"""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

# so little is done that to compile more thoroughly, or to verify what is loaded, takes longer than it saves
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
_WAIT = 60.0  # seconds for a process to be ready; here it takes two or three
_PR_SET_PDEATHSIG = 1


@dataclass
class SparkCluster:
    """The address of a running cluster, and its processes."""

    url: str
    folder: Path
    master: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def executors(self, worker: int) -> list[int]:
        """Return the executors that a worker has started."""
        return [pid for pid in _processes_of("CoarseGrainedExecutorBackend") if _group_of(pid) == self.workers[worker].pid]

    def kill_worker(self, worker: int) -> list[int]:
        """Kill a worker and its executors at once (SIGKILL), and return the executors that were killed."""
        executors = self.executors(worker)
        _kill(self.workers[worker])
        return executors


@contextmanager
def spark_cluster(workers: int = 2, memory: str = "1g", java: str = QUICK_JAVA) -> Iterator[SparkCluster]:
    """Start a cluster whose workers have one core and so much memory each; end all its processes at the end.

    ``java`` are options of Java for the executors. Without an address of its own (``SPARK_LOCAL_IP``), Spark would ask the network
    for one; the driver, which the executors call, needs the same one.
    """
    import pyspark

    home = Path(pyspark.__file__).parent
    folder = Path(tempfile.mkdtemp(prefix="spark-cluster-"))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))},
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": f"{QUICK_JAVA} -Dspark.master.rest.enabled=false",
        "SPARK_LAUNCHER_OPTS": QUICK_JAVA,
        "JDK_JAVA_OPTIONS": java,
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(home / "bin" / "spark-class"), *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                env=environment, start_new_session=True, preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            )  # fmt: skip
        started.append(process)
        return process

    try:
        address = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        master = start("master", "org.apache.spark.deploy.master.Master", *address)
        url = _wait_for(folder / "master.log", master, r"Starting Spark master at (spark://\S+)")
        _wait_for(folder / "master.log", master, r"New state: (ALIVE)")
        cluster = SparkCluster(url, folder, master)
        for number in range(workers):
            limits = ("--cores", "1", "--memory", memory, "--work-dir", str(folder / f"work-{number}"))
            cluster.workers.append(start(f"worker-{number}", "org.apache.spark.deploy.worker.Worker", *address, *limits, url))
        for number, worker in enumerate(cluster.workers):
            _wait_for(folder / f"worker-{number}.log", worker, r"Successfully registered with master (\S+)")
        yield cluster
    finally:
        for process in reversed(started):
            _kill(process)
        shutil.rmtree(folder, ignore_errors=True)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for(log: Path, process: subprocess.Popen[bytes], pattern: str) -> str:
    """Wait until a process has logged a line, and return the group of the pattern."""
    until = time.monotonic() + _WAIT
    while (found := re.search(pattern, log.read_text(errors="replace"))) is None:
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Spark's {log.stem} did not start:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)
    return found[1]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that are in its group, and wait for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _processes_of(java_class: str) -> list[int]:
    """Return the processes that run a class of Java."""
    pids = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if java_class.encode() in (path / "cmdline").read_bytes():
                pids.append(int(path.name))
    return pids


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None
