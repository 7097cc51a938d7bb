"""Examples of the page about Spark."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from spark_cluster import why_not

from conftest import CLASSICS, ROOT

PAGE = ROOT / "docs" / "spark.md"

SESSION = """
import skewer.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
"""


def test_examples_of_the_page_run_and_have_the_right_types(tmp_path: Path) -> None:
    """They run one after the other, as in a notebook with a session, where games.pgn is; mypy checks them."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 3
    page = tmp_path / "page.py"
    page.write_text("\n".join([SESSION, *blocks]), encoding="utf-8")
    types = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "python" / "pyproject.toml", page],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert types.returncode == 0, types.stdout
    reason = why_not()
    if reason:
        warnings.warn(f"the examples of Spark are skipped: {reason}", stacklevel=1)
        pytest.skip(reason)
    shutil.copy(CLASSICS, tmp_path / "games.pgn")
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    ran = subprocess.run([sys.executable, page], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
