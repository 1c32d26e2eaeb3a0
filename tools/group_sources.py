#!/usr/bin/env python3
"""Groups C++ sources that can be compiled as one file, which takes a fraction of the time.

Most of a compiler's time goes into the headers that all sources include. A name that one source
of a group keeps to itself is not even mentioned by the others: it could mean something else there.
Prints the groups of the files it is given, one per line, with semicolons between them.
"""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

MOST_FILES = 16

ANONYMOUS_NAMESPACE = re.compile(
    r"^namespace \{\n(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE
)
MACRO = re.compile(r"^# *define +(\w+)", re.MULTILINE)
ALIAS = re.compile(r"^(?:using|namespace) +(\w+) =", re.MULTILINE)
# Of a line that does not continue another: a type, a function or a variable.
DECLARATIONS = (
    re.compile(r"^(?:template .*)?(?:struct|class|union|enum(?: class)?) +(\w+)"),
    re.compile(r"(\w+)\("),
    re.compile(r"(\w+)(?:\[[^\]]*\])* ?(?:[={;]|$)"),
)
ELSEWHERE = (" ", "}", ")", "#", "template", "using", "TEST")
# Who uses a whole namespace may mean any name in it.
USING_NAMESPACE = re.compile(r"^using namespace", re.MULTILINE)
EVERYTHING = "*"
WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')
ATTRIBUTE_OR_COMMENT = re.compile(r"\[\[.*?\]\] ?|//.*")


def declared_name(line: str) -> str | None:
    line = ATTRIBUTE_OR_COMMENT.sub("", line)
    if not line or line.startswith(ELSEWHERE):
        return None
    for declaration in DECLARATIONS:
        if found := declaration.search(line):
            return found[1]
    return None


def own_names(text: str) -> frozenset[str]:
    """What a source has to itself: its anonymous namespaces, aliases and macros."""
    lines = (line for part in ANONYMOUS_NAMESPACE.findall(text) for line in part.splitlines())
    names = {name for line in lines if (name := declared_name(line))}
    return frozenset(names.union(MACRO.findall(text), ALIAS.findall(text)))


@dataclass
class Group:
    paths: list[Path] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)

    def takes(self, own: frozenset[str], mentioned: set[str]) -> bool:
        return (
            len(self.paths) < MOST_FILES
            and EVERYTHING not in mentioned
            and EVERYTHING not in self.mentioned
            and self.own.isdisjoint(mentioned)
            and self.mentioned.isdisjoint(own)
        )


def group_sources(paths: Iterable[Path]) -> list[list[Path]]:
    groups: list[Group] = []
    for path in sorted(paths):
        text = path.read_text()
        own, mentioned = own_names(text), set(WORD.findall(COMMENT_OR_TEXT.sub("", text)))
        if USING_NAMESPACE.search(text):
            mentioned.add(EVERYTHING)
        group = next((each for each in groups if each.takes(own, mentioned)), None)
        if group is None:
            group = Group()
            groups.append(group)
        group.paths.append(path)
        group.own.update(own)
        group.mentioned.update(mentioned)
    return [group.paths for group in groups]


def main() -> int:
    for paths in group_sources(map(Path, sys.argv[1:])):
        print(";".join(map(str, paths)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
