"""Examples of the page about Spark."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path

import pytest
from spark_cluster import why_not

from conftest import CLASSICS, ROOT, check_types, examples_of, run_with

PAGE = ROOT / "docs" / "spark.md"

SESSION = """
import skewer.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
"""


def test_examples_of_the_page_run_and_have_the_right_types(tmp_path: Path) -> None:
    """They run one after the other, as in a notebook with a session, where games.pgn is; mypy checks them."""
    examples = examples_of(PAGE)
    assert len(examples) > 3
    page = tmp_path / "page.py"
    page.write_text("\n".join([SESSION, *examples]), encoding="utf-8")
    check_types(page)
    reason = why_not()
    if reason:
        warnings.warn(f"the examples of Spark are skipped: {reason}", stacklevel=1)
        pytest.skip(reason)
    shutil.copy(CLASSICS, tmp_path / "games.pgn")
    run_with(page, folder=tmp_path, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
