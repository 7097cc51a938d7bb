"""Searches on a cluster of Spark with two workers: what is found is what the command finds."""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
import tarfile
import threading
import time
import venv
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import Cluster, why_not

import skewer

pytest.importorskip("pyspark", reason="PySpark is not installed")
import skewer.spark

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "pgn"
SKEWER = [sys.executable, "-m", "skewer"]
QUERIES = {
    "xray": "xray (R a k)",
    "mate": "mate",
    "variations": "cql(variations) check",
    "path": "path -- check -- -- check",
    "draw": "cql(result 1/2-1/2) #A <= 6",
    "sorted inside": "find {wtm check}",
}

Row = tuple[str, str, int, int]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    reason = why_not()
    if reason:
        # Aloud, also where reasons of skipped tests are not shown.
        warnings.warn(f"the tests of Spark are skipped: {reason}", stacklevel=1)
        pytest.skip(reason)
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[Any]:
    session = session_of(cluster)
    yield session
    session.stop()


def session_of(cluster: Cluster, settings: dict[str, str] | None = None, python: str = sys.executable) -> Any:
    from pyspark.sql import SparkSession

    of_spark = {name: value for name, value in cluster.environment.items() if name.startswith("SPARK_")}
    os.environ.update(of_spark, PYSPARK_PYTHON=python, PYSPARK_DRIVER_PYTHON=sys.executable)
    builder = SparkSession.builder.master(cluster.master).appName("tests of skewer")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "700m",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        **(settings or {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def of_command(text: str, *paths: Path) -> set[tuple[str, int, int]]:
    """The file, game and positionid of all matches, each file searched by itself."""
    found = set()
    for path in paths:
        command = [*SKEWER, "search", "-e", text, "-f", "ids", "--quiet", str(path)]
        ids = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ids.returncode in (0, 1), ids.stderr
        for line in ids.stdout.split():
            game, position = line.split(":")
            found.add((str(path), int(game), int(position)))
    return found


def plain(file: str) -> str:
    """The path of a file, however Spark writes it."""
    return re.sub("^file:(//)?", "", file).replace("%20", " ")


def matches(frame: Any) -> dict[str, set[tuple[str, int, int]]]:
    """The same of what Spark found, by query; nothing may be there twice."""
    rows = [
        row for row in frame.select("query", "file", "row", "positionid", "warning").collect() if row.warning is None
    ]
    found: dict[str, set[tuple[str, int, int]]] = {name: set() for name in QUERIES}
    for row in rows:
        found[row.query].add((plain(row.file), row.row, row.positionid))
    assert sum(map(len, found.values())) == len(rows)
    return found


def expected(*paths: Path) -> dict[str, set[tuple[str, int, int]]]:
    return {name: of_command(text, *paths) for name, text in QUERIES.items()}


def test_an_environment_is_shipped_with_the_job(cluster: Cluster, tmp_path: Path) -> None:
    # Before the session of the other tests, which takes all cores of the cluster: a second one would wait for them.
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    shutil.copytree(Path(str(skewer.__file__)).parent, packages / "skewer")
    # What a job needs beside it is large; here it comes from where it is.
    (packages / "others.pth").write_text(site.getsitepackages()[0])
    archive = tmp_path / "env.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=1) as packed:
        packed.add(environment, ".")

    def place_of_skewer(batches: Any) -> Any:
        import pyarrow

        import skewer

        for _ in batches:
            yield pyarrow.RecordBatch.from_pydict({"place": [skewer.__file__]})

    session = session_of(cluster, {"spark.archives": f"{archive}#environment"}, python="./environment/bin/python")
    try:
        found = skewer.spark.search(GOLDEN / "rays.pgn", {"xray": "xray (R a k)"})
        rows = found.select("row", "positionid").collect()
        where = session.range(1).mapInArrow(place_of_skewer, "place string").collect()
    finally:
        session.stop()
    assert {(row.row, row.positionid) for row in rows} == {
        (row, position) for _, row, position in of_command("xray (R a k)", GOLDEN / "rays.pgn")
    }
    assert "/environment/lib/" in where[0].place and str(tmp_path) not in where[0].place


def test_a_python_without_skewer_is_told_what_to_do(cluster: Cluster, tmp_path: Path) -> None:
    # Also before the session of the other tests.
    venv.create(tmp_path / "other", symlinks=True)
    packages = next((tmp_path / "other").glob("lib/python*/site-packages"))
    for name in ["pyarrow", "pandas", "numpy", "numpy.libs", "pyarrow.libs", "dateutil", "six.py", "pytz"]:
        place = Path(site.getsitepackages()[0]) / name
        if place.exists():
            (packages / name).symlink_to(place)
    session = session_of(cluster, python=str(tmp_path / "other" / "bin" / "python"))
    try:
        with pytest.raises(Exception, match="PYSPARK_PYTHON") as error:
            skewer.spark.search(GOLDEN / "rays.pgn", {"xray": "xray (R a k)"}).collect()
    finally:
        session.stop()
    assert "cannot import skewer" in str(error.value)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "golden games.parquet"
    subprocess.run([*SKEWER, "index", str(GOLDEN), "-o", str(path), "--quiet"], check=True, capture_output=True)
    return path


def test_lists_and_tables_of_positions_are_inputs(spark: Any, tmp_path: Path) -> None:
    mated = "R5k1/5ppp/8/8/8/8/8/K7 b - -"
    (tmp_path / "suite.epd").write_text(f'{mated} id "one";\n8/8/8/8/8/8/8/K6k w - -\n')
    (tmp_path / "puzzles.csv").write_text(f"FEN,Themes\n{mated} 0 1,mate\n")
    query = {"mate": "mate"}
    # A folder stands for its lists alone.
    rows = skewer.spark.search(str(tmp_path), query).collect()
    assert [(Path(row.file).name, row.row) for row in rows] == [("suite.epd", 1)]
    files = [tmp_path / "suite.epd", tmp_path / "puzzles.csv"]
    for shared in (None, False):
        paths = [str(file) if shared is None else f"file://{file}" for file in files]
        rows = skewer.spark.search(paths, query, ["Themes"], shared=shared).collect()
        assert sorted((Path(row.file).name, row.row, row.Themes) for row in rows) == [
            ("puzzles.csv", 1, "mate"),
            ("suite.epd", 1, None),
        ]


def test_a_folder_of_pgn_gives_what_the_command_gives(spark: Any, tmp_path: Path) -> None:
    for name in ("tree.pgn", "rays.pgn", "06-moves.pgn"):
        shutil.copy(GOLDEN / name, tmp_path / name)
    import gzip

    (tmp_path / "inner").mkdir()
    with gzip.open(tmp_path / "inner" / "mainline.pgn.gz", "wb") as packed:
        packed.write((GOLDEN / "mainline.pgn").read_bytes())
    files = [*tmp_path.glob("*.pgn"), tmp_path / "inner" / "mainline.pgn.gz"]
    found = matches(skewer.spark.search(str(tmp_path), QUERIES))
    assert found == expected(*files)
    assert found["mate"]
    # By streams, as from storage that tasks cannot open by path.
    shutil.move(tmp_path / "tree.pgn", tmp_path / "tree of 50 % more.pgn")
    files = [*tmp_path.glob("*.pgn"), tmp_path / "inner" / "mainline.pgn.gz"]
    found = expected(*files)
    assert matches(skewer.spark.search([f"file://{file}" for file in files], QUERIES, shared=False)) == found
    # Spark lists what is in a folder; each file is a task.
    of_folder = skewer.spark.search(f"file://{tmp_path}", QUERIES, shared=False)
    assert matches(of_folder) == found
    assert of_folder.rdd.getNumPartitions() == len(files)
    with pytest.raises(skewer.Error, match="there are no games"):
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "notes.txt").write_text("no games")
        skewer.spark.search(f"file://{tmp_path}/other", QUERIES, shared=False)


def test_a_database_gives_what_the_command_gives(spark: Any, database: Path) -> None:
    of_command_ = expected(database)
    assert matches(skewer.spark.search(str(database), QUERIES, shared=False)) == of_command_
    assert matches(skewer.spark.search(database, QUERIES)) == of_command_
    frame = spark.read.parquet(str(database))
    assert matches(skewer.spark.search(frame, QUERIES)) == of_command_
    # Spark leaves out rows by itself where it can.
    for name, text in QUERIES.items():
        found = matches(skewer.spark.search(frame, {name: text}))
        assert len(found[name]) == len(of_command_[name]), name


def test_positions_of_a_frame_are_searched(spark: Any) -> None:
    rows = [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", ["mate", "short"]),
        ("8/8/8/8/8/8/8/K6k w - -", None, ["draw"]),
    ]
    frame = spark.createDataFrame(rows, "fen string, moves string, themes array<string>")
    queries = {"mate": 'mate tag "themes" ~~ "short"', "draw": 'tag "themes" == "draw"'}
    found = skewer.spark.search(frame, queries, keep=["themes"]).collect()
    assert sorted((row.query, row.ply, row.themes) for row in found) == [
        ("draw", 0, ["draw"]),
        ("mate", 1, ["mate", "short"]),
    ]


@pytest.fixture(scope="module")
def archives(database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same games as a set of Lichess and as an Aix archive in the low encoding, which is that of the database."""
    import pyarrow.parquet as parquet

    games = parquet.read_table(database)
    # Without what says that it is a database.
    games = games.filter(games["movedata"].is_valid()).replace_schema_metadata(None)
    paths = {}
    for moves in ("movetext", "movedata"):
        paths[moves] = tmp_path_factory.mktemp("archives") / f"{moves}.parquet"
        columns = ["White", "Black", "WhiteElo", "Date", "Result", moves]
        parquet.write_table(games.select(columns), paths[moves], row_group_size=100)
    return paths


@pytest.mark.parametrize("name", ["lichess", "aix-low", "aix-medium", "aix-high"])
def test_archives_of_all_encodings_give_what_the_command_gives(spark: Any, name: str) -> None:
    """They are what `benches/scale/archives.rs` makes of examples/classics.pgn."""
    path = Path(__file__).parent / "archives" / f"{name}.parquet"
    of_command_ = expected(path)
    assert of_command_["mate"] and of_command_["xray"]
    assert matches(skewer.spark.search(path, QUERIES)) == of_command_
    assert matches(skewer.spark.search(spark.read.parquet(str(path)), QUERIES)) == of_command_


@pytest.mark.parametrize("moves", ["movetext", "movedata"])
def test_archives_of_others_give_what_the_command_gives(spark: Any, archives: dict[str, Path], moves: str) -> None:
    of_command_ = expected(archives[moves])
    assert of_command_["mate"]
    assert matches(skewer.spark.search(archives[moves], QUERIES)) == of_command_
    assert matches(skewer.spark.search(spark.read.parquet(str(archives[moves])), QUERIES)) == of_command_


def test_columns_are_tags_and_what_is_kept(spark: Any, archives: dict[str, Path]) -> None:
    frame = spark.read.parquet(str(archives["movetext"])).selectExpr("*", "coalesce(WhiteElo, 0) + 1 id")
    result = skewer.spark.search(frame, {"m": "mate"}, ["White", "WhiteElo"], keep=["id"])
    assert [field.simpleString() for field in result.schema.fields][-3:] == ["White:string", "WhiteElo:int", "id:int"]
    rows = [row for row in result.collect() if not row.warning]
    own = sorted(((row.White, row.fen, row.move) for row in rows), key=str)
    searched = skewer.compile("mate").search(archives["movetext"])
    assert own == sorted(((found.white, found.fen, found.move) for found in searched), key=str)


def test_only_columns_that_are_needed_are_read(spark: Any, database: Path) -> None:
    frame = spark.read.parquet(str(database))

    def read(text: str) -> str:
        plan = skewer.spark.search(frame, {"q": text})._jdf.queryExecution().executedPlan().toString()
        return str(plan[plan.index("FileScan") :])

    assert "movetext" not in read("mate").split("ReadSchema")[1]
    assert "Event:" not in read("mate").split("ReadSchema")[1]


def test_what_needs_all_games_is_refused_before_the_job(spark: Any) -> None:
    refused = {
        "cql() persistent Wins=0": "persistent",
        'cql() sort "late" ply': "sort",
        "cql(sort matchcount 1 9) check": "sort matchcount",
        'cql() writefile("a.txt" "b")': "writefile",
        "cql(gamenumber 1 5) check": "gamenumber",
        "cql() lastgamenumber > 5": "lastgamenumber",
        'cql() similarposition nosort "a.pgn"': "similarposition",
    }
    for text, word in refused.items():
        with pytest.raises(skewer.QueryError) as error:
            skewer.spark.search("/nowhere", {"mine": text})
        assert word in error.value.message and "`mine` cannot be searched in parts" in error.value.message
        assert error.value.hint and "on one machine" in error.value.hint
    with pytest.raises(skewer.QueryError):
        skewer.spark.search("/nowhere", {"mine": "chekc"})
    with pytest.raises(skewer.Error, match="there are no games"):
        skewer.spark.search("/nowhere", {"mine": "check"})


def test_what_queries_sort_by_becomes_columns(spark: Any, database: Path) -> None:
    texts = {"late": 'mate sort "moves" movenumber', "rich": 'check sort "power" power A sort "who" player white'}
    by_path = skewer.spark.search(database, texts, ["White"], sort_keys=True)
    assert [field.simpleString() for field in by_path.schema.fields][-4:] == [
        "White:string",
        "moves:bigint",
        "power:bigint",
        "who:string",
    ]
    by_frame = skewer.spark.search(spark.read.parquet(str(database)), texts, ["White"], sort_keys=True)
    for name, text in texts.items():
        titles = [title for title in ("moves", "power", "who") if f'"{title}"' in text]
        searched = skewer.compile(text).search(database)
        own = [(match.game, match.positionid, *(match.sort_keys[title] for title in titles)) for match in searched]
        assert own
        for frame in (by_path, by_frame):
            rows = frame.filter(frame.query == name).select("row", "positionid", *titles).collect()
            assert sorted(map(tuple, rows), key=str) == sorted(own, key=str)
    with pytest.raises(skewer.Error, match="give them different titles"):
        skewer.spark.search(database, {"a": 'mate sort "x" ply', "b": 'mate sort "x" player white'}, sort_keys=True)
    with pytest.raises(skewer.QueryError, match="persistent"):
        skewer.spark.search(database, {"a": 'cql() persistent X=0 sort "x" ply'}, sort_keys=True)


def test_columns_of_filters_have_the_values_and_types_of_python(spark: Any, database: Path) -> None:
    query = "flipcolor {check} legal --(mate)"
    columns = {"men": "#A", "kings": "[Kk]", "before": "parent", "open": "check", "none": "1/0"}
    listed = ["White", *(f"{name}={text}" for name, text in columns.items()), "next", "solution", "fen", "Date"]
    searched = skewer.compile(query).search(database, columns=listed[1:-1])
    assert len(searched) > 3 and all(match["solution"] for match in searched)
    names = [*columns, "next", "solution"]
    for games in (database, spark.read.parquet(str(database))):
        found = skewer.spark.search(games, {"q": query}, listed)
        # Tags first, and the position is there anyway.
        assert [field.simpleString() for field in found.schema.fields[9:]] == [
            "White:string",
            "Date:string",
            "men:int",
            "kings:string",
            "before:string",
            "open:boolean",
            "none:int",
            "next:string",
            "solution:string",
        ]
        rows = [row for row in found.collect() if row.warning is None]
        by_spark = [(row.row, row.positionid, row.query_side, *(row[name] for name in names)) for row in rows]
        by_python = [
            (match.game, match.positionid, match.query_side, *(match[name] for name in names)) for match in searched
        ]
        assert sorted(by_spark, key=str) == sorted(by_python, key=str)
    assert skewer.spark.search(database, {"q": query}, columns).columns[9:] == list(columns)


def test_columns_that_cannot_be_are_refused_before_the_job(spark: Any) -> None:
    def refused(error: type[Exception], message: str, columns: Any, queries: dict[str, Any] | None = None) -> None:
        with pytest.raises(error, match=message):
            skewer.spark.search("/nowhere", queries or {"mates": "mate"}, columns)

    refused(skewer.QueryError, "chekc", {"x": "chekc"})
    refused(skewer.QueryError, "gamenumber", {"x": "gamenumber"})
    refused(ValueError, "a name for the column", ["=#P"])
    refused(TypeError, "names with filters", {"x": 1})
    refused(skewer.Error, "two columns `PLY`", {"PLY": "ply"})
    refused(skewer.Error, "two columns `White`", ["White", "White=#P"])
    refused(skewer.Error, "values of another type", {"x": "y"}, {"one": "y=1", "two": 'y="a"'})


def test_tablebases_have_to_be_there(spark: Any, tmp_path: Path) -> None:
    games = tmp_path / "endings.pgn"
    games.write_text(
        '[FEN "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"]\n\n1. Qd7 *\n\n[FEN "8/8/8/4k3/8/8/3NK3/8 w - - 0 1"]\n\n1. Nf3+ *\n'
    )
    with pytest.raises(skewer.QueryError, match="endgame tablebases"):
        skewer.spark.search(games, {"won": "wtm wdl == 2"})
    query = skewer.compile("wtm wdl == 2", tablebase=ROOT / "tests" / "syzygy")
    rows = skewer.spark.search(games, {"won": query}).collect()
    assert [(row.row, row.positionid, row.warning) for row in rows] == [(1, 0, None)]


def test_what_cannot_be_read_is_a_warning_with_its_place(spark: Any, tmp_path: Path) -> None:
    pgn = tmp_path / "wrong.pgn"
    pgn.write_text('[White "A"]\n\n1. e4 e5 2. Ke7 *\n\n[White "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    rows = skewer.spark.search(pgn, {"m": "mate", "c": "check"}).collect()
    told = [row for row in rows if row.warning]
    assert [(row.query, plain(row.file), row.row) for row in told] == [(None, str(pgn), 1)]
    assert {(row.query, row.row) for row in rows if not row.warning} == {("m", 2), ("c", 2)}
    frame = spark.createDataFrame(
        [(1, 0, 0, bytearray(b"\x0c\x1c\x00")), (2, 0, 9, bytearray(b"\x0c\x1c\x00"))],
        "id int, events int, outcome int, movedata binary",
    ).selectExpr("*", "cast(null as string) FEN", "cast(null as binary) pgn", "cast(null as binary) line")
    rows = skewer.spark.search(frame, {"all": "cql() true"}, keep=["id"]).collect()
    assert {(row.id, row.query) for row in rows} == {(1, "all"), (2, None)}
    assert [row.warning for row in rows if row.id == 2] == ["the row cannot be read: an unknown result"]


def test_damage_costs_no_more_than_what_is_damaged(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text('[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n' * 5000)
    database = tmp_path / "archive" / "games.parquet"
    database.parent.mkdir()
    skewer.index(tmp_path / "games.pgn", database)
    whole = database.read_bytes()
    damaged = bytearray(whole)
    damaged[len(damaged) // 5] ^= 1
    database.write_bytes(damaged)
    truncated = database.with_name("truncated.parquet")
    truncated.write_bytes(whole[: len(whole) // 2])
    rows = skewer.spark.search(database.parent, {"mates": "mate"}).select("file", "row", "warning").collect()
    told = {plain(row.file): row.warning for row in rows if row.warning}
    assert set(told) == {str(database), str(truncated)}
    assert "checksum is wrong" in told[str(database)] and "not a complete Parquet file" in told[str(truncated)]
    found = sum(row.warning is None for row in rows)
    assert 5000 - 2048 <= found < 5000
    with pytest.raises(skewer.InputError, match=r"truncated\.parquet"):
        skewer.spark.search(database.parent, {"mates": "mate"}, on_error="fail")
    truncated.unlink()
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="checksum is wrong"):
        skewer.spark.search(database.parent, {"mates": "mate"}, on_error="fail").collect()


def test_what_is_asked_in_another_way_is_explained(spark: Any) -> None:
    wrong: Any = ["mate"]
    with pytest.raises(TypeError, match=re.escape('{"mates": "mate"}')):
        skewer.spark.search("/nowhere", wrong)
    wrong = "ignore"
    with pytest.raises(ValueError, match='"warn" or "fail"'):
        skewer.spark.search("/nowhere", {"mates": "mate"}, on_error=wrong)


def test_movetext_alone_is_no_reason_to_warn(spark: Any) -> None:
    frame = spark.createDataFrame([("1. f3 e5 2. g4 Qh4# 0-1",), ("1. e4 *",), ("1. e4",)], "movetext string")
    rows = skewer.spark.search(frame, {"mates": "mate"}).collect()
    assert [(row.query, row.warning) for row in rows] == [("mates", None)]


def test_a_worker_that_is_killed_changes_nothing(cluster: Cluster, spark: Any, tmp_path: Path) -> None:
    text = (GOLDEN / "tree.pgn").read_bytes()
    for number in range(24):
        (tmp_path / f"{number}.pgn").write_bytes(text)
    frame = skewer.spark.search(tmp_path, {"all": "path -- check -- -- check"})
    rows: list[Any] = []
    job = threading.Thread(target=lambda: rows.extend(frame.select("file", "row", "positionid").collect()))
    job.start()
    tracker = spark.sparkContext.statusTracker()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and 1 <= stage.numCompletedTasks < 20 for stage in stages):
            break
        assert job.is_alive(), "the job ended too soon"
        time.sleep(0.02)
    cluster.kill_worker()
    job.join(120)
    assert not job.is_alive()
    one = of_command("path -- check -- -- check", GOLDEN / "tree.pgn")
    assert len(rows) == 24 * len(one)
    assert {(row.row, row.positionid) for row in rows} == {(row, position) for _, row, position in one}
