"""Paths as users write them."""

from __future__ import annotations

import glob
import os
import re

from skewer._errors import InputError

#: Pieces on eight ranks, and the side to move.
_FEN = re.compile(r"\s*(?:[pnbrqkPNBRQK1-8~]+/){7}[pnbrqkPNBRQK1-8~]+(?:\s+[wb]\b|\s*$)")
#: A first move with its number.
_MOVES = re.compile(r"\s*\d+\s*\.+\s*[A-Za-z]")


def of_user(path: str | os.PathLike[str]) -> list[str]:
    """Return the paths that are meant: ``~`` is the folder of the user, and a pattern stands for all files like it."""
    name = os.fsdecode(os.fspath(path))
    if os.path.lexists(name):
        return [name]
    expanded = os.path.expanduser(name)
    if not glob.has_magic(expanded) or os.path.lexists(expanded):
        return [expanded]
    found = sorted(glob.glob(expanded, recursive=True))
    if not found:
        raise InputError(f"there is no file like {name}")
    return found


def of_games(path: str | os.PathLike[str]) -> list[str]:
    """Return the paths of games, unless the text is no path at all."""
    name = os.fsdecode(os.fspath(path))
    if not name.strip():
        raise InputError("the name of the games is empty: give a path, bytes, or PGN as text")
    if isinstance(path, str) and not os.path.lexists(path):
        if _FEN.match(path):
            raise InputError(
                f"`{path}` is a position, not a file: `query.matches(fen)` looks at one, and "
                '`search("".join(f"{fen}\\n" for fen in fens))` searches many'
            )
        if _MOVES.match(path):
            raise InputError(
                f"there is no file `{path}`; if these are moves, end them with a line break: then it is PGN"
            )
    return of_user(path)
