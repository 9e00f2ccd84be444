"""Every claim, by its id: importing this file makes the lessons register theirs."""

from derivations import (
    bound,
    byol,
    clip,
    cpc,
    curvature,
    dhn_nce,
    extremes,
    hard_negatives,
    infonce,
    information,
    instance,
    instance_nce,
    moco,
    nce,
    ntxent,
    query_key,
    settings,
    softmax,
    sphere,
    triplet,
    vectorisation,
)
from derivations.prover.claim import CLAIMS

LESSONS = (
    softmax,
    infonce,
    sphere,
    ntxent,
    curvature,
    extremes,
    query_key,
    hard_negatives,
    cpc,
    nce,
    instance,
    instance_nce,
    moco,
    byol,
    clip,
    triplet,
    information,
    bound,
    settings,
    dhn_nce,
    vectorisation,
)

__all__ = ["CLAIMS", "LESSONS"]
