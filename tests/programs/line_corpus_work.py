"""The work of the line corpus: ordinary tasks of the standard library, then call after call."""

import sys

import line_corpus_calls
import standard_library

# All but what reads the clock or leaves timers behind.
PIECES = [name for name in standard_library.PIECES if name != "settings"]


def run():
    """What came of it, as texts."""
    sys.unraisablehook = lambda _: None  # of half-made objects that die
    for name in PIECES:
        standard_library.PIECES[name]()
    return line_corpus_calls.run()
