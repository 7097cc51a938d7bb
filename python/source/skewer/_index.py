"""Databases of games."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable

from skewer import _command, _paths
from skewer._errors import Error, PgnWarning


def index(
    games: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    database: str | os.PathLike[str],
    *,
    append: bool = False,
    force: bool = False,
    variant: str | None = None,
    unique: bool = False,
    theme: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
) -> None:
    """Make a database of games, which searches read many times faster than PGN.

    It is a Parquet file with a row for each game, which Polars and DuckDB read, too. ``games`` are paths of files and
    folders, or patterns such as ``2024-*.pgn``. A database that is there is an error, unless ``append`` adds the games
    to it or ``force`` replaces it; ``variant`` takes the games of one variant only.

    ``unique`` leaves out games that repeat others and lists them in a table beside the database: ``all.duplicates.csv``
    for ``all.parquet``. ``theme`` names queries of the library or files: the database then knows in which games each
    of them holds, and searches for it read no others.

    The command ``skewer index`` does it, in a process of its own; a database that is not finished is left as it was.

    Raises:
        Error: if the games cannot be read or the database cannot be written.

    """
    given = [games] if isinstance(games, (str, os.PathLike)) else games
    paths = [path for some in given for path in _paths.of_games(some)]
    if not paths:
        raise Error("there are no games to index: the list of paths is empty")
    arguments = ["index", "--output", os.path.expanduser(database), "--color", "never"]
    arguments += ["--append"] * append + ["--force"] * force + ["--unique"] * unique
    themes = [theme] if isinstance(theme, (str, os.PathLike)) else theme
    arguments += [f"--theme={os.path.expanduser(os.fspath(name))}" for name in themes]
    if variant is not None:
        arguments += ["--variant", variant]
    arguments += ["--", *paths]
    said = _command.run(arguments, named=_in_python)
    if said:
        warnings.warn(said, PgnWarning, stacklevel=2)


def _in_python(said: str) -> str:
    """Name arguments of Python in place of options of the command."""
    said = re.sub(r"`?--(append|force)`?", r"`\1=True`", said)
    said = re.sub(r"`?--theme`?", "`theme`", said)
    # The user asked for this, so no warning is needed.
    said = re.sub(r"^note: [\d,]+ games? that repeats? .* left out: .*\n?", "", said, flags=re.MULTILINE)
    # These options do not exist here: one warning stands for many.
    return re.sub(r" \(`--warnings all` names each\)|; --language says which one", "", said)
