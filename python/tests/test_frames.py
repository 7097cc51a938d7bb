"""Results as frames and tables, compared, and pickled."""

from __future__ import annotations

import datetime
import pickle
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

import skewer

from conftest import CLASSICS, FOOL

CHECK = skewer.compile('check comment("it is " ply) sort "depth" ply')


def test_frames_are_made_by_methods() -> None:
    result = CHECK.search(CLASSICS)
    names = pyarrow.schema(result).names
    tables = [result.to_polars(), result.to_pandas(), result.to_arrow()]
    for table, kind in zip(tables, [polars.DataFrame, pandas.DataFrame, pyarrow.Table], strict=True):
        assert isinstance(table, kind)
    assert result.to_polars().columns == list(result.to_pandas().columns) == result.to_arrow().column_names == names
    assert result.to_polars().height == len(result.to_pandas()) == result.to_arrow().num_rows == len(result)
    assert result.to_arrow().to_pylist() == polars.DataFrame(result).to_dicts()


def test_plain_calls_have_the_columns_of_the_result() -> None:
    result = CHECK.search(CLASSICS)
    frame = pandas.DataFrame(result)
    assert list(frame.columns) == pyarrow.schema(result).names and len(frame) == len(result)
    assert frame["fen"].tolist() == [found.fen for found in result]
    assert frame["depth"].tolist() == [found.sort_keys["depth"] for found in result]
    assert list(pandas.DataFrame(result[:3]).columns) == list(frame.columns)
    # Polars makes one column of anything with the protocol of Arrow that is called so.
    assert polars.from_arrow(result).struct.unnest().equals(result.to_polars())  # type: ignore[union-attr]
    exchanged = polars.from_dataframe(result)
    assert exchanged.columns == list(frame.columns)


def test_a_match_is_a_row() -> None:
    found = skewer.search('mate sort "late" ply', FOOL)[0]
    assert len(found) == len(found._fields) == 22 and tuple(found) == tuple(found[place] for place in range(22))
    assert (found["white"], found["late"], found[-1], found["date"]) == ("A", 4, 4, datetime.date(1999, 12, 31))
    assert found == skewer.search('mate sort "late" ply', FOOL)[0] != skewer.search("ply == 0", FOOL)[0]
    for wrong in ["squares", "Late"]:
        with pytest.raises(KeyError):
            found[wrong]
    with pytest.raises(IndexError):
        found[22]


@pytest.mark.parametrize("megabytes", ["0", "256"])
def test_results_compare_and_are_pickled(megabytes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKEWER_RESULT_MEGABYTES", megabytes)
    path = tmp_path / "games.pgn"
    path.write_text(CLASSICS.read_text() + "\n" + FOOL.replace("e5", "Ke5"))
    with pytest.warns(skewer.PgnWarning):
        result = CHECK.search(path, first=True, year=(1800, 1999))
    again = pickle.loads(pickle.dumps(result))
    assert again == result and repr(again) == repr(result) and again[0].squares == result[0].squares
    assert (again.warnings, again.messages, again.games) == (result.warnings, result.messages, result.games)
    assert again.to_pgn() == result.to_pgn()
    with pytest.warns(skewer.PgnWarning):
        others: list[object] = [CHECK.search(path, year=(1800, 1999)), 5]
    assert result not in others
    in_memory = pickle.loads(pickle.dumps(skewer.search("mate", FOOL)))
    assert len(in_memory) == 1
    with pytest.raises(skewer.Error, match="pickled"):
        in_memory.to_pgn()
    path.write_text(FOOL)
    with pytest.raises(skewer.Error, match="has changed"):
        again.to_pgn()


def test_queries_compare_by_their_text() -> None:
    mate = skewer.compile("mate")
    others: list[object] = [skewer.compile("check"), "mate"]
    assert mate == skewer.compile("mate") and mate not in others
    assert {mate, skewer.compile("mate"), pickle.loads(pickle.dumps(mate))} == {mate}
    assert mate != skewer.compile("mate", tablebase=Path(__file__).parents[2] / "tests" / "syzygy")
    assert skewer.compile(mate) is mate
