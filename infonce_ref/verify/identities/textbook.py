"""The size of a textbook form's terms, and so of its rounding error, which distinguishes an inexact loss from a
wrong one.

The textbook's gradient of a row is Σ_j (P_j − 1[j = p]) k_j / τ, its value −log P_p. Each P is rounded to about
eps/τ whatever 1 − P_p is, so a gradient below eps/τ² has no correct digit if 1 − P_p vanishes. If all scores are
equal, its terms are as large as those of the exact gradient, and it is equally accurate [S1, S2].
"""

from typing import Any

import numpy as np

from ..case import Case
from .identity import documented

# identities also evaluate the loss at other cases: half the temperature, rows four times as long
NEARBY = 16


def terms(case: Case) -> dict[str, np.ndarray]:
    """The size of a textbook gradient's terms, entry by entry."""
    # a τ so large that all logits are equal, and equal scores
    hot = 1e6 * case.length**2
    equal = {
        name: np.zeros_like(case.arguments[name])
        for kind in ("score", "bias")
        for name in case.list_of_kind(kind)
    }
    heat = 1.0
    if "temperature" in case.arguments:
        equal, heat = equal | {"temperature": hot}, hot / case.arguments["temperature"]
    for name in case.list_of_kind("inverse squared length"):
        equal, heat = equal | {name: 1 / hot}, hot * case.arguments[name]
    undecided = documented(case.at(**equal))
    return {
        name: NEARBY * np.asarray(size) * (heat**2 if name == "temperature" else heat)
        for name, (_, size) in undecided.items()
    }


def value(case: Case) -> float:
    """The size of a textbook value's terms: 1 nat for each row."""
    return NEARBY * float(len(case.arguments[case.loss.differentiable[0]]))


def side(case: Case, name: str, shape: tuple[int, ...], terms: dict[str, np.ndarray]) -> Any:
    """The size of a textbook form's terms in one side of an identity, of this shape: a gradient, or numbers
    computed from it.
    """
    own = terms[name]
    if shape == own.shape:
        return own
    x = np.asarray(case.arguments[name], dtype=np.float64)
    return np.sum(own * (1 + np.abs(x))) + value(case)
