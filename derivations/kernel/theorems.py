"""The theorems in the .v files, and which of them Coq accepted.

A statement is between the marks `(*! D1.7: derivative *)` and `(*! *)`, and is written by `python tools/kernel.py`;
its proof follows, written by hand. A mark names a claim and a piece of its evidence, or a loss and one of its
proved gradients: `(*! query_key: by query *)`, `(*! query_key: shared: by query *)`. accepted.json has the digests
of the files that Coq accepted, and when, so that a mark on a page disappears when its file changes. Every piece
that can be stated in Coq must have a theorem, unless WITHOUT says why it has none.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .. import losses
from ..common.statement import Gradient
from ..evidence.pieces import PROVING, Evaluated, Instance
from .export import proposition
from .spelling import NotExported

FOLDER = Path(__file__).parent
RECORD = FOLDER / "accepted.json"
LIBRARY = ("vocabulary", "sums", "enclosures")  # in this order; the other files are independent of each other

_LENGTH = "it contains row p i, whose length no hypothesis gives"
_UNWRITTEN = "its proof in Coq is not yet written"
# Pieces that could be stated in Coq but have no theorem, with the reason.
WITHOUT = {
    "M14: gap": _LENGTH,
    "M14: opposite": _LENGTH,
    "R16: split": _LENGTH,
    "S4: excess": "it needs unit rows, but the variable of its derivative is universally quantified",
    **dict.fromkeys(
        (
            *("M33: floor", "M34: floor", "M35: second"),
            *("R16: jensen", "R16: uniform", "R19: least", "R19: floor", "M28: product", "M29: temperature"),
            *("M39: image", "M39: text", "M39: temperature"),
        ),
        _UNWRITTEN,
    ),
}
STATED = ("query_key",)  # losses all of whose gradients have theorems
_MARKED = re.compile(
    r"^\(\*! (?P<id>[\w.]+): (?P<piece>[^*]+) \*\)\n(?P<stated>.*?)^\(\*! \*\)$", re.M | re.S
)


class Theorem(NamedTuple):
    """A theorem: the claim and the piece of its evidence, or the loss and the gradient; its .v file and
    its statement."""

    id: str
    piece: str
    file: str
    stated: str

    @property
    def name(self) -> str:
        """Its name in Coq."""
        return re.sub(r"\W", "_", f"{self.id}_{self.piece}")

    @property
    def mark(self) -> str:
        return f"{self.id}: {self.piece}"

    @property
    def proposition(self) -> str:
        """The statement without the name."""
        return self.stated.removeprefix(f"Theorem {self.name} :\n").removesuffix(".\n")


def files() -> list[str]:
    """The files of theorems, by their names."""
    return sorted(path.stem for path in FOLDER.glob("*.v") if path.stem not in LIBRARY)


def source(file: str) -> str:
    """The text of a .v file."""
    return (FOLDER / f"{file}.v").read_text(encoding="utf-8")


def theorems() -> list[Theorem]:
    """Every theorem of the files, in their order."""
    return [theorem for file in files() for theorem in find_theorems(file, source(file))]


@cache  # each claim's card asks for all theorems
def find_theorems(file: str, text: str) -> tuple[Theorem, ...]:
    """The theorems in the text of a file."""
    return tuple(
        Theorem(found["id"], found["piece"], file, found["stated"]) for found in _MARKED.finditer(text)
    )


def statement(name: str, said: str) -> str:
    """The text between the marks."""
    return f"Theorem {name} :\n{said}.\n"


def rewrite_statements(text: str, say: Callable[[Theorem], str]) -> str:
    """Rewrite each statement in the text of a file. say: a function that returns the proposition of a theorem."""

    def marked(found: re.Match) -> str:
        theorem = Theorem(found["id"], found["piece"], "", "")
        stated = statement(theorem.name, say(theorem))
        return f"(*! {theorem.mark} *)\n{stated}(*! *)"

    return _MARKED.sub(marked, text)


def gradients(loss: str) -> dict[str, Gradient]:
    """The gradients of a loss's statements, by their names in a mark."""
    return {
        f"{option}: by {name}" if option else f"by {name}": by
        for option, statement in losses.statements(loss).items()
        for name, by in statement.gradients.items()
    }


def export(theorem: Theorem, evidence: Callable[[str], Mapping[str, Any]]) -> str:
    """Export the proposition of a theorem. evidence: a function that returns the pieces of a claim by its id."""
    if theorem.id in losses.NAMES:
        return proposition(gradients(theorem.id)[theorem.piece].prove())
    return proposition(evidence(theorem.id)[theorem.piece])


def export_all(claim: str, evidence: Mapping[str, Any]) -> dict[str, str]:
    """Export the propositions of a claim, by the theorems' names: its evidence, and the gradients that cite it.

    Claims with the same statement share a theorem, which is marked with one of them.
    """
    stated = {proposition(piece) for piece in evidence.values() if is_stated(piece)}
    return {
        one.name: export(one, lambda _: evidence) if claim in claims(one) else one.proposition
        for one in theorems()
        if claim in claims(one) or one.proposition in stated
    }


