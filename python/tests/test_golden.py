"""Answers are those of the command on the golden cases."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import skewer

from conftest import ROOT

GOLDEN = ROOT / "tests" / "golden"
SAMPLE = 300

# Runs the command on each case, all of them in one process.
COMMANDS = """
import json, os, sys
from skewer import _skewer
cases = json.load(sys.stdin)
exits = [_skewer.main(["skewer", "search", "--quiet", query, games, "-o", output]) for query, games, output in cases]
json.dump(exits, open(sys.argv[1], "w"))
"""


def sample() -> list[tuple[Path, Path]]:
    """Return queries with their games, every so-manyth of those that name any."""
    cases = []
    for query in sorted(GOLDEN.glob("[0-9]*/*.cql")):
        named = re.search(rb"\binput\s+([\w-]+\.pgn)", query.read_bytes())
        if named:
            cases.append((query, GOLDEN / "pgn" / named[1].decode()))
    return [cases[index * len(cases) // SAMPLE] for index in range(SAMPLE)]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[dict[str, str]] | None]:
    """Return the rows that the command prints for each query; nothing where it refuses."""
    folder = tmp_path_factory.mktemp("answers")
    tasks = [(query, games, folder / f"{number}.csv") for number, (query, games) in enumerate(sample())]
    exits = folder / "exits.json"
    cases = json.dumps([[str(part) for part in task] for task in tasks])
    command = [sys.executable, "-c", COMMANDS, str(exits)]
    subprocess.run(command, input=cases, text=True, check=True, stderr=subprocess.DEVNULL)
    answers: dict[Path, list[dict[str, str]] | None] = {}
    for (query, _, output), code in zip(tasks, json.loads(exits.read_text()), strict=True):
        if code == 2:
            answers[query] = None
        else:
            with output.open(newline="", encoding="utf-8") as file:
                answers[query] = list(csv.DictReader(file))
    return answers


def text(value: Any) -> str:
    return "" if value is None else str(value)


def found(query: Path, games: Path) -> list[dict[str, str]] | None:
    """Return what the package finds, in the columns of the command; nothing where it refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", skewer.PgnWarning)
            result = skewer.compile(query).search(games)
    except skewer.QueryError:
        return None
    plain = ["file", "game", "positionid", "ply", "movenumber", "side", "fen", "query_side"]
    plain += ["white_elo", "black_elo", "move"]
    rows = []
    for match in result:
        row = {name: text(getattr(match, name)) for name in plain}
        row["comment"] = " ".join(match.comments)
        # What `settag` sets counts for the package, while the command's table shows what is in the file.
        if b"settag" not in query.read_bytes():
            row |= {name: text(getattr(match, name)) for name in ["white", "black", "event", "site", "result", "eco"]}
        # A title that is the name of another column gets a line below it.
        row |= {title: text(value) for title, value in match.sort_keys.items() if not title.endswith("_")}
        rows.append(row)
    return rows


def test_answers_are_those_of_the_command(answers: dict[Path, list[dict[str, str]] | None]) -> None:
    """The same positions in the same order with the same values, or an error where the command has one."""
    differences = []
    rows = 0
    for query, games in sample():
        expected, own = answers[query], found(query, games)
        if expected is not None and own is not None:
            rows += len(own)
            expected = [
                {name: value.removeprefix("?") for name, value in row.items() if name in of_own}
                for row, of_own in zip(expected, own, strict=False)
            ] + expected[len(own) :]
        if own != expected:
            differences.append(f"{query.parent.name}/{query.name}")
    assert not differences, differences
    assert len(sample()) == SAMPLE
    assert rows > 4_000
