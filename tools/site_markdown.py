"""Pages are written as GitHub reads them. What MkDocs (mkdocs.yml names this file) reads otherwise
is adapted here.
"""

import re
from collections.abc import Iterator
from typing import Any

TITLED_FENCE = re.compile(r'```(\w+) title="([^"]+)"$')
LIST_OR_TABLE = re.compile(r"- |\* |\d+\. |\|")
CODE = re.compile(r"`[^`]+`")


def on_page_markdown(markdown: str, **_: Any) -> str:
    return "\n".join(adapted_lines(markdown.splitlines())) + "\n"


def on_page_content(html: str, **_: Any) -> str:
    """What scrolls by itself can be reached by the keyboard."""
    return re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', html)


def adapted_lines(lines: list[str]) -> Iterator[str]:
    in_fence = False
    inside = ""  # what the line before belongs to: "paragraph", "list" (or table), or nothing
    for line in lines:
        if line.startswith("```"):
            in_fence, inside = not in_fence, ""
            yield from adapted_fence(line)
            continue
        if not in_fence:
            if not line or line.startswith("#"):
                inside = ""
            elif LIST_OR_TABLE.match(line):
                if inside == "paragraph":
                    yield ""  # without which it would be text
                inside = "list"
                line = CODE.sub(lambda code: code[0].replace(r"\|", "|"), line)
            elif not inside:
                inside = "paragraph"
        yield line


def adapted_fence(line: str) -> list[str]:
    """The name of a file stands above its block."""
    if title := TITLED_FENCE.match(line):
        return ["", f'<p class="file">{title[2]}</p>', "", f"```{title[1]}"]
    return [line]
