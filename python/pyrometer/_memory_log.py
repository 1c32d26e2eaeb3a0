"""A stream for memory tables that is a logger."""

import logging
import re


class LogFile:
    """LogFile(name): what is written goes to that logger, by default at level INFO.

    With `reportIncrementFlag`, of the rows only those of lines that added memory.
    """

    def __init__(self, name: str | None = None, reportIncrementFlag: bool = False) -> None:  # noqa: N803
        self.logger = logging.getLogger(name)
        self.reportIncrementFlag = reportIncrementFlag

    def write(self, msg: str, level: int = logging.INFO) -> None:
        if not self.reportIncrementFlag or _is_title(msg) or _increment(msg) > 0:
            self.logger.log(level, msg)

    def flush(self) -> None:
        for handler in self.logger.handlers:
            handler.flush()


def _is_title(text: str) -> bool:
    return text.startswith("Filename:") or "Line Contents" in text


def _increment(row: str) -> float:
    """Of a row of the table; zero for all else."""
    found = re.match(r" *\d+ +-?[\d.]+ MiB +(-?[\d.]+) MiB ", row)
    return float(found[1]) if found else 0.0
