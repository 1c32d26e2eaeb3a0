#!/usr/bin/env python3
"""Measures what profiling costs: Pyrometer and its peers on the programs of bench/programs.

Every contender runs every program, in turn, for several rounds; each run is compared with the
plain one of its round. Prints tables; --write-docs puts them into docs/benchmarks.md. Peers are
installed into ~/.cache/pyrometer/peers when first needed.
"""

import sys
from collections.abc import Sequence

from harness.command import parse_arguments, run_comparison
from harness.contenders import SAMPLERS


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(__doc__, "cpu_bound,threads8,numpy_mix", arguments)
    return run_comparison("overhead.py", "overhead", lambda _: SAMPLERS, options)


if __name__ == "__main__":
    sys.exit(main())
