"""Texts of queries, and what can be said about them without a search."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from skewer import _skewer
from skewer._errors import InputError


def compile(
    query: str | bytes | os.PathLike[str] | _skewer.Query,
    *,
    tablebase: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
) -> _skewer.Query:
    """Compile a query: its text, or the path of a file with it.

    A string is a text, unless it ends in ``.cql``; a ``pathlib.Path`` is always a path. A text may be a whole query,
    which begins with ``cql(…)``, or filters alone. A query that is compiled already stays as it is.

    ``tablebase`` is a folder with Syzygy endgame tablebases, or a list of them, for ``wdl``, ``dtz`` and what is made
    of them; else the environment variable ``SKEWER_TABLEBASE`` names the folders, separated as in ``PATH``.

    >>> import skewer
    >>> skewer.compile("mate and Q attacks k").matches("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    True

    Raises:
        QueryError: where the text is not a query, or asks tablebases that cannot be used.
        InputError: if the file cannot be read.

    """
    if isinstance(query, _skewer.Query) and tablebase is None:
        return query
    if tablebase is None:
        folders = tablebase_folders()
    else:
        folders = [tablebase] if isinstance(tablebase, (str, os.PathLike)) else list(tablebase)
    return _skewer.Query(*_text_of(query), folders)


def tablebase_folders() -> list[str | os.PathLike[str]]:
    """Return the folders of endgame tablebases that the environment names."""
    return [folder for folder in os.environ.get("SKEWER_TABLEBASE", "").split(os.pathsep) if folder]


def explain(query: str | bytes | os.PathLike[str] | _skewer.Query) -> str:
    """Say how a query is evaluated: what is asked once per game, what at each position, and what costs most.

    >>> import skewer
    >>> print(skewer.explain("elo > 2600 mate").splitlines()[0])
    Once per game, before its moves are read:
    """
    return _skewer.explain(*_text_of(query))


def format(query: str | bytes | os.PathLike[str] | _skewer.Query) -> str:
    r"""Lay a query out in the common style, without changing what it means.

    >>> import skewer
    >>> skewer.format("cql( )  R==1   mate")
    'cql()\n\nR == 1 mate\n'
    """
    return _skewer.format(*_text_of(query))


class LintWarning(NamedTuple):
    """What is correct in a query and probably not meant."""

    name: str
    """Of which kind it is; ``//? allow NAME`` in the query turns it off."""
    line: int
    """The line where it begins, from 1."""
    column: int
    """The column where it begins, in characters from 1."""
    message: str
    """What is said about it, in one line."""
    hints: list[str]
    """What to do about it."""
    drawn: str
    """All of it, several lines, with the place in the query underlined."""


def check(query: str | bytes | os.PathLike[str] | _skewer.Query) -> list[LintWarning]:
    """Look for what is probably not meant. A query with errors raises the first one.

    >>> import skewer
    >>> [warning.name for warning in skewer.check("check and not check")]
    ['never-matches']
    """
    return [LintWarning(*warning) for warning in _skewer.check(*_text_of(query))]


def _text_of(query: str | bytes | os.PathLike[str] | _skewer.Query) -> tuple[bytes, str]:
    """Return a text and its name."""
    if isinstance(query, _skewer.Query):
        return query.text.encode(), query.name
    if isinstance(query, bytes):
        return query, "query"
    if isinstance(query, str) and (not query.endswith(".cql") or "\n" in query):
        return query.encode(), "query"
    try:
        given = os.fspath(query)
    except TypeError:
        kind = type(query).__name__
        raise TypeError(
            f"a query is its text, the path of a .cql file, or what `compile` has made, not {kind}"
        ) from None
    path = os.path.expanduser(given)
    try:
        with open(path, "rb") as file:
            return file.read(), path
    except OSError as error:
        raise InputError(f"cannot read the query {path}: {error.strerror}") from error
