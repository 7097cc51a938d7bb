"""Games in the columns of Arrow."""

from __future__ import annotations

import datetime
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skewer

from conftest import CLASSICS

QUERIES = ["mate", "xray (R a k)", "cql(variations) check", "year < 1870 mate", 'originalcomment ~~ "a"']


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "classics.parquet"
    indexed = [sys.executable, "-m", "skewer", "index", str(CLASSICS), "-o", str(path), "--quiet"]
    subprocess.run(indexed, check=True)
    return path


def found(result: skewer.Result) -> list[tuple[int, int, str, str | None, list[str]]]:
    return [(match.game, match.positionid, match.fen, match.white, match.comments) for match in result]


@pytest.mark.parametrize("text", QUERIES)
def test_rows_of_a_database_give_what_the_file_gives(database: Path, text: str) -> None:
    query = skewer.compile(text)
    expected = found(query.search(database))
    table = pq.read_table(database)
    assert found(query.filter(table)) == expected
    assert found(query.filter(table.to_batches(max_chunksize=3))) == expected
    assert found(query.filter(pl.read_parquet(database))) == expected
    assert found(query.filter(duckdb.read_parquet(str(database)).to_arrow_table())) == expected


def test_copies_of_a_database_give_what_the_database_gives(tmp_path: Path) -> None:
    """Other programs keep the columns, but not what skewer needs to trust them."""
    games = tmp_path / "odd.pgn"
    games.write_bytes(
        b'[White "A \\"B\\""]\n[Annotator "C"]\n\n1. e2-e4 {good} e5 $300 2. Nf3 (2. f4 exf4) 1-0\n\n'
        b'[Event "\xe9t\xe9"]\n[White "D"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
        b'[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 Qxd4 *\n\n'
        b'[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]\n\n1. O-O-O Ke7 *\n\n1. d4 *\n'
    )
    database = tmp_path / "odd.parquet"
    indexed = [sys.executable, "-m", "skewer", "index", str(games), "-o", str(database), "--quiet"]
    subprocess.run(indexed, check=True)
    copies = [tmp_path / "pyarrow.parquet", tmp_path / "polars.parquet", tmp_path / "duckdb.parquet"]
    pq.write_table(pq.read_table(database), copies[0])
    pl.read_parquet(database).write_parquet(copies[1])
    duckdb.sql(f"COPY (FROM '{database}') TO '{copies[2]}' (FORMAT parquet)")
    for text in [*QUERIES, "true", 'tag "Annotator" ~~ "C"', "#A == 32 ply == 4"]:
        query = skewer.compile(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", skewer.PgnWarning)
            expected = found(query.search(games))
            for copy in copies:
                assert found(query.search(copy)) == expected, (text, copy)


def test_a_query_that_sorts_sorts_rows(database: Path) -> None:
    query = skewer.compile('mate sort "moves" movenumber')
    expected = found(query.search(database))
    assert len(expected) > 3 and [row[0] for row in expected] != sorted(row[0] for row in expected)
    assert found(query.filter(pq.read_table(database))) == expected


def test_sets_of_others_are_read_by_their_movetext() -> None:
    games = {
        "white_elo": pa.array([1500, None, 1700], pa.int16()),
        "White": pa.array(["A", "B", "A"]).dictionary_encode(),
        "UTCDate": pa.array([datetime.date(2020, 2, 29)] * 3),
        "UTCTime": pa.array([datetime.time(12, 34, 56)] * 3, pa.time64("us")),
        "movetext": ["1. e4 e5 *", None, "1. f3 e5 2. g4 Qh4# 0-1"],
        "clocks": [[1], [2], [3]],
    }
    result = skewer.compile('mate tag "UTCDate" ~~ "2020.02.29" tag "UTCTime" ~~ "12:34:56"').filter(pa.table(games))
    assert [(match.game, match.white, match.white_elo) for match in result] == [(3, "A", 1700)]
    assert result.warning_count == 1 and "the row has no moves" in result.warnings[0]


MATE = "1. f3 e5 2. g4 Qh4# 0-1"


@pytest.mark.parametrize(
    "ratings",
    [
        pa.array([2500, None], pa.int16()),
        pa.array([2500, None], pa.uint64()),
        pa.array([2500.0, None]),
        pa.array([2500.0, float("nan")], pa.float32()),
        pa.array([2500, None]).dictionary_encode(),
        pa.array(["2500", None]),
        pa.array(["2500", None], pa.string_view()),
    ],
    ids=lambda ratings: str(ratings.type),
)
def test_ratings_may_be_numbers_of_any_type(ratings: pa.Array, tmp_path: Path) -> None:
    """Such as fractions, which pandas makes of numbers some of which are unknown."""
    games = pa.table({"WhiteElo": ratings, "movetext": [MATE, MATE]})
    query = skewer.compile("elo white > 2400 mate")
    pq.write_table(games, tmp_path / "games.parquet")
    for result in (query.filter(games), query.search(tmp_path / "games.parquet")):
        assert [(match.game, match.white_elo) for match in result] == [(1, 2500)]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_may_be_points_in_time(unit: str, tmp_path: Path) -> None:
    midnight, evening = datetime.datetime(2020, 2, 29), datetime.datetime(2020, 3, 1, 20, 30)
    dates = pa.array([midnight, None, evening], pa.timestamp(unit))
    games = pa.table({"Date": dates, "movetext": [MATE, MATE, MATE]})
    query = skewer.compile("mate")
    pq.write_table(games, tmp_path / "games.parquet")
    for result in (query.filter(games), query.search(tmp_path / "games.parquet")):
        assert [(match.year, match.date) for match in result] == [
            (2020, datetime.date(2020, 2, 29)),
            (None, None),
            (2020, datetime.date(2020, 3, 1)),
        ]


def test_a_column_without_values_may_be_of_any_type() -> None:
    query = skewer.compile("elo white > 2400 or mate")
    games = pa.table({"movetext": [MATE], "WhiteElo": pa.nulls(1), "FEN": pa.nulls(1), "movedata": pa.nulls(1)})
    assert [match.game for match in query.filter(games)] == [1]
    with pytest.warns(skewer.PgnWarning, match="the row has no moves"):
        assert len(query.filter(pa.table({"movetext": pa.nulls(1)}))) == 0


def test_batches_may_come_one_by_one(database: Path) -> None:
    query = skewer.compile("mate")
    expected = found(query.search(database))
    batches = pq.ParquetFile(database).iter_batches(batch_size=5)
    assert found(query.filter(batches)) == expected
    assert found(query.filter(pq.ParquetFile(database).iter_batches(batch_size=5), threads=3)) == expected

    def broken() -> Iterator[pa.RecordBatch]:
        yield from pq.read_table(database).to_batches()
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        query.filter(broken())


def test_parts_of_tables_are_numbered_from_their_beginning() -> None:
    games = pa.table({"White": ["A", "B", "C"], "movetext": ["1. e4 *", MATE, MATE]})
    query = skewer.compile("mate")
    for part in (
        games.slice(1),
        games.to_batches()[0].slice(1),
        [games.slice(1, 0), games.slice(1, 1), games.slice(2)],
    ):
        assert [(match.game, match.white) for match in query.filter(part)] == [(1, "B"), (2, "C")]
    assert query.filter(games.slice(1, 0)).games == query.filter([]).games == 0


def test_what_is_no_table_of_games_is_refused() -> None:
    query = skewer.compile("mate")
    wrongs: list[Any] = ["games.pgn", None, 5, [5], {"movetext": ["1. e4"]}, pa.array([1]), pl.Series([1])]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="an Arrow table or stream"):
            query.filter(wrong)
    with pytest.raises(skewer.InputError, match="it has no column `movetext`"):
        query.filter(pa.table({"White": ["A"]}))
    with pytest.raises(skewer.InputError, match="holds numbers, where text is expected"):
        query.filter(pa.table({"movetext": [1]}))


