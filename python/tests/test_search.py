"""Searches: what they take, what they give, what ends them."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
import warnings
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import skewer
from skewer import _skewer

from conftest import CLASSICS, FOOL, ROOT, Endless

XRAY = skewer.compile("xray (R a k)")


def places(result: skewer.Result) -> list[tuple[int, int]]:
    return [(found.game, found.positionid) for found in result]


def test_games_may_be_given_in_any_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = places(XRAY.search(CLASSICS))
    assert len(expected) == 24
    content = CLASSICS.read_bytes()
    packed = tmp_path / "games.pgn.gz"
    packed.write_bytes(gzip.compress(content))
    database = tmp_path / "games.parquet"
    skewer.index(CLASSICS, database)
    forms: list[Any] = [
        str(CLASSICS),
        [CLASSICS],
        packed,
        database,
        tmp_path / "folder",
        content,
        bytearray(content),
        memoryview(content),
        content.decode(),
        io.BytesIO(content),
        io.StringIO(content.decode()),
        gzip.GzipFile(packed),
    ]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.pgn").write_bytes(content)
    for form in forms:
        result = XRAY.search(form)
        assert places(result) == expected, form
        assert (result.games, result.matching_games, result.complete) == (18, 5, True)
    other = shutil.copy(CLASSICS, tmp_path / "other.pgn")
    for several in [
        (path for path in [CLASSICS, other]),
        {CLASSICS, Path(other)},
        {str(CLASSICS): 1, str(other): 2}.keys(),
        [tmp_path / "oth*.pgn", tmp_path / "fold*" / "*.pgn"],
    ]:
        assert len(XRAY.search(several)) == 48
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert len(XRAY.search("~/other.pgn")) == len(XRAY.search(Path("~/o*.pgn"))) == 24
    skewer.index("~/o*.pgn", "~/other.parquet")
    assert len(XRAY.search("~/other.parquet")) == 24
    two = XRAY.search([content, CLASSICS])
    assert (len(two), two.games, two[-1].game) == (48, 36, expected[-1][0] + 18)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts there")
def test_names_of_files_need_not_be_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xe9.pgn"
    with open(name, "wb") as file:
        file.write(FOOL.encode())
    assert len(skewer.compile("mate").search(os.fsdecode(name))) == 1
    # The same bytes in a text are those of a file that is not UTF-8.
    text = FOOL.replace('"A"', '"\udce9"')
    assert [found.white for found in skewer.compile("mate").search(text)] == ["é"]


def test_what_holds_no_games_is_refused(tmp_path: Path) -> None:
    fen = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    absent: list[tuple[Any, str]] = [
        ("none.pgn", "(?i:no such file)"),
        (tmp_path / "none", "(?i:no such file)"),
        ("1. e4 e5", "line break"),
        ("1.e4", "line break"),
        (fen, r"query\.matches\(fen\)"),
        ([fen, fen], r"query\.matches\(fen\)"),
        ("", "empty"),
        (["games.pgn", " "], "empty|(?i:no such file)"),
        ("none*.pgn", "no file like"),
    ]
    for missing, why in absent:
        with pytest.raises(skewer.InputError, match=why):
            XRAY.search(missing)
        with pytest.raises(skewer.Error):
            skewer.index(missing, tmp_path / "none.parquet")
    with pytest.raises(TypeError, match="for `filter`"):
        XRAY.search(pyarrow.table({"movetext": ["1. e4 *"]}))
    with pytest.raises(OSError):
        XRAY.search("none.pgn")
    with pytest.raises(TypeError, match="games are a path"):
        XRAY.search(5)  # type: ignore[arg-type]

    class Wrong:
        def read(self, size: int) -> Any:
            return size

    with pytest.raises(TypeError, match="gave int"):
        XRAY.search(Wrong())


def test_an_exception_of_a_stream_comes_out_as_it_was() -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine") as raised:
        XRAY.search(Broken())
    assert len(raised.value.result) == 0  # type: ignore[attr-defined]


def test_options_say_how_to_search() -> None:
    check = skewer.compile("check")
    whole = check.search(CLASSICS)
    assert len(check.search(CLASSICS, first=True)) == whole.matching_games < len(whole)
    assert check.search(CLASSICS, limit=3).matching_games == 3
    assert places(check.search(CLASSICS, threads=1)) == places(check.search(CLASSICS, threads=4)) == places(whole)
    variations = ROOT / "examples" / "variations.pgn"
    any_position = skewer.compile("true")
    assert len(any_position.search(variations, variations=True)) > len(any_position.search(variations))
    for wrong in [0, -1, -(2**70)]:
        with pytest.raises(ValueError, match="above 0"):
            check.search(CLASSICS, threads=wrong)
        with pytest.raises(ValueError, match="above 0"):
            check.search(CLASSICS, limit=wrong)
    for none in [1.5, "3"]:
        with pytest.raises(TypeError, match="integer"):
            check.search(CLASSICS, threads=none)  # type: ignore[arg-type]
    for many in [2**31, 2**63, 2**70]:
        assert places(check.search(CLASSICS, threads=many, limit=many)) == places(whole)


@pytest.mark.parametrize("megabytes", ["0", "256"])
def test_queries_that_sort_give_the_best_first(megabytes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKEWER_RESULT_MEGABYTES", megabytes)
    query = skewer.compile('cql() mate sort "length" ply')
    result = query.search(CLASSICS)
    lengths = [found.sort_keys["length"] for found in result]
    assert len(set(lengths)) > 3 and lengths == sorted(lengths, key=lambda length: -int(length or 0))
    assert places(query.search(CLASSICS, limit=2)) == places(result)[:2]
    assert result.to_pgn().startswith(query.search(CLASSICS, limit=2).to_pgn())


def test_a_result_is_a_sequence_of_matches() -> None:
    result = XRAY.search(CLASSICS)
    assert result[0].fen == next(iter(result)).fen and result[-1].fen == list(result)[-1].fen
    assert [found.fen for found in result[:3]] == [result[row].fen for row in range(3)]
    assert [found.fen for found in result[::-10]] == [result[row].fen for row in (23, 13, 3)]
    assert result[30:] == [] and len(result[:]) == len(result)
    for beyond in [24, -25]:
        with pytest.raises(IndexError):
            result[beyond]
    match = result[0]
    assert (match.white, match.year, match.date) == ("Anderssen, Adolf", 1852, None)
    assert (match.move, match.uci, match.side) == ("exf6", "e5f6", "black")
    assert match.rays == [("e1", "e8")] and match.squares == ["e1", "e7", "e8"]
    assert match.board().fen() == match.fen
    assert repr(match).startswith("<skewer.Match game 3, position 35: Anderssen")
    game = skewer.compile("mate").search(FOOL)[0]
    assert str(game.date) == "1999-12-31" and (game.white_elo, game.black_elo) == (2400, None)


def test_wrong_games_warn_and_the_rest_is_searched() -> None:
    broken = FOOL.replace("e5", "Ke5") + "\n" + FOOL
    with pytest.warns(skewer.PgnWarning, match="game 1"):
        result = skewer.compile("mate").search(broken)
    assert places(result) == [(2, 4)]
    with pytest.warns(skewer.PgnWarning) as told:
        assert places(skewer.search("mate", broken)) == [(2, 4)]
    assert told[0].filename == __file__
    assert result.warning_count == len(result.warnings) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        skewer.compile("mate").search(FOOL)
        with pytest.raises(skewer.PgnWarning):
            skewer.compile("mate").search(broken)


def test_messages_are_kept() -> None:
    result = skewer.compile('mate message("over at" ply)').search(FOOL)
    assert (result.message_count, len(result.messages)) == (1, 1) and "over at" in result.messages[0]


def test_many_queries_are_searched_in_one_pass() -> None:
    queries = {"mate": skewer.compile("mate"), "check": skewer.compile("check"), "xray": XRAY}
    results = skewer.search_many(queries, CLASSICS)
    assert list(results) == list(queries)
    for name, query in queries.items():
        assert places(results[name]) == places(query.search(CLASSICS)), name
    assert skewer.search_many({}, CLASSICS) == {}
    # Anything that has names and queries, as the library has.
    proxy = skewer.search_many(types.MappingProxyType(queries), CLASSICS)
    assert {name: len(result) for name, result in proxy.items()} == {name: len(results[name]) for name in queries}
    endless = skewer.compile("x = 1 while (x > 0) { x += 1 x = 1 }")
    with pytest.raises(skewer.QueryError) as raised:
        skewer.search_many({"mate": queries["mate"], "endless": endless}, FOOL)
    assert [len(result) for result in raised.value.results] == [1, 0]
    texts = skewer.search_many({"mate": "mate", "x": XRAY}, CLASSICS, limit=1, player="Anderssen")
    assert [result.matching_games for result in texts.values()] == [1, 1]
    with pytest.raises(TypeError, match=re.escape('{"mates": "mate"}')):
        skewer.search_many(["mate"], CLASSICS)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a query is its text"):
        skewer.search(5, CLASSICS)  # type: ignore[arg-type]


def test_results_are_written_as_the_command_writes_them(tmp_path: Path) -> None:
    result = XRAY.search(CLASSICS)
    path = tmp_path / "found.pgn"
    result.to_pgn(path)
    command = [sys.executable, "-m", "skewer", "search", "-q", "-e", "xray (R a k)", "-f", "pgn", str(CLASSICS)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    assert path.read_bytes() == printed and result.to_pgn().encode() == printed
    page = result.to_html()
    assert page.count("<html") == 1 and "Anderssen" in page and "xray (R a k)" in page
    # What skewer wrote may be replaced, nothing else.
    result.to_html(tmp_path / "found.html")
    result.to_html(tmp_path / "found.html")
    (tmp_path / "mine.html").write_text("mine")
    with pytest.raises(skewer.Error, match="force=True"):
        result.to_html(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_text() == "mine"
    result.to_html(tmp_path / "mine.html", force=True)
    games = tmp_path / "games.pgn"
    games.write_bytes(CLASSICS.read_bytes())
    with pytest.raises(skewer.Error):
        XRAY.search(games).to_pgn(games, force=True)
    assert games.read_bytes() == CLASSICS.read_bytes()


def test_texts_of_what_cannot_be_read_again_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(FOOL)
    mate = skewer.compile("mate")
    result = mate.search(path)
    path.write_text(FOOL + FOOL)
    with pytest.raises(skewer.Error, match="has changed"):
        result.to_pgn()
    with io.StringIO(FOOL) as stream:
        assert "Qh4#" in mate.search(stream).to_pgn()

    class Once:
        def __init__(self) -> None:
            self.rest = FOOL

        def read(self, size: int) -> str:
            rest, self.rest = self.rest, ""
            return rest

    with pytest.raises(skewer.Error, match="cannot be read twice"):
        mate.search(Once()).to_pgn()


def test_what_depends_on_earlier_games_is_written_as_it_was_found() -> None:
    query = skewer.compile('mate persistent Count+=1 Count>1 comment("number" Count)')
    result = query.search(FOOL + "\n" + FOOL + "\n" + FOOL)
    assert [found.comments for found in result] == [["number2"], ["number3"]]
    pgn = result.to_pgn()
    assert "number2" in pgn and "number3" in pgn


def test_notebooks_show_boards() -> None:
    result = XRAY.search(CLASSICS)
    page = result._repr_html_()
    assert page.count("<img") == 10 and "and 14 more" in page and "Anderssen, Adolf" in page
    svg = result[0]._repr_svg_()
    assert svg.startswith("<svg") and "Anderssen" in svg
    # A ray, which is an arrow.
    assert 'stroke-width="6"' in svg
    assert "Black to move" in result[0].svg(flipped=True)
    hostile = FOOL.replace('"A"', '"<script>&"')
    page = skewer.compile("mate").search(hostile)._repr_html_()
    assert "<script" not in page


def test_progress_is_told() -> None:
    told: list[skewer.Progress] = []
    result = skewer.compile("mate").search(CLASSICS, progress=told.append)
    last = told[-1]
    assert (last.games, last.matching_games, last.positions) == (18, result.matching_games, len(result))
    assert last.bytes > 5_000 and repr(last).startswith("Progress(bytes=")


def test_bars_count_games(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Bar:
        """The part of tqdm's protocol that is asked for."""

        def __init__(self) -> None:
            self.n = 0

        def update(self, n: int) -> None:
            self.n += n

    bar = Bar()
    for searched in [18, 36]:
        skewer.search("mate", CLASSICS, progress=bar)
        assert bar.n == searched
    skewer.search("mate", CLASSICS, progress=False)
    with pytest.raises(TypeError, match="a bar of tqdm"):
        skewer.search("mate", CLASSICS, progress=5)
    tqdm = pytest.importorskip("tqdm")
    with tqdm.tqdm() as real:
        skewer.search("mate", CLASSICS, progress=real)
        assert real.n == 18
    skewer.search("mate", CLASSICS, progress=True)
    assert "18 games" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(skewer.Error, match="pip install tqdm"):
        skewer.search("mate", CLASSICS, progress=True)


