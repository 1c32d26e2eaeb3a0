"""Starts `pyrometer view` and asks it what a browser would ask."""

import base64
import contextlib
import gzip
import http.client
import json
import re
import signal
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

CODES = {"u8": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "f64": "d"}
SIZES = {"u8": 1, "u16": 2, "u32": 4, "i32": 4, "f32": 4, "f64": 8}


@dataclass
class Columns:
    """A columns file of docs/view-data.md."""

    meta: dict[str, Any]
    columns: dict[str, Any] = field(default_factory=dict)

    def texts(self) -> list[str]:
        data, begin, texts = bytes(self.columns["text.bytes"]), 0, []
        for end in self.columns["text.ends"]:
            texts.append(data[begin:end].decode())
            begin = end
        return texts


def decode_columns(data: bytes) -> Columns:
    assert data[:4] == b"PYC1"
    (length,) = struct.unpack_from("<I", data, 4)
    head = json.loads(data[8 : 8 + length])
    at = -(-(8 + length) // 8) * 8
    read = Columns(head["meta"])
    for column in head["columns"]:
        size, count = SIZES[column["type"]], column["count"]
        raw = data[at : at + size * count]
        assert len(raw) == size * count
        if column["packed"]:
            raw = bytes(raw[plane * count + i] for i in range(count) for plane in range(size))
        is_bytes = column["type"] == "u8"
        values = raw if is_bytes else struct.unpack(f"<{count}{CODES[column['type']]}", raw)
        read.columns[column["name"]] = values
        at = -(-(at + size * count) // 8) * 8
    return read


def decode_page(page: bytes) -> dict[str, Any]:
    """The answers in a page by request: JSON, or columns."""
    opening = rb'<script type="application/x-pyrometer" id="pyrometer-data">([^<]*)</script>'
    found = re.search(opening, page)
    assert found
    data = decode_columns(gzip.decompress(base64.b64decode(found[1], validate=True)))
    answers: dict[str, Any] = {}
    for request, told in data.meta["answers"].items():
        raw = data.columns[told["column"]]
        answers[request] = json.loads(raw) if told["type"] == "json" else decode_columns(raw)
    return answers


@dataclass
class View:
    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port
        return port

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def ask(
        self, target: str, method: str = "GET", **headers: str
    ) -> tuple[int, bytes, http.client.HTTPMessage]:
        """The target is the whole path; headers have _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, target, headers=named)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body, response.headers

    def get(self, request: str) -> bytes:
        status, body, _ = self.ask(self.path + request)
        assert status == 200, (request, status, body[:500])
        return body

    def json(self, request: str) -> Any:
        return json.loads(self.get(request))

    def columns(self, request: str) -> Columns:
        return decode_columns(self.get(request))

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=10)


@contextlib.contextmanager
def open_view(
    executable: Path, *words: object, environment: dict[str, str] | None = None
) -> Iterator[View]:
    command = [executable, "view", "--json", *map(str, words)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        said = json.loads(line)
        assert said["pid"] == process.pid
        yield View(process, said["url"])
    finally:
        process.kill()
        process.communicate()
