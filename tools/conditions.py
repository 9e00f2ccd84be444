"""What a measurement was made with, in the words that docs/measured.md reads: day, Python, packages, processor."""

import contextlib
import datetime
import platform
from importlib.metadata import version
from pathlib import Path


def name_processor() -> str:
    """The model of the processor, or what Python knows of it."""
    with contextlib.suppress(OSError, IndexError):
        return Path("/proc/cpuinfo").read_text().split("model name")[1].splitlines()[0].strip("\t: ")
    return platform.processor() or platform.machine()


def describe(*packages: str) -> str:
    """For example "2026-11-25, Python 3.11.7, numpy 2.4.6, AMD EPYC"; packages by the names that pip calls them."""
    day = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    versions = [f"{name} {version(name)}" for name in packages]
    return ", ".join([day, f"Python {platform.python_version()}", *versions, name_processor()])
