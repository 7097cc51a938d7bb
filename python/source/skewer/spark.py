"""Searches on Apache Spark: archives of billions of games, the same answers as on one machine.

>>> import skewer.spark                                               # doctest: +SKIP
>>> found = skewer.spark.search("/archive/games", {"mates": "mate"})  # doctest: +SKIP
>>> found.groupBy("query").count().show()                             # doctest: +SKIP

It needs PySpark 3.5 or later, also as a client of Spark Connect, and pyarrow. skewer has to be installed where the
tasks run; docs/spark.md shows how.
"""

from __future__ import annotations

import fnmatch
import glob
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeGuard, cast
from urllib.parse import quote

from skewer import _skewer
from skewer._errors import Error, InputError, QueryError
from skewer._search import AnyQuery, named

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from skewer._skewer import Query

__all__ = ["FIXED_COLUMNS", "search"]

Batches: TypeAlias = "Iterator[pyarrow.RecordBatch]"
Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
OnError: TypeAlias = Literal["warn", "fail"]

#: The columns that every result has, with their types.
FIXED_COLUMNS = {
    "query": "string",
    "file": "string",
    "row": "bigint",
    "positionid": "int",
    "ply": "int",
    "fen": "string",
    "move": "string",
    "warning": "string",
}

#: Names that end so are files of games, or of positions. Folders stand for games and lists: tables may hold anything.
_TEXT = re.compile(r"\.(pgn|epd|fen|csv|tsv|jsonl|ndjson)(\.(gz|zst|bz2|xz|zip))?$", re.IGNORECASE)
_IN_FOLDERS = re.compile(r"\.(pgn|epd|fen)(\.(gz|zst|bz2|xz|zip))?$", re.IGNORECASE)
_PARQUET = re.compile(r"\.parquet$", re.IGNORECASE)

#: About so many bytes of a Parquet file are searched by a task.
PART_BYTES = 64 << 20


class _Part(NamedTuple):
    """What a task searches: a file of PGN or positions, or row groups of a Parquet file."""

    path: str
    groups: tuple[int, int] | None


def search(
    games: DataFrame | Paths,
    queries: Mapping[str, AnyQuery],
    columns: Sequence[str] = (),
    *,
    keep: Sequence[str] = (),
    sort_keys: bool = False,
    on_error: OnError = "warn",
    shared: bool | None = None,
    spark: SparkSession | None = None,
) -> DataFrame:
    """Search games on Spark: a row for each position that matches, in no particular order.

    Args:
        games: Where the games are: a file, a folder with all ``.pgn``, ``.epd``, ``.fen`` and ``.parquet`` files in
            it, a pattern such as ``/archive/2024-*.parquet``, or a list of these; or a DataFrame with the columns of a
            database of skewer, of a set of Lichess (``movetext``), of an Aix archive (``movedata``) or of positions
            (``fen``).
        queries: The queries with the names that ``query`` has in the result: compiled, as text, or paths of ``.cql``
            files.
        columns: Tags of the games that become columns, such as ``"White"`` or ``"Date"``. ``WhiteElo`` and
            ``BlackElo`` are numbers, the others text.
        keep: Columns of a DataFrame that stay in the result as they are, such as an identifier of the game.
        sort_keys: Whether what the queries sort by becomes columns, with the titles as names: the value that a game has
            for it, on each of its rows. Then the queries may have ``sort`` and ``sort matchcount``, and you sort, by
            ``orderBy``. Without it such queries are refused.
        on_error: What damaged files do. With ``"warn"`` what can be read of them is searched, and rows with a
            ``warning`` tell of the rest; with ``"fail"`` the job fails. It fails, too, where Spark itself reads Parquet
            files that are damaged.
        shared: Whether every task can open the paths, because they are on storage that all machines share. Then tasks
            read row groups by skewer's own reader, which takes the fewest bytes. Paths without a scheme such as
            ``s3a:`` are taken for shared. Otherwise Spark reads Parquet files, and PGN is streamed through
            ``pyarrow.fs``.
        spark: The session; the active one, if it is not given.

    Returns:
        The columns ``query``, ``file``, ``row``, ``positionid``, ``ply``, ``fen``, ``move`` and ``warning``, those of
        ``columns``, of ``sort_keys`` and of ``keep``. ``row`` counts the games of a file from 1. A row with a
        ``warning`` is no match: it tells what could not be read, and where.

    Raises:
        QueryError: A query is wrong, needs all games in one order, so that it cannot be searched in parts, or asks
            endgame tablebases and has none: compile it with ``tablebase``, a folder that all machines have.
        InputError: A file is damaged, and ``on_error`` is ``"fail"``.
        Error: There are no such games, or no session.

    """
    if on_error not in ("warn", "fail"):
        raise ValueError(f'on_error is "warn" or "fail", not {on_error!r}')
    compiled = _compiled(queries, sort_keys)
    wanted = _Wanted(compiled, list(columns), sort_keys, on_error)
    _check_names(columns, wanted.key_columns(), keep)
    if _is_frame(games):
        return _search_frame(games, wanted, list(keep))
    if keep:
        raise Error("`keep` names columns of a DataFrame, and the games are files")
    session = spark or _session()
    given = cast("Paths", games)
    paths = [os.fspath(path) for path in ([given] if isinstance(given, str | os.PathLike) else given)]
    if not paths:
        raise Error("there are no paths to search")
    if shared is None:
        shared = all(_local(path) is not None for path in paths)
    if shared:
        return _search_parts(session, _parts(paths, on_error), wanted)
    return _search_remote(session, paths, wanted)


