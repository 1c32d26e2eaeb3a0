"""Eight threads, half of the work with the GIL released and half in pure Python."""

import hashlib
import threading
import zlib

from measured import measured, repetitions

THREADS = 8


def digest(block: bytes) -> int:
    """Long enough for the interpreter to release the GIL."""
    return hashlib.sha256(block).digest()[0]


def compress(block: bytes) -> int:
    return len(zlib.compress(block, 6))


def collatz(start: int) -> int:
    steps = 0
    while start != 1:
        start = 3 * start + 1 if start & 1 else start >> 1
        steps += 1
    return steps


def count_letters(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
    return counts


def work(number: int, rounds: int, results: list[int]) -> None:
    block = bytes((number + 7 * i * i) & 0xFF for i in range(200_000))
    text = block[:12_000].hex()
    total = 0
    for _ in range(rounds):
        total += digest(block * 4)
        total += compress(block)
        total += len(count_letters(text))
        total += sum(collatz(n) for n in range(1, 400))
    results[number] = total


if __name__ == "__main__":
    count = repetitions(220)
    with measured():
        results = [0] * THREADS
        threads = [
            threading.Thread(target=work, args=(number, count, results), name=f"worker {number}")
            for number in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("check", sum(results))
