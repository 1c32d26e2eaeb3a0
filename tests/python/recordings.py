"""Recordings byte by byte, as docs/recording-format.md describes them, and how to spoil them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"\x89PYR\r\n\x1a\n"
HEADER_SIZE = 4096
FRAME_HEADER = struct.Struct("<IBBHI")  # length, type, flags, reserved, sequence
COMPRESSED = 1

STRING, CODE, THREAD, METRIC, NODES, SAMPLES, CHECKPOINT = 1, 3, 5, 6, 7, 8, 9
REGIONS, COUNTER, COUNTER_VALUES = 14, 15, 16
ATTRIBUTE, END, MPI_CALLS, LIVE = 18, 19, 21, 22


def make_crc32c_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC32C = make_crc32c_table()


def crc32c(data: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC32C[(crc ^ byte) & 0xFF] ^ crc >> 8
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def varint(value: int) -> bytes:
    encoded = b""
    while value >= 0x80:
        encoded += bytes([value & 0x7F | 0x80])
        value >>= 7
    return encoded + bytes([value])


def signed_varint(value: int) -> bytes:
    return varint(2 * value if value >= 0 else -2 * value - 1)


def sized(text: bytes) -> bytes:
    return varint(len(text)) + text


def header(
    version: int = 1, *, pid: int = 4711, rank: int = -1, size: int = 0, host: str = "node07"
) -> bytes:
    """The header page of a process, without rank unless told."""
    page = MAGIC + struct.pack("<IIiiII", version, HEADER_SIZE, rank, size, pid, 1)
    page += struct.pack("<QQQ", 0, 10**9, 1_700_000_000 * 10**9)
    page += sized(host.encode()) + sized(b"test:1")
    page = page.ljust(HEADER_SIZE - 4, b"\0")
    return page + crc32c(page)


def frame(kind: int, payload: bytes, sequence: int, *, flags: int = 0) -> bytes:
    body = FRAME_HEADER.pack(len(payload), kind, flags, 0, sequence) + payload
    return body + crc32c(body)


def recording(*frames: tuple[int, bytes]) -> bytes:
    return header() + b"".join(frame(*each, number) for number, each in enumerate(frames))


@dataclass
class FrameInFile:
    begin: int
    end: int
    kind: int


def frames_of(recorded: bytes) -> Iterator[FrameInFile]:
    at = HEADER_SIZE
    while at < len(recorded):
        length, kind, *_ = FRAME_HEADER.unpack_from(recorded, at)
        end = at + FRAME_HEADER.size + length + 4
        yield FrameInFile(at, end, kind)
        at = end


def killed(recorded: bytes) -> bytes:
    """As a process leaves it that had no time for its end record."""
    last = list(frames_of(recorded))[-1]
    assert last.kind == END
    return recorded[: last.begin]
