"""Amounts of memory as people write them: "24 MB", "1.5 GiB"."""

import re

PREFIXES = "KMGTP"
SIZE = re.compile(rf"\+?(\d+\.?\d*|\.\d+)\s*(?:([{PREFIXES}])i?)?B", re.IGNORECASE)


def parse_size(size: object) -> int:
    """Bytes; a number is as many of them. MB and MiB are both 1024 KB, as pytest-memray has it.
    ValueError for anything else.
    """
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    found = SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    if found is None:
        raise ValueError(f'{size!r} is not a size; write "24 MB", "1.5 GB" or a number of bytes')
    number, prefix = found.groups()
    exponent = 1 + PREFIXES.index(prefix.upper()) if prefix else 0
    return round(float(number) * float(1024**exponent))


def show_size(size: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
