"""A claim of the ledger: what a document prints, what was checked instead of believed, and the verdict."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, NamedTuple

from .documents import parts
from .evidence import Instance, NotShown, relation
from .prover.inequality import Bound
from .prover.notation import base_of
from .prover.proof import Proof
from .prover.show import latex, text
from .verdicts import Verdict

# What a sentence may not say by itself: a relation is shown, and so is rendered from what shows it.
_COMMANDS = re.compile(
    r"\\(?:[a-z]*(?:leq|geq|prec|succ|sim|cong|equiv|approx|subset|supset|arrow|mapsto)[a-z]*|le|ge|neq?|lt|gt|ll|gg"
    r"|doteq|asymp|propto|in|ni|notin|to|iff|implies|models|vdash|coloneqq?)(?![A-Za-z])",
    re.IGNORECASE,
)
_OPERATORS = set("+−±×÷·√∂∑∏∇∞∘|¬⊙⊗⟨⟩∓")  # of Unicode's mathematical symbols those that relate nothing


def stated(words: str) -> str:
    """The first sign or command of a relation that stands in the words, or nothing."""
    plain = unicodedata.normalize("NFKC", unescape(words))
    signs = (x for x in plain if unicodedata.category(x) == "Sm" and x not in _OPERATORS)
    command = _COMMANDS.search(plain)
    return next(signs, command[0] if command else "")


_FIELD = re.compile(r"«([^»]*)»")


class Run(NamedTuple):
    """A piece of a sentence: words, or a formula as text and as LaTeX."""

    text: str
    latex: str | None = None


@dataclass(frozen=True)
class Sentence:
    """Words that frame what the evidence shows.

    «name» stands for what the piece of evidence of that name says, its first line = its last; «name.first» and
    «name.last» for these lines alone, «name.2» for the line of that number, «name.chain» for all of them,
    «name.assuming» for what it assumes, «name.where x» for what x stands for in it. $…$ is a formula without a
    relation, such as a name.
    """

    words: str

    def __post_init__(self) -> None:
        if found := stated(_FIELD.sub("", self.words)):
            raise ValueError(
                f"a sentence may not state {found!r} by itself; render it from its evidence with «name»: "
                f"{self.words!r}"
            )

    @property
    def names(self) -> list[str]:
        """The pieces of evidence that it shows."""
        return [field.partition(".")[0] for field in _FIELD.findall(self.words)]

    def runs(self, pieces: Mapping[str, Any]) -> list[Run]:
        """The sentence with its pieces rendered. Raises NotShown for a name without a piece."""
        runs: list[Run] = []
        for place, part in enumerate(_FIELD.split(self.words)):
            if place % 2:
                runs.append(_shown(part, pieces))
            else:
                runs += quoted(part)
        return runs


def quoted(words: str) -> list[Run]:
    """Words with $…$ for formulas, cut into words and formulas."""
    parts = words.split("$")
    return [Run(part, part if place % 2 else None) for place, part in enumerate(parts) if part]


def _shown(field: str, pieces: Mapping[str, Any]) -> Run:
    name, _, which = field.partition(".")
    if name not in pieces:
        raise NotShown(f"«{field}»: there is no evidence of that name; there are {', '.join(pieces)}")
    piece = pieces[name]
    if isinstance(piece, Instance) and piece.printed is None:
        return Run(", ".join(finding.text() for finding in piece.findings))
    said = relation(piece)
    if not which:
        return Run(said.text(), said.latex())
    lines = [line.expression for line in piece.lines] if isinstance(piece, Proof) else [said.left, said.right]
    match which:
        case "assuming":
            return Run("; ".join(piece.assumptions))
        case _ if which.startswith("where "):
            proofs = (piece.above, piece.below) if isinstance(piece, Bound) else (piece,)
            given = {str(base_of(x.head)): x for proof in proofs for x in proof.definitions}
            meant = given[which.removeprefix("where ")]
            return Run(*(f"{show(meant.head)} = {show(meant.body)}" for show in (text, latex)))
        case "chain":
            return Run(" = ".join(map(text, lines)), " = ".join(map(latex, lines)))
        case "first" | "last" | _ if which in ("first", "last") or re.fullmatch("[1-9]", which):
            line = lines[{"first": 0, "last": -1}.get(which, int(which) - 1 if which.isdigit() else 0)]
            return Run(text(line), latex(line))
    raise NotShown(f"«{field}»: a piece has .first, .last, .2 …, .chain, .assuming and .where x")


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    printed: what the document prints, word for word, formulas in $…$; empty where it is our own.
    says: the sentence that frames what was shown. right: what is right instead, where what is printed is not.
    evidence: makes the pieces of evidence, each under the name by which the sentences show it.
    """

    id: str
    printed: str
    says: Sentence
    verdict: Verdict
    evidence: Callable[[], Mapping[str, Any]]
    right: Sentence | None = None


CLAIMS: dict[str, Claim] = {}


def claim(
    id: str,
    *,
    verdict: Verdict,
    says: str,
    printed: str = "",
    right: str = "",
):
    """Registers the function below as the evidence for a claim. One function may serve several."""

    def register(evidence: Callable[[], Mapping[str, Any]]) -> Callable[[], Mapping[str, Any]]:
        parts(id)
        if id in CLAIMS:
            raise ValueError(f"claim {id} is made twice; every id is unique")
        CLAIMS[id] = Claim(id, printed, Sentence(says), verdict, evidence, Sentence(right) if right else None)
        return evidence

    return register
