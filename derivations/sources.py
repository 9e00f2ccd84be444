"""Locate the code, which the proofs read as text to cite its lines; they never import it."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .documents import ID

PACKAGE = "infonce_ref"
TALKING = "cli"  # a folder whose ids are examples for users, and do not mean that it implements a claim


class Line(NamedTuple):
    """A line of the project, its file named as in a clone."""

    path: str
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.number}"


def folder(room: str = "") -> Path:
    """Return the folder of the package, or of a sibling of the proofs such as figures. A clone has the
    package beside the proofs, a wheel has them inside it.
    """
    around = Path(__file__).parent.parent
    return around / room if room or (around / "__init__.py").exists() else around / PACKAGE


def version() -> str:
    """Return the version written in the code; the installed package may be another copy."""
    return re.search(r'^__version__ = "(.+)"$', read("__init__.py"), re.M)[1]  # type: ignore[index]


def read(path: str) -> str:
    """A file of the code, named by its path within the package: losses/ntxent.py."""
    return (folder() / path).read_text(encoding="utf-8")


def code() -> dict[str, Path]:
    """Every file of the code and the figures, without the proofs, by its path in a clone."""
    rooms = {PACKAGE: folder(), "figures": folder("figures")}
    inside = {folder("figures"), folder("derivations")}  # in a wheel these rooms are inside the package
    return {
        f"{name}/{path.relative_to(room).as_posix()}": path
        for name, room in rooms.items()
        for path in sorted(room.rglob("*.py"))
        if not any(path.is_relative_to(other) for other in inside - {room})
    }


@cache
def citations() -> dict[str, list[Line]]:
    """Find the places in the code and the figures that name each id."""
    found: dict[str, list[Line]] = {}
    for name, path in code().items():
        if path.parent.name == TALKING:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for id in ID.findall(line):
                found.setdefault(id, []).append(Line(name, number))
    return found
