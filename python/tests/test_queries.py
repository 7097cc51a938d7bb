"""Queries, and what can be said about them without a search."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import chess
import pytest

import skewer

from conftest import ROOT

MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def test_an_error_has_its_place_and_advice() -> None:
    with pytest.raises(skewer.QueryError) as raised:
        skewer.compile("cql()\nchekc")
    error = raised.value
    assert (error.line, error.column) == (2, 1)
    assert "chekc" in error.message and error.hint and "check" in error.hint
    assert "^^^^^" in str(error) and str(error) == error.drawn
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.hints, str(again)) == (error.line, error.hints, str(error))


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.cql"
    path.write_text("cql() (")
    forms: list[str | Path] = [path, str(path)]
    for given in forms:
        with pytest.raises(skewer.QueryError, match=r"broken\.cql:1:7"):
            skewer.compile(given)
    with pytest.raises(skewer.InputError, match="No such file"):
        skewer.compile(tmp_path / "none.cql")
    with pytest.raises(skewer.InputError, match="No such file"):
        skewer.compile("none.cql")


def test_an_error_while_games_are_searched_has_its_place() -> None:
    with pytest.raises(skewer.QueryError) as raised:
        skewer.compile("x = 1 while (x > 0) { x += 1 x = 1 }").search("1. e4 *\n")
    assert raised.value.line == 1


def test_a_query_is_a_text_bytes_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mate.cql"
    path.write_bytes(b"cql() mate // Z\xfcrich")
    for query in [
        skewer.compile("mate"),
        skewer.compile(b"cql() mate"),
        skewer.compile(path),
        skewer.compile(str(path)),
    ]:
        assert query.matches(MATE)
    assert skewer.compile(path).name == str(path)


def test_positions_are_fens_or_boards() -> None:
    query = skewer.compile("mate")
    assert query.matches(chess.Board(MATE))
    assert not query.matches(chess.Board())
    assert skewer.compile("R == 2").matches(chess.Board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1", chess960=True))
    with pytest.raises(skewer.FenError, match="not a FEN"):
        query.matches("mate")
    with pytest.raises(ValueError):
        query.matches("8/8/8/8/8/8/8/8 x")

    class Atomic:
        uci_variant = "atomic"

        def fen(self) -> str:
            return MATE

    with pytest.raises(skewer.FenError, match="atomic"):
        query.matches(Atomic())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a FEN or a board of python-chess, not int"):
        query.matches(5)  # type: ignore[arg-type]


def test_queries_are_pickled_by_their_text() -> None:
    query = pickle.loads(pickle.dumps(skewer.compile("mate")))
    assert query.text == "mate" and query.matches(MATE)


def test_queries_ask_tablebases_that_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, won = ROOT / "tests" / "syzygy", "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"
    monkeypatch.delenv("SKEWER_TABLEBASE", raising=False)
    with pytest.raises(skewer.QueryError, match="needs endgame tablebases"):
        skewer.compile("wdl == 2").matches(won)
    query = skewer.compile("wdl == 2", tablebase=tables)
    assert query.matches(won) and pickle.loads(pickle.dumps(query)).matches(won)
    assert len(query.search(f'[FEN "{won}"]\n\n*\n', first=True)) == 1
    with pytest.raises(skewer.QueryError, match="cannot use the tablebase"):
        skewer.compile("wdl == 2", tablebase=[ROOT / "python"])
    monkeypatch.setenv("SKEWER_TABLEBASE", str(tables))
    assert skewer.compile("wdl == 2").matches(won)


def test_the_library_has_all_themes_by_name() -> None:
    themes = skewer.library()
    assert len(themes) >= 338 and "mates/smothered-mate" in themes
    assert themes["smothered-mate"].name == "mates/smothered-mate"
    with pytest.raises(KeyError, match="games/perpetual-check, motifs/perpetual-check"):
        themes["perpetual-check"]
    with pytest.raises(KeyError, match="not a theme"):
        themes["none"]
    number: Any = 5
    assert number not in themes and themes.get("none") is None
    assert all(query.text for query in themes.values())


def test_check_explain_and_format_refuse_what_is_no_query() -> None:
    for function in [skewer.check, skewer.explain, skewer.format]:
        with pytest.raises(skewer.QueryError, match="chekc"):
            function("chekc")
    assert skewer.check("mate") == []
    (warning,) = skewer.check(skewer.compile("check and not check"))
    assert (warning.line, warning.column) == (1, 11) and "^" in warning.drawn
    assert "Once per game" in skewer.explain("elo > 2600 mate")


def test_names_that_python_shows() -> None:
    long = skewer.compile("mate or " * 30 + "check")
    assert len(repr(long)) < 90 and repr(long).endswith("…>")
