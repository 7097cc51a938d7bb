"""Searches for queries that need not be compiled before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

from skewer import _skewer
from skewer._queries import compile

#: A query: compiled, as text, or the path of its file.
AnyQuery: TypeAlias = "str | bytes | os.PathLike[str] | _skewer.Query"


def search(query: AnyQuery, games: _skewer.Games, **options: Any) -> _skewer.Result:
    r"""Search games for a query: compiled, its text, or the path of a ``.cql`` file.

    Games and options are those of ``Query.search``.

    >>> import skewer
    >>> skewer.search("mate", "1. f3 e5 2. g4 Qh4# 0-1\n")
    <skewer.Result: 1 position in 1 matching game of 1 game>
    """
    return compile(query).search(games, **options)


def search_many(queries: Mapping[str, AnyQuery], games: _skewer.Games, **options: Any) -> dict[str, _skewer.Result]:
    r"""Search for several queries in one pass over the games.

    Names with queries, such as a dictionary or the library, become a dictionary of names and results. A query is
    compiled, a text, or the path of a ``.cql`` file. Games and options are those of ``Query.search``.

    >>> import skewer
    >>> results = skewer.search_many({"mate": "mate", "check": "check"}, "1. f3 e5 2. g4 Qh4# 0-1\n")
    >>> {name: len(result) for name, result in results.items()}
    {'mate': 1, 'check': 1}
    """
    return _skewer.search_many(named(queries), games, **options)


def named(queries: Mapping[str, AnyQuery]) -> dict[str, _skewer.Query]:
    """Compile queries that have names."""
    if not isinstance(queries, Mapping):
        kind = type(queries).__name__
        raise TypeError(f'queries are given by their names, as in {{"mates": "mate"}}, not as {kind}')
    return {name: compile(query) for name, query in queries.items()}