def _is_frame(games: DataFrame | Paths) -> TypeGuard[DataFrame]:
    """Whether these are rows; those of Spark Connect have a class of their own in PySpark 3.5."""
    return hasattr(games, "mapInArrow")


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        raise Error("there is no active Spark session: create one, or pass it as `spark`")
    return session


def _compiled(queries: Mapping[str, AnyQuery], sort_keys: bool) -> list[tuple[str, Query]]:
    compiled: list[tuple[str, Query]] = []
    for name, query in named(queries).items():
        obstacles = _skewer.obstacles(query, sort_keys)
        if obstacles:
            raise _refusal(name, obstacles)
        compiled.append((name, query))
    if not compiled:
        raise Error("there are no queries to search for")
    return compiled


def _refusal(name: str, obstacles: Sequence[str]) -> QueryError:
    reasons = "; ".join(obstacles)
    message = f"the query `{name}` cannot be searched in parts, as Spark does: {reasons}"
    hints = [
        "take these out and use Spark for them: `row` and `file` instead of numbers, `groupBy` instead of counting "
        "across games; with `sort_keys=True` what a query sorts by becomes columns, for `orderBy`",
        "or search on one machine, with the command or `query.search`",
    ]
    return QueryError(f"error: {message}\n" + "".join(f"  = help: {hint}\n" for hint in hints), message, 1, 1, hints)


def _check_names(*columns: Iterable[str]) -> None:
    known = {name.lower() for name in FIXED_COLUMNS}
    for name in itertools.chain(*columns):
        if name.lower() in known:
            raise Error(f"the result would have two columns `{name}`")
        known.add(name.lower())


def _type(tag: str) -> str:
    return "int" if tag in ("WhiteElo", "BlackElo") else "string"


class _Wanted(NamedTuple):
    """What is searched for, and which columns the result has for it."""

    queries: list[tuple[str, Query]]
    tags: list[str]
    sort_keys: bool
    on_error: OnError

    def of_task(self) -> tuple[list[str], bool, bool]:
        """Return what a task has to know beside the queries."""
        return self.tags, self.sort_keys, self.on_error == "fail"

    def compiled(self) -> list[Query]:
        return [query for _, query in self.queries]

    def key_columns(self) -> dict[str, str]:
        """Return the columns of what the queries sort by, with their types."""
        keys = _skewer.sort_columns(self.compiled()) if self.sort_keys else []
        return {title: "string" if is_text else "bigint" for title, is_text in keys}

    def schema(self) -> str:
        columns = {**FIXED_COLUMNS, **{tag: _type(tag) for tag in self.tags}, **self.key_columns()}
        return ", ".join(f"{_quoted(name)} {kind}" for name, kind in columns.items())


def _local(path: str) -> str | None:
    """Return the path in the file system, unless it has the scheme of another."""
    if path.startswith("file:"):
        return re.sub(r"^file:(//)?", "", path)
    return None if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]+:", path) else path


# Files that all tasks can open.


def _parts(paths: Iterable[str], on_error: OnError) -> list[_Part]:
    """List what tasks search, one each."""
    parts: list[_Part] = []
    for given in paths:
        path = os.path.abspath(os.path.expanduser(_local(given) or given))
        for file in _files(path):
            groups = None if _TEXT.search(file) else _row_groups(file, on_error)
            parts.extend([_Part(file, None)] if groups is None else _split(file, groups))
    return parts


