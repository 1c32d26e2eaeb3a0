"""Names of a program on a terminal, where some characters would be commands."""


def printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)[1:-1]


def encodable(text: str, stream: object) -> str:
    """With escapes for what the stream cannot encode."""
    encoding = getattr(stream, "encoding", None)
    if not isinstance(encoding, str):
        return text
    try:
        text.encode(encoding, getattr(stream, "errors", None) or "strict")
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # it has a way of its own
        return text
    return text
