"""Examples in docstrings and documentation."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest

import skewer
from skewer import _errors, _index, _library, _queries, _search, _skewer, _stats

from conftest import CLASSICS, ROOT, check_types, examples_of, run_with

PAGE = ROOT / "docs" / "python.md"


def documented() -> list[object]:
    """Return all that has a docstring."""
    found: list[object] = [skewer, _errors, _index, _library, _queries, _search, _stats]
    for module in [_skewer, _errors, _index, _library, _queries, _search, _stats]:
        for member in vars(module).values():
            if getattr(member, "__module__", "").startswith("skewer") or type(member).__name__.startswith("builtin"):
                found.append(member)
                found.extend(vars(member).values() if isinstance(member, type) else [])
    return found


def test_examples_in_docstrings_do_what_they_say() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for thing in documented():
        doc = getattr(thing, "__doc__", None)
        if isinstance(doc, str) and ">>>" in doc:
            name = str(getattr(thing, "__qualname__", thing))
            runner.run(parser.get_doctest(doc, {}, name, None, None))
    results = runner.summarize()
    assert results.failed == 0
    assert results.attempted > 20


@pytest.mark.parametrize("name", [name for name in skewer.__all__ if name != "__version__"])
def test_all_that_is_public_has_a_docstring(name: str) -> None:
    thing = getattr(skewer, name)
    members = vars(thing).items() if isinstance(thing, type) else []
    undocumented = [
        member
        for member, value in members
        if not member.startswith("_") and not getattr(value, "__doc__", None) and not isinstance(value, str)
    ]
    assert thing.__doc__ and not undocumented


def test_examples_of_the_page_run_and_have_the_right_types(tmp_path: Path) -> None:
    """They run one after the other, as in a notebook, where games.pgn is; mypy checks them."""
    shutil.copy(CLASSICS, tmp_path / "games.pgn")
    examples = examples_of(PAGE)
    assert len(examples) > 5
    page = tmp_path / "page.py"
    page.write_text("\n".join(examples), encoding="utf-8")
    run_with(page, folder=tmp_path)
    check_types(page)


def test_the_columns_of_the_page_are_those_of_a_result() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    result = skewer.compile("mate").search(CLASSICS)
    import pyarrow

    assert rows == pyarrow.schema(result).names
