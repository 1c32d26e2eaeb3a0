"""Sections of docs/benchmarks.md that benchmarks write."""

from pathlib import Path

from harness.machine import ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def replace_section(text: str, name: str, content: str) -> str:
    """`text` with what stands between the markers of the section replaced."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(end) < text.index(begin):
        raise ValueError(f"The document needs {begin} and, after it, {end}, once each.")
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n{content.strip()}\n{end}{after}"


def write_section(name: str, content: str, document: Path = DOCUMENT) -> None:
    document.write_text(replace_section(document.read_text(), name, content))
