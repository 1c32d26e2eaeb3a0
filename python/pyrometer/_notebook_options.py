"""The options before a magic's statement, read as getopt does; the statement stays as it is."""

import re
from collections.abc import Mapping
from typing import TypeVar

from IPython.core.error import UsageError

N = TypeVar("N", int, float)

# Quoted parts may hold spaces.
WORD = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*'|["'])+""")


class Given:
    """What the user gave: of each option its values, "" where it takes none."""

    def __init__(self, magic: str) -> None:
        self._magic = magic
        self._values: dict[str, list[str]] = {}

    def add(self, option: str, value: str = "") -> None:
        self._values.setdefault(option, []).append(value)

    def __contains__(self, option: str) -> bool:
        return option in self._values

    def all(self, option: str) -> list[str]:
        return self._values.get(option, [])

    def one(self, option: str) -> str:
        """The last one; empty when there is none."""
        return self._values.get(option, [""])[-1]

    def number(self, option: str, kind: type[N], default: N) -> N:
        if option not in self:
            return default
        try:
            number = kind(self.one(option))
        except ValueError:
            number = kind(0)
        if not 0 < number < float("inf"):
            raise UsageError(
                f"%{self._magic} {_spelled(option)} takes a number above 0, "
                f"not {self.one(option)!r}."
            )
        return number


class Options:
    """`letters` as for getopt: those that take a value are followed by a colon. `words` are long
    names, and the letters they stand for; an option that has no letter takes a value.
    """

    def __init__(self, magic: str, letters: str, words: Mapping[str, str] | None = None) -> None:
        self._magic = magic
        self._takes_value = {
            letter: follower == ":"
            for letter, follower in zip(letters, f"{letters[1:]} ", strict=True)
            if letter != ":"
        }
        self._words = dict(words or {})

    def parse(self, line: str) -> tuple[Given, str]:
        """The options, and the statement behind them."""
        given = Given(self._magic)
        rest = line.strip()
        while rest.startswith("-"):
            word, rest = _take_word(rest)
            if word == "--":
                break
            if word.startswith("--"):
                rest = self._parse_long(word, rest, given)
            else:
                rest = self._parse_letters(word[1:], rest, given)
        return given, rest

    def _parse_letters(self, letters: str, rest: str, given: Given) -> str:
        """As in -rz, -T file and -Tfile."""
        for place, letter in enumerate(letters, start=1):
            if letter not in self._takes_value:
                raise self._unknown(f"-{letter}")
            if self._takes_value[letter]:
                value, rest = self._take_value(f"-{letter}", letters[place:], rest)
                given.add(letter, value)
                break
            given.add(letter)
        return rest

    def _parse_long(self, word: str, rest: str, given: Given) -> str:
        name, _, value = word[2:].partition("=")
        if name not in self._words:
            raise self._unknown(f"--{name}")
        option = self._words[name]
        if self._takes_value.get(option, True):
            value, rest = self._take_value(f"--{name}", value, rest)
        elif "=" in word:
            raise UsageError(f"%{self._magic} --{name} takes no value.")
        given.add(option, value)
        return rest

    def _take_value(self, option: str, value: str, rest: str) -> tuple[str, str]:
        """What follows at once, else the next word."""
        if not value:
            value, rest = _take_word(rest)
        if not value:
            raise UsageError(f"%{self._magic} {option} needs a value; %{self._magic}? explains it.")
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        return value[1:-1] if is_quoted else value, rest

    def _unknown(self, option: str) -> UsageError:
        return UsageError(
            f"%{self._magic} has no option {option}; %{self._magic}? lists them, "
            "and -- ends them before a statement that begins with a minus."
        )


def _take_word(text: str) -> tuple[str, str]:
    found = WORD.match(text)
    return (found[0], text[found.end() :].lstrip()) if found else ("", text)


def _spelled(option: str) -> str:
    return f"-{option}" if len(option) == 1 else f"--{option}"
