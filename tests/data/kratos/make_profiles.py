"""Line profiles of a small program on 2 to 128 processes, as line_profiler 4 prints them.

Every line follows a law of the count p, in microseconds: what it takes on all processes together
divided by p, and what it takes on each of them. Nothing is measured, so nothing varies.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

COUNTS = (2, 4, 8, 16, 32, 64, 128)


@dataclass(frozen=True)
class Line:
    number: int
    text: str
    hits: int = 0
    parallel: float = 0  # divided by the count
    constant: float = 0
    linear: float = 0  # times the count
    first_count: int = 2  # from which on it runs at all

    def time(self, count: int) -> float:
        return self.parallel / count + self.constant + self.linear * count


@dataclass(frozen=True)
class Function:
    file: str
    name: str
    lines: tuple[Line, ...]

    @property
    def first_line(self) -> int:
        return self.lines[0].number


FUNCTIONS = (
    Function(
        "/work/fem/analysis_stage.py",
        "RunSolutionLoop",
        (
            Line(10, "@profile"),
            Line(11, "def RunSolutionLoop(self):"),
            Line(12, "    while self.KeepAdvancing():", hits=101, constant=4_000),
            Line(13, "        self.Solve()", hits=100, parallel=51_200_000, constant=100_000),
            Line(14, "        self.Synchronize()", hits=100, linear=5_000),
            Line(15, "        self.Output()", hits=10, constant=800_000),
        ),
    ),
    Function(
        "/work/fem/solver.py",
        "Assemble",
        (
            Line(40, "@profile"),
            Line(41, "def Assemble(self, flags):"),
            Line(42, "    for element in self.elements:", hits=64_001, parallel=640_000),
            Line(43, "        if flags | MASK:", hits=64_000, parallel=1_280_000),
            Line(
                44, "            self.Exchange(element)", hits=640, constant=6_400, first_count=16
            ),
        ),
    ),
)


def text_of(function: Function, count: int) -> str:
    measured = [line for line in function.lines if line.hits and line.first_count <= count]
    total = sum(line.time(count) for line in measured)
    head = f"{'Line #':>6} {'Hits':>9} {'Time':>12} {'Per Hit':>8} {'% Time':>8}  Line Contents"
    rows = [
        f"Total time: {total * 1e-6:g} s",
        f"File: {function.file}",
        f"Function: {function.name} at line {function.first_line}",
        "",
        head,
        "=" * len(head),
    ]
    for line in function.lines:
        cells = ["", "", "", ""]
        if line in measured:
            time = line.time(count)
            cells = [
                str(line.hits),
                f"{time:.1f}",
                fitted(time / line.hits, 8),
                f"{100 * time / total:5.1f}",
            ]
        hits, time_cell, per_hit, share = cells
        row = f"{line.number:>6} {hits:>9} {time_cell:>12} {per_hit:>8} {share:>8}  {line.text}"
        rows.append(row)
    return "\n".join([*rows, ""])


def fitted(number: float, width: int) -> str:
    """As line_profiler does: an exponent where the number is too wide."""
    text = f"{number:5.1f}"
    return text if len(text) <= width else f"{number:5.3g}"


def write_profile(path: Path, count: int) -> Path:
    blocks = "\n".join(text_of(function, count) for function in FUNCTIONS)
    path.write_text(f"Timer unit: 1e-06 s\n\n{blocks}\n")
    return path


def main(folder: Path) -> None:
    for count in COUNTS:
        write_profile(folder / f"profile-{count}", count)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
