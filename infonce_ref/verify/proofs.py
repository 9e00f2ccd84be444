"""The one file of the judge that knows where the proofs are: what it takes from `derivations`."""

from collections.abc import Mapping
from typing import Any

from ..derivations import losses
from ..derivations.prover.evaluate import Functions, evaluator
from ..derivations.prover.statement import Statement
from .brought import BROUGHT

__all__ = ["Functions", "Statement", "evaluator", "prove", "statement"]


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """The statement of a loss that holds of these arguments: the house's, or one that was brought."""
    return losses.statement_in(BROUGHT[loss] if loss in BROUGHT else losses.module(loss), arguments)


def prove(loss: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Proves each gradient of the statement; what each proof says. Raises ValueError where one is not proved."""
    return {name: str(each.prove()) for name, each in statement(loss, arguments).gradients.items()}
