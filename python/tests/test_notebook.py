"""The notebook of the examples."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT

NOTEBOOK = ROOT / "examples" / "motifs.ipynb"


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.delenv("SKEWER_CORPUS", raising=False)
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


def test_the_notebook_runs(notebook: Any, tmp_path: Path) -> None:
    """Each cell runs; there are two pictures, a table with boards, and what the library finds in the games."""
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not to be committed"
    NotebookClient(notebook, timeout=500, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    data = [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    pictures = [base64.b64decode(shown["image/png"]) for shown in data if "image/png" in shown]
    assert len(pictures) == 2 and all(len(picture) > 10_000 for picture in pictures)
    pages = [shown["text/html"] for shown in data if "text/html" in shown]
    assert "120 matching games of 120 games" in pages[0]
    assert "<img" in pages[-1]
    # To be looked at.
    for number, picture in enumerate(pictures):
        folder = Path(os.environ.get("SKEWER_TEST_PICTURES", tmp_path))
        (folder / f"motifs-{number}.png").write_bytes(picture)
