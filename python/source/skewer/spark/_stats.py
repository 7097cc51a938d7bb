"""Counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from skewer import _skewer
from skewer._errors import Error
from skewer._search import AnyQuery
from skewer.spark._games import OnError, Paths, check_on_error, in_parts
from skewer.spark._queries import check_names, named, quoted, refusal
from skewer.spark._tasks import Batches, Task, batches_of, sent

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

    from skewer._skewer import Counts, OneGames


def stats(
    games: DataFrame | Paths,
    queries: AnyQuery | Mapping[str, AnyQuery] | None = None,
    by: str | Iterable[str] = (),
    *,
    next: bool = False,
    value: str | None = None,
    histogram: bool = False,
    for_whom: Literal["white", "black", "mover", "query"] | None = None,
    by_player: str | None = None,
    max_groups: int = 1_000_000,
    on_error: OnError = "warn",
    shared: bool | None = None,
    spark: SparkSession | None = None,
    **which: Any,
) -> DataFrame:
    """Count what queries find, group by group, as ``skewer.stats`` and the command ``skewer stats`` do.

    Each task counts its part of the games, and Spark adds up the groups of all parts. Shares, scores and their
    intervals, means and quartiles are those of the sums, so they are the same as on one machine.

    Args:
        games: Where the games are, as in ``search``.
        queries: Names with queries, or a query. Without one the initial positions of the games are counted.
        by: The keys, as the command has them: ``"year:10"``, ``["eco:1", "pawns=#P"]``.
        next: Whether the move played next is a key, too.
        value: A filter that is measured: each group gets its mean, median, quartiles and extremes.
        histogram: Whether it is also said how often each value occurs.
        for_whom: Whose wins, rating and name count.
        by_player: Only matches of the side of this player count.
        max_groups: So many groups may a task have; more fail the job.
        on_error: What damaged files do, as in ``search``.
        shared: Whether every task can open the paths, as in ``search``.
        spark: The session; the active one, if it is not given.
        **which: Which games are counted, as in ``Query.search``: ``player``, ``white``, ``black``, ``event``,
            ``site``, ``eco``, ``result``, ``year``, ``elo``, ``variant``; ``variations`` and ``first``.

    Returns:
        A row for each group, in no particular order: the columns of ``skewer.stats``, and ``warning``. Rows with a
        ``warning`` are no groups: each tells what could not be read of a part of the games.

    Raises:
        QueryError: A query or a filter is wrong, needs all games in one order, or asks endgame tablebases and has none.
        InputError: A file is damaged, and ``on_error`` is ``"fail"``.
        Error: A key is none, or there are no such games.

    """
    check_on_error(on_error)
    if queries is None:
        queries = {"initial": "initial"}
    elif not isinstance(queries, Mapping):
        queries = {"query": queries}
    options = {
        "by": [by] if isinstance(by, str) else list(by),
        "next": next,
        "value": value,
        "histogram": histogram,
        "for_whom": for_whom,
        "by_player": by_player,
        "max_groups": max_groups,
        **which,
    }
    compiled = named(queries)
    counts = _skewer.Counts(compiled, {name: given for name, given in options.items() if given is not None})
    for name, obstacles in counts.obstacles():
        if obstacles:
            raise refusal(name, obstacles)
    count = _Count(counts, on_error)
    check_names([name for name, _ in count.columns()])
    return count.added_up(in_parts(games, count, shared, spark))


#: The sums over the parts of a count.
_SUMS = ["base", "games", "positions", "wins", "draws", "losses", "rating_sum", "ratings"]


class _Count(NamedTuple):
    """What is counted."""

    counts: Counts
    on_error: OnError

    def of_pgn(self, games: OneGames, path: str) -> Batches:
        return batches_of([self.counts.count_pgn(games, path, self.on_error == "fail")])

    def of_row_groups(self, path: str, start: int, end: int) -> Batches:
        return batches_of([self.counts.count_row_groups(path, start, end, self.on_error == "fail")])

    def of_batch(self, batch: pyarrow.RecordBatch) -> Batches:
        return batches_of([self.counts.count_batch(batch, self.on_error == "fail")])

    def columns_read(self, names: Sequence[str]) -> list[str]:
        if self.counts.asks_for_source():
            raise Error("rows of a DataFrame have no `source`: count files that all tasks can open")
        return self.counts.columns_read(names)

    def condition(self) -> str | None:
        return self.counts.spark_condition()

    def columns(self) -> list[tuple[str, str]]:
        """Return the columns of the table, with their types."""
        return [*self.counts.columns(), ("warning", "string")]

    def schema(self) -> str:
        """Return the columns of the parts."""
        counts = ", ".join(f"{name} bigint" for name in _SUMS)
        return (
            f"query int, of_game binary, key binary, {counts}, first_year int, last_year int, value int, count bigint, "
            "warning string"
        )

    def added_up(self, parts: DataFrame) -> DataFrame:
        """Add up the groups of all parts, and make the table of them."""
        from pyspark.sql import Window, functions

        group = ["query", "of_game", "key", "warning"]
        sums = [functions.sum(name).alias(name) for name in _SUMS]
        sums += [functions.min("first_year").alias("first_year"), functions.max("last_year").alias("last_year")]
        if self.counts.is_measured():
            # First sums the counts of each value of a group, and then collects the values of the group.
            each = parts.groupBy(*group, "value").agg(*sums, functions.sum("count").alias("count"))
            pair = functions.when(functions.col("value").isNotNull(), functions.struct("value", "count"))
            groups = each.groupBy(*group).agg(*sums, functions.collect_list(pair).alias("values"))
        else:
            groups = parts.groupBy(*group).agg(*sums)
        if self.counts.is_of_positions():
            # The games that shares refer to have their own rows, without a key.
            base = functions.sum("base").over(Window.partitionBy("query", "of_game"))
            groups = groups.withColumn("base", base).filter("key IS NOT NULL OR warning IS NOT NULL")
        schema = ", ".join(f"{quoted(name)} {kind}" for name, kind in self.columns())
        return groups.mapInArrow(sent(_TableTask(self.counts)), schema)

    def selected(self, frame: DataFrame, columns: list[Column]) -> tuple[DataFrame, str]:
        return frame.select(*columns), self.schema()


class _TableTask(Task):
    """Makes the table of groups that have been added up."""

    def __init__(self, counts: Counts) -> None:
        super().__init__()
        self.counts = counts

    def __call__(self, batches: Batches) -> Batches:
        self.check()
        for batch in batches:
            yield from batches_of([self.counts.table(batch)])
