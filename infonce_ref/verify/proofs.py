"""The only file of `verify` that imports `derivations`."""

from collections.abc import Mapping
from typing import Any

from ..derivations import losses
from ..derivations.common.statement import Statement
from ..derivations.prover.evaluate import Functions, evaluator, evaluators
from ..derivations.theory import estimators_from_scores
from .brought import BROUGHT

__all__ = ["Functions", "Statement", "evaluator", "evaluators", "prove", "statement"]


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """Return the statement that a loss satisfies for these arguments: the registry's, an estimator's, or a
    user's.
    """
    if loss in estimators_from_scores.STATEMENTS:
        return estimators_from_scores.STATEMENTS[loss]
    return losses.statement_in(BROUGHT[loss] if loss in BROUGHT else losses.module(loss), arguments)


def prove(loss: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Prove each gradient of the statement; return the lines of each proof. Raises ValueError if one is not
    proved."""
    return {name: str(each.prove()) for name, each in statement(loss, arguments).gradients.items()}
