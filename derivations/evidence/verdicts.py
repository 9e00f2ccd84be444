"""The verdicts of the ledger, and the error for evidence that does not support one."""

from enum import StrEnum


class NotShown(ValueError):
    """The evidence does not show the claim."""


class Verdict(StrEnum):
    """The conclusion that a reader may draw."""

    DEFINITION = "definition"  # no claim is made; the definition is well posed
    PROVED = "proved"  # for every N and d
    PROVED_FROM_LEMMA = "proved from LEMMA"  # each algebraic step proved, one named inequality used
    CHECKED = "checked"  # numerically; the numbers are shown
    CORRECTED = "corrected"  # the claim shows the printed statement and the right one
    REFUTED = "refuted"  # with a counterexample
    FOLKLORE = "folklore"  # refuted, and printed by none of the documents; the claim cites who says it
    NO_THEOREM = "no theorem"  # empirical
