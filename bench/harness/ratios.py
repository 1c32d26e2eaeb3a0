"""Comparing runs that were made in turn."""

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

RESAMPLES = 2000
CONFIDENCE = 0.95
FEWEST = 3  # runs that say anything of their scatter


@dataclass(frozen=True)
class Ratio:
    """A median, and the interval that holds it with CONFIDENCE; none of too few runs."""

    median: float
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.low is None:
            return f"{self.median:.3f}"
        return f"{self.median:.3f} [{self.low:.3f}, {self.high:.3f}]"


def bootstrap_median(values: Sequence[float]) -> Ratio:
    """Resamples with a fixed seed, so that the same measurements give the same interval."""
    if len(values) < FEWEST:
        return Ratio(statistics.median(values))
    generator = random.Random(0)
    medians = sorted(
        statistics.median(generator.choices(values, k=len(values))) for _ in range(RESAMPLES)
    )
    tail = round((1 - CONFIDENCE) / 2 * RESAMPLES)
    return Ratio(statistics.median(values), medians[tail], medians[-1 - tail])


def compare(measured: Sequence[float], reference: Sequence[float]) -> Ratio:
    """Both of the same rounds: a disturbance that lasts hits a round's runs alike."""
    if len(measured) != len(reference):
        raise ValueError(f"{len(measured)} runs cannot be paired with {len(reference)}")
    return bootstrap_median([m / r for m, r in zip(measured, reference, strict=True)])
