"""Results as tables of others."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import skewer

from conftest import CLASSICS, FOOL

CHECK = skewer.compile('check comment("it is " ply)')

COLUMNS = {
    "file": polars.String,
    "game": polars.Int64,
    "positionid": polars.Int32,
    "ply": polars.Int32,
    "movenumber": polars.Int32,
    "side": polars.String,
    "fen": polars.String,
    "white": polars.String,
    "black": polars.String,
    "white_elo": polars.Int32,
    "black_elo": polars.Int32,
    "event": polars.String,
    "site": polars.String,
    "date": polars.Date,
    "year": polars.Int32,
    "result": polars.String,
    "eco": polars.String,
    "move": polars.String,
    "uci": polars.String,
    "comments": polars.List(polars.String),
    "query_side": polars.String,
}


def frame(result: skewer.Result) -> polars.DataFrame:
    return polars.DataFrame(result)


def test_columns_have_types() -> None:
    result = CHECK.search(CLASSICS)
    assert dict(frame(result).schema) == COLUMNS
    # The table says the same as the matches.
    for row, found in zip(frame(result).iter_rows(named=True), result, strict=True):
        assert row == {name: getattr(found, name) for name in COLUMNS}


def test_sort_keys_are_columns() -> None:
    query = skewer.compile('check sort "depth" ply sort "who" player white sort "ply" movenumber')
    table = frame(query.search(CLASSICS))
    assert table.columns[len(COLUMNS) :] == ["depth", "who", "ply_"]
    assert table.schema["depth"] == polars.Int64 and table.schema["who"] == polars.String
    depths = table["depth"].to_list()
    assert depths == sorted(depths, reverse=True)


def test_others_take_results() -> None:
    result = CHECK.search(CLASSICS)
    rows = len(result)
    assert pyarrow.table(result).num_rows == rows
    assert pyarrow.table(result).schema.equals(pyarrow.schema(result))
    assert pandas.DataFrame.from_arrow(result).shape == (rows, len(COLUMNS))
    counted = duckdb.sql("SELECT count(*), count(DISTINCT white) FROM result")
    assert counted is not None and counted.fetchall() == [(rows, frame(result)["white"].n_unique())]
    # As often as you like.
    assert frame(result).equals(frame(result))


def test_nothing_found_is_a_table_without_rows() -> None:
    result = skewer.compile("false").search(FOOL)
    assert len(result) == 0 and list(result) == [] and frame(result).shape == (0, len(COLUMNS))
    assert dict(frame(result).schema) == COLUMNS
    assert "0 positions" in result._repr_html_() and result.to_pgn() == ""


def test_dates_are_dates() -> None:
    def dates(*dates: str) -> Any:
        games = "\n".join(f'[White "A"]\n[Date "{date}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' for date in dates)
        return frame(skewer.compile("mate").search(games)).select("date", "year").rows()

    found = dates(
        "1970.01.01", "2000.02.29", "1900.02.29", "1851.06.21", "1960.05.??", "1960.??.??", "????.??.??", "2024.12.31"
    )
    assert [(str(date), year) for date, year in found] == [
        ("1970-01-01", 1970),
        ("2000-02-29", 2000),
        ("None", 1900),
        ("1851-06-21", 1851),
        ("None", 1960),
        ("None", 1960),
        ("None", None),
        ("2024-12-31", 2024),
    ]


def many(count: int) -> str:
    return "\n".join(f'[White "{number}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n' for number in range(count))


def test_large_results_are_the_same_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    games = many(9_000)
    for text in ["mate", 'mate sort min "name" player white']:
        query = skewer.compile(text)
        monkeypatch.delenv("SKEWER_RESULT_MEGABYTES", raising=False)
        in_memory = query.search(games)
        monkeypatch.setenv("SKEWER_RESULT_MEGABYTES", "0")
        in_file = query.search(games)
        assert frame(in_file).equals(frame(in_memory)) and len(in_file) == 9_000
        assert [found.white for found in in_file] == frame(in_memory)["white"].to_list()
        assert in_file[8_500].white == in_memory[8_500].white
    assert frame(in_file)["white"].to_list() == sorted(map(str, range(9_000)))
