"""Every loss that is proved, by its name in `infonce_ref.losses`."""

from collections.abc import Callable, Mapping
from typing import Any

from derivations import (
    byol,
    clip,
    cpc,
    dhn_nce,
    infonce,
    instance,
    instance_nce,
    nce,
    ntxent,
    query_key,
    triplet,
)
from derivations.prover.statement import Statement

STATEMENTS: dict[str, Statement] = {
    lesson.STATEMENT.loss: lesson.STATEMENT
    for lesson in (infonce, ntxent, cpc, nce, instance, instance_nce, triplet, clip)
} | {
    "query_key": query_key.OWN,
    "query_key, shared": query_key.SHARED,
    "byol": byol.BYOL_STATEMENT,
    "simsiam": byol.SIMSIAM_STATEMENT,
    "simsiam, without stop-gradient": byol.FREE_SIMSIAM_STATEMENT,
    "dhn_nce": dhn_nce.STATEMENTS["differentiated"],
    "dhn_nce, constant weights": dhn_nce.STATEMENTS["constant"],
}

# Where a shape or an option changes the formula, a loss has several statements, and its lesson chooses.
CHOICES: dict[str, Callable[[Mapping[str, Any]], Statement]] = {
    "query_key": query_key.statement,
    "simsiam": byol.simsiam_statement,
    "dhn_nce": dhn_nce.statement,
}


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """The statement of a loss that holds of these arguments of its forward pass."""
    return CHOICES[loss](arguments) if loss in CHOICES else STATEMENTS[loss]
