"""docs/notebooks.md and examples/notebook, executed by Jupyter."""

import re

import pytest
from conftest import ROOT
from notebooks import Cell, Notebook, cells_of


def without_errors(cells: list[Cell]) -> None:
    for number, cell in enumerate(cells):
        assert (number, cell.error, cell.complaint) == (number, "", ""), cell.traceback


def test_guide(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    guide = (ROOT / "docs" / "notebooks.md").read_text()
    sources = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    cells = notebook.execute([source.rstrip("\n") for source in sources])
    without_errors(cells)
    found = dict(zip(sources, cells, strict=True))
    [text] = [cell for source, cell in found.items() if source.startswith("%pyrun -t")]
    assert "busy" in text.printed
    assert sum("<iframe" in str(cell.bundles) for cell in cells) == 2
    [lines] = [cell for source, cell in found.items() if source.startswith("!pyrometer lines")]
    assert "busy(0.6)" in lines.printed
    [hits] = [cell for source, cell in found.items() if source.startswith("%%lprun")]
    assert re.search(r" 9999 .*total \+= 1 / number", hits.printed), hits.printed
    [memory] = [cell for source, cell in found.items() if source.startswith("%mprun")]
    assert "kept = [bytearray(40 * 2**20)]" in memory.printed


def test_example(notebook: Notebook) -> None:
    cells = notebook.execute(cells_of(ROOT / "examples" / "notebook" / "cooling.ipynb"))
    without_errors(cells)
    views = [cell for cell in cells if cell.bundles]
    assert len(views) == 2
    assert "diffuse" in views[0].bundles[0]["text/plain"]
    assert float(views[0].value) > 50
    [lines] = [cell for cell in cells if "curvature" in cell.printed and "Hits" in cell.printed]
    assert re.search(r" 99800 .*curvature = ", lines.printed), lines.printed
    # Comprehensions are functions of their own before Python 3.12; both take about as long.
    hottest = re.findall(r"^ +[\d.]+ s  (\w+)", cells[-1].printed, re.MULTILINE)[:2]
    assert sorted(hottest) == ["diffuse", "is_steady"], cells[-1].printed
