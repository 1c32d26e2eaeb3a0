"""Where magics show their results: in a notebook below the cell, in a terminal as IPython does."""

from pathlib import Path
from typing import Any

from IPython.core.page import page
from IPython.display import display

# The view is a page of its own, and stays one: nothing in it can reach the notebook.
FRAME = (
    '<iframe sandbox="allow-scripts allow-downloads" title="Pyrometer" srcdoc="{page}" '
    'style="width: 100%; height: {height}px; border: 1px solid #8888; box-sizing: border-box">'
    "</iframe>"
)


def is_notebook(shell: Any) -> bool:
    return hasattr(shell, "kernel")


def show_text(shell: Any, text: str) -> None:
    """A pager's text would be gone when the notebook is saved."""
    if is_notebook(shell):
        print(text)
    else:
        page(text)


def show_page(html: Path, text: str, height: int) -> None:
    """The text is for whoever cannot show the page."""
    escaped = html.read_text(encoding="utf-8").replace("&", "&amp;").replace('"', "&quot;")
    frame = FRAME.format(page=escaped, height=height)
    display({"text/plain": text, "text/html": frame}, raw=True)
