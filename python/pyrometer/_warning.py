"""Warnings of ours, where the program can do something about them."""

import sys
import warnings


def warn(sentence: str) -> None:
    """At the line of the program that led here."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001
    while frame.f_back and str(frame.f_globals.get("__name__")).startswith("pyrometer."):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, stacklevel=level)
