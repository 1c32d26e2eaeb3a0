"""Imports modules, which is where short programs spend their time."""

import sys


def import_numbers():
    import fractions
    import statistics

    return fractions.Fraction(1, 3), statistics.mean([1, 2, 3])


def import_texts():
    import string
    import textwrap

    return textwrap.fill(string.ascii_letters, 20)


def import_containers():
    import dataclasses
    import graphlib

    @dataclasses.dataclass
    class Point:
        x: int
        y: int

    graph = graphlib.TopologicalSorter({"b": {"a"}, "c": {"b"}})
    return Point(1, 2), list(graph.static_order())


def main(rounds):
    for _ in range(rounds):
        import_numbers()
        import_texts()
        import_containers()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
