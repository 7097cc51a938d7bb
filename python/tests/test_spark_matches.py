"""A query as a function of a column of FENs."""

from __future__ import annotations

from typing import Any

import pytest

import skewer

from conftest import CLASSICS

pytest.importorskip("pyspark", reason="PySpark is not installed")
import skewer.spark

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
# As EPD has it.
DRAWN = "8/8/8/8/8/8/8/K6k w - -"


@pytest.fixture(params=["functions of Arrow", "functions of pandas"])
def any_spark(local_spark: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Spark as it is, and as before version 4.1."""
    from pyspark.sql import functions

    if request.param == "functions of pandas":
        pytest.importorskip("pandas")
        monkeypatch.delattr(functions, "arrow_udf", raising=False)
    elif not hasattr(functions, "arrow_udf"):
        pytest.skip("this version of Spark has none")
    return local_spark


def frame(spark: Any, *fens: str | None) -> Any:
    return spark.createDataFrame([(fen,) for fen in fens], "fen string")


def test_positions_match_as_in_python(any_spark: Any) -> None:
    every = skewer.compile("true").search(CLASSICS)
    fens = [found.fen for found in every][::3]
    query = skewer.compile("flipcolor {Q attacks k} or legal --(mate)")
    expected = [fen for fen in fens if query.matches(fen)]
    assert 5 < len(expected) < len(fens)
    found = frame(any_spark, *fens).filter(skewer.spark.matches(query, "fen")).collect()
    assert sorted(row.fen for row in found) == sorted(expected)


def test_it_is_a_column_and_a_function_of_sql(any_spark: Any) -> None:
    from pyspark.sql.functions import col

    positions = frame(any_spark, MATED, None, DRAWN)
    column = skewer.spark.matches("mate", col("fen"))
    answers = positions.withColumn("mate", column)
    assert answers.schema["mate"].simpleString() == "mate:boolean"
    assert [row.mate for row in answers.collect()] == [True, None, False]
    any_spark.udf.register("is_mate", skewer.spark.matches("mate"))
    positions.createOrReplaceTempView("positions")
    assert [row.fen for row in any_spark.sql("SELECT fen FROM positions WHERE is_mate(fen)").collect()] == [MATED]
    assert [row.mate for row in frame(any_spark, None, None).withColumn("mate", column).collect()] == [None, None]


def test_a_text_that_is_no_fen_fails_the_job_or_is_null(any_spark: Any) -> None:
    from pyspark.errors import PySparkException

    # An eighth rank, a king and a text are missing.
    wrong = frame(any_spark, MATED, "6Q1/6K1/8/8/8/8/8 b - - 0 1", "", "nonsense", DRAWN)
    with pytest.raises(PySparkException, match="is not a FEN"):
        wrong.withColumn("mate", skewer.spark.matches("mate", "fen")).collect()
    answers = wrong.withColumn("mate", skewer.spark.matches("mate", "fen", on_error="null"))
    assert [row.mate for row in answers.collect()] == [True, None, None, None, False]
    with pytest.raises(ValueError, match='"null" or "fail"'):
        skewer.spark.matches("mate", "fen", on_error="warn")  # type: ignore[call-overload]


def test_what_is_no_question_about_a_position_is_refused(any_spark: Any) -> None:
    with pytest.raises(skewer.QueryError, match="chekc"):
        skewer.spark.matches("chekc")
    with pytest.raises(skewer.QueryError, match="persistent"):
        skewer.spark.matches("cql() persistent Wins=0", "fen")
    with pytest.raises(skewer.QueryError, match="tablebases"):
        skewer.spark.matches("wdl == 2", "fen")
    # The order of games is nothing to a position.
    assert frame(any_spark, MATED).filter(skewer.spark.matches('mate sort "x" ply', "fen")).count() == 1


def test_a_column_of_something_else_is_an_error(local_spark: Any) -> None:
    from pyspark.errors import PySparkException

    numbers = local_spark.createDataFrame([(1,)], "fen int")
    with pytest.raises(PySparkException, match=r"not a FEN|is not a position"):
        numbers.withColumn("mate", skewer.spark.matches("mate", "fen")).collect()
