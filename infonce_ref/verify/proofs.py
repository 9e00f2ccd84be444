"""The one file of the judge that knows where the proofs are: what it takes from `derivations`."""

from ..derivations.losses import statement
from ..derivations.prover.evaluate import Functions, evaluator
from ..derivations.prover.statement import Statement

__all__ = ["Functions", "Statement", "evaluator", "statement"]
