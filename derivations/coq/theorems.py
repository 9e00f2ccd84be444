"""The theorems in Coq, which of them are proved by hand, and which statements Coq accepted.

Every piece of evidence that can be stated in Coq has a theorem, unless NO_THEOREM says why it has none; so has
every proved gradient of the losses in ALL_GRADIENTS. Its statement is built from the evidence. A .v file holds
lemmas, tactics, and the proofs that the tactic of their kind does not find, each under a mark that names a claim
and a piece of its evidence, `(*! S1: softplus *)`, or a loss and a gradient, `(*! query_key: by temperature *)`.

accepted.json has a digest of each statement that Coq accepted, and when: a statement that changes loses its mark on
a page. It also has the digests of the .v files, so that Coq reads again only what changed.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from .. import losses
from ..common.statement import Gradient
from ..evidence.claims import CLAIMS
from ..evidence.kinds import PROVING, Chain, Evaluated, Instance
from ..ledger import check_claim
from ..prover.inequality import Bound, Sign
from .accepted import FOLDER, read_record
from .export import proposition
from .spelling import NotExported

LIBRARY = ("vocabulary", "sums", "enclosures")  # in this order; the other files are independent of each other
HEAD = "From infonce_ref Require Import sums enclosures.\nLocal Open Scope R_scope.\n"

_LENGTH = "it contains row p i, whose length no hypothesis gives"
_UNWRITTEN = "its proof in Coq is not yet written"
# Pieces that could be stated in Coq but have no theorem, with the reason.
NO_THEOREM = {
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
ALL_GRADIENTS = ("query_key",)  # losses all of whose gradients have theorems
_MARK = re.compile(r"^\(\*! ([\w.]+: [^*]+) \*\)\n", re.M)


class Theorem(NamedTuple):
    """mark: the claim and the piece of its evidence, or the loss and the gradient · said: its proposition · tactic:
    that of its kind, or "" if the kind has none.
    """

    mark: str
    said: str
    tactic: str

    @property
    def id(self) -> str:
        """The claim or the loss."""
        return self.mark.partition(": ")[0]

    @property
    def name(self) -> str:
        """Its name in Coq."""
        return re.sub(r"\W", "_", self.mark.replace(": ", "_", 1))

    @property
    def file(self) -> str:
        """The file of its proof: where its mark lies, or the one with the name of the claim's Python file."""
        home = self.id if self.id in losses.NAMES else CLAIMS[self.id].module.rpartition(".")[2]
        return by_hand().get(self.mark, home)

    @property
    def statement(self) -> str:
        return f"Theorem {self.name} :\n{self.said}.\n"


# --- statements -----------------------------------------------------------------------------------------


def is_stated(piece: Any) -> bool:
    """Return whether a piece of evidence can be stated in Coq: a proof, or an instance that compares two
    expressions instead of numbers that a program computed.
    """
    return isinstance(piece, PROVING) or (isinstance(piece, Instance) and isinstance(piece.find, Evaluated))


def _tactic(piece: Any) -> str:
    """The tactic that is tried on a piece without a proof by hand."""
    match piece:
        case Instance():
            return "at_point"
        case Sign():
            return "by_signs"
        case Bound() | Chain():
            return ""
    return "by_sums"


def state(id: str, pieces: Mapping[str, Any]) -> list[Theorem]:
    """State the theorems of a claim's evidence, or of a loss's gradients."""
    stated = {f"{id}: {name}": piece for name, piece in pieces.items() if is_stated(piece)}
    return [
        Theorem(mark, proposition(piece), _tactic(piece))
        for mark, piece in stated.items()
        if mark not in NO_THEOREM
    ]


@cache
def find_theorems(id: str) -> list[Theorem]:
    """Settle a claim, or prove the gradients of a loss, and state its theorems."""
    if id in losses.NAMES:
        return state(id, {name: by.prove() for name, by in gradients(id).items()})
    return state(id, check_claim(CLAIMS[id]).evidence if id in CLAIMS else {})


def gradients(loss: str) -> dict[str, Gradient]:
    """The gradients of a loss's statements, by their names in a mark."""
    return {
        f"{option}: by {name}" if option else f"by {name}": by
        for option, statement in losses.statements(loss).items()
        for name, by in statement.gradients.items()
    }


def explain_missing(id: str) -> list[tuple[str, str]]:
    """Name the pieces of a claim that have no theorem, with the reason."""
    return [(mark.partition(": ")[2], why) for mark, why in NO_THEOREM.items() if mark.startswith(f"{id}: ")]


# --- files ----------------------------------------------------------------------------------------------


def source(file: str) -> str:
    """The text of a .v file; "" if none of its theorems needs a proof by hand."""
    path = FOLDER / f"{file}.v"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def files() -> list[str]:
    """The files of proofs, by their names."""
    return sorted(path.stem for path in FOLDER.glob("*.v") if path.stem not in LIBRARY)


@cache
def by_hand() -> dict[str, str]:
    """The mark of each proof by hand, and its file."""
    return {mark: file for file in files() for mark in _MARK.findall(source(file))}


