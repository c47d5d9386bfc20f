"""Rejects processors that the extension was not built for, with a clear message, before the extension is loaded."""

import os
import platform
from pathlib import Path

# The features that x86-64-v3 has and x86-64 lacks, by their names in Linux.
_NEEDED = frozenset({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"})


def missing(cpuinfo: str) -> set[str]:
    """The features of x86-64-v3 that the first processor of a `/proc/cpuinfo` lacks; empty if the file does not list
    features."""
    for line in cpuinfo.splitlines():
        if line.startswith("flags"):
            return set(_NEEDED - set(line.partition(":")[2].split()))
    return set()


def check() -> None:
    """Raises an ImportError on a processor that lacks a feature. Only Linux provides the information."""
    if platform.machine() != "x86_64" or os.environ.get("UPHEAVAL_CPU_CHECK") == "off":
        return
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    lacking = missing(cpuinfo)
    if lacking:
        raise ImportError(
            f"this build of upheaval needs a processor with {', '.join(sorted(lacking))} (x86-64-v3); build one for older "
            "processors with RUSTFLAGS='-C target-cpu=x86-64' pip install ./python, and set UPHEAVAL_CPU_CHECK=off"
        )
