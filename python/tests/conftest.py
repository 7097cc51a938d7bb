"""What several tests use."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import why_not

import skewer

ROOT = Path(__file__).resolve().parents[2]
CLASSICS = ROOT / "examples" / "classics.pgn"

FOOL = '[White "A"]\n[Black "B"]\n[WhiteElo "2400"]\n[Date "1999.12.31"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def pytest_configure() -> None:
    """Refuse to test the sources instead of what is installed."""
    assert "site-packages" in str(skewer.__file__), f"these tests are for an installed wheel, not for {skewer.__file__}"


def examples_of(page: Path) -> list[str]:
    """Return the examples in Python of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_with(*arguments: object, folder: Path, **environment: str) -> None:
    """Run Python in a folder, and show what it says if it fails."""
    ran = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def check_types(program: Path) -> None:
    run_with("-m", "mypy", "--config-file", ROOT / "python" / "pyproject.toml", program, folder=program.parent)


@pytest.fixture(scope="module")
def local_spark() -> Iterator[Any]:
    """Start Spark in this process, with two tasks at a time."""
    reason = why_not()
    if reason:
        # Aloud, also where reasons of skipped tests are not shown.
        warnings.warn(f"the tests of Spark are skipped: {reason}", stacklevel=1)
        pytest.skip(reason)
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


class Endless:
    """Games without an end."""

    def __init__(self) -> None:
        self.chunk = FOOL.encode() + b"\n"

    def read(self, size: int) -> bytes:
        return self.chunk * max(1, size // len(self.chunk))


@pytest.fixture
def endless() -> Endless:
    return Endless()


@pytest.fixture
def in_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let all results wait in files."""
    monkeypatch.setenv("SKEWER_RESULT_MEGABYTES", "0")
    yield
