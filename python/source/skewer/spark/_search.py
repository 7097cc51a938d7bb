"""Searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from skewer import _skewer
from skewer._errors import Error
from skewer._search import AnyQuery
from skewer.spark._games import OnError, Paths, check_on_error, in_parts, is_frame, knows_files
from skewer.spark._queries import check_names, named, quoted, refusal
from skewer.spark._tasks import Batches, batches_of

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

    from skewer._skewer import Columns, OneGames, Query


#: The columns that every result has, with their types.
FIXED_COLUMNS = {
    "query": "string",
    "file": "string",
    "row": "bigint",
    "positionid": "int",
    "ply": "int",
    "fen": "string",
    "move": "string",
    "query_side": "string",
    "warning": "string",
}


def search(
    games: DataFrame | Paths,
    queries: Mapping[str, AnyQuery],
    columns: Columns = (),
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
        columns: What becomes columns beside that: names with filters, as in ``{"pawns": "#P"}``, or a list. In a list,
            ``"pawns=#P"`` is a filter, ``"next"`` the move that was played next, ``"solution"`` the first move that the
            query tries with success, as in ``Query.search``; any other name is that of a tag, such as ``"White"`` or
            ``"Date"``. Numbers are integers and conditions booleans; squares of a set are text, and a position is its
            FEN. Of tags, ``WhiteElo`` and ``BlackElo`` are numbers, the others text.
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
        The columns ``query``, ``file``, ``row``, ``positionid``, ``ply``, ``fen``, ``move``, ``query_side`` and
        ``warning``, those of ``columns``, tags first, of ``sort_keys`` and of ``keep``. ``row`` counts the games of a
        file from 1. A row with a ``warning`` is not a match: it tells what could not be read, and where.

    Raises:
        QueryError: A query is wrong, needs all games in one order, so that it cannot be searched in parts, or asks
            endgame tablebases and has none: compile it with ``tablebase``, a folder that all machines have.
        InputError: A file is damaged, and ``on_error`` is ``"fail"``.
        Error: There are no such games, or no session.

    """
    check_on_error(on_error)
    tags, added = _skewer.tags_and_columns(columns)
    compiled = _compiled(queries, added, sort_keys)
    wanted = _Search(compiled, tags, list(keep), sort_keys, on_error)
    check_names([*FIXED_COLUMNS, *tags, *wanted.added_columns(), *wanted.key_columns(), *keep])
    if keep and not is_frame(games):
        raise Error("`keep` names columns of a DataFrame, and the games are files")
    return in_parts(games, wanted, shared, spark)


def _compiled(
    queries: Mapping[str, AnyQuery], columns: Sequence[tuple[str, str | None]], sort_keys: bool
) -> list[tuple[str, Query]]:
    compiled: list[tuple[str, Query]] = []
    for name, query in named(queries):
        query = query._with_columns(columns) if columns else query
        obstacles = _skewer.obstacles(query, sort_keys)
        if obstacles:
            raise refusal(name, obstacles)
        compiled.append((name, query))
    return compiled


def _type(tag: str) -> str:
    return "int" if tag in ("WhiteElo", "BlackElo") else "string"


_FILE = "__skewer_file"
_ROW = "__skewer_row"
_KEEP = "__skewer_keep_"


class _Search(NamedTuple):
    """What is searched for, and which columns the result has for it."""

    queries: list[tuple[str, Query]]
    tags: list[str]
    keep: list[str]
    sort_keys: bool
    on_error: OnError

    def of_task(self) -> tuple[list[str], bool, bool]:
        """Return what a task has to know beside the queries."""
        return self.tags, self.sort_keys, self.on_error == "fail"

    def of_pgn(self, games: OneGames, path: str) -> Batches:
        return batches_of(_skewer.search_pgn(self.queries, games, path, self.of_task()))

    def of_row_groups(self, path: str, start: int, end: int) -> Batches:
        return batches_of(_skewer.search_row_groups(self.queries, path, start, end, path, self.of_task()))

    def of_batch(self, batch: pyarrow.RecordBatch) -> Batches:
        """Search rows behind the columns ``_FILE``, ``_ROW`` and those that are kept."""
        import pyarrow
        import pyarrow.compute

        first = 2 + len(self.keep)
        games = batch.select(list(range(first, batch.num_columns)))
        for found in batches_of(_skewer.search_batch(self.queries, games, self.of_task())):
            # A warning about all rows has no row.
            rows = pyarrow.compute.subtract(found.column("row"), 1)
            arrays = list(found.columns)
            arrays[1] = batch.column(0).take(rows)
            arrays[2] = batch.column(1).take(rows)
            arrays.extend(batch.column(2 + place).take(rows) for place in range(len(self.keep)))
            names = [*found.schema.names, *self.keep]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=names)

    def columns_read(self, names: Sequence[str]) -> list[str]:
        return _skewer.columns_read(self.compiled(), names, self.tags)

    def condition(self) -> str | None:
        """Return what rows of a database have to have."""
        return _skewer.spark_condition(self.compiled())

    def compiled(self) -> list[Query]:
        return [query for _, query in self.queries]

    def key_columns(self) -> dict[str, str]:
        """Return the columns of what the queries sort by, with their types."""
        keys = _skewer.sort_columns(self.compiled()) if self.sort_keys else []
        return {title: "string" if is_text else "bigint" for title, is_text in keys}

    def added_columns(self) -> dict[str, str]:
        """Return the columns of filters, with their types."""
        return dict(_skewer.added_columns(self.compiled()))

    def schema(self) -> str:
        tags = {tag: _type(tag) for tag in self.tags}
        columns = {**FIXED_COLUMNS, **tags, **self.added_columns(), **self.key_columns()}
        return ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())

    def selected(self, frame: DataFrame, columns: list[Column]) -> tuple[DataFrame, str]:
        from pyspark.sql import functions

        missing = [name for name in self.keep if name not in frame.columns]
        if missing:
            raise Error(f"the DataFrame has no column `{missing[0]}`")
        places = [functions.lit(None).cast("string"), functions.lit(None).cast("bigint")]
        if knows_files(frame):
            places = [functions.col("_metadata.file_path"), functions.col("_metadata.row_index") + 1]
        selected = frame.select(
            places[0].alias(_FILE),
            places[1].alias(_ROW),
            *[functions.col(quoted(name)).alias(f"{_KEEP}{name}") for name in self.keep],
            *columns,
        )
        kept = selected.select(*[functions.col(quoted(f"{_KEEP}{name}")).alias(name) for name in self.keep])
        schema = self.schema()
        for field in kept.schema.fields:
            schema += f", {quoted(field.name)} {field.dataType.simpleString()}"
        return selected, schema
