"""Counts on Spark: the numbers are those of the command on the same files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import skewer

from conftest import CLASSICS, FOOL, ROOT

pytest.importorskip("pyspark", reason="PySpark is not installed")
import skewer.spark

GOLDEN = ROOT / "tests" / "golden" / "pgn"
ARCHIVE = Path(__file__).parent / "archives" / "lichess.parquet"
RATED = FOOL + "\n" + FOOL.replace("2400", "1900").replace("1999", "2001").replace('"A"', '"C"')


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games in several files, each of which is a part of its own: the groups of one are also in others."""
    folder = tmp_path_factory.mktemp("games")
    of_classics = CLASSICS.read_text(encoding="utf-8").split("\n[Event ")
    for number in range(3):
        part = [of_classics[0], *(f"[Event {game}" for game in of_classics[1:])][number::3]
        (folder / f"classics{number}.pgn").write_text("\n".join(part), encoding="utf-8")
    shutil.copy(GOLDEN / "tree.pgn", folder)
    (folder / "rated.pgn").write_text(RATED, encoding="utf-8")
    skewer.index(GOLDEN / "mainline.pgn", folder / "mainline.parquet")
    return folder


def of_spark(frame: Any) -> list[dict[str, Any]]:
    """The groups, in an order that both have."""
    rows = [row.asDict() for row in frame.collect()]
    groups = [{name: value for name, value in row.items() if name != "warning"} for row in rows if not row["warning"]]
    return sorted(groups, key=str)


def of_command(queries: Any, paths: Any, **options: Any) -> list[dict[str, Any]]:
    return sorted(skewer.stats(queries, paths, **options).to_pylist(), key=str)


MANY = {"mate": "mate", "checks": "flipcolor {btm Q attacks k}", "none": "false"}
COUNTS: list[tuple[Any, dict[str, Any]]] = [
    ("check", {}),
    ("check", {"by": "year:10"}),
    ("check", {"by": ["result", "eco:1"]}),
    ("check", {"by": "elo:200"}),
    ("mate", {"by": "player"}),
    ("mate", {"by": "source"}),
    ("mate", {"by": "player", "for_whom": "mover", "value": "ply", "histogram": True}),
    ("check", {"by": "player,result", "for_whom": "mover"}),
    ("check", {"by": "pawns=#P"}),
    ("check", {"by": ["result", "ply:20", "squares=k", "mated=mate"], "first": True}),
    ("x=#P check", {"by": "half:4=x", "variations": True}),
    (None, {"next": True}),
    (MANY, {"by": "result"}),
    (MANY, {"by": "result,query", "for_whom": "query"}),
    (MANY, {"next": True, "for_whom": "white", "player": "Fir"}),
    (MANY, {"by_player": "Anderssen", "by": "tag:Event"}),
    ("check", {"by": "result", "value": "movenumber", "histogram": True}),
    (MANY, {"by": "moved=A attacks k", "value": "A attacks k", "year": (1800, 1900), "white": "a"}),
]


@pytest.mark.parametrize(("queries", "options"), COUNTS, ids=str)
def test_files_have_the_numbers_of_the_command(local_spark: Any, games: Path, queries: Any, options: Any) -> None:
    expected = of_command(queries, games, **options)
    assert expected
    frame = skewer.spark.stats(games, queries, **options)
    assert frame.columns == [*expected[0], "warning"]
    assert of_spark(frame) == expected


@pytest.mark.parametrize("options", [{"by": "result"}, {"by": "white", "next": True}, {"value": "ply"}], ids=str)
def test_frames_have_the_numbers_of_the_command(local_spark: Any, games: Path, options: Any) -> None:
    for path in (games / "mainline.parquet", ARCHIVE):
        frame = local_spark.read.parquet(str(path)).repartition(3)
        assert of_spark(skewer.spark.stats(frame, MANY, **options)) == of_command(MANY, path, **options)
    # Narrowed by Spark.
    frame = local_spark.read.parquet(str(ARCHIVE)).filter("Result = '1-0'")
    (won,) = of_spark(skewer.spark.stats(frame, "check", by="result"))
    (expected,) = of_command("check", ARCHIVE, by="result", result="1-0")
    assert won == expected


def test_streams_have_the_numbers_of_the_command(local_spark: Any, games: Path) -> None:
    paths = sorted(games.glob("*.pgn"))
    frame = skewer.spark.stats([f"file://{path}" for path in paths], "check", by="eco", shared=False)
    assert of_spark(frame) == of_command("check", paths, by="eco")


