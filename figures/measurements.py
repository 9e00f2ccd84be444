"""Keep measurements that take minutes beside their figure, as JSON with one record a line, and say with which
versions they were made. A figure that is run as a program measures again, mostly on scikit-learn's images."""

import contextlib
import datetime
import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any


def write(file: str | Path, records: Mapping[str, Any] | Sequence[Any], *packages: str) -> None:
    """Write what was measured now, with these packages. file: that of the figure."""
    if isinstance(records, Mapping):
        begin, end, lines = "{", "}", [f"{json.dumps(name)}: {json.dumps(x)}" for name, x in records.items()]
    else:
        begin, end, lines = "[", "]", [*map(json.dumps, records)]
    made = json.dumps(describe_conditions(*packages), ensure_ascii=False)
    text = f'{{"measured": {made}, "records": {begin}\n' + ",\n".join(lines) + f"\n{end}}}\n"
    Path(file).with_suffix(".json").write_text(text, encoding="utf-8")


def read(file: str) -> Any:
    """The records of a figure alone."""
    return json.loads(Path(file).with_suffix(".json").read_text(encoding="utf-8"))["records"]


def name_processor() -> str:
    """The model of the processor, or what Python knows of it."""
    with contextlib.suppress(OSError, IndexError):
        return Path("/proc/cpuinfo").read_text().split("model name")[1].splitlines()[0].strip("\t: ")
    return platform.processor() or platform.machine()


def describe_conditions(*packages: str) -> str:
    """For example "2026-11-25, Python 3.11.7, numpy 2.4.6, AMD EPYC"; packages by the names that pip calls them."""
    day = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    versions = [f"{name} {version(name)}" for name in packages]
    return ", ".join([day, f"Python {platform.python_version()}", *versions, name_processor()])
