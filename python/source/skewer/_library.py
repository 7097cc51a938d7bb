"""The library of queries that comes with skewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skewer import _skewer
from skewer._queries import tablebase_folders


class Library(Mapping[str, _skewer.Query]):
    """All themes of the library by name, such as ``mates/smothered-mate``.

    The section may be left out where the name says enough. Queries are compiled when they are asked for.

    >>> import skewer
    >>> themes = skewer.library()
    >>> len(themes) >= 338
    True
    >>> themes["smothered-mate"].name
    'mates/smothered-mate'
    """

    def __init__(self) -> None:
        self._names = _skewer.library_names()

    def __getitem__(self, name: str) -> _skewer.Query:
        found = _skewer.library_text(name) if isinstance(name, str) else []
        if len(found) > 1:
            raise KeyError(f"{name!r} is the name of several themes: {', '.join(full for full, _ in found)}")
        if not found:
            raise KeyError(f"{name!r} is not a theme of the library")
        ((full, text),) = found
        return _skewer.Query(text.encode(), full, tablebase_folders())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<skewer.Library: {len(self)} themes>"


def library() -> Library:
    """Return the library of queries: themes by name."""
    return Library()
