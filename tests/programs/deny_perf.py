"""Starts a program to which the kernel refuses perf_event_open, as many containers do.

deny_perf.py PROGRAM ARGUMENTS...
"""

import ctypes
import errno
import os
import platform
import struct
import sys

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}[platform.machine()]
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[platform.machine()]

LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # of the kernel's filter language
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
SYSTEM_CALL_AT, ARCHITECTURE_AT = 0, 4

FILTER = [
    (LOAD_WORD, 0, 0, ARCHITECTURE_AT),
    (JUMP_IF_EQUAL, 0, 2, ARCHITECTURE),
    (LOAD_WORD, 0, 0, SYSTEM_CALL_AT),
    (JUMP_IF_EQUAL, 1, 0, PERF_EVENT_OPEN),
    (RETURN, 0, 0, ALLOW),
    (RETURN, 0, 0, REFUSE),
]

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    program = b"".join(struct.pack("HBBI", *instruction) for instruction in FILTER)
    instructions = ctypes.create_string_buffer(program)
    described = struct.pack("HxxxxxxP", len(FILTER), ctypes.addressof(instructions))
    if (
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described, 0, 0) != 0
    ):
        sys.exit(f"deny_perf: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


main()
