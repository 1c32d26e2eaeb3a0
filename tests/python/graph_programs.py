"""Programs whose cProfile files have call graphs of many shapes."""

import marshal
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAMS = {
    "recursion": """
        def fibonacci(n):
            return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        fibonacci(14)
    """,
    "mutual": """
        def even(n): return n == 0 or odd(n - 1)
        def odd(n): return n != 0 and even(n - 1)
        for n in range(60): even(n)
    """,
    "cycle": """
        def a(n): return n and b(n - 1) + c(n // 2)
        def b(n): return n and c(n - 1) + sum(range(50))
        def c(n): return n and a(n - 1) + len(str(n))
        a(30); b(7); c(3)
    """,
    "deep": """
        def down(n): return 0 if n == 0 else 1 + down(n - 1)
        for n in (10, 100, 900): down(n)
    """,
    "builtins": """
        words = [str(n * 7919 % 1000) for n in range(3000)]
        sorted(words, key=len); sorted(words, key=lambda word: word[::-1])
        list(map(int, words)); max(words, key=str.lower); ''.join(words).split('1')
    """,
    "threads": """
        import threading
        def work(n): return sum(range(n))
        threads = [threading.Thread(target=work, args=(10000 * n,)) for n in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """,
    "generators": """
        def numbers(n):
            for i in range(n): yield i
        def pairs(n):
            for i in numbers(n): yield from ((i, j) for j in numbers(3))
        sum(i * j for i, j in pairs(700))
    """,
    "coroutines": """
        import asyncio
        async def leaf(n):
            await asyncio.sleep(0)
            return sum(range(n))
        async def main():
            return await asyncio.gather(*(leaf(100 * n) for n in range(40)))
        asyncio.run(main())
    """,
    "json": """
        import json
        for size in range(60):
            json.loads(json.dumps({"list": list(range(size)), "deep": [[[size]]]}, indent=1))
    """,
    "argparse": """
        import argparse, io
        parser = argparse.ArgumentParser(prog="program")
        for n in range(30): parser.add_argument(f"--option-{n}", help="what it does " * 9)
        parser.print_help(io.StringIO()); parser.parse_args(["--option-3", "x"])
    """,
    "email": """
        from email import message_from_string
        from email.mime.text import MIMEText
        for n in range(30):
            message = MIMEText("text " * 99)
            message["Subject"] = "Größe " * 9
            message_from_string(message.as_string()).as_string()
    """,
    "ast": """
        import ast, inspect, textwrap
        tree = ast.parse(inspect.getsource(textwrap))
        ast.dump(tree); ast.unparse(tree); compile(tree, "x", "exec")
    """,
    "regular": """
        import re
        for n in range(40): re.compile(f"(a|b)*?[c-{chr(100 + n % 20)}]+(?P<name>x{{1,{n + 1}}})")
    """,
    "classes": """
        class Größe:
            def __init__(self, value): self.value = value
            def __add__(self, other): return Größe(self.value + other.value)
            @property
            def half(self): return self.value / 2
            def __getitem__(self, key): return self.half * key
        total = Größe(0)
        for n in range(2000): total = total + Größe(n); total[n]
    """,
    "exceptions": """
        def fails(n):
            if n % 3 == 0: raise ValueError(f"quote \\" and \\\\ backslash {n}")
            return n
        def caught(n):
            try: return fails(n)
            except ValueError as error: return str(error)
        for n in range(3000): caught(n)
    """,
    "imports": """
        import http.client, xml.dom.minidom, decimal, unittest.mock
    """,
    "numbers": """
        import decimal, fractions, statistics
        values = [fractions.Fraction(n, 7) for n in range(1, 300)]
        sum(values); statistics.mean(values); statistics.stdev(map(float, values))
        sum(decimal.Decimal(n) / 7 for n in range(300))
    """,
    "copies": """
        import copy
        nested = [1, {"a": [2, (3, [4])]}]
        for n in range(12): nested = copy.deepcopy([nested, n])
    """,
    "decorators": """
        import functools
        def timed(function):
            @functools.wraps(function)
            def wrapper(*words): return function(*words)
            return wrapper
        @timed
        def inner(n): return sum(range(n))
        @timed
        def outer(n): return [inner(i) for i in range(n)]
        for n in range(100): outer(n)
        (lambda x: (lambda y: x + y)(2))(1)
    """,
    "names": """
        import pathlib, sys
        here = pathlib.Path(__file__).parent
        for name in ("one", "two"):
            (here / name).mkdir(exist_ok=True)
            source = "def f():\\n    return sum(range(99999))\\nf()"
            (here / name / "__init__.py").write_text(source)
        sys.path.insert(0, str(here))
        import one, two
    """,
    "text": """
        import csv, io, string, textwrap, difflib
        words = " ".join(string.ascii_letters) * 20
        textwrap.fill(words); list(csv.reader(io.StringIO("a,b\\n" * 500)))
        list(difflib.unified_diff(words.split(), words.upper().split()))
    """,
}


def record(folder: Path, name: str) -> Path:
    """The program's cProfile file."""
    script = folder / f"program_{name}.py"  # not a module that another program imports
    script.write_text(textwrap.dedent(PROGRAMS[name]))
    file = folder / f"{name}.prof"
    command = [sys.executable, "-m", "cProfile", "-o", file, script]
    subprocess.run(command, check=True, timeout=60, stdout=subprocess.DEVNULL)
    return file


def write_oddities(folder: Path) -> list[Path]:
    """Files that cProfile writes on rare occasions only."""
    main, f = ("/x/main.py", 1, "main"), ("/x/main.py", 5, "f")
    contents = {
        # A clock too coarse to see anything: of nothing, each is the whole.
        "zeros": {main: (1, 1, 0.0, 0.0, {}), f: (2, 2, 0.0, 0.0, {main: (2, 2, 0.0, 0.0)})},
        # Coroutines: totals that count the waits for others.
        "beyond": {main: (1, 1, 0.1, 0.9, {}), f: (1, 3, 0.3, 0.2, {main: (3, 1, 0.3, 0.95)})},
        # Times that a clock ran backwards for.
        "negative": {main: (1, 1, 1.0, 1.0, {}), f: (1, 1, -0.5, 0.2, {main: (1, 1, -0.5, -0.1)})},
    }
    for name, content in contents.items():
        (folder / f"{name}.prof").write_bytes(marshal.dumps(content))
    return [folder / f"{name}.prof" for name in contents]
