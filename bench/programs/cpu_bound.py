"""Pure Python: calls, dictionaries, strings, objects, recursion and generators."""

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass

from measured import measured, repetitions

Cell = tuple[int, int]


def make_text(generator: random.Random, words: int) -> str:
    letters = "etaoinshrdlu"
    return " ".join(
        "".join(generator.choices(letters, k=generator.randint(2, 6))) for _ in range(words)
    )


def count_words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split():
        key = word.strip(".,").lower()
        counts[key] = counts.get(key, 0) + 1
    return counts


def format_table(counts: dict[str, int]) -> str:
    lines = []
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"{word:<10}|{count:>6d}|{100 * count / len(counts):7.3f} %")
    return "\n".join(lines)


def neighbours(cell: Cell, size: int) -> Iterator[Cell]:
    x, y = cell
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= x + dx < size and 0 <= y + dy < size:
            yield x + dx, y + dy


def cheapest_path(costs: list[list[int]]) -> int:
    """From one corner of a square to the opposite one."""
    size = len(costs)
    best: dict[Cell, int] = {(0, 0): 0}
    queue = [(0, (0, 0))]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell == (size - 1, size - 1):
            return cost
        if cost > best[cell]:
            continue
        for x, y in neighbours(cell, size):
            further = cost + costs[y][x]
            if further < best.get((x, y), 1 << 30):
                best[x, y] = further
                heapq.heappush(queue, (further, (x, y)))
    raise AssertionError("a square is connected")


def count_queens(size: int, columns: int = 0, left: int = 0, right: int = 0) -> int:
    if columns == (1 << size) - 1:
        return 1
    solutions = 0
    free = ~(columns | left | right) & ((1 << size) - 1)
    while free:
        place = free & -free
        free -= place
        solutions += count_queens(size, columns | place, (left | place) << 1, (right | place) >> 1)
    return solutions


@dataclass
class Particle:
    position: float
    velocity: float

    def step(self, duration: float) -> None:
        self.velocity -= self.position * duration
        self.position += self.velocity * duration

    def energy(self) -> float:
        return 0.5 * (self.velocity**2 + self.position**2)


def swing(particles: list[Particle], steps: int) -> float:
    for _ in range(steps):
        for particle in particles:
            particle.step(0.01)
    return sum(particle.energy() for particle in particles)


def work(rounds: int) -> int:
    generator = random.Random(1)
    check = 0
    for _ in range(rounds):
        check += len(format_table(count_words(make_text(generator, 6000))))
        check += cheapest_path([[generator.randint(1, 9) for _ in range(45)] for _ in range(45)])
        check += count_queens(7)
        check += swing([Particle(generator.random(), 0.0) for _ in range(30)], 150) > 0
    return check


if __name__ == "__main__":
    count = repetitions(530)
    with measured():
        result = work(count)
        print("check", result)
