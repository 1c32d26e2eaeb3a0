"""Gives a recording the text of code that is in no file: cells of a notebook, doctests, archives.

The executable reads sources from the disk; these only the process itself knows.
"""

import linecache
from contextlib import suppress

from pyrometer._native import loaded_agent

LARGEST = 1 << 20  # characters


def keep_sources() -> None:
    """Of all such code; what nothing was recorded of is left out by the recorder."""
    agent = loaded_agent()
    if agent is None:
        return
    for file, entry in list(linecache.cache.items()):
        # Those on the disk have a time; those that were not read yet have no lines.
        if len(entry) != 4 or entry[1] is not None:
            continue
        text = "".join(entry[2])
        if len(text) <= LARGEST:
            with suppress(ValueError):  # text that is no Unicode
                agent.keep_source(file, text)
