"""What the site has beyond the files of docs/, for MkDocs (mkdocs.yml names this file).

The reference of commands is what the commands themselves say, that of schemas is read from the
schemas, and the pages of the project are those at the top of the tree: none can go stale.
"""

import json
import os
import posixpath
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PROJECT = {
    "project/architecture.md": "ARCHITECTURE.md",
    "project/changelog.md": "CHANGELOG.md",
    "project/contributing.md": "CONTRIBUTING.md",
}
# That stand in the place of other tools' commands.
MODULES = ("cprofile", "kernprof", "line_profiler", "memory_profiler", "mprof")
HELP_COLUMN, HELP_WIDTH = 30, 100
LINK = re.compile(r"(\]\()([^()\s#:]+)((?:#[^()\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> None:
    made = {
        "pygments-light.css": highlighting("default"),
        "pygments-dark.css": highlighting("github-dark"),
        "reference/commands.md": commands_page(find_executable()),
        "reference/schemas.md": schemas_page(Path(config.docs_dir)),
        **{page: (ROOT / name).read_text() for page, name in PROJECT.items()},
    }
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))


def highlighting(style: str) -> str:
    return output_of(
        sys.executable, "-m", "pygments", "-f", "html", "-S", style, "-a", ".codehilite"
    )


def find_executable() -> Path:
    chosen = os.environ.get("PYROMETER_EXECUTABLE")
    path = Path(chosen) if chosen else ROOT / "build" / "release" / "bin" / "pyrometer"
    if not path.is_file():
        raise ConfigurationError(
            f"The page of commands needs the executable, and there is no {path}: "
            "run ./pyrometer once to build it."
        )
    return path


def commands_page(executable: Path) -> str:
    manual = output_of(executable, "manual")
    names = re.findall(r"^\.SS pyrometer (\S+)", manual, re.MULTILINE)
    commands = [[executable, name] for name in names]
    modules = [[sys.executable, "-m", f"pyrometer.{name}"] for name in MODULES]
    sections = [
        section("pyrometer", output_of(executable, "--help")),
        *(section(f"pyrometer {words[-1]}", output_of(*words, "--help")) for words in commands),
        *(section(f"python -m {words[-1]}", output_of(*words, "--help")) for words in modules),
    ]
    return (
        "# Commands\n\n"
        "What `--help` says, of every command and of the modules that stand in the place of other "
        "tools. The same as a man page: `pyrometer manual | man -l -`. Status 0 when all went "
        "well, 2 for wrong usage, 3 for what `--fail-above` refuses, 1 for everything else; "
        "`pyrometer run` has its program's.\n\n" + "\n".join(sections)
    )


def section(title: str, text: str) -> str:
    """What a command says of itself, its long lines broken where their second column begins."""
    indent = " " * HELP_COLUMN
    lines = (
        line
        if len(line) <= HELP_WIDTH
        else textwrap.fill(line, HELP_WIDTH, subsequent_indent=indent)
        for line in text.strip().splitlines()
    )
    return f"## {title}\n\n```text\n" + "\n".join(lines) + "\n```\n"


def output_of(*words: str | Path) -> str:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "COLUMNS": str(HELP_WIDTH)}
    return subprocess.run(words, env=variables, check=True, capture_output=True, text=True).stdout


def schemas_page(docs: Path) -> str:
    rows = []
    for path in sorted(docs.glob("*.schema.json")):
        schema = json.loads(path.read_text())
        rows.append(
            f"| `{schema['title']}` | {schema.get('description', '')} "
            f"| [{path.name}](../{path.name}) |"
        )
    return (
        "# JSON schemas\n\nEvery command has `--json`; each document follows a JSON schema "
        "(draft 2020-12), which the tests hold it to. A later version may only add members, and "
        "raises `schema_version` when it must change one.\n\n"
        "| document | what it is | schema |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    name = page.file.src_uri
    return LINK.sub(lambda link: link[1] + link_in_site(link[2], name) + link[3], markdown)


def link_in_site(target: str, page: str) -> str:
    """Links are right in the tree; pages of the project have another place in the site."""
    source = posixpath.join("..", PROJECT[page]) if page in PROJECT else page
    place = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    places = {posixpath.join("..", name): made for made, name in PROJECT.items()}
    place = places.get(place, place).removeprefix("../docs/")
    return posixpath.relpath(place, posixpath.dirname(page) or ".")
