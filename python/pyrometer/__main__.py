"""`python -m pyrometer`: becomes the command `pyrometer`."""

import os
import sys

from pyrometer._executable import NOT_FOUND, find_executable


def main() -> int:
    executable = find_executable()
    if executable is None:
        print(f"pyrometer: {NOT_FOUND}.", file=sys.stderr)
        return 1
    try:
        os.execv(executable, [str(executable), *sys.argv[1:]])
    except OSError as error:
        print(f"pyrometer: cannot run {executable}: {error.strerror}.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
