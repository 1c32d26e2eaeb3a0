"""A switch of argparse that does something once all arguments were understood, also in parsers that
have it from a parent (`parents=[common]`).
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

PARSING = (
    *("parse_args", "parse_known_args"),
    *("parse_intermixed_args", "parse_known_intermixed_args"),
)

# Is called with the parser that understood the switch, and its value.
Begin = Callable[[Any, str], None]


class _Switch(NamedTuple):
    action: Any  # shared by a parser and those it is a parent of
    begin: Begin


class _Parsing:
    """What is being parsed. Parsers call their subparsers, and their functions each other."""

    def __init__(self) -> None:
        self.switches: list[_Switch] = []
        self._depth = 0
        self._chosen: dict[int, Callable[[], None]] = {}

    def run(self, parser: Any, parse: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._depth += 1
        try:
            parsed = parse(*args, **kwargs)
            self._note(parser, parsed[0] if isinstance(parsed, tuple) else parsed)
        except BaseException:
            self._chosen.clear()
            raise
        finally:
            self._depth -= 1
        if self._depth == 0:
            chosen, self._chosen = self._chosen, {}
            for begin in chosen.values():
                begin()
        return parsed

    def _note(self, parser: Any, namespace: Any) -> None:
        own = {id(action) for action in getattr(parser, "_actions", ())}
        for switch in self.switches:
            value = getattr(namespace, switch.action.dest, None)
            if value is not None and id(switch.action) in own:
                begin = functools.partial(switch.begin, parser, value)
                self._chosen.setdefault(id(switch.action), begin)


_parsing = _Parsing()


def add_switch(parser: Any, option: str, text: str, begin: Begin) -> None:
    help_text = text.replace("%", "%%")  # argparse fills in texts itself
    action = parser.add_argument(option, metavar="FILE", help=help_text)
    _parsing.switches.append(_Switch(action, begin))
    _watch_all_parsers()
    # Its own functions may do more than those of all parsers.
    for name in PARSING:
        if hasattr(parser, name):
            parse = functools.partial(_parsing.run, parser, getattr(parser, name))
            setattr(parser, name, parse)


@functools.cache
def _watch_all_parsers() -> None:
    """Who gets the switch from a parent is told by nobody."""
    from argparse import ArgumentParser

    def watched(parse: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(parse)
        def run(parser: Any, *args: Any, **kwargs: Any) -> Any:
            return _parsing.run(parser, functools.partial(parse, parser), *args, **kwargs)

        return run

    for name in PARSING:
        setattr(ArgumentParser, name, watched(getattr(ArgumentParser, name)))
