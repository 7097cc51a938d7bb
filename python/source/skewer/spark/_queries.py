"""Queries that can be asked in parts of the games, and the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from skewer._errors import Error, QueryError
from skewer._search import AnyQuery
from skewer._search import named as compiled

if TYPE_CHECKING:
    from skewer._skewer import Query


def named(queries: Mapping[str, AnyQuery]) -> list[tuple[str, Query]]:
    queried = list(compiled(queries).items())
    if not queried:
        raise Error("there are no queries to search for")
    return queried


def refusal(name: str, obstacles: Sequence[str]) -> QueryError:
    reasons = "; ".join(obstacles)
    message = f"the query `{name}` cannot be searched in parts, as Spark does: {reasons}"
    hints = [
        "take these out and use Spark for them: `row` and `file` instead of numbers, `groupBy` instead of counting "
        "across games; with `sort_keys=True` what a query sorts by becomes columns, for `orderBy`",
        "or search on one machine, with the command or `query.search`",
    ]
    return QueryError(f"error: {message}\n" + "".join(f"  = help: {hint}\n" for hint in hints), message, 1, 1, hints)


def check_names(columns: Iterable[str]) -> None:
    known: set[str] = set()
    for name in columns:
        if name.lower() in known:
            raise Error(f"the result would have two columns `{name}`")
        known.add(name.lower())


def quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
