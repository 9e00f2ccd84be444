"""Every claim, by its id: importing this file makes the lessons register theirs."""

from derivations import infonce, ntxent, softmax, sphere
from derivations.prover.claim import CLAIMS

LESSONS = (softmax, infonce, sphere, ntxent)

__all__ = ["CLAIMS", "LESSONS"]
