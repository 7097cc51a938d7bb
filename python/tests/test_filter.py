"""Games in the columns of Arrow."""

from __future__ import annotations

import datetime
import subprocess
import sys
import warnings
from pathlib import Path

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


def test_what_is_no_table_of_games_is_refused() -> None:
    query = skewer.compile("mate")
    with pytest.raises(TypeError, match="an Arrow table or stream"):
        query.filter("games.pgn")  # type: ignore[arg-type]
    with pytest.raises(skewer.InputError, match="it has no column `movetext`"):
        query.filter(pa.table({"White": ["A"]}))
    with pytest.raises(skewer.InputError, match="holds numbers, where text is expected"):
        query.filter(pa.table({"movetext": [1]}))


def test_evaluations_and_clocks_of_aix_archives_are_read() -> None:
    """1. f3 e5 2. g4 Qh4#, twice, with lists of small and of large offsets."""
    moves = bytes([13, 21, 52, 36, 14, 30, 59, 31, 0])
    table = pa.table({
        "movedata": [moves, moves],
        "evals": pa.array([[-12, None, -32768], None], pa.list_(pa.int16())),
        "clocks_white": pa.array([None, [3723]], pa.large_list(pa.uint16())),
        "clocks_black": pa.array([[60], []], pa.list_(pa.uint16())),
    })
    for games in (table, pl.from_arrow(table)):
        for text, places in [("eval < 0", [(1, 1), (1, 3)]), ("clock", [(1, 2), (2, 1)])]:
            assert [(match.game, match.positionid) for match in skewer.compile(text).filter(games)] == places