def _row_groups(file: str, on_error: OnError) -> list[tuple[int, int]] | None:
    try:
        return _skewer.row_groups(file)
    except InputError:
        if on_error == "fail":
            raise
        # The task that opens it tells.
        return None


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        found = [os.path.join(folder, name) for folder, _, names in os.walk(path, followlinks=True) for name in names]
        found = sorted(file for file in found if _IN_FOLDERS.search(file) or _PARQUET.search(file))
        # Spark's own folders have files such as `_temporary/…`, which are not finished.
        found = [file for file in found if not re.search(r"/[_.]", file[len(path) :])]
    else:
        found = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    if not found:
        raise _no_games(path)
    return found


def _is_named(file: str, paths: Iterable[str]) -> bool:
    """Return whether a path or pattern names a file itself, not a folder that it is in."""
    return any(fnmatch.fnmatch(os.path.basename(file), os.path.basename(path)) for path in paths)


def _no_games(where: str) -> Error:
    return Error(
        f"{where}: there are no games, neither .pgn files or lists of positions (.epd, .fen), packed or not, "
        "nor .parquet files"
    )


def _split(path: str, groups: Sequence[tuple[int, int]]) -> Iterator[_Part]:
    """Row groups of a file in parts of about the same size."""
    start, size = 0, 0
    for index, (_, width) in enumerate(groups):
        size += width
        if size >= PART_BYTES or index + 1 == len(groups):
            yield _Part(path, (start, index + 1))
            start, size = index + 1, 0


def _search_parts(session: SparkSession, parts: Sequence[_Part], wanted: _Wanted) -> DataFrame:
    task = _PartTask(parts, wanted)
    # A partition for each part, without a shuffle.
    numbers = session.range(0, len(parts), 1, max(len(parts), 1))
    return numbers.mapInArrow(_sent(task), wanted.schema())


def _sent(task: _Task) -> Callable[[Batches], Batches]:
    """Return a task as a function that says what to do where skewer is not installed."""
    import pickle

    packed, version = pickle.dumps(task), _skewer.__version__

    # Functions inside of others are sent whole, not by their names: it runs without skewer.
    def run(batches: Batches) -> Batches:
        import pickle
        import sys

        try:
            import skewer.spark  # noqa: F401
        except ImportError as error:
            raise RuntimeError(
                f"the Python of this task, {sys.executable}, cannot import skewer ({error}). Install skewer {version} "
                "on all machines, or send an environment with `spark.archives`, and name its Python in the environment "
                "variable PYSPARK_PYTHON before the session is made; docs/spark.md shows how"
            ) from None
        yield from pickle.loads(packed)(batches)

    return run


class _Task:
    """What the tasks of a search have in common; Spark sends it to them."""

    def __init__(self, wanted: _Wanted) -> None:
        self.wanted = wanted
        self.version = _skewer.__version__

    def check(self) -> None:
        if _skewer.__version__ != self.version:
            raise Error(
                f"this task has skewer {_skewer.__version__}, and the driver {self.version}: "
                "install the same on all machines"
            )


def _batches(parts: Iterable[Any]) -> Batches:
    """Yield what is found as batches of pyarrow."""
    import pyarrow

    for found in parts:
        yield from pyarrow.RecordBatchReader.from_stream(found)


class _PartTask(_Task):
    """Searches parts of files, by their numbers."""

    def __init__(self, parts: Sequence[_Part], wanted: _Wanted) -> None:
        super().__init__(wanted)
        self.parts = list(parts)

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self.search(self.parts[number])

    def search(self, part: _Part) -> Batches:
        queries, wanted = self.wanted.queries, self.wanted.of_task()
        if part.groups is None:
            return _batches(_skewer.search_pgn(queries, Path(part.path), part.path, wanted))
        start, end = part.groups
        return _batches(_skewer.search_row_groups(queries, part.path, start, end, part.path, wanted))


# Files that only Spark can open.


def _search_remote(session: SparkSession, paths: Sequence[str], wanted: _Wanted) -> DataFrame:
    files = _listed(session, paths)
    pgn = [file for file in files if _IN_FOLDERS.search(file) or (_TEXT.search(file) and _is_named(file, paths))]
    parquet = [file for file in files if _PARQUET.search(file)]
    frames: list[DataFrame] = []
    if pgn:
        numbers = session.range(0, len(pgn), 1, len(pgn))
        frames.append(numbers.mapInArrow(_sent(_StreamTask(pgn, wanted)), wanted.schema()))
    if parquet:
        frames.append(_search_frame(session.read.parquet(*parquet), wanted, []))
    if not frames:
        raise _no_games(", ".join(paths))
    result = frames[0]
    for other in frames[1:]:
        result = result.unionByName(other)
    return result