def test_columns_have_the_types_of_the_command(local_spark: Any, games: Path) -> None:
    import pyarrow

    frame = skewer.spark.stats(games, MANY, by=["year", "pawns=#P", "king=k"], value="ply", histogram=True)
    table = skewer.stats(MANY, games, by=["year", "pawns=#P", "king=k"], value="ply", histogram=True)
    names = {pyarrow.int64(): "bigint", pyarrow.float64(): "double", pyarrow.string(): "string"}
    assert frame.dtypes == [*((field.name, names[field.type]) for field in table.schema), ("warning", "string")]
    # A value that is a text in one query is text in all.
    mixed = skewer.spark.stats(games, {"one": "x=1 mate", "two": 'x="a" mate'}, by="x=x")
    assert dict(mixed.dtypes)["x"] == "string"
    assert {row["x"] for row in of_spark(mixed)} == {"1", "a"}


def test_what_cannot_be_read_is_told_once_a_part(local_spark: Any, tmp_path: Path) -> None:
    from pyspark.errors import PySparkException

    wrong = tmp_path / "wrong.pgn"
    wrong.write_text(FOOL + "\n1. e4 e5 2. Ke8 *\n\n1. e4 e5 2. Ke7 *\n")
    (tmp_path / "damaged.pgn.gz").write_bytes(bytes.fromhex("1f8b0800000000000003") + b"damage")
    (tmp_path / "right.pgn").write_text(FOOL)
    rows = skewer.spark.stats(tmp_path, "mate", by="result").collect()
    groups = {row.result: (row.searched, row.games) for row in rows if not row.warning}
    assert groups == {"0-1": (2, 2), "*": (2, 0)}
    told = sorted(row.warning for row in rows if row.warning)
    assert len(told) == 2
    assert "damaged.pgn.gz" in told[0] and "not searched to its end" in told[0]
    assert "wrong.pgn" in told[1] and "game 2" in told[1] and "more warning" in told[1]
    with pytest.raises(PySparkException, match=r"damaged\.pgn\.gz"):
        skewer.spark.stats(tmp_path, "mate", by="result", on_error="fail").collect()
    frame = local_spark.createDataFrame(
        [(1, 0, 0, bytearray(b"\x0c\x1c\x00")), (2, 0, 9, bytearray(b"\x0c\x1c\x00"))],
        "id int, events int, outcome int, movedata binary",
    ).selectExpr("*", "cast(null as string) FEN", "cast(null as binary) pgn", "cast(null as binary) line")
    with pytest.raises(PySparkException, match="the column `Date` is damaged: it is missing"):
        skewer.spark.stats(frame, "true").collect()
    texts = [f"cast(null as string) {name}" for name in ("Date", "UTCDate")]
    frame = frame.selectExpr("*", *texts, "cast(null as int) WhiteElo", "cast(null as int) BlackElo")
    rows = skewer.spark.stats(frame, "true").collect()
    assert sorted((row.searched or 0, row.warning or "") for row in rows) == [
        (0, "the row cannot be read: an unknown result"),
        (1, ""),
    ]
    with pytest.raises(PySparkException, match="an unknown result"):
        skewer.spark.stats(frame, "true", on_error="fail").collect()


def test_what_cannot_be_counted_is_refused_before_the_job(local_spark: Any, games: Path) -> None:
    def refused(error: type[Exception], message: str, queries: Any = "check", **options: Any) -> None:
        with pytest.raises(error, match=message):
            skewer.spark.stats(games, queries, **options)

    refused(skewer.QueryError, "chekc", "chekc")
    refused(skewer.QueryError, "chekc", by="x=chekc")
    refused(skewer.QueryError, "persistent", {"a": "cql() persistent Wins=0"})
    refused(skewer.QueryError, "gamenumber", by="x=gamenumber")
    refused(skewer.QueryError, "a set whose squares are counted", value="check")
    refused(skewer.QueryError, "results are", result="2-0")
    refused(skewer.Error, "did you mean `year`", by="yaer")
    refused(skewer.Error, "the name of another column", by="games=#P")
    refused(skewer.Error, "two columns `games`", by="Games=#P")
    refused(skewer.Error, "two keys with the name", by=["x=#P", "x=#p"])
    refused(skewer.Error, "white, black, mover or query", for_whom="me")
    refused(skewer.Error, "there are no queries", {})
    refused(TypeError, "`orderBy` and `limit`", top=3)
    refused(TypeError, "games have numbers in their files", numbers=5)
    refused(TypeError, "no option `tops`", tops=3)
    refused(ValueError, '"warn" or "fail"', on_error="ignore")
    frame = local_spark.read.parquet(str(ARCHIVE))
    with pytest.raises(skewer.Error, match="no `source`"):
        skewer.spark.stats(frame, "check", by="source")


def test_too_many_groups_fail_the_job(local_spark: Any, games: Path) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="more groups than there may be"):
        skewer.spark.stats(games, "true", by="p=currentposition", max_groups=50).collect()
