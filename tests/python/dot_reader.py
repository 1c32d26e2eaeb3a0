"""Reads DOT as gprof2dot and pyrometer write it: one statement per line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

STATEMENT = re.compile(r"\t(?P<from>\d+)(?: -> (?P<to>\d+))? \[(?P<attributes>.*)\];")
ATTRIBUTE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^\s,]+)(?:, |$)')
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\"": '"', r"\\": "\\"}

Attributes = dict[str, str]


def times(*counts: int) -> str:
    """How calls and samples are counted in a label, side by side in comparisons."""
    return " / ".join(f"{count}\u00d7" for count in counts)


@dataclass(frozen=True)
class Dot:
    nodes: dict[str, Attributes]  # by id
    edges: dict[tuple[str, str], Attributes]

    def names(self) -> set[str]:
        return {label_lines(node)[0] for node in self.nodes.values()}

    def node(self, name: str) -> Attributes:
        [found] = [node for node in self.nodes.values() if label_lines(node)[0] == name]
        return found

    def arrows(self) -> Iterator[tuple[str, str, Attributes]]:
        """The names at both ends, and what is between."""
        for (caller, callee), attributes in self.edges.items():
            yield self.name_of(caller), self.name_of(callee), attributes

    def name_of(self, node: str) -> str:
        return label_lines(self.nodes[node])[0]


def label_lines(attributes: Attributes) -> list[str]:
    """Without the gap between an arrow and its text."""
    return [line.strip() for line in attributes["label"].split("\n")]


def read_dot(text: str) -> Dot:
    lines = text.splitlines()
    assert lines[0] == "digraph {"
    assert lines[-1] == "}"
    dot = Dot({}, {})
    for line in lines[1:-1]:
        if line.startswith(("\tgraph ", "\tnode ", "\tedge ", "\ttooltip")):
            continue
        statement = STATEMENT.fullmatch(line)
        assert statement is not None, line
        attributes = {name: unquoted(value) for name, value in read_attributes(statement)}
        if statement["to"] is None:
            dot.nodes[statement["from"]] = attributes
        else:
            dot.edges[statement["from"], statement["to"]] = attributes
    return dot


def read_attributes(statement: re.Match[str]) -> list[tuple[str, str]]:
    found = ATTRIBUTE.findall(statement["attributes"])
    assert ", ".join(f"{name}={value}" for name, value in found) == statement["attributes"]
    return found


def unquoted(value: str) -> str:
    if not value.startswith('"'):
        return value
    return re.sub(r"\\.", lambda escape: ESCAPES[escape[0]], value[1:-1])
