"""Asks the standard library's pstats what it prints, many cases in one interpreter."""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from conftest import Run

Restriction = int | float | str

METHODS = {"print_stats": [], "print_callers": ["--callers"], "print_callees": ["--callees"]}

PRINT_ALL = """
import io, json, pstats, sys
texts = []
for case in json.load(sys.stdin):
    text = io.StringIO()
    stats = pstats.Stats(*case["files"], stream=text)
    if case["strip"]:
        stats.strip_dirs()
    if case["sort"]:
        stats.sort_stats(*case["sort"])
    if case["reverse"]:
        stats.reverse_order()
    getattr(stats, case["method"])(*case["restrictions"])
    texts.append(text.getvalue())
json.dump(texts, sys.stdout)
"""

# In a folder of its own: the modules that a program finds beside itself must not be ours.
PROGRAMS = {
    "json": """
        import json
        for size in range(20):
            json.loads(json.dumps({"list": list(range(size)), "text": "x" * size}, indent=1))
    """,
    "text": """
        import csv, io, re, string, textwrap
        words = " ".join(string.ascii_letters) * 9
        textwrap.fill(words), re.sub(r"(\\w) (\\w)", r"\\2\\1", words)
        list(csv.reader(io.StringIO("a,b\\n" * 20)))
    """,
    "recursion": """
        import ast, copy
        def fibonacci(n):
            return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        fibonacci(11)
        copy.deepcopy(ast.dump(ast.parse("def f(x): return [x for x in (1, {2: 3})]")))
        copy.deepcopy([[[1, 2], {"a": [3]}], (4, [5])])
    """,
    "objects": """
        import collections, decimal, fractions, statistics
        class Größe:
            def __init__(self): self.values = collections.OrderedDict()
            def __getitem__(self, key): return self.values.setdefault(key, len(self.values))
        size = Größe()
        exec(compile("for key in 'a b c'.split(): size[key]", "no such file.py", "exec"))
        statistics.stdev([fractions.Fraction(n, 7) for n in range(1, 9)])
        sorted((decimal.Decimal(n) / 7 for n in range(20)), key=lambda n: -n)
    """,
}


@dataclass
class Case:
    files: list[str]
    sort: Sequence[str | int] = ()
    reverse: bool = False
    strip: bool = False
    restrictions: Sequence[Restriction] = ()
    method: str = "print_stats"

    def words(self) -> list[str]:
        """The same for pyrometer report."""
        words = ["--format=pstats", *METHODS[self.method], *self.files]
        words += [f"--sort={key}" for key in self.sort]
        words += ["--reverse"] * self.reverse + ["--strip-dirs"] * self.strip
        return words + [f"--restrict={restriction}" for restriction in self.restrictions]


def run_python(python: Path, *words: object, text: str = "", folder: Path | None = None) -> str:
    result = subprocess.run(
        [python, *map(str, words)],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
        cwd=folder,
        timeout=100,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def pstats_texts(python: Path, cases: Iterable[Case]) -> list[str]:
    text = json.dumps([asdict(case) for case in cases])
    texts: list[str] = json.loads(run_python(python, "-c", PRINT_ALL, text=text))
    return texts


def expect_same_text(pyrometer: Run, python: Path, cases: Sequence[Case]) -> None:
    for case, expected in zip(cases, pstats_texts(python, cases), strict=True):
        result = pyrometer("report", *case.words(), encoding="utf-8")
        assert (result.returncode, result.stderr) == (0, ""), case
        assert result.stdout == expected, case


def write_program(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "program.py"
    lines = text.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    script.write_text("\n".join(line[indent:] for line in lines) + "\n", encoding="utf-8")
    return script


def record(python: Path, folder: Path, program: str) -> Path:
    script = write_program(folder / program, PROGRAMS[program])
    file = folder / f"{program}.prof"
    run_python(python, "-m", "cProfile", "-o", file, script, folder=folder)
    return file


def record_with_old_module(python: Path, folder: Path, program: str) -> Path:
    """With `profile`; its command line would write code objects in place of names."""
    script = write_program(folder / program, PROGRAMS[program])
    file = folder / f"{program}-old.prof"
    code = "import profile, sys; profile.run(open(sys.argv[1]).read(), sys.argv[2])"
    run_python(python, "-W", "ignore", "-c", code, script, file, folder=folder)
    return file
