"""Where the words of kernprof end and those of the program begin."""

from typing import NamedTuple

from pyrometer._line_options import NO, YES

FLAGS = ("line-by-line", "builtin", "preimports", "prof-imports", "rich", "skip-zero", "summarize")
WITH_VALUE = ("config", "setup", "prof-mod", "outfile", "unit")
PLAIN = ("no-config", "verbose", "view", "quiet", "version", "help")
SHORT_WITH_VALUE = {"s": "setup", "p": "prof-mod", "o": "outfile", "u": "unit"}


class Program(NamedTuple):
    kind: str  # script, module, code or stdin
    target: str  # of stdin: "-"
    arguments: list[str]


def split_words(words: list[str]) -> tuple[list[str], Program | None]:
    """Our own words, so that the parser cannot misread them, and the program with its own.

    Options end where the program begins, as with `python`; a value that may be left out is
    taken only if it looks like one.
    """
    own: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return own, _program("script", rest.pop(0), rest) if rest else None
        if word == "-":
            return own, _program("stdin", word, rest)
        if not word.startswith("-"):
            return own, _program("script", word, rest)
        if word.startswith("--"):
            own += _long(word, rest)
            continue
        program = _short(word, rest, own)
        if program:
            return own, program
    return own, None


def _program(kind: str, target: str, arguments: list[str]) -> Program:
    return Program("stdin" if target == "-" and kind == "script" else kind, target, arguments)


def _long(word: str, rest: list[str]) -> list[str]:
    name, equals, _ = word[2:].partition("=")
    if equals:
        return [word]
    flags = {*FLAGS, *(f"no-{flag}" for flag in FLAGS)}
    known = {*flags, *WITH_VALUE, *PLAIN, "output-interval"}
    matches = [name] if name in known else [each for each in known if each.startswith(name)]
    name = matches[0] if len(matches) == 1 else name
    if name in WITH_VALUE:
        return [f"--{name}={rest.pop(0)}"] if rest else [word]
    if name in flags:
        is_given = rest and rest[0].casefold() in YES + NO and rest[0] != ""
        return [f"--{name}={rest.pop(0) if is_given else 'yes'}"]
    if name == "output-interval":
        return [f"--{name}={_interval(rest)}"]
    return [word]


def _short(word: str, rest: list[str], own: list[str]) -> Program | None:
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in "mc":
            if letters:
                rest.insert(0, letters)
            if not rest:
                raise ValueError(f"argument expected for the -{letter} option")
            return _program("module" if letter == "m" else "code", rest.pop(0), rest)
        if letter in SHORT_WITH_VALUE:
            own.append(f"--{SHORT_WITH_VALUE[letter]}")
            if letters or rest:
                own[-1] += f"={letters or rest.pop(0)}"
            return None
        if letter == "i":
            own.append(f"-i{letters or _interval(rest)}")
            return None
        own.append(f"-{letter}")
    return None


def _interval(rest: list[str]) -> str:
    return rest.pop(0) if rest and rest[0].isdigit() else "1"
