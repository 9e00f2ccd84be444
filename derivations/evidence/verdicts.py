"""The verdicts of the ledger, and the error for evidence that does not support one."""

from enum import StrEnum


class NotShown(ValueError):
    """The evidence does not show the claim."""


class Verdict(StrEnum):
    """The conclusion that a reader may draw; meaning: what it says of a claim."""

    meaning: str

    def __new__(cls, word: str, meaning: str = "") -> "Verdict":
        verdict = str.__new__(cls, word)
        verdict._value_, verdict.meaning = word, meaning
        return verdict

    DEFINITION = "definition", "it names a quantity, and is shown to make sense"
    PROVED = "proved", "each line follows from the one above, for all sizes"
    PROVED_FROM_LEMMA = "proved from LEMMA", "proved with one named inequality, log x ≤ x − 1"
    CHECKED = "checked", "computed, and the numbers are shown; not proved"
    CORRECTED = "corrected", "what is printed is wrong; the right statement is proved"
    REFUTED = "refuted", "what is printed is false; a counterexample is shown"
    FOLKLORE = "folklore", "often said, printed by none of the documents, and false"
    NO_THEOREM = "no theorem", "a statement about practice or intent, which no proof decides"