def test_evaluations_and_clocks_of_aix_archives_are_read() -> None:
    """1. f3 e5 2. g4 Qh4#, twice, with lists of small and of large offsets."""
    moves = bytes([13, 21, 52, 36, 14, 30, 59, 31, 0])
    table = pa.table(
        {
            "movedata": [moves, moves],
            "evals": pa.array([[-12, None, -32768], None], pa.list_(pa.int16())),
            "clocks_white": pa.array([None, [3723]], pa.large_list(pa.uint16())),
            "clocks_black": pa.array([[60], []], pa.list_(pa.uint16())),
        }
    )
    for games in (table, pl.from_arrow(table)):
        for text, places in [("eval < 0", [(1, 1), (1, 3)]), ("clock", [(1, 2), (2, 1)])]:
            assert [(match.game, match.positionid) for match in skewer.compile(text).filter(games)] == places


def test_positions_of_a_frame_are_searched() -> None:
    fens = ["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]
    themes = [["mate", "short"], []]
    frame = pl.DataFrame({"fen": fens, "moves": ["d1d8", None], "themes": themes, "cp": [None, -12.0]})
    for table in [
        frame,
        frame.to_arrow(),
        pa.table({"FEN": fens, "Moves": ["d1d8", ""], "themes": themes, "cp": [0, -12]}),
    ]:
        assert [(match.game, match.ply) for match in skewer.compile("mate").filter(table)] == [(1, 1), (2, 0)]
        assert len(skewer.compile('mate tag "themes" == "mate short"').filter(table)) == 1
        assert [match.game for match in skewer.compile("eval == -12").filter(table)] == [2]
