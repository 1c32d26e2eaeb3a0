"""Most of the time inside modules that are written in C."""

import json
import re
import sys
import zlib

WORD = re.compile(r"[a-z]+")


def make_document(size):
    return {f"key {n}": [n, n / 3, {"text": "abc" * (n % 5)}] for n in range(size)}


def write_and_read(document):
    return json.loads(json.dumps(document, sort_keys=True))


def find_words(text):
    return len(WORD.findall(text)) + len(re.sub("a", "b", text))


def pack(text):
    return zlib.decompress(zlib.compress(text.encode(), 9))


def sort_backwards(size):
    return sorted(range(size), key=lambda number: -number)


def main(rounds):
    for _ in range(rounds):
        text = json.dumps(write_and_read(make_document(40)))
        find_words(text)
        pack(text)
        sort_backwards(30)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
