"""Where the code lies. The proofs read it as text, to cite its lines; they never import it."""

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PACKAGE = __name__.partition(".")[0]


class Line(NamedTuple):
    """A line of the project, its file named as in a clone."""

    path: str
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.number}"


def folder(room: str = "") -> Path:
    """The folder of the package, or of a room of it: in a clone derivations and figures lie beside it, installed
    from a wheel within it."""
    spec = find_spec(f"{PACKAGE}.{room}" if room else PACKAGE)
    assert spec is not None, f"{room} is not installed"
    return Path(next(iter(spec.submodule_search_locations or ())))


def read(path: str) -> str:
    """A file of the code, named by its path within the package: losses/ntxent.py."""
    return (folder() / path).read_text(encoding="utf-8")


def code() -> dict[str, Path]:
    """Every file of the code and the figures, by its path in a clone; of the proofs none."""
    rooms = {PACKAGE: folder(), "figures": folder("figures")}
    inside = {folder("figures"), folder("derivations")}  # in a wheel they are within the package
    return {
        f"{name}/{path.relative_to(room).as_posix()}": path
        for name, room in rooms.items()
        for path in sorted(room.rglob("*.py"))
        if not any(path.is_relative_to(other) for other in inside - {room})
    }
