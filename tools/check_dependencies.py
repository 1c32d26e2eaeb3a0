#!/usr/bin/env python3
"""Holds the dependency direction of src/: which part may include which. Also refuses a second type
of the same name, because no compiler does and the linker mixes the two up.

Prints `file:line: sentence` for each violation and returns 1 when there is one.
"""

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

# Part -> the parts it may include besides itself, in the order the data travel.
ALLOWED: dict[str, set[str]] = {
    "base": set(),
    "os": {"base"},
    "cpython": {"base", "os"},
    "record": {"base"},
    "exact": {"base", "os", "cpython"},
    "lines": {"base", "os", "cpython"},
    "timers": {"base", "os", "cpython"},
    "collect": {"base", "os", "cpython", "exact", "lines", "timers", "record"},
    "preload": {"collect", "os"},  # the tables of C functions to meet the agent by, nothing else
    "formats": {"base"},  # the files of other tools, read by load and written by export
    "profile": {"base"},
    "store": {"base", "profile"},
    "load": {"base", "record", "formats", "profile", "store"},
    "merge": {"base", "record", "formats", "profile", "store", "load"},
    "analyze": {"base", "profile"},
    "report": {"base", "formats", "profile", "analyze"},
    "export": {"base", "formats", "profile", "analyze"},
    "serve": {"base", "profile", "analyze", "report", "export"},
    "cli": {
        *("base", "record", "formats", "profile", "store", "load", "merge"),
        *("analyze", "report", "export", "serve"),
    },
}

# Files of src that stand in no folder belong to a part all the same.
LOOSE_FILES = {"main.cpp": "cli"}

# Files that may include one more part, each for a reason.
EXCEPTIONS: list[tuple[str, str]] = [
    ("cli/run*", "os"),  # starts the user's program
    ("cli/graph*", "os"),  # starts Graphviz
    ("cli/merge_name.cpp", "os"),  # names may tell job and host
    ("cli/merge_team.cpp", "os"),  # loads MPI, where a launcher starts several merges
    ("cli/picture_file.cpp", "os"),  # starts the converter of pictures
    ("cli/view*", "os"),  # starts the browser
    ("export/sqlite.cpp", "store"),  # which alone speaks to SQLite
]

# Only what lives in the user's program knows CPython.
PYTHON_PARTS = {"cpython", *(part for part, may in ALLOWED.items() if "cpython" in may)}

# The rest builds on any system with a C++ library; who else must ask the system is named
# here, each for a reason.
SYSTEM_FILES = [
    *(f"{part}/*" for part in sorted({"os", "preload", *PYTHON_PARTS})),
    "cli/terminal.cpp",  # asks whether a person is reading, and how wide the window is
]

SYSTEM_FOLDERS = {"arpa", "asm", "asm-generic", "bits", "linux", "net", "netinet", "sys"}
SYSTEM_HEADERS = {
    *("aio.h", "alloca.h", "byteswap.h", "dirent.h", "dlfcn.h", "elf.h", "endian.h", "err.h"),
    *("execinfo.h", "fcntl.h", "fnmatch.h", "ftw.h", "getopt.h", "glob.h", "grp.h", "ifaddrs.h"),
    *("libgen.h", "link.h", "malloc.h", "mqueue.h", "netdb.h", "poll.h", "pthread.h", "pty.h"),
    *("pwd.h", "resolv.h", "sched.h", "semaphore.h", "signal.h", "spawn.h", "strings.h"),
    *("syscall.h", "syslog.h", "termios.h", "ucontext.h", "unistd.h", "utime.h", "wait.h"),
}

SOURCE_SUFFIXES = {".h", ".hpp", ".inc", ".cpp", ".cc", ".c"}
INCLUDE = re.compile(r"\s*#\s*include\s*(?P<rest>.*)")
TARGET = re.compile(r'(?P<open>["<])(?P<path>[^">]+)[">]')


def explain_own_include(part: str, file: str, path: str) -> str | None:
    """Why `file` of `part` may not include our own header `path`, or None."""
    if ".." in path.split("/"):
        return f'"{path}" climbs with "..": includes are rooted at src.'
    wanted = path.split("/")[0]
    if "/" not in path or wanted not in ALLOWED:
        return f'"{path}" does not begin with a part of src: includes are rooted at src.'
    if wanted == part or wanted in ALLOWED[part]:
        return None
    if any(fnmatch(file, pattern) and wanted == more for pattern, more in EXCEPTIONS):
        return None
    return f'{part} may not include {wanted} ("{path}").'


def explain_system_include(part: str, file: str, path: str) -> str | None:
    """Why `file` of `part` may not include the header <path> from outside, or None."""
    first = path.split("/")[0]
    if path == "Python.h" or first == "cpython":
        if part in PYTHON_PARTS:
            return None
        return f"{part} may not include <{path}>: only {' and '.join(sorted(PYTHON_PARTS))} may."
    if "/" in path and first in ALLOWED:
        return f"<{path}> is our own header: include it with quotes."
    if first in SYSTEM_FOLDERS if "/" in path else path in SYSTEM_HEADERS:
        if any(fnmatch(file, pattern) for pattern in SYSTEM_FILES):
            return None
        return f"{part} may not include the system header <{path}>: ask os for what it does."
    return None


def explain(part: str, file: str, rest: str) -> str | None:
    target = TARGET.match(rest)
    if target is None:
        return f"the include of {rest.strip() or 'nothing'} cannot be checked."
    path = target["path"]
    # Python.h in quotes is still Python.h.
    if target["open"] == '"' and path != "Python.h":
        return explain_own_include(part, file, path)
    return explain_system_include(part, file, path)


def find_violations(src: Path) -> Iterator[str]:
    for path in sorted(src.rglob("*")):
        if not path.is_file() or path.suffix not in SOURCE_SUFFIXES:
            continue
        file = path.relative_to(src).as_posix()
        part = file.split("/")[0] if "/" in file else LOOSE_FILES.get(file, "")
        if part not in ALLOWED:
            where = f"'{part}' is not a known part of src" if part else "the file is in no part"
            yield f"{path}:1: {where}: name it in tools/check_dependencies.py."
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            include = INCLUDE.match(line)
            fault = explain(part, file, include["rest"]) if include else None
            if fault:
                yield f"{path}:{number}: {fault}"


ANONYMOUS = re.compile(r"^namespace \{.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:struct|class|enum class) (?P<name>\w+)(?!\w|::)[^;(]*?\{", re.MULTILINE)


def find_double_types(src: Path) -> Iterator[str]:
    """Types outside functions and anonymous namespaces, as our sources are formatted."""
    first: dict[str, str] = {}
    for path in sorted(src.rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        text = ANONYMOUS.sub("", path.read_text(errors="replace"))
        for name in TYPE.findall(text):
            file = path.relative_to(src).as_posix()
            if first.setdefault(name, file) != file:
                yield f"{path}:1: the type {name} is also defined in {first[name]}."


def main(arguments: list[str]) -> int:
    default = Path(__file__).resolve().parent.parent / "src"
    src = Path(arguments[0]) if arguments else default
    if not src.is_dir():
        print(f"There is no folder {src}.", file=sys.stderr)
        return 1
    violations = [*find_violations(src), *find_double_types(src)]
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
