"""Games in parts: files that tasks open, files that Spark opens, and rows of DataFrames."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias, TypeGuard, cast
from urllib.parse import quote

from skewer import _skewer
from skewer._errors import Error, InputError
from skewer.spark._queries import quoted
from skewer.spark._tasks import Batches, Task, sent

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

    from skewer._skewer import OneGames

Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
OnError: TypeAlias = Literal["warn", "fail"]


#: Endings of files of games or positions. Folders are only searched for games and lists, because tables may hold
#: anything.
_TEXT = re.compile(r"\.(pgn|epd|fen|csv|tsv|jsonl|ndjson)(\.(gz|zst|bz2|xz|zip))?$", re.IGNORECASE)
_IN_FOLDERS = re.compile(r"\.(pgn|epd|fen)(\.(gz|zst|bz2|xz|zip))?$", re.IGNORECASE)
_PARQUET = re.compile(r"\.parquet$", re.IGNORECASE)

#: About how many bytes of a Parquet file each task searches.
PART_BYTES = 64 << 20


class _Part(NamedTuple):
    """What a task searches: a file of PGN or positions, or row groups of a Parquet file."""

    path: str
    groups: tuple[int, int] | None


class Work(Protocol):
    """What tasks do with games."""

    @property
    def on_error(self) -> OnError:
        """What damaged files do."""

    def schema(self) -> str:
        """Return the columns of what comes of it."""

    def of_pgn(self, games: OneGames, path: str) -> Batches:
        """Do it with a file or a stream that is at this path."""

    def of_row_groups(self, path: str, start: int, end: int) -> Batches:
        """Do it with row groups of a file, from one up to another."""

    def of_batch(self, batch: pyarrow.RecordBatch) -> Batches:
        """Do it with rows."""

    def columns_read(self, names: Sequence[str]) -> list[str]:
        """Return which columns of a DataFrame are read."""

    def condition(self) -> str | None:
        """Return what rows of a database have to have, so that it need not be done with others."""

    def selected(self, frame: DataFrame, columns: list[Column]) -> tuple[DataFrame, str]:
        """Return these columns of a DataFrame, with what is needed beside them, and the columns of what comes of it."""


def in_parts(games: DataFrame | Paths, work: Work, shared: bool | None, spark: SparkSession | None) -> DataFrame:
    """Return what tasks make of the games, each of a part of them."""
    if is_frame(games):
        return _of_frame(games, work)
    session = spark or _session()
    given = cast("Paths", games)
    paths = [os.fspath(path) for path in ([given] if isinstance(given, str | os.PathLike) else given)]
    if not paths:
        raise Error("there are no paths to search")
    if shared is None:
        shared = all(_local(path) is not None for path in paths)
    if shared:
        return _PartsTask(_parts(paths, work.on_error), work).run(session)
    return _of_remote(session, paths, work)


def check_on_error(on_error: str) -> None:
    if on_error not in ("warn", "fail"):
        raise ValueError(f'on_error is "warn" or "fail", not {on_error!r}')


def is_frame(games: DataFrame | Paths) -> TypeGuard[DataFrame]:
    """Whether these are rows; those of Spark Connect have a class of their own in PySpark 3.5."""
    return hasattr(games, "mapInArrow")


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        raise Error("there is no active Spark session: create one, or pass it as `spark`")
    return session


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
        # The task that opens the file reports the error.
        return None


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        found = [os.path.join(folder, name) for folder, _, names in os.walk(path, followlinks=True) for name in names]
        found = sorted(file for file in found if _IN_FOLDERS.search(file) or _PARQUET.search(file))
        # Folders of Spark have unfinished files such as `_temporary/…`.
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


class _PartsTask(Task):
    """Looks at parts of the games, by their numbers."""

    def __init__(self, parts: Sequence[_Part], work: Work) -> None:
        super().__init__()
        self.parts = list(parts)
        self.work = work

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self.search(self.parts[number])

    def run(self, session: SparkSession) -> DataFrame:
        """Return what comes of it: a partition for each part, without a shuffle."""
        count = len(self.parts)
        return session.range(0, count, 1, max(count, 1)).mapInArrow(sent(self), self.work.schema())

    def search(self, part: _Part) -> Batches:
        if part.groups is None:
            return self.work.of_pgn(Path(part.path), part.path)
        return self.work.of_row_groups(part.path, *part.groups)


# Files that only Spark can open.


def _of_remote(session: SparkSession, paths: Sequence[str], work: Work) -> DataFrame:
    files = _listed(session, paths)
    pgn = [file for file in files if _IN_FOLDERS.search(file) or (_TEXT.search(file) and _is_named(file, paths))]
    parquet = [file for file in files if _PARQUET.search(file)]
    frames: list[DataFrame] = []
    if pgn:
        frames.append(_StreamsTask([_Part(file, None) for file in pgn], work).run(session))
    if parquet:
        frames.append(_of_frame(session.read.parquet(*parquet), work))
    if not frames:
        raise _no_games(", ".join(paths))
    result = frames[0]
    for other in frames[1:]:
        result = result.unionByName(other)
    return result


def _listed(session: SparkSession, paths: Sequence[str]) -> list[str]:
    """List the files that Spark finds at paths, in folders and by patterns."""
    # Only the names are selected, so the bytes are not read.
    files = session.read.format("binaryFile").option("recursiveFileLookup", True).load([*paths])
    return sorted(row.path for row in files.select("path").collect())


class _StreamsTask(_PartsTask):
    """Looks at PGN files on storage that pyarrow knows, as streams: no file is held in memory."""

    def search(self, part: _Part) -> Batches:
        from pyarrow import fs

        # Hadoop has its own names for S3, and `file:/a` lacks two slashes.
        uri = re.sub(r"^s3[an]:", "s3:", part.path)
        uri = re.sub(r"^file:/(?!/)", "file:///", uri)
        # Spark does not escape blanks and other characters in names.
        uri = quote(uri, safe=":/@")
        system, inner = fs.FileSystem.from_uri(uri)
        # Skewer unpacks compressed files itself.
        with system.open_input_stream(inner, compression=None) as stream:
            yield from self.work.of_pgn(stream, part.path)


# DataFrames.


def _of_frame(frame: DataFrame, work: Work) -> DataFrame:
    from pyspark.sql import functions

    names = list(frame.columns)
    read = work.columns_read(names)
    if not {"movetext", "movedata", "fen"} & {name.lower() for name in read}:
        raise Error(
            "the DataFrame has no games: it has no column `movetext` (text, as in the sets of Lichess), `movedata` "
            "(bytes, as in Aix archives and in databases of skewer) or `fen` (text, positions)"
        )
    if {"events", "outcome"} <= set(names):
        condition = work.condition()
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
    columns = [functions.col(quoted(name)) for name in read]
    selected, schema = work.selected(frame, columns)
    return selected.mapInArrow(sent(_FrameTask(work)), schema)


def knows_files(frame: DataFrame) -> bool:
    """Whether Spark knows the files that the rows are from."""
    from pyspark.errors import PySparkException

    try:
        return len(frame.select("_metadata.file_path", "_metadata.row_index").schema) == 2
    except PySparkException:
        return False


class _FrameTask(Task):
    """Looks at rows."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.work = work

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            if batch.num_rows:
                yield from self.work.of_batch(batch)
