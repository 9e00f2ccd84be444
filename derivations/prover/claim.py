"""A claim of the ledger: what a document prints, what was checked instead of believed, and the verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What a reader may conclude."""

    PROVED = "proved"  # for every N and d
    PROVED_FOR_SIZES = "proved for sizes"
    PROVED_FROM_LEMMA = "proved from LEMMA"  # each algebraic step proved, one named inequality used
    CHECKED = "checked"  # numerically, with the figure
    CORRECTED = "corrected"  # with what was printed and what is right
    REFUTED = "refuted"  # with the witness
    NO_THEOREM = "no theorem"  # empirical


@dataclass(frozen=True)
class Witness:
    """Numbers that settle a claim: what they show, and each under its name."""

    shows: str
    numbers: Mapping[str, Any]

    def __str__(self) -> str:
        return "\n".join(
            [f"  {self.shows}", *(f"    {name} = {value}" for name, value in self.numbers.items())]
        )


def witness(shows: str, holds: bool, numbers: Mapping[str, Any]) -> Witness:
    """The witness, if what it is to show holds of its numbers; raises if it does not."""
    if not holds:
        raise ValueError(f"no witness that {shows}: {dict(numbers)}")
    return Witness(shows, numbers)


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    printed: what the document prints. statement: what was checked, in words and LaTeX.
    right: the correct statement, where it is another one. scope: the sizes or the lemma that the verdict names.
    evidence: runs the proof, or exhibits the witness; returns what can be printed; raises if it does not stand.
    """

    id: str
    printed: str
    statement: str
    verdict: Verdict
    evidence: Callable[[], Any]
    right: str = ""
    scope: str = ""


CLAIMS: dict[str, Claim] = {}


def claim(id: str, *, printed: str, statement: str, verdict: Verdict, right: str = "", scope: str = ""):
    """Registers the function below as the evidence for a claim. One function may serve several."""

    def register(evidence: Callable[[], Any]) -> Callable[[], Any]:
        if id in CLAIMS:
            raise ValueError(f"claim {id} is made twice; every id is unique")
        CLAIMS[id] = Claim(id, printed, statement, verdict, evidence, right, scope)
        return evidence

    return register