def claims(theorem: Theorem) -> tuple[str, ...]:
    """The claims of a theorem: its own, or those that its gradient cites."""
    if theorem.id in losses.NAMES:
        return gradients(theorem.id)[theorem.piece].claims
    return (theorem.id,)


# --- what was accepted ----------------------------------------------------------------------------------


def digest(text: str) -> str:
    """The first half of a text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def record(used: Iterable[str], coq: str, date: str, axioms: Iterable[str]) -> str:
    """Return the text of accepted.json: which Coq accepted which files, the latest date, and the axioms."""
    files = {file: digest(source(file)) for file in (*LIBRARY, *sorted(set(used)))}
    return json.dumps({"coq": coq, "date": date, "axioms": sorted(axioms), "files": files}, indent=1) + "\n"


def read_record(path: Path = RECORD) -> dict[str, Any]:
    """The content of accepted.json, or of another record like it."""
    if not path.is_file():
        return {"coq": "", "date": "", "axioms": [], "files": {}}
    return json.loads(path.read_text(encoding="utf-8"))


def describe_record() -> str:
    """Say when Coq ran. Marks are read from the record; Coq itself runs only on request."""
    known = read_record()
    return f"recorded with Coq {known['coq']} on {known['date']}"


def compare_record(chosen: Iterable[Theorem], axioms: Iterable[str] | None = None) -> list[str]:
    """Compare the record with the files of theorems that Coq accepts now; say what differs. axioms: those of all
    theorems, if all were chosen; then the record may name no other file.
    """
    known, used = read_record(), {*LIBRARY, *(theorem.file for theorem in chosen)}
    wrong = [
        f"accepted.json records another {file}.v than the one here, or none"
        for file in sorted(used)
        if known["files"].get(file) != digest(source(file))
    ]
    if axioms is not None:
        beside = sorted(set(known["files"]) - used)
        wrong += [f"accepted.json records {file}.v, and there is no theorem in it" for file in beside]
        if set(known["axioms"]) != set(axioms):
            wrong.append(f"accepted.json records other axioms than {', '.join(sorted(axioms))}")
    return wrong


def find_missing(id: str, evidence: Mapping[str, Any]) -> list[str]:
    """List the pieces of a claim that lack a required theorem, or have both a theorem and an entry in
    WITHOUT.
    """
    stated = {theorem.proposition for theorem in theorems()}
    wrong = []
    for name, piece in evidence.items():
        mark = f"{id}: {name}"
        if is_stated(piece) and (proposition(piece) in stated) == (mark in WITHOUT):
            wrong.append(
                f"{mark} has a theorem in a .v file, and theorems.WITHOUT says why it has none"
                if mark in WITHOUT
                else f"{mark} has no theorem in a .v file; write one, or say why not in theorems.WITHOUT"
            )
    return wrong


def find_missing_gradients() -> list[str]:
    """List the gradients of the losses in STATED that have no theorem."""
    marks = {theorem.mark for theorem in theorems()}
    wanted = [f"{loss}: {name}" for loss in STATED for name in gradients(loss)]
    return [f"{mark} has no theorem in a .v file; write one" for mark in wanted if mark not in marks]


def explain_missing(id: str) -> list[tuple[str, str]]:
    """Name the pieces of a claim that have no theorem, with the reason."""
    return [(mark.partition(": ")[2], why) for mark, why in WITHOUT.items() if mark.startswith(f"{id}: ")]


def find_unchanged(path: Path = RECORD) -> set[str]:
    """Return the files that have not changed since Coq accepted them, by a record; none if the library has
    changed.
    """
    same = {
        file
        for file, known in read_record(path)["files"].items()
        if (FOLDER / f"{file}.v").is_file() and digest(source(file)) == known
    }
    return same if same.issuperset(LIBRARY) else set()


@cache
def _accepted() -> frozenset[str]:
    """The propositions that Coq accepted: those in unchanged files."""
    same = find_unchanged()
    return frozenset(theorem.proposition for theorem in theorems() if theorem.file in same)


def is_accepted(piece: Any) -> bool:
    """Whether Coq accepted a theorem with the statement of this piece of evidence."""
    try:
        return proposition(piece) in _accepted()
    except NotExported:
        return False


def all_accepted(evidence: Mapping[str, Any]) -> bool:
    """Return whether Coq accepted every piece that can be stated in Coq, and there is at least one."""
    stated = [piece for piece in evidence.values() if is_stated(piece)]
    return bool(stated) and all(map(is_accepted, stated))


def is_stated(piece: Any) -> bool:
    """Return whether a piece of evidence can be stated in Coq: a proof, or an instance that compares two
    expressions instead of numbers that a program computed.
    """
    return isinstance(piece, PROVING) or (isinstance(piece, Instance) and isinstance(piece.find, Evaluated))
