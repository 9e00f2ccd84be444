"""The verdicts of the ledger."""

from enum import StrEnum


class Verdict(StrEnum):
    """What a reader may conclude."""

    DEFINITION = "definition"  # nothing is claimed; it is well posed
    PROVED = "proved"  # for every N and d
    PROVED_FROM_LEMMA = "proved from LEMMA"  # each algebraic step proved, one named inequality used
    CHECKED = "checked"  # numerically, with the figure
    CORRECTED = "corrected"  # with what was printed and what is right
    REFUTED = "refuted"  # with a counterexample
    NO_THEOREM = "no theorem"  # empirical