def test_a_search_is_narrowed_as_by_the_command() -> None:
    options: list[tuple[dict[str, Any], list[str]]] = [
        ({"player": "Morphy"}, ["--player", "Morphy"]),
        ({"white": ["Anderssen", "A"]}, ["--white", "Anderssen", "--white", "A"]),
        ({"black": "Kieseritzky"}, ["--black", "Kieseritzky"]),
        ({"result": "1-0", "year": (1800, 1900)}, ["--result", "1-0", "--year", "1800-1900"]),
        ({"year": 1851}, ["--year", "1851"]),
        ({"year": (None, 1900)}, ["--year", "-1900"]),
        ({"year": range(1851, 1853)}, ["--year", "1851-1852"]),
        ({"elo": (2000, None)}, ["--elo", "2000-"]),
        ({"numbers": (3, 9), "first": True}, ["--games", "3-9", "--first"]),
        ({"sample": 4, "seed": 7}, ["--sample", "4", "--seed", "7"]),
        ({"event": "London", "site": None, "eco": None}, ["--event", "London"]),
    ]
    for asked, command in options:
        said = [sys.executable, "-m", "skewer", "search", "-q", "-e", "check", "-f", "ids", *command, str(CLASSICS)]
        ids = subprocess.run(said, capture_output=True, text=True, check=False)
        assert ids.returncode < 2, ids.stderr
        found = places(skewer.search("check", CLASSICS, **asked))
        assert [f"{game}:{position}" for game, position in found] == ids.stdout.split(), asked
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"players": "Morphy"}, TypeError, "no option `players`.*player"),
        ({"result": "2-0"}, skewer.QueryError, "results are 1-0"),
        ({"player": 5}, TypeError, "player is a text"),
        ({"year": "1990-1999"}, ValueError, "such as"),
        ({"sample": 0}, ValueError, "above 0"),
        ({"variant": "Chess2"}, skewer.QueryError, "variants are"),
    ]
    for asked, error, message in wrong:
        with pytest.raises(error, match=message):
            skewer.search("check", CLASSICS, **asked)