def _listed(session: SparkSession, paths: Sequence[str]) -> list[str]:
    """List the files that Spark finds at paths, in folders and by patterns."""
    # Only the names are asked for, so the bytes are not read.
    files = session.read.format("binaryFile").option("recursiveFileLookup", True).load([*paths])
    return sorted(row.path for row in files.select("path").collect())


class _StreamTask(_Task):
    """Searches PGN files on storage that pyarrow knows, as streams: no file is held in memory."""

    def __init__(self, files: Sequence[str], wanted: _Wanted) -> None:
        super().__init__(wanted)
        self.files = list(files)

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self.search(self.files[number])

    def search(self, path: str) -> Batches:
        from pyarrow import fs

        # Hadoop's names for S3 are not those of others; `file:/a` lacks two slashes.
        uri = re.sub(r"^s3[an]:", "s3:", path)
        uri = re.sub(r"^file:/(?!/)", "file:///", uri)
        # Spark's names have blanks and the like as they are.
        uri = quote(uri, safe=":/@")
        system, inner = fs.FileSystem.from_uri(uri)
        # What is packed is unpacked by skewer.
        with system.open_input_stream(inner, compression=None) as stream:
            wanted = self.wanted.of_task()
            yield from _batches(_skewer.search_pgn(self.wanted.queries, stream, path, wanted))


# DataFrames.


def _search_frame(frame: DataFrame, wanted: _Wanted, keep: list[str]) -> DataFrame:
    from pyspark.sql import functions

    names = list(frame.columns)
    read = _skewer.columns_read(wanted.compiled(), names, wanted.tags)
    if not {"movetext", "movedata", "fen"} & {name.lower() for name in read}:
        raise Error(
            "the DataFrame has no games: it has no column `movetext` (text, as in the sets of Lichess), `movedata` "
            "(bytes, as in Aix archives and in databases of skewer) or `fen` (text, positions)"
        )
    missing = [name for name in keep if name not in names]
    if missing:
        raise Error(f"the DataFrame has no column `{missing[0]}`")
    if {"events", "outcome"} <= set(names):
        condition = _skewer.spark_condition(wanted.compiled())
        used = set(re.findall(r"\b[A-Za-z_]+\b", re.sub(r"'[^']*'", "", condition or "")))
        asked = {
            "events",
            "warnings",
            "variations",
            "plies",
            "men_least",
            "men_most",
            "outcome",
            "WhiteElo",
            "BlackElo",
            "Date",
        }
        if condition and used & asked <= set(names):
            frame = frame.filter(functions.expr(condition))
    places = [functions.lit(None).cast("string"), functions.lit(None).cast("bigint")]
    if _knows_files(frame):
        places = [functions.col("_metadata.file_path"), functions.col("_metadata.row_index") + 1]
    selected = frame.select(
        places[0].alias(_FILE),
        places[1].alias(_ROW),
        *[functions.col(_quoted(name)).alias(f"{_KEEP}{name}") for name in keep],
        *[functions.col(_quoted(name)) for name in read],
    )
    kept = selected.select(*[functions.col(_quoted(f"{_KEEP}{name}")).alias(name) for name in keep])
    schema = wanted.schema()
    for field in kept.schema.fields:
        schema += f", {_quoted(field.name)} {field.dataType.simpleString()}"
    return selected.mapInArrow(_sent(_FrameTask(wanted, keep)), schema)


_FILE = "__skewer_file"
_ROW = "__skewer_row"
_KEEP = "__skewer_keep_"


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _knows_files(frame: DataFrame) -> bool:
    """Whether Spark knows the files that the rows are from."""
    from pyspark.errors import PySparkException

    try:
        return len(frame.select("_metadata.file_path", "_metadata.row_index").schema) == 2
    except PySparkException:
        return False


class _FrameTask(_Task):
    """Searches rows."""

    def __init__(self, wanted: _Wanted, keep: list[str]) -> None:
        super().__init__(wanted)
        self.keep = keep

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            if batch.num_rows:
                yield from self.search(batch)

    def search(self, batch: pyarrow.RecordBatch) -> Batches:
        import pyarrow
        import pyarrow.compute

        first = 2 + len(self.keep)
        games = batch.select(list(range(first, batch.num_columns)))
        for found in _batches(_skewer.search_batch(self.wanted.queries, games, self.wanted.of_task())):
            # What is about all rows has no row.
            rows = pyarrow.compute.subtract(found.column("row"), 1)
            arrays = list(found.columns)
            arrays[1] = batch.column(0).take(rows)
            arrays[2] = batch.column(1).take(rows)
            arrays.extend(batch.column(2 + place).take(rows) for place in range(len(self.keep)))
            names = [*found.schema.names, *self.keep]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=names)
