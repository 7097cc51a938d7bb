r"""Finds chess positions: CQL 6.2 queries over PGN databases.

>>> import skewer
>>> games = "1. f3 e5 2. g4 Qh4# 0-1\n"
>>> result = skewer.compile("mate").search(games)
>>> result
<skewer.Result: 1 position in 1 matching game of 1 game>
>>> result[0].move
'Qh4#'

Results are Arrow tables: ``to_polars``, ``to_pandas`` and ``to_arrow`` make frames and tables of them, and
``polars.DataFrame(result)``, ``pyarrow.table(result)`` and queries of DuckDB take them as they are.
"""

from __future__ import annotations

from collections.abc import Sequence as _Sequence

from skewer._errors import Error, FenError, InputError, PgnWarning, QueryError
from skewer._index import index
from skewer._library import Library, library
from skewer._queries import LintWarning, check, compile, explain, format
from skewer._search import search, search_many
from skewer._skewer import Match, Progress, Query, Result, __version__
from skewer._stats import stats

# A match is a sequence, like a named tuple: `pandas.DataFrame(result)` requires that.
_Sequence.register(Match)

__all__ = [
    "Error",
    "FenError",
    "InputError",
    "Library",
    "LintWarning",
    "Match",
    "PgnWarning",
    "Progress",
    "Query",
    "QueryError",
    "Result",
    "__version__",
    "check",
    "compile",
    "explain",
    "format",
    "index",
    "library",
    "search",
    "search_many",
    "stats",
]
