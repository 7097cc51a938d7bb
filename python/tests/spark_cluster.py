"""A standalone cluster of Spark on this machine: a master and two workers, all on 127.0.0.1."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO


def spark_home() -> Path:
    import pyspark

    return Path(pyspark.__file__).parent


class Cluster:
    """The processes, and the address of the master."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_HOSTNAME": "127.0.0.1",
            "SPARK_WORKER_DIR": str(folder / "work"),
            "SPARK_LOCAL_DIRS": str(folder / "local"),
            # What runs the tasks, and the processes of the cluster themselves need little.
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_DAEMON_MEMORY": "256m",
        }
        try:
            self.master = self._start_master()
            self.workers = [self._start_worker(number) for number in range(2)]
        except BaseException:
            self.stop()
            raise

    def _start_master(self) -> str:
        log = self._launch("master", "org.apache.spark.deploy.master.Master", "--port", "0", "--webui-port", "0")
        found = wait_for(log, re.compile(r"Starting Spark master at (spark://\S+)"))
        return found.group(1)

    def _start_worker(self, number: int) -> subprocess.Popen[bytes]:
        arguments = ["-c", "1", "-m", "1500M", "--webui-port", "0", self.master]
        log = self._launch(f"worker{number}", "org.apache.spark.deploy.worker.Worker", *arguments)
        wait_for(log, re.compile("Successfully registered with master"))
        return self.processes[-1]

    def _launch(self, name: str, main: str, *arguments: str) -> Path:
        log = self.folder / f"{name}.log"
        out: IO[bytes]
        with log.open("wb") as out:
            command = [str(spark_home() / "bin" / "spark-class"), main, "--host", "127.0.0.1", *arguments]
            process = subprocess.Popen(
                command, env=self.environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            )
        self.processes.append(process)
        return log

    def kill_worker(self) -> None:
        """Kill a worker and what it has started, as when a machine fails."""
        worker = self.workers.pop(0)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(10)

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(15)


def wait_for(log: Path, expected: re.Pattern[str], seconds: float = 60) -> re.Match[str]:
    """Wait until a log has a line, at most so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = expected.search(log.read_text(errors="replace"))
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"{expected.pattern} is not in {log}:\n{log.read_text(errors='replace')[-2000:]}")


def why_not() -> str | None:
    """Why there can be no cluster here, if so."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "PySpark is not installed"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java: apt-get install openjdk-17-jre-headless"
    return None
