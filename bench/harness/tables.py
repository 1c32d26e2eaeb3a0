"""Results as Markdown."""

from collections.abc import Sequence

from harness.comparison import Comparison, Result

HEAD = (
    "| | CPU, all processes | wall | the program's own CPU | CPU outside | samples | promised |",
    "|---|---:|---:|---:|---:|---:|---|",
)


def escape(text: str) -> str:
    """For a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def format_row(result: Result, rounds: int) -> str:
    name = escape(f"{result.name}, version {result.version}" if result.version else result.name)
    if result.failed_rounds:
        name += f" ({result.failed_rounds} of {rounds} runs failed: {escape(result.failure)})"
    if result.cpu is None:
        return f"| {name} | failed: {escape(result.failure)} | | | | | |"
    samples = f"{result.sampled:.0f}/s" if result.sampled is not None else ""
    promised = f"{result.most:g}: {result.verdict}" if result.most else ""
    return (
        f"| {name} | {result.cpu} | {result.wall} | {result.own_cpu} "
        f"| {result.outside:+.2f} s | {samples} | {promised} |"
    )


def format_plain_row(result: Result) -> str:
    return f"| {result.name} | {result.seconds:.2f} s | | | | | |"


def format_comparison(comparison: Comparison) -> str:
    plain, *others = comparison.results
    rows = [format_plain_row(plain), *(format_row(other, comparison.rounds) for other in others)]
    count = "1 round" if comparison.rounds == 1 else f"{comparison.rounds} rounds"
    title = f"**{comparison.program}**, Python {comparison.python}, {count}:"
    return "\n".join([title, "", *HEAD, *rows])


def format_comparisons(comparisons: Sequence[Comparison]) -> str:
    return "\n\n".join(map(format_comparison, comparisons))
