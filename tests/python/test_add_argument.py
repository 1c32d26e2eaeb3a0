"""`--profile FILE` for programs of argparse, click and Typer, and PYROMETER_PROFILE."""

import json
import pstats
import sys
from pathlib import Path

import pytest
from inside_programs import InsideRunner

WORK = """
def work(): busy(0.1)
"""
ARGPARSE = (
    WORK
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--size', type=int, default=1)
assert pyrometer.add_argument(parser) is parser
arguments = parser.parse_args()
print(arguments.size, arguments.profile)
work()
"""
)
CLICK = (
    WORK
    + """
import click
@pyrometer.add_argument
@click.command()
@click.option('--size', type=int, default=1)
def main(size):
    work()
    print(size)
main()
"""
)
CLICK_GROUP = (
    WORK
    + """
import click
@pyrometer.add_argument
@click.group()
def main(): pass
@main.command()
def sub():
    work()
    print(2)
main()
"""
)
TYPER = (
    WORK
    + """
import typer
app = typer.Typer()
@app.command()
def main(size: int = 1):
    work()
    print(size)
pyrometer.add_argument(app)
app()
"""
)
TYPER_GROUP = (
    WORK
    + """
import typer
app = typer.Typer()
@app.command()
def sub():
    work()
    print(2)
@app.command()
def other(): pass
pyrometer.add_argument(app)
app()
"""
)


@pytest.fixture
def program(executable: Path, python: Path, tmp_path: Path) -> InsideRunner:
    return InsideRunner(executable, python, tmp_path)


@pytest.fixture
def own_program(executable: Path, tmp_path: Path) -> InsideRunner:
    """With the packages of the tests."""
    return InsideRunner(executable, Path(sys.executable), tmp_path)


def functions_in(file: Path) -> set[str]:
    return {row["name"] for row in json.loads(file.read_text())["functions"]}


def test_argparse(program: InsideRunner) -> None:
    done = program.expect(ARGPARSE, "--profile", "out.json", "--size", "2")
    assert done.stdout == "2 out.json\n"
    assert "work" in functions_in(program.folder / "out.json")
    recorded = "pyrometer-program-1"
    assert done.stderr == (
        f"pyrometer: recorded in {recorded} and out.json; next: pyrometer report {recorded}\n"
    )


def test_argparse_without_it(program: InsideRunner) -> None:
    done = program.expect(ARGPARSE)
    assert (done.stdout, done.stderr) == ("1 None\n", "")
    assert [path.name for path in program.folder.iterdir()] == ["program.py"]


def test_argparse_help_and_mistakes(program: InsideRunner) -> None:
    done = program.expect(ARGPARSE, "--help")
    assert "--profile FILE" in done.stdout
    assert "%p" in done.stdout
    done = program(ARGPARSE, "--profile", "out.json", "--sise", "2")
    assert done.returncode == 2
    assert "unrecognized arguments" in done.stderr
    assert [path.name for path in program.folder.iterdir()] == ["program.py"]
    done = program(ARGPARSE, "--profile", "/proc/none/out.json")
    assert done.returncode == 2
    assert "error: argument --profile: cannot create the folder" in done.stderr


def test_names_and_options(program: InsideRunner) -> None:
    source = ARGPARSE.replace(
        "add_argument(parser)", "add_argument(parser, '--cpu', exact=True, quiet=True)"
    ).replace(".profile)", ".cpu)")
    done = program.expect(source, "--cpu", "p-%s-%n-%h.prof")
    assert done.stderr == ""
    [file] = program.folder.glob("p-program-1-*.prof")
    stats = pstats.Stats(str(file)).stats  # type: ignore[attr-defined]
    assert {name: row[1] for (_, _, name), row in stats.items()}["work"] == 1


def test_subcommands_of_argparse(program: InsideRunner) -> None:
    source = (
        WORK + "import argparse\n"
        "parser = argparse.ArgumentParser()\n"
        "sub = parser.add_subparsers().add_parser('solve')\n"
        "pyrometer.add_argument(sub, quiet=True)\n"
        "parser.parse_args()\nwork()\n"
    )
    program.expect(source, "solve", "--profile", "run")
    assert "work" in program.profile("run").function_names


def test_parents_of_argparse(program: InsideRunner) -> None:
    source = (
        WORK + "import argparse\n"
        "common = argparse.ArgumentParser(add_help=False)\n"
        "pyrometer.add_argument(common, quiet=True)\n"
        "other = argparse.ArgumentParser()\n"
        "other.add_argument('--profile')\n"
        "other.parse_args(['--profile', 'none'])\n"
        "parser = argparse.ArgumentParser(parents=[common])\n"
        "parser.add_argument('--size')\n"
        "parser.add_subparsers().add_parser('solve', parents=[common])\n"
        "parser.parse_args()\nwork()\n"
    )
    program.expect(source, "--profile", "run")
    assert "work" in program.profile("run").function_names
    program.expect(source, "solve", "--profile", "of-command")
    assert "work" in program.profile("of-command").function_names
    assert program(source, "--profile", "unused", "--sise").returncode == 2
    left = sorted(path.name for path in program.folder.iterdir())
    assert left == ["of-command", "program.py", "run"]


@pytest.mark.parametrize(
    ("module", "source", "words", "printed"),
    [
        ("click", CLICK, ["--profile", "out.json", "--size", "2"], "2\n"),
        ("click", CLICK_GROUP, ["--profile", "out.json", "sub"], "2\n"),
        ("typer", TYPER, ["--profile", "out.json", "--size", "2"], "2\n"),
        ("typer", TYPER_GROUP, ["--profile", "out.json", "sub"], "2\n"),
        ("typer", TYPER_GROUP, ["sub", "--profile", "out.json"], "2\n"),
    ],
)
def test_click_and_typer(
    own_program: InsideRunner, module: str, source: str, words: list[str], printed: str
) -> None:
    pytest.importorskip(module)
    done = own_program.expect(source, *words)
    assert done.stdout == printed
    assert "work" in functions_in(own_program.folder / "out.json")
    assert "--profile" in own_program.expect(source, "--help").stdout


def test_mistakes_of_click(own_program: InsideRunner) -> None:
    pytest.importorskip("click")
    done = own_program(CLICK, "--profile", "/proc/none/out.json")
    assert done.returncode == 2
    assert "'--profile': cannot create the folder" in done.stderr


def test_something_else(program: InsideRunner) -> None:
    done = program("pyrometer.add_argument([])\n")
    assert "TypeError: add_argument takes a parser of argparse" in done.stderr


def test_click_is_not_imported(program: InsideRunner) -> None:
    program.expect(ARGPARSE + "assert 'click' not in sys.modules and 'typer' not in sys.modules\n")


def test_environment(program: InsideRunner) -> None:
    done = program.expect(WORK + "work(); sys.exit(0)\n", PYROMETER_PROFILE="out.json")
    assert "work" in functions_in(program.folder / "out.json")
    assert done.stderr.startswith("pyrometer: recorded in pyrometer-program-1 and out.json; next: ")


def test_environment_that_is_wrong(program: InsideRunner) -> None:
    done = program.expect(WORK + "work(); print('done')\n", PYROMETER_PROFILE="/proc/none/run")
    assert done.stdout == "done\n"
    assert done.stderr.startswith("pyrometer: PYROMETER_PROFILE=/proc/none/run: cannot create")
    assert done.stderr.count("\n") == 1


def test_environment_of_children(program: InsideRunner) -> None:
    """Children of multiprocessing do not write over what their parent writes."""
    source = (
        WORK + "import multiprocessing\n"
        "if __name__ == '__main__':\n"
        "    for method in ('fork', 'spawn'):\n"
        "        p = multiprocessing.get_context(method).Process(target=work)\n"
        "        p.start(); p.join(); assert p.exitcode == 0\n"
        "    busy(0.1)\n"
    )
    done = program.expect(source, PYROMETER_PROFILE="run")
    assert done.stderr.count("recorded in run") == 1
    assert len(program.profile("run").pids) == 2  # the spawned one is another interpreter
