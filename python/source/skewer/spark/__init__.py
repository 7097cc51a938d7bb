"""Searches and counts on Apache Spark: archives of billions of games, the same answers as on one machine.

>>> import skewer.spark                                               # doctest: +SKIP
>>> found = skewer.spark.search("/archive/games", {"mates": "mate"})  # doctest: +SKIP
>>> found.groupBy("query").count().show()                             # doctest: +SKIP

It needs PySpark 3.5 or later, also as a client of Spark Connect, and pyarrow. skewer has to be installed where the
tasks run; docs/spark.md shows how.
"""

from __future__ import annotations

from skewer.spark._matches import matches
from skewer.spark._search import FIXED_COLUMNS, search
from skewer.spark._stats import stats

__all__ = ["FIXED_COLUMNS", "matches", "search", "stats"]
