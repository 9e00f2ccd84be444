"""The verdicts of the ledger, and the error for evidence that does not support one."""

from enum import StrEnum


class NotShown(ValueError):
    """The evidence does not show the claim."""


class Verdict(StrEnum):
    """The conclusion that a reader may draw."""

    DEFINITION = "definition"
    PROVED = "proved"
    PROVED_FROM_LEMMA = "proved from LEMMA"
    CHECKED = "checked"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    FOLKLORE = "folklore"
    NO_THEOREM = "no theorem"

    @property
    def meaning(self) -> str:
        """What it says of a claim."""
        return MEANINGS[self]


MEANINGS = {
    Verdict.DEFINITION: "it names a quantity, and is shown to make sense",
    Verdict.PROVED: "each line follows from the one above, for all sizes",
    Verdict.PROVED_FROM_LEMMA: "proved with one named inequality, log x ≤ x − 1",
    Verdict.CHECKED: "computed, and the numbers are shown; not proved",
    Verdict.CORRECTED: "what is printed is wrong; the right statement is proved",
    Verdict.REFUTED: "what is printed is false; a counterexample is shown",
    Verdict.FOLKLORE: "often said, printed by none of the documents, and false",
    Verdict.NO_THEOREM: "a statement about practice or intent, which no proof decides",
}
