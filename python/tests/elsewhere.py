"""Helpers for tests of runs that are played elsewhere."""

import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import upheaval as up

# From <sched.h>, <linux/if.h> and <linux/sockios.h>.
CLONE_NEWNET = 0x40000000
IFF_UP, IFF_RUNNING = 0x1, 0x40
SIOCSIFFLAGS = 0x8914

SMALL: dict[str, Any] = {
    "name": "small",
    "variants": ["black-hole"],
    "games": 602,
    "seed": 3,
    "last_year": 1902,
    "log": {"orders": True},
    "seats": {"lineup": ["greedy", "random", "hold", "random", "random", "random", "random"]},
    "sweep": [{"parameter": "changes.holes.count", "values": [1, 2]}],
}
TOURNAMENT: dict[str, Any] = {
    "name": "who",
    "variants": ["standard", "deluge-ii"],
    "entrants": ["greedy", "random"],
    "format": "one-against-rest",
    "blocks": 2,
    "seed": 1,
    "last_year": 1903,
}
MATCH: dict[str, Any] = {
    "name": "match",
    "variants": ["standard"],
    "entrants": ["greedy", "random"],
    "effect": 0.05,
    "max_blocks": 60,
    "seed": 1,
    "last_year": 1904,
}


def files(run: up.Run) -> dict[str, bytes]:
    """Every file of a run except its manifest."""
    paths = (path for path in run.path.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {path.relative_to(run.path).as_posix(): path.read_bytes() for path in paths}


@contextmanager
def network_of_ones_own() -> Iterator[bool]:
    """Enters a network with only this machine in it, if the system allows it. Returns whether it does."""
    library = ctypes.CDLL(None, use_errno=True)
    try:
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
    except OSError:
        yield False
        return
    try:
        if library.unshare(CLONE_NEWNET) != 0:
            yield False
            return
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            up_and_running = struct.pack("16sH14x", b"lo", IFF_UP | IFF_RUNNING)
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, up_and_running)
        try:
            yield True
        finally:
            library.setns(before, CLONE_NEWNET)
    finally:
        os.close(before)
