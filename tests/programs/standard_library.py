"""Ordinary work of the standard library, each piece profiled and its counts printed as JSON.

    standard_library.py cProfile|pyrometer.cprofile [piece ...]

The pieces do the same each time, so that two profilers must count the same.
"""

import argparse
import ast
import asyncio
import base64
import collections
import configparser
import contextlib
import csv
import dataclasses
import decimal
import difflib
import email
import email.message
import enum
import fractions
import functools
import gc
import heapq
import html.parser
import importlib
import inspect
import io
import itertools
import json
import logging
import pickle
import random
import re
import statistics
import string
import sys
import textwrap
import tokenize
import xml.etree.ElementTree as ElementTree

SOURCE = textwrap.dedent(inspect.getsource(textwrap))


def json_texts():
    data = {"a": [1, 2.5, None, True, "ä"], "b": {str(i): list(range(i % 5)) for i in range(40)}}
    for indent in (None, 2):
        text = json.dumps(data, indent=indent, sort_keys=True)
        assert json.loads(text) == data
    with contextlib.suppress(json.JSONDecodeError):
        json.loads('{"a": [1, 2')


def syntax_trees():
    tree = ast.parse(SOURCE)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            ast.get_docstring(node)
    ast.unparse(tree)
    ast.literal_eval("{'a': (1, 2, [3, 4]), 'b': -5}")


def arguments():
    parser = argparse.ArgumentParser(prog="p")
    parser.add_argument("--number", type=int, default=3)
    parser.add_argument("words", nargs="*")
    commands = parser.add_mutually_exclusive_group()
    commands.add_argument("-a", action="store_true")
    commands.add_argument("-b", action="count", default=0)
    parser.parse_args(["--number", "5", "-bb", "x", "y"])
    parser.format_help()


def decimals():
    with decimal.localcontext() as context:
        context.prec = 50
        total = sum((decimal.Decimal(1) / n for n in range(1, 60)), decimal.Decimal(0))
        total.sqrt().exp().quantize(decimal.Decimal("1e-20"))
    sum(fractions.Fraction(1, n) for n in range(1, 40))
    statistics.stdev([1.5, 2.5, 4.0, 8.25])


async def ping(queue, count):
    for number in range(count):
        await queue.put(number)
        await asyncio.sleep(0)
    await queue.put(None)


async def pong(queue):
    total = 0
    while (number := await queue.get()) is not None:
        total += number
    return total


async def numbers(count):
    for number in range(count):
        yield number
        await asyncio.sleep(0)


async def conversation():
    queue = asyncio.Queue(maxsize=2)
    _, total = await asyncio.gather(ping(queue, 20), pong(queue))
    async for number in numbers(5):
        total += number
    with contextlib.suppress(asyncio.CancelledError):
        task = asyncio.ensure_future(asyncio.Event().wait())
        await asyncio.sleep(0)
        task.cancel()
        await task
    return total


def coroutines():
    asyncio.run(conversation())


def messages():
    message = email.message.EmailMessage()
    message["Subject"] = "Grüße"
    message["To"] = "a@example.org, B <b@example.org>"
    message.set_content("text\n" * 20)
    message.add_attachment(b"\x00\x01" * 50, maintype="application", subtype="octet-stream")
    parsed = email.message_from_bytes(message.as_bytes())
    for part in parsed.walk():
        part.get_payload(decode=True)


def patterns():
    re.purge()
    for pattern in (r"(\w+)\s+(?P<x>\d+)", r"^(a|b)*?c{2,3}$", r"[^\W_]+(?=,)"):
        compiled = re.compile(pattern, re.IGNORECASE)
        compiled.findall("abc 12, def 345, ab c")
        compiled.sub(lambda match: match.group(0).upper(), "word 1, other 22")


def tables():
    out = io.StringIO()
    writer = csv.DictWriter(out, ["a", "b", "c"])
    writer.writeheader()
    writer.writerows({"a": i, "b": i * i, "c": "x,y"} for i in range(30))
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    csv.Sniffer().sniff(out.getvalue())
    collections.Counter(row["c"] for row in rows).most_common(1)


def differences():
    old, new = SOURCE.splitlines()[:60], SOURCE.splitlines()[10:70]
    list(difflib.unified_diff(old, new))
    list(difflib.ndiff(old[:15], new[:15]))
    difflib.get_close_matches("appel", ["ape", "apple", "peach"])


