"""The theorems in the .v files, each below the statement that was written for it, and which of them Coq accepted.

A statement stands between marks, `(*! D1.7: derivative *)` and `(*! *)`, and is written by `python
tests/kernel.py`; beneath it stands its proof, written by hand. What Coq accepted is kept in accepted.json by the
digests of the files, so that a mark on a page is of these very files, and gone when one of them changes.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..evidence import PROVING
from .export import NotExported, proposition

FOLDER = Path(__file__).parent
RECORD = FOLDER / "accepted.json"
LIBRARY = ("vocabulary", "sums")  # in this order; the rest need both, and not one another
_MARKED = re.compile(
    r"^\(\*! (?P<id>[\w.]+): (?P<piece>[^*]+) \*\)\n(?P<stated>.*?)^\(\*! \*\)$", re.M | re.S
)


class Theorem(NamedTuple):
    """One theorem: the claim and the piece of its evidence, the .v file, and what is stated there."""

    id: str
    piece: str
    file: str
    stated: str

    @property
    def name(self) -> str:
        """What it is called in Coq."""
        return re.sub(r"\W", "_", f"{self.id}_{self.piece}")

    @property
    def said(self) -> str:
        return f"{self.id}: {self.piece}"


def files() -> list[str]:
    """The files of theorems, by their names."""
    return sorted(path.stem for path in FOLDER.glob("*.v") if path.stem not in LIBRARY)


def source(file: str) -> str:
    """The text of a .v file."""
    return (FOLDER / f"{file}.v").read_text(encoding="utf-8")


def theorems() -> list[Theorem]:
    """Every theorem of the files, in their order."""
    return [
        Theorem(found["id"], found["piece"], file, found["stated"])
        for file in files()
        for found in _MARKED.finditer(source(file))
    ]


def statement(name: str, said: str) -> str:
    """What stands between the marks."""
    return f"Theorem {name} :\n{said}.\n"


def written(text: str, say: Callable[[str, str], str]) -> str:
    """The text of a file with each statement written anew; say(id, piece) is the proposition."""

    def marked(found: re.Match) -> str:
        theorem = Theorem(found["id"], found["piece"], "", "")
        stated = statement(theorem.name, say(*theorem[:2]))
        return f"(*! {theorem.said} *)\n{stated}(*! *)"

    return _MARKED.sub(marked, text)


# --- what was accepted ----------------------------------------------------------------------------------


def digest(text: str) -> str:
    """Of a text, short enough to be read."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def record(accepted: Iterable[tuple[Theorem, str]], coq: str, axioms: Iterable[str]) -> str:
    """What accepted.json says: by which Coq, on which axioms, of which files, which propositions."""
    accepted = list(accepted)
    used = sorted({theorem.file for theorem, _ in accepted})
    found = {
        "coq": coq,
        "axioms": sorted(axioms),
        "files": {file: digest(source(file)) for file in (*LIBRARY, *used)},
        "theorems": {digest(said): [theorem.file, theorem.name] for theorem, said in accepted},
    }
    return json.dumps(found, indent=1) + "\n"


@cache
def _accepted() -> frozenset[str]:
    """The digests of the propositions that were accepted, as far as their files are still the same."""
    if not RECORD.is_file():
        return frozenset()
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    same = {
        file
        for file, known in found["files"].items()
        if (FOLDER / f"{file}.v").is_file() and digest(source(file)) == known
    }
    if not same.issuperset(LIBRARY):
        return frozenset()
    return frozenset(said for said, (file, _) in found["theorems"].items() if file in same)


def is_accepted(piece: Any) -> bool:
    """Whether Coq accepted a theorem that says what this piece of evidence says."""
    try:
        return digest(proposition(piece)) in _accepted()
    except NotExported:
        return False


def all_accepted(evidence: Mapping[str, Any]) -> bool:
    """Whether Coq accepted all that is proved among these pieces, and there is something."""
    proving = [piece for piece in evidence.values() if isinstance(piece, PROVING)]
    return bool(proving) and all(map(is_accepted, proving))
