"""Every claim, by its id: importing this file makes the lessons register theirs."""

from derivations import (
    bound,
    byol,
    clip,
    cpc,
    dhn_nce,
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
    query_key,
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
