"""instance: each query against a bank that holds its own row."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    float64,
    over_rows,
    reduction,
    residual,
    through_scores,
    weight,
)
from .shared import shared_feature


def gradient(case: Case) -> dict[str, Terms]:
    """M16, M7: (1/τ) Σ_j (p_ij − 1[own]) b_j, (1/τ) Σ_i (p_ij − 1[own]) v_i and −⟨G, L⟩/τ."""
    v, bank = float64(case, "v", "bank")
    g = residual(v @ bank.T / case.arguments["temperature"], case.arguments["index"])
    g *= weight(case, len(v), default="sum")
    return through_scores(case, "v", "bank", (g, np.abs(g)))


def query_against_the_rest(case: Case) -> Iterator[Sides]:
    """D3.6, D2.7: the query's own row of the bank is its positive, the other rows are its negatives."""
    v, bank = float64(case, "v", "bank")
    own = case.arguments["index"]
    rest = np.stack([np.delete(np.arange(len(bank)), i) for i in own])
    options = {"temperature": case.arguments["temperature"]}
    options["reduction"] = reduction(case, "sum")
    value, there = another("query_key", query=v, positive=bank[own], negatives=bank[rest], **options)
    dbank = over_rows(len(bank), (own, there["positive"]), (rest, there["negatives"]))
    yield from agree(case, {"v": there["query"], "bank": dbank, "temperature": there["temperature"]})
    yield "v", case.value(), value, value


IDENTITIES = (query_against_the_rest, shared_feature)
