#!/usr/bin/env python3
"""Measures what recording memory costs: Pyrometer and its peers on bench/programs/memory_*.py.

Every contender runs every program, in turn, for several rounds; each run is compared with the
plain one of its round. Prints tables; --write-docs puts them into docs/benchmarks.md. Peers are
installed into ~/.cache/pyrometer/peers when first needed.
"""

import sys
from collections.abc import Sequence

from harness.command import parse_arguments, run_comparison
from harness.memory_contenders import PROMISES, contenders_for


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(__doc__, ",".join(PROMISES["sampled"]), arguments)
    return run_comparison("memory_overhead.py", "memory-overhead", contenders_for, options)


if __name__ == "__main__":
    sys.exit(main())
