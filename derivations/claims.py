"""Every claim, by its id: importing this file makes the lessons register theirs."""

from derivations import bound, byol, clip, infonce, information, ntxent, softmax, sphere, triplet
from derivations.prover.claim import CLAIMS

LESSONS = (softmax, infonce, sphere, ntxent, byol, clip, triplet, information, bound)

__all__ = ["CLAIMS", "LESSONS"]
