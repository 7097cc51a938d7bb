"""Spark Connect: the client has no Java, and a server, which a test starts on this machine, has the tasks."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest
from spark_cluster import why_not

import skewer

from conftest import CLASSICS

# Searches by path and in a DataFrame, and prints how many rows there are of each query, and a column that was kept.
SCRIPT = """
    import sys
    from pyspark.sql import SparkSession
    import skewer.spark

    spark = SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    assert "connect" in type(spark).__module__
    queries = {"mate": "mate", "check": "check"}
    pgn, archive = sys.argv[1:]
    try:
        by_path = skewer.spark.search(pgn, queries, ["White"])
        frame = spark.read.parquet(archive).selectExpr("*", "length(movetext) AS length")
        by_frame = skewer.spark.search(frame, queries, keep=["length"])
        for found in (by_path, by_frame):
            rows = found.collect()
            assert all(row.warning is None and row.file for row in rows)
            print(*(sum(row.query == name for row in rows) for name in queries))
        print(min(row.length for row in rows) > 0)
        (counted,) = skewer.spark.stats(frame, "mate", next=True, value="ply").collect()
        print(counted.matching, counted.mean)
        print(*(found.filter(skewer.spark.matches("mate", "fen")).count() for found in (by_path, by_frame)))
    finally:
        spark.stop()
"""


def test_a_client_of_spark_connect_gets_what_the_command_gives() -> None:
    reason = why_not()
    if importlib.util.find_spec("grpc") is None:
        reason = "PySpark is installed without its extra `connect`"
    if reason:
        warnings.warn(f"the test of Spark Connect is skipped: {reason}", stacklevel=1)
        pytest.skip(reason)
    archive = Path(__file__).parent / "archives" / "lichess.parquet"
    counts = [str(len(skewer.compile(text).search(CLASSICS))) for text in ("mate", "check")]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(CLASSICS), str(archive)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    mates = skewer.compile("mate").search(CLASSICS)
    mean = sum(mate.ply for mate in mates) / len(mates)
    # A mate is a check, too.
    both = str(2 * len(mates))
    assert done.stdout.split() == [*counts, *counts, "True", str(len(mates)), str(mean), both, both]
