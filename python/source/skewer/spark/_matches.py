"""A query as a function of a column of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from skewer import _skewer
from skewer._queries import compile
from skewer._search import AnyQuery
from skewer.spark._queries import refusal
from skewer.spark._tasks import Task, batches_of, sent

if TYPE_CHECKING:
    from pyspark.sql import Column

    from skewer._skewer import Query

OnFenError: TypeAlias = Literal["null", "fail"]


@overload
def matches(query: AnyQuery, column: Column | str, *, on_error: OnFenError = "fail") -> Column: ...


@overload
def matches(query: AnyQuery, *, on_error: OnFenError = "fail") -> Callable[[Column | str], Column]: ...


def matches(
    query: AnyQuery, column: Column | str | None = None, *, on_error: OnFenError = "fail"
) -> Column | Callable[[Column | str], Column]:
    """Ask a query of the positions in a column of FENs: a column that says whether each matches.

    It stands wherever a condition does, as in ``frame.filter(skewer.spark.matches("mate", "fen"))``. Each position is
    looked at by itself, as ``Query.matches`` does. Where there is none, the answer is null.

    Args:
        query: The query: compiled, as text, or the path of a ``.cql`` file.
        column: The column, or its name. Without it you get a function of a column, for
            ``spark.udf.register("is_mate", skewer.spark.matches("mate"))``: then SQL knows ``is_mate(fen)``.
        on_error: What a text that is not a FEN does. With ``"fail"`` the job fails and names it; with ``"null"`` the
            answer is null.

    Raises:
        QueryError: A query is wrong, depends on other games, or asks endgame tablebases and has none.

    """
    from pyspark.sql import functions

    if on_error not in ("null", "fail"):
        raise ValueError(f'on_error is "null" or "fail", not {on_error!r}')
    compiled = compile(query)
    # For a position, it does not matter that a query sorts games.
    obstacles = _skewer.obstacles(compiled, True)
    if obstacles:
        raise refusal(compiled.text, obstacles)
    task = sent(_FenTask(compiled, on_error))
    # Before version 4.1, Spark only has functions on batches of pandas.
    make: Any = getattr(functions, "arrow_udf", None)
    if make is not None:
        from pyarrow import Array as Batch
    else:
        from pandas import Series as Batch
        from pyspark.sql.pandas.functions import pandas_udf as make
    # Spark reads from the annotations how the batches are passed.
    task.__annotations__ = {"batches": Iterator[Batch], "return": Iterator[Batch]}
    function: Callable[[Column | str], Column] = make(task, "boolean")
    return function if column is None else function(column)


class _FenTask(Task):
    """Asks a query of positions."""

    def __init__(self, query: Query, on_error: OnFenError) -> None:
        super().__init__()
        self.query = query
        self.on_error = on_error

    def __call__(self, columns: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        self.check()
        for column in columns:
            is_arrow = isinstance(column, pyarrow.Array)
            fens = column.cast(pyarrow.string()) if is_arrow else pyarrow.array(column, pyarrow.string())
            batch = pyarrow.RecordBatch.from_arrays([fens], ["fen"])
            (found,) = batches_of([_skewer.match_fens(self.query, batch, self.on_error == "fail")])
            answers = found.column(0)
            yield answers if is_arrow else answers.to_pandas()
