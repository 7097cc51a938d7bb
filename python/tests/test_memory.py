"""Searches of more than fits into memory."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import CLASSICS

GIGABYTE = 1 << 30

# Prints how many games and rows there are, the megabytes of the rows, and those of the process before and at most.
SCRIPT = """
    import resource, sys
    import pyarrow, skewer

    def most():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

    query = skewer.compile(sys.argv[1])
    before = most()
    result = query.search(sys.argv[2])
    rows = bytes = 0
    for batch in pyarrow.RecordBatchReader.from_stream(result):
        rows, bytes = rows + batch.num_rows, bytes + batch.nbytes
    assert rows == len(result)
    print(result.games, rows, bytes >> 20, before, most())
"""


class Searched(NamedTuple):
    games: int
    rows: int
    megabytes: int
    before: int
    most: int


def searched(query: str, games: Path, size: int, rows_in_memory: int) -> Searched:
    """Search so many bytes of games, of whose rows so many megabytes are kept in memory."""
    content = CLASSICS.read_bytes() + b"\n"
    with games.open("wb") as file:
        for _ in range(size // len(content)):
            file.write(content)
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), query, str(games)]
    environment = {**os.environ, "SKEWER_RESULT_MEGABYTES": str(rows_in_memory)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    found = Searched(*map(int, done.stdout.split()))
    print(found)
    assert found.games == size // len(content) * 18
    return found


def test_rows_that_do_not_fit_wait_in_a_file(tmp_path: Path) -> None:
    found = searched("cql() true", tmp_path / "games.pgn", 10 << 20, 8)
    assert found.megabytes > 250
    # What a search takes, whatever it finds, and what is on its way to the file.
    assert found.most - found.before < 180


@pytest.mark.skipif(
    "SKEWER_TEST_LARGE" not in os.environ,
    reason="SKEWER_TEST_LARGE is not set: it searches 1 GB of games, which takes minutes",
)
def test_a_gigabyte_of_games_is_searched_in_bounded_memory(tmp_path: Path) -> None:
    """The process needs 256 MB for rows, which have more than that, and what a search takes."""
    found = searched("mate", tmp_path / "games.pgn", GIGABYTE, 256)
    assert found.megabytes > 256
    assert found.most < 800
