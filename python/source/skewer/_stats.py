"""Counts of what queries find."""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skewer import _command, _paths
from skewer._errors import PgnWarning
from skewer._queries import compile
from skewer._search import AnyQuery, named

if TYPE_CHECKING:
    import pyarrow

#: The options of the command as arguments of Python, with their names on the command line.
_OPTIONS = {
    "value": "value",
    "histogram": "histogram",
    "next": "next",
    "for_whom": "for",
    "sort": "sort",
    "top": "top",
    "min": "min",
    "max_groups": "max-groups",
    "threads": "threads",
    "variations": "variations",
    "max_rounds": "max-rounds",
    "player": "player",
    "by_player": "by-player",
    "white": "white",
    "black": "black",
    "event": "event",
    "site": "site",
    "eco": "eco",
    "result": "result",
    "year": "year",
    "elo": "elo",
    "numbers": "games",
    "variant": "variant",
    "first": "first",
    "sample": "sample",
    "seed": "seed",
}


def stats(
    query: AnyQuery | Mapping[str, AnyQuery] | None,
    games: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    by: str | Iterable[str] = (),
    **options: Any,
) -> pyarrow.Table:
    r"""Count what queries find, group by group, and return a table of pyarrow, with the columns of ``skewer stats``.

    ``query`` is a query, or names with queries, such as a part of the library; without one, ``None``, the initial
    positions of the games are counted. ``games`` are paths of files and folders, or patterns such as ``2024-*.pgn``.
    ``by`` has the keys, as the command has them: ``"year:10"``, ``["eco:1", "pawns=#P"]``.

    The options are those of the command: ``next``, ``value``, ``histogram``, ``sort``, ``top`` and ``min``,
    ``for_whom`` for ``--for``, ``by_player``, ``max_groups``; and those of ``Query.search`` that say which games are
    searched.

    >>> import pathlib, skewer, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "fool.pgn")
    >>> _ = file.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    >>> skewer.stats("mate", file, by="result").select(["result", "searched", "games"]).to_pylist()
    [{'result': '0-1', 'searched': 1, 'games': 1}]

    The command does it, in a process of its own.

    Raises:
        QueryError: where a query is wrong.
        Error: if a key is, or the games cannot be read.

    """
    import pyarrow.parquet

    if hasattr(games, "__arrow_c_stream__"):
        raise TypeError("games in a table cannot be counted; write them to a file, such as games.csv or games.parquet")
    given = [games] if isinstance(games, (str, os.PathLike)) else games
    paths = [path for some in given for path in _paths.of_games(some)]
    arguments = [f"--by={keys}" for keys in ([by] if isinstance(by, str) else by)]
    arguments += [argument for name, value in options.items() for argument in _arguments(name, value)]
    with tempfile.TemporaryDirectory(prefix="skewer-") as folder:
        counts = os.path.join(folder, "counts.parquet")
        asked = _asked(query, Path(folder, "queries"))
        said = _command.run(
            ["stats", "--color=never", f"--output={counts}", *arguments, *asked, *paths],
            may_end_with=(0, 1),
            named=_in_python,
        )
        if said:
            warnings.warn(said, PgnWarning, stacklevel=2)
        return pyarrow.parquet.read_table(counts)


def _asked(query: AnyQuery | Mapping[str, AnyQuery] | None, folder: Path) -> list[str]:
    """Return what the command is told of queries, behind which stand paths. Several are written into a folder."""
    if query is None:
        return ["--"]
    if not isinstance(query, Mapping):
        return [f"--expression={compile(query).text}", "--"]
    for name, compiled in named(query).items():
        file = folder / f"{name}.cql"
        if not file.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"`{name}` is not a name for a query")
        file.parent.mkdir(parents=True, exist_ok=True)
        header = "" if compiled._has_header else "cql()\n"
        file.write_text(header + compiled.text, encoding="utf-8")
    return ["--", str(folder)]


def _arguments(name: str, value: object) -> list[str]:
    """Return an option as the command has it."""
    option = _OPTIONS.get(name)
    if option is None:
        raise TypeError(f"stats has no option `{name}`; there are {', '.join(sorted(_OPTIONS))}")
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{option}"]
    if isinstance(value, range):
        value = (value.start, value.stop - 1)
    if isinstance(value, tuple) and name in ("year", "elo", "numbers"):
        first, last = ("" if end is None else end for end in value)
        value = f"{first}-{last}"
    if isinstance(value, str) or not isinstance(value, Iterable):
        value = [value]
    return [f"--{option}={one}" for one in value]


def _in_python(said: str) -> str:
    """Name arguments of Python in place of options of the command."""
    for name, option in _OPTIONS.items():
        said = re.sub(rf"--{option}\b", name, said)
    return said.replace("<--by>", "by").replace("--by", "by")
