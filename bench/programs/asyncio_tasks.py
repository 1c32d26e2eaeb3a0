"""Ten thousand tasks of asyncio: sleeping for some seconds, then taking turns.

    asyncio_tasks.py ROUNDS

Prints the CPU seconds of the process for each, the least of all rounds, as JSON.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine

TASKS = 10_000
TURNS = 30


async def sleep() -> None:
    for _ in range(2):
        await asyncio.sleep(1)


async def take_turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def run_all(make: Callable[[], Coroutine[None, None, None]]) -> float:
    begin = time.process_time()
    await asyncio.gather(*(make() for _ in range(TASKS)))
    return time.process_time() - begin


def main() -> None:
    rounds = int(sys.argv[1])
    programs = {"sleep": sleep, "take turns": take_turns}
    least = {
        name: min(asyncio.run(run_all(make)) for _ in range(rounds))
        for name, make in programs.items()
    }
    print(json.dumps(least))


main()
