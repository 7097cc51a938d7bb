"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skewer import Result


class Error(Exception):
    """What skewer cannot do, and the parent of all its exceptions.

    A search that ends with an exception, whichever it is, leaves what it found by then in the attribute ``result`` of
    the exception; a search for several queries leaves it in ``results``, a list.
    """

    result: Result
    results: list[Result]


class QueryError(Error):
    """An error in a query, with its place and advice.

    The text of the exception shows the query with what is wrong underlined:

    >>> import skewer
    >>> try:
    ...     skewer.compile("chekc")
    ... except skewer.QueryError as error:
    ...     print(error.line, error.column, error.message)
    1 1 unknown name `chekc`
    """

    message: str
    """What is wrong, in one line."""
    line: int
    """The line where it begins, from 1."""
    column: int
    """The column where it begins, in characters from 1."""
    hints: list[str]
    """What to do about it."""
    drawn: str
    """All of it, several lines, with what is wrong underlined."""

    def __init__(self, drawn: str, message: str, line: int, column: int, hints: list[str]) -> None:
        super().__init__(drawn, message, line, column, hints)
        self.drawn, self.message, self.line, self.column, self.hints = drawn, message, line, column, hints

    def __str__(self) -> str:
        return self.drawn

    @property
    def hint(self) -> str | None:
        """What to do about it, in one text; ``None`` if there is no advice."""
        return "\n".join(self.hints) or None


class InputError(Error, OSError):
    """Games that cannot be read, or not to their end."""


class FenError(Error, ValueError):
    """A text that is not the FEN of a position."""


class PgnWarning(UserWarning):
    """Something is wrong with the games: what, and in which game of which file. The rest is searched."""
