"""The verdicts of the ledger, and the error for evidence that does not support one."""

from enum import StrEnum


class NotShown(ValueError):
    """The evidence does not show what it should."""


class Verdict(StrEnum):
    """What a reader may conclude."""

    DEFINITION = "definition"  # nothing is claimed; it is well posed
    PROVED = "proved"  # for every N and d
    PROVED_FROM_LEMMA = "proved from LEMMA"  # each algebraic step proved, one named inequality used
    CHECKED = "checked"  # numerically, with the figure
    CORRECTED = "corrected"  # with what was printed and what is right
    REFUTED = "refuted"  # with a counterexample
    NO_THEOREM = "no theorem"  # empirical