def test_errors_name_no_options_of_the_command(tmp_path: Path) -> None:
    loop = "x = 1 while (x > 0) { x += 1 x = 1 }"
    texts: list[tuple[str, dict[str, Any]]] = [
        (loop, {}),
        ('A1 = "a" while (A1 != "") { A1 += A1 }', {"max_rounds": 10**9, "max_memory": 10**6}),
        ('cql() A1 = readfile "a.txt"', {}),
        ('cql() cql_assertvariations "variations please"', {}),
        ("wdl == 2", {}),
        ("cql() limit 5 mate", {}),
        ("zugzwang", {}),
    ]
    for text, options in texts:
        with pytest.raises(skewer.Error) as raised:
            skewer.search(text, FOOL, **options)
        said = f"{raised.value} {getattr(raised.value, 'hints', '')}"
        assert not re.search(r"(?<![\w-])--[a-z]{2}", said) and "`skewer " not in said, said
    with pytest.raises(skewer.QueryError, match=r"max_rounds=") as ended:
        skewer.search(loop, FOOL + FOOL + "\n", max_rounds=1000)
    assert ended.value.result.games >= 1
    broken = tmp_path / "games.pgn.gz"
    broken.write_bytes(gzip.compress((FOOL + "\n").encode() * 50_000, mtime=0)[:-9])
    with pytest.raises(skewer.InputError) as cut:
        skewer.search("mate", broken)
    assert len(cut.value.result) > 1000 and cut.value.result.games >= len(cut.value.result)


