"""Databases of games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable

from skewer import _paths
from skewer._errors import Error, PgnWarning


def index(
    games: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    database: str | os.PathLike[str],
    *,
    append: bool = False,
    force: bool = False,
    variant: str | None = None,
) -> None:
    """Make a database of games, which searches read many times faster than PGN.

    It is a Parquet file with a row for each game, which Polars and DuckDB read, too. ``games`` are paths of files and
    folders, or patterns such as ``2024-*.pgn``. A database that is there is an error, unless ``append`` adds the games
    to it or ``force`` replaces it; ``variant`` takes the games of one variant only.

    The command ``skewer index`` does it, in a process of its own; a database that is not finished is left as it was.

    Raises:
        Error: if the games cannot be read or the database cannot be written.

    """
    given = [games] if isinstance(games, (str, os.PathLike)) else games
    paths = [path for some in given for path in _paths.of_games(some)]
    if not paths:
        raise Error("there are no games to index: the list of paths is empty")
    arguments = ["index", "--output", os.path.expanduser(database), "--color", "never"]
    arguments += ["--append"] * append + ["--force"] * force
    if variant is not None:
        arguments += ["--variant", variant]
    arguments += ["--", *paths]
    command = [sys.executable, "-m", "skewer", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        _, said = process.communicate()
    except BaseException:
        # It leaves the database as it was and nothing else.
        process.terminate()
        process.communicate()
        raise
    if process.returncode != 0:
        # What is about the command line is for its users.
        said = said.partition("\n\nFor more information, try")[0]
        raise Error(_in_python(said.strip().removeprefix("error: ")))
    if said.strip():
        warnings.warn(_in_python(said.strip()), PgnWarning, stacklevel=2)


def _in_python(said: str) -> str:
    """Name arguments of Python in place of options of the command."""
    said = re.sub(r"`?--(append|force)`?", r"`\1=True`", said)
    # There is nothing of the kind here: a warning stands for many.
    return re.sub(r" \(`--warnings all` names each\)|; --language says which one", "", said)
