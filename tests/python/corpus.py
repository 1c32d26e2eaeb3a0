"""The profiles of other tools in tests/corpus, and what those tools say of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parents[1] / "corpus"


@dataclass(frozen=True)
class Entry:
    file: str
    format: str
    tool: str
    truth: dict[str, Any]

    @property
    def path(self) -> Path:
        return CORPUS / self.file

    def is_close(self, value: float, expected: float, scale: float = 1) -> bool:
        """Within what the printed digits of the file allow."""
        return abs(value - expected) <= self.truth.get("tolerance", 0) * scale


def read_entries(*formats: str) -> list[Entry]:
    """Of these formats, or of all."""
    listed = json.loads((CORPUS / "manifest.json").read_text())["files"]
    entries = [Entry(e["file"], e["format"], e["tool"], e["truth"]) for e in listed]
    return [entry for entry in entries if not formats or entry.format in formats]