def test_what_is_damaged_is_left_out_and_told(tmp_path: Path) -> None:
    database = tmp_path / "games.parquet"
    (tmp_path / "games.pgn").write_text((FOOL + "\n") * 4000)
    skewer.index(tmp_path / "games.pgn", database)
    damaged = bytearray(database.read_bytes())
    damaged[len(damaged) // 4] ^= 1
    database.write_bytes(damaged)
    with pytest.warns(skewer.PgnWarning, match="checksum is wrong"):
        result = skewer.search("mate", database)
    assert 0 < result.unreadable_games <= 2048 and len(result) == 4000 - result.unreadable_games
    assert not result.complete
    database.write_bytes(damaged[:-9])
    with pytest.raises(skewer.InputError, match="not a complete Parquet file"):
        skewer.search("mate", database)


def test_a_progress_that_raises_ends_the_search(endless: Endless) -> None:
    def stop(progress: skewer.Progress) -> None:
        if progress.positions > 100:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as raised:
        skewer.compile("mate").search(endless, progress=stop)
    result = raised.value.result  # type: ignore[attr-defined]
    assert len(result) > 100 and not result.complete and "ended early" in repr(result)
    assert result[len(result) - 1].move == "Qh4#"


def test_an_interrupted_search_ends_and_loses_nothing() -> None:
    """Ctrl-C is a KeyboardInterrupt with what was found so far, also where games never end."""
    script = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from conftest import Endless
        import skewer
        said = False
        def progress(progress):
            global said
            if progress.positions > 100 and not said:
                said = True
                print("ready", flush=True)
        try:
            skewer.compile("mate").search(Endless(), progress=progress)
        except KeyboardInterrupt as interrupt:
            print(len(interrupt.result) > 100, interrupt.result.complete, flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(Path(__file__).parent)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    assert output == "True False\n"
    assert process.returncode == 0


def test_python_goes_on_while_threads_search(endless: Endless) -> None:
    """Two searches at once, while a third thread counts."""
    counts = {"python": 0}
    results: dict[int, int] = {}

    def search(number: int) -> None:
        def stop(progress: skewer.Progress) -> None:
            if progress.games > 2_000 and counts["python"] > 1_000:
                raise StopIteration

        try:
            skewer.compile("mate").search(Endless(), progress=stop)
        except StopIteration as stopped:
            results[number] = stopped.result.games  # type: ignore[attr-defined]

    threads = [threading.Thread(target=search, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        counts["python"] += 1
        time.sleep(0)
    assert set(results) == {0, 1}


def test_one_query_is_searched_for_by_several_threads() -> None:
    query = skewer.compile("check")
    expected = places(query.search(CLASSICS))
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.append(places(query.search(CLASSICS)) == expected)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def test_no_panic_gets_through(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(skewer.Error, match="bug in skewer"):
        _skewer.panic()
    capfd.readouterr()


def test_databases_are_made_and_not_replaced_in_silence(tmp_path: Path) -> None:
    database = tmp_path / "games.parquet"
    skewer.index([CLASSICS], database)
    with pytest.raises(skewer.Error, match="is there already"):
        skewer.index(CLASSICS, database)
    skewer.index(CLASSICS, database, append=True)
    assert XRAY.search(database).games == 36
    skewer.index(CLASSICS, database, force=True)
    assert XRAY.search(database).games == 18
    with pytest.raises(skewer.Error, match="No such file"):
        skewer.index(tmp_path / "none.pgn", tmp_path / "none.parquet")
    with pytest.raises(skewer.Error, match="no games to index"):
        skewer.index([], tmp_path / "none.parquet")
    with pytest.raises(skewer.Error, match="there are Standard") as error:
        skewer.index(CLASSICS, tmp_path / "none.parquet", variant="Chess2")
    assert "--help" not in str(error.value)
    assert not (tmp_path / "none.parquet").exists()


def test_databases_have_each_game_once_and_know_themes(tmp_path: Path) -> None:
    database = tmp_path / "once.parquet"
    own = tmp_path / "own.cql"
    own.write_text("cql() mate")
    skewer.index([CLASSICS, CLASSICS], database, unique=True, theme=["smothered-mate", own])
    assert XRAY.search(database).games == 18
    assert len((tmp_path / "once.duplicates.csv").read_text().splitlines()) == 19
    assert b'"mates/smothered-mate"' in database.read_bytes()
    with pytest.warns(skewer.PgnWarning, match="`theme` finds its games anew"):
        skewer.index(database, tmp_path / "other.parquet", theme="smothered-mate")
    with pytest.raises(skewer.Error, match="no-such-theme"):
        skewer.index(CLASSICS, tmp_path / "none.parquet", theme="no-such-theme")


def test_positions_are_searched(tmp_path: Path) -> None:
    mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"
    suite = tmp_path / "suite.epd"
    suite.write_text(f'{mated} id "one";\n8/8/8/8/8/8/8/K6k w - - id "two";\n')
    query = skewer.compile("mate")
    assert [match.fen for match in query.search(suite)] == [mated]
    assert [match.game for match in query.search(f"8/8/8/8/8/8/8/K6k w - -\n{mated}\n")] == [2]
    assert len(skewer.compile('tag "id" == "two"').search(str(suite))) == 1
