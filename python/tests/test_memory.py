"""Searches of much more than fits: opt in with SKEWER_TEST_LARGE=1, as it takes minutes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from conftest import CLASSICS

GIGABYTE = 1 << 30


@pytest.mark.skipif(
    "SKEWER_TEST_LARGE" not in os.environ, reason="SKEWER_TEST_LARGE is not set: it searches 1 GB of games"
)
def test_a_gigabyte_of_games_is_searched_in_bounded_memory(tmp_path: Path) -> None:
    """The process needs 256 MB for rows, which have more than that, and what a search takes."""
    games = tmp_path / "games.pgn"
    content = CLASSICS.read_bytes() + b"\n"
    with games.open("wb") as file:
        for _ in range(GIGABYTE // len(content)):
            file.write(content)
    script = """
        import resource, sys
        import pyarrow, skewer
        result = skewer.compile("mate").search(sys.argv[1])
        stream = pyarrow.RecordBatchReader.from_stream(result)
        rows = bytes = 0
        for batch in stream:
            rows, bytes = rows + batch.num_rows, bytes + batch.nbytes
        assert rows == len(result) and bytes > 256 << 20
        print(result.games, rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
    """
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), games], stdout=subprocess.PIPE, text=True, check=True
    )
    searched, rows, megabytes = map(int, found.stdout.split())
    print(f"{searched} games, {rows} positions, {megabytes} MB at most")
    assert searched == GIGABYTE // len(content) * 18
    assert megabytes < 800
