"""Columns that a search adds, and the side of which a query holds."""

from __future__ import annotations

import csv
import pickle
import subprocess
import sys
from typing import Any

import polars
import pytest

import skewer

from conftest import CLASSICS

QUEEN_CHECK = "men=#A flipcolor {btm Q attacks k}"
COLUMNS = {"total": "men+#a", "kings": "[Kk]", "before": "parent", "mated": "mate", "none": "1/0"}


def test_columns_have_the_values_of_the_command() -> None:
    result = skewer.search(QUEEN_CHECK, CLASSICS, columns=COLUMNS)
    command = [sys.executable, "-m", "skewer", "search", "-q", "-f", "csv", "-e", QUEEN_CHECK, str(CLASSICS)]
    for name, text in COLUMNS.items():
        command += ["--column", f"{name}={text}"]
    printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    rows = list(csv.DictReader(printed.splitlines()))
    assert len(rows) == len(result) == 18

    def shown(value: Any) -> str:
        return (
            {None: "", True: "true", False: "false"}.get(value, str(value))
            if not isinstance(value, int) or isinstance(value, bool)
            else str(value)
        )

    for found, row in zip(result, rows, strict=True):
        assert {name: shown(value) for name, value in found.columns.items()} == {name: row[name] for name in COLUMNS}
        assert found.query_side == row["query_side"] == {"black": "white", "white": "black"}[found.side]
        assert found["total"] == found.columns["total"]


def test_columns_have_types() -> None:
    result = skewer.search('sort "plies" ply ' + QUEEN_CHECK, CLASSICS, columns={**COLUMNS})
    schema = polars.DataFrame(result).schema
    assert [schema[name] for name in COLUMNS] == [
        polars.Int32,
        polars.String,
        polars.String,
        polars.Boolean,
        polars.Int32,
    ]
    assert list(schema)[-7:] == ["query_side", *COLUMNS, "plies"]
    assert result[0].sort_keys.keys() == {"plies"}
    assert result[0].columns.keys() == COLUMNS.keys()
    assert pickle.loads(pickle.dumps(result)) == result


def test_columns_are_named_as_on_the_command_line() -> None:
    result = skewer.search("initial", CLASSICS, columns=["next", "pawns=#P", "fen"])
    frame = polars.DataFrame(result)
    assert list(frame.columns)[-2:] == ["next", "pawns"]
    assert (frame["next"] == "e4").sum() == 11
    assert frame["pawns"].unique().to_list() == [8]
    many = skewer.search_many({"checks": "check", "mates": "mate"}, CLASSICS, columns="next")
    assert [result[0].columns.keys() for result in many.values()] == [{"next"}] * 2
    assert "next" in skewer.search("mate", CLASSICS, columns="next").to_html()


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"n": "chekc"}, skewer.QueryError, "unknown name `chekc`"),
        ({"side": "#P"}, ValueError, "`side` is the name of another column"),
        ({"moves": "#P"}, ValueError, "`moves` is the name of another column"),
        (["a=#P", "a=#p"], ValueError, "`a` is the name of another column"),
        (["#P"], ValueError, "pawns=#P"),
        ({"n": 1}, TypeError, "names with filters"),
        (1, TypeError, "columns is a text"),
    ],
)
def test_what_is_no_column_is_refused(columns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        skewer.search("mate", CLASSICS, columns=columns)


def test_a_solution_is_a_move_that_is_tried() -> None:
    result = skewer.search("flipcolor {wtm legal --(mate)}", CLASSICS, columns=["solution", "next"])
    assert {found["solution"][-1] for found in result} == {"#"}


def test_what_exchanges_no_colours_has_no_side() -> None:
    assert skewer.search("mate", CLASSICS)[0].query_side is None
    assert skewer.search("flipcolor {mate}", CLASSICS)[0].query_side == "both"
