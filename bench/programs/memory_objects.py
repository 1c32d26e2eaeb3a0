"""Pure Python that makes many objects: 750,000 of them, with what belongs to them, five times."""

from measured import measured, repetitions


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y

    def norm(self) -> float:
        return float((self.x * self.x + self.y * self.y) ** 0.5)


def make(count: int) -> int:
    made: list[tuple[float, str]] = []
    last: dict[int, list[Point]] = {}
    for i in range(count):
        point = Point(i * 1.0, i + 1.0)
        made.append((point.norm(), str(i)))
        last[i % 1000] = [point]
    return len(made) + len(last)


with measured():
    for _ in range(repetitions(25)):
        make(150_000)
