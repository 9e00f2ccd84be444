"""What cancels by nature: gradients that are small differences of large terms, whatever form computes them.

A gradient's error is measured against the terms that are summed, and plainly against the largest exact entry. The
second is the claim wherever it is not said here that it fails, and this table is held to what was measured: a
gradient that exceeds the tolerance plainly and does not stand here is a failure, and so is a line that no longer
does.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..losses import Loss
from .case import Check
from .precision import VALUE


class Cancellation(NamedTuple):
    """What cancels, and the condition number: the summed terms over what is left of them."""

    what: str
    condition: str


CANCELS = {
    ("query_key", "temperature"): Cancellation("slopes of either sign", "Σ|G_ij s_ij| / |Σ G_ij s_ij|"),
}


def plainly(checks: Iterable[Check]) -> dict[tuple[str, str], Check]:
    """For each loss and input, or value, the check whose plain error is worst against its tolerance."""
    worst: dict[tuple[str, str], Check] = {}
    for check in checks:
        if check.worst.plain is None:
            continue
        key = check.loss, "value" if check.compared == VALUE else check.input
        if key not in worst or excess(check) > excess(worst[key]):
            worst[key] = check
    return worst


def excess(check: Check) -> float:
    """The plain error over the tolerance; infinite for what is no number."""
    plain = check.worst.plain
    return float("inf") if plain is None or plain != plain else plain / check.tolerance


def surprises(checks: Iterable[Check], losses: Iterable[Loss]) -> list[str]:
    """Where the table and what was measured disagree, one line each. A line is stale only by float64's measure."""
    measured = plainly(checks)
    found = [
        f"{' '.join(key)}: plain error {check.worst.plain:.1e} > {check.tolerance:.1e} at {check.place}, and "
        "nothing is said to cancel"
        for key, check in measured.items()
        if not excess(check) <= 1 and key not in CANCELS
    ]
    double = {key for key, check in plainly(c for c in measured.values() if c.dtype == "float64").items()}
    names = {loss.name for loss in losses}
    stale = [
        f"{' '.join(key)}: said to cancel, but its plain error is within the tolerance: take the line out"
        for key in CANCELS
        if key[0] in names and key in double and excess(measured[key]) <= 1
    ]
    return found + stale