def documents():
    class Parser(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.tags = []

        def handle_starttag(self, tag, attrs):
            self.tags.append((tag, attrs))

    Parser().feed("<p class='a'>x &amp; <b>y</b><br/>" * 20)
    root = ElementTree.fromstring("<a><b x='1'>t</b><b x='2'/></a>")
    [element.get("x") for element in root.iter("b")]
    ElementTree.tostring(root)


@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int = 0


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Stack(list):
    def append(self, item):
        super().append(item)

    def __del__(self):
        len(self)


def objects():
    points = sorted(Point(i % 7, i) for i in range(30))
    pickle.loads(pickle.dumps(points))
    [Colour(1), Colour["GREEN"], list(Colour)]
    stack = Stack()
    for number in range(5):
        stack.append(number)
    del stack
    heap = []
    for number in (5, 1, 4):
        heapq.heappush(heap, number)
    functools.reduce(lambda a, b: a + b, itertools.accumulate(range(10)))
    random.Random(3).shuffle(points)
    base64.b64decode(base64.b64encode(b"abc" * 9))
    string.Template("$a and ${b}").substitute(a=1, b=2)


def settings():
    parser = configparser.ConfigParser()
    parser.read_string("[a]\nx = 1\ny = %(x)s2\n[b]\nz: yes\n")
    parser.getint("a", "y")
    parser["b"].getboolean("z")
    logger = logging.Logger("corpus")
    logger.addHandler(logging.StreamHandler(io.StringIO()))
    for number in range(10):
        logger.warning("value %d", number)
    list(tokenize.generate_tokens(io.StringIO(SOURCE).readline))


def fibonacci(number):
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def is_even(number):
    return number == 0 or is_odd(number - 1)


def is_odd(number):
    return number != 0 and is_even(number - 1)


def counting(count):
    try:
        received = 0
        for number in range(count):
            received += (yield number) or 0
    finally:
        len("closed")
    return received


def delegating():
    total = yield from counting(3)
    yield total


def failing(depth):
    if depth == 0:
        raise ValueError("deep")
    failing(depth - 1)


def recursions():
    fibonacci(12)
    is_even(30)
    list(counting(5))
    list(delegating())
    generator = counting(5)
    next(generator)
    generator.send(2)
    with contextlib.suppress(KeyError):
        generator.throw(KeyError("x"))
    unfinished = counting(5)
    next(unfinished)
    unfinished.close()
    with contextlib.suppress(ValueError):
        failing(10)
    with contextlib.suppress(TypeError):
        len(5)
    sum(map(len, ["a", "bb"]))
    sorted(["b", "a"], key=str.lower)
    with contextlib.suppress(SystemExit):
        sys.exit(3)


def wrong_types():
    """cProfile of 3.12 breaks the program here."""
    with contextlib.suppress(TypeError):
        str.upper(5)


PIECES = {
    piece.__name__: piece
    for piece in (
        *(json_texts, syntax_trees, arguments, decimals, coroutines, messages, patterns, tables),
        *(differences, documents, objects, settings, recursions, wrong_types),
    )
}


def label(place):
    """The same for both: addresses differ from run to run, and so does our own type's name."""
    file, line, name = place
    name = re.sub(r" at 0x[0-9a-f]+", "", name)
    return f"{file}:{line}({re.sub('of .*Profiler', 'of the Profiler', name)})"


def main():
    profiler = importlib.import_module(sys.argv[1])
    counts = {}
    gc.disable()
    for name in sys.argv[2:] or PIECES:
        piece = PIECES[name]
        piece()  # caches are filled now, whoever comes first
        profile = profiler.Profile()
        profile.enable()
        piece()
        profile.disable()
        profile.create_stats()
        rows = {}
        for place, (primitive, calls, _, _, callers) in profile.stats.items():
            by = {label(caller): list(cost[:2]) for caller, cost in callers.items()}
            rows[label(place)] = [primitive, calls, by]
        own = sum(row[2] for row in profile.stats.values())
        whole = sum(row[3] for row in profile.stats.values() if not row[4])
        counts[name] = {"rows": rows, "self": own, "total": whole}
    json.dump(counts, sys.stdout)


if __name__ == "__main__":
    main()
