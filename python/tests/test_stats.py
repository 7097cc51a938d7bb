"""Counts of what queries find."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import skewer

from conftest import CLASSICS, FOOL


def printed(*arguments: str) -> list[dict[str, str]]:
    """Return what the command prints."""
    command = [sys.executable, "-m", "skewer", "stats", "-q", "-f", "csv", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    return list(csv.DictReader(run.stdout.splitlines()))


def same(table: pyarrow.Table, rows: list[dict[str, str]]) -> bool:
    """Say whether a table has these rows."""

    def shown(value: Any) -> str:
        return "" if value is None else str(value)

    return [{name: shown(value) for name, value in row.items()} for row in table.to_pylist()] == rows


def test_a_table_has_what_the_command_prints() -> None:
    games = str(CLASSICS)
    for options, arguments in [
        ({"by": "year:50"}, ["--by", "year:50"]),
        (
            {"by": ["result", "pawns=#P"], "value": "movenumber", "histogram": True},
            ["--by", "result,pawns=#P", "--value", "movenumber", "--histogram"],
        ),
        ({"next": True, "top": 3}, ["--next", "--top", "3"]),
        (
            {"by": "player", "for_whom": "mover", "sort": "score"},
            ["--by", "player", "--for", "mover", "--sort", "score"],
        ),
        (
            {"player": ["Morphy"], "year": (None, 1860), "first": True},
            ["--player", "Morphy", "--year", "-1860", "--first"],
        ),
        ({"numbers": range(2, 6), "threads": 2}, ["--games", "2-5"]),
    ]:
        table = skewer.stats("check", CLASSICS, **options)  # type: ignore[arg-type]
        assert same(table, printed("-e", "check", games, *arguments)), options


def test_tables_are_refused() -> None:
    with pytest.raises(TypeError, match="games in a table cannot be counted"):
        skewer.stats("mate", pyarrow.table({"fen": ["7k/6Q1/6K1/8/8/8/8/8 b - -"]}))


def test_numbers_have_types() -> None:
    table = skewer.stats("mate", [CLASSICS], by="result")
    assert table.schema.field("games").type == pyarrow.int64()
    assert table.schema.field("share").type == pyarrow.float64()
    assert sum(table["games"].to_pylist()) == 8


def test_several_queries_have_names() -> None:
    themes: dict[str, Any] = {"mates/mate": "mate", "check": skewer.compile("check")}
    table = skewer.stats(themes, CLASSICS)
    assert dict(zip(table["query"].to_pylist(), table["games"].to_pylist(), strict=True)) == {
        "check": 15,
        "mates/mate": 8,
    }
    assert skewer.stats(None, CLASSICS, next=True, top=1)["next"].to_pylist() == ["e4"]
    assert skewer.stats("false", CLASSICS)["games"].to_pylist() == [0]


def test_mistakes_are_exceptions(tmp_path: Path) -> None:
    with pytest.raises(skewer.QueryError, match="chekc"):
        skewer.stats("chekc", CLASSICS)
    with pytest.raises(skewer.Error, match="did you mean `year`"):
        skewer.stats("check", CLASSICS, by="yaer")
    with pytest.raises(TypeError, match="no option `output`"):
        skewer.stats("check", CLASSICS, output="x")
    with pytest.raises(skewer.Error, match=r"absent\.pgn"):
        skewer.stats("check", tmp_path / "absent.pgn")
    with pytest.raises(ValueError, match="not a name for a query"):
        skewer.stats({"../x": "check"}, CLASSICS)


def test_wrong_games_warn(tmp_path: Path) -> None:
    games = tmp_path / "wrong.pgn"
    games.write_text(FOOL + "\n1. e4 e5 2. Ke8 *\n")
    with pytest.warns(skewer.PgnWarning, match=r"wrong\.pgn"):
        table = skewer.stats("mate", games)
    assert table["searched"].to_pylist() == [2]
