"""Generators and coroutines that are resumed every few microseconds, each with work of its own."""

from collections import Counter
from itertools import repeat

from truth import clock, duration, tell

UNIT = 2000
spent = Counter()


class Pause:
    """Suspends the coroutine that awaits it, as an event loop would see it."""

    def __await__(self):
        yield


def produce(count):
    for number in range(count):
        began = clock()
        for _ in repeat(None, UNIT):
            pass
        spent["produce"] += clock() - began
        yield number


def delegate(count):
    yield from produce(count)


def consume():
    for _ in delegate(10):
        began = clock()
        for _ in repeat(None, 2 * UNIT):
            pass
        spent["consume"] += clock() - began


async def fetch():
    await Pause()
    began = clock()
    for _ in repeat(None, 3 * UNIT):
        pass
    spent["fetch"] += clock() - began


async def serve():
    for _ in range(5):
        await fetch()
        began = clock()
        for _ in repeat(None, 4 * UNIT):
            pass
        spent["serve"] += clock() - began


def run_coroutine(coroutine):
    try:
        while True:
            coroutine.send(None)
    except StopIteration:
        pass


def main():
    end = clock() + duration()
    while clock() < end:
        consume()
        run_coroutine(serve())
    tell(spent)


main()
