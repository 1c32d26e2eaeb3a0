"""Tasks that take turns."""

import asyncio
import sys


def compute(size):
    return sum(number * number for number in range(size))


async def step(size):
    await asyncio.sleep(0)
    return compute(size)


async def worker(rounds, size):
    total = 0
    for _ in range(rounds):
        total += await step(size)
    return total


async def main(rounds):
    return await asyncio.gather(*(worker(rounds, size) for size in (500, 1000, 2000)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
