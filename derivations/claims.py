"""A claim of the ledger: what a document prints, what was checked instead of believed, the verdict; and the ids.

An id names a document and a row of it, with a letter where one row states several things: D1.13, M5, D2.15b.
`DOCUMENTS` says what the names mean; a new document is one line there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class Document(NamedTuple):
    """Where claims come from."""

    title: str
    about: str


DOCUMENTS = {
    "D1": Document("InfoNCE Loss Derivation", "a report, in Italian and English: the gradient over a batch"),
    "D2": Document(
        "对比学习损失函数InfoNCE",
        "a blog post, in Chinese: from NCE to InfoNCE, normalised features, hard negatives",
    ),
    "D3": Document(
        "Sesión 5.0 Self-supervised learning",
        "lecture slides, in Spanish: from pretext tasks and triplets to CLIP",
    ),
    "D4": Document("DHN-NCE Loss", "notes: how a loss with weighed hard negatives is vectorised"),
    "P": Document("The bound log N − 𝓛 on mutual information", "where it holds, setting by setting"),
    "M": Document("What the documents leave out", "results that their reader needs"),
    "S": Document("Numerically right forms", "what to compute so that no digit is lost"),
}

# The name of a document that ends in a figure is set apart by a full stop: D1.13, but M5.
PATTERN = rf"(?:{'|'.join(name + (r'[.]' if name[-1].isdigit() else '') for name in DOCUMENTS)})\d+[a-z]?"
ID = re.compile(rf"(?<![\w.\\{{]){PATTERN}(?![\w^(])")


def parts(id: str) -> tuple[str, int, str]:
    """The document, the number and the letter of an id: ("D2", 15, "b"). Raises ValueError for what is none."""
    if not re.fullmatch(PATTERN, id):
        names = ", ".join(f"{name}.1" if name[-1].isdigit() else f"{name}1" for name in DOCUMENTS)
        raise ValueError(f"{id!r} is no id of a claim; ids look like {names}")
    name = next(name for name in DOCUMENTS if id.startswith(name))
    row = id.removeprefix(name).removeprefix(".")
    number = row.rstrip("abcdefghijklmnopqrstuvwxyz")
    return name, int(number), row.removeprefix(number)


def order(id: str) -> tuple[int, int, str]:
    """Sorts in the order of the documents, D1.2 before D1.10."""
    name, number, letter = parts(id)
    return list(DOCUMENTS).index(name), number, letter


class Verdict(StrEnum):
    """What a reader may conclude."""

    PROVED = "proved"  # for every N and d
    PROVED_FOR_SIZES = "proved for sizes"
    PROVED_FROM_LEMMA = "proved from LEMMA"  # each algebraic step proved, one named inequality used
    CHECKED = "checked"  # numerically, with the figure
    CORRECTED = "corrected"  # with what was printed and what is right
    REFUTED = "refuted"  # with a counterexample
    NO_THEOREM = "no theorem"  # empirical


@dataclass(frozen=True)
class Counterexample:
    """Numbers that settle a claim: what they show, and each under its name."""

    shows: str
    numbers: Mapping[str, Any]

    def __str__(self) -> str:
        return "\n".join(
            [f"  {self.shows}", *(f"    {name} = {value}" for name, value in self.numbers.items())]
        )


def counterexample(shows: str, holds: bool, numbers: Mapping[str, Any]) -> Counterexample:
    """The counterexample, if what it is to show holds of its numbers; raises if it does not."""
    if not holds:
        raise ValueError(f"no counterexample: it is not so that {shows}: {dict(numbers)}")
    return Counterexample(shows, numbers)


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    printed: what the document prints. statement: what was checked, in words and LaTeX.
    right: the correct statement, where it is another one. scope: the sizes or the lemma that the verdict names.
    evidence: runs the proof, or exhibits the counterexample; returns what can be printed; raises if it does not
    stand.
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
        parts(id)
        if id in CLAIMS:
            raise ValueError(f"claim {id} is made twice; every id is unique")
        CLAIMS[id] = Claim(id, printed, statement, verdict, evidence, right, scope)
        return evidence

    return register