def build(text: str, theorems: Sequence[Theorem]) -> str:
    """Return the file that Coq reads: the theorems that a tactic proves, and the text of a .v file with the
    statement under each mark.
    """
    marks = set(_MARK.findall(text))
    others = [f"{one.statement}Proof. {one.tactic}. Qed.\n" for one in theorems if one.mark not in marks]
    stated = {one.mark: one.statement for one in theorems}
    return "\n".join([HEAD, *others, _MARK.sub(lambda found: stated[found[1]], text)])


def choose(asked: Iterable[Theorem]) -> list[Theorem]:
    """Return the theorems that Coq must read for these: one for each statement, and those that the same files prove
    by hand. Raises ValueError for a proof by hand of what is not stated, and for a statement without any proof.

    A statement that several claims make is proved once: by hand, if one of them is; the record knows of which.
    """
    known, hand = {key: mark for mark, key in read_record()["theorems"].items()}, by_hand()
    chosen: dict[str, Theorem] = {}
    for one in sorted(asked, key=lambda one: one.mark not in hand):
        other = known.get(digest(one.said), "")
        if one.mark not in hand and other in hand:
            one = one._replace(mark=other)
        chosen.setdefault(one.said, one)
    if bare := [one.mark for one in chosen.values() if not one.tactic and one.mark not in hand]:
        raise ValueError(
            f"{', '.join(bare)}: write a proof in a .v file, or say why not in theorems.NO_THEOREM; if another"
            " claim states the same, run tools/coq.py, which records it"
        )
    theorems = {one.mark: one for one in chosen.values()}
    needed = {one.file for one in chosen.values()}
    for mark in (mark for mark, file in hand.items() if file in needed and mark not in theorems):
        found = [one for one in find_theorems(mark.partition(": ")[0]) if one.mark == mark]
        if not found:
            raise ValueError(
                f"{hand[mark]}.v proves {mark}, which is not stated, or is in theorems.NO_THEOREM"
            )
        theorems[mark] = found[0]
    return list(theorems.values())


# --- what was accepted ----------------------------------------------------------------------------------


def _digest(text: str) -> str:
    """The first quarter of a text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(said: str) -> str:
    """The digest of a statement, with the vocabulary that gives it its meaning."""
    return _digest(source("vocabulary") + said)


def digest_files() -> dict[str, str]:
    """The digest of each .v file."""
    return {file: _digest(source(file)) for file in (*LIBRARY, *files())}


def write_record(theorems: Iterable[Theorem], coq: str, date: str, axioms: Iterable[str]) -> str:
    """Return the text of accepted.json: which Coq accepted which statements, the latest date, and the axioms."""
    accepted = {one.mark: digest(one.said) for one in sorted(theorems)}
    known = {
        "coq": coq,
        "date": date,
        "axioms": sorted(axioms),
        "files": digest_files(),
        "theorems": accepted,
    }
    text = json.dumps(known, indent=1, ensure_ascii=False) + "\n"
    return re.sub(r'("([\w.]+): .*,)\n (?= "\2: )', r"\1", text)  # one line for each claim


def find_changed(theorems: Sequence[Theorem], known: Mapping[str, Any]) -> list[Theorem]:
    """Return the theorems of the files in which a statement or a proof differs from a record."""
    before, here = known["files"], digest_files()
    if any(before.get(file) != here[file] for file in LIBRARY):
        return list(theorems)
    changed = {
        one.file
        for one in theorems
        if before.get(one.file) != here.get(one.file) or digest(one.said) not in known["theorems"].values()
    }
    return [one for one in theorems if one.file in changed]


def compare_record(theorems: Sequence[Theorem], axioms: Iterable[str] | None = None) -> list[str]:
    """Compare the record with theorems that Coq accepts now; say what differs. axioms: those of all theorems, if
    these are all; then the record may name no other.
    """
    known, stated = read_record(), {digest(one.said) for one in theorems}
    wrong = [
        f"accepted.json has another statement or proof of {file}.v than the one here, or none"
        for file in sorted({one.file for one in find_changed(theorems, known)})
    ]
    if axioms is not None:
        beside = [mark for mark, key in known["theorems"].items() if key not in stated]
        wrong += [f"accepted.json records {mark}, which is not stated here" for mark in beside]
        if set(known["axioms"]) != set(axioms):
            wrong.append(f"accepted.json records other axioms than {', '.join(sorted(axioms))}")
    return wrong


@cache
def _accepted() -> frozenset[str]:
    """The digests of the statements that Coq accepted."""
    return frozenset(read_record()["theorems"].values())


def is_accepted(piece: Any) -> bool:
    """Whether Coq accepted the statement of this piece of evidence."""
    try:
        return digest(proposition(piece)) in _accepted()
    except NotExported:
        return False


def all_accepted(evidence: Mapping[str, Any]) -> bool:
    """Return whether Coq accepted every piece that can be stated in Coq, and there is at least one."""
    stated = [piece for piece in evidence.values() if is_stated(piece)]
    return bool(stated) and all(map(is_accepted, stated))
