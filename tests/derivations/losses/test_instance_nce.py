"""Instance discrimination by NCE, written again: each ĥ as a compound fraction."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import instance_nce


def raw(v, bank, index, noise_index, temperature):
    """P̂ = e/Ẑ with Ẑ = (n/m) Σ e_{j_k} [D3.15]."""
    value, n = mpf(0), len(bank)
    for x, own, rows in zip(v, index, noise_index, strict=True):
        e = [mpmath.exp(mpmath.fdot(x, row) / temperature) for row in bank]
        m = len(rows)
        normaliser = mpf(n) / m * sum(e[row] for row in rows)
        h = [one / normaliser / (one / normaliser + mpf(m) / n) for one in e]
        value -= mpmath.log(h[own]) + sum(mpmath.log(1 - h[row]) for row in rows)
    return value / len(v)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    """v_0's own row is drawn for it, and a row is drawn twice for v_1."""
    drawn = {"index": [3, 1], "noise_index": [[0, 3, 1], [2, 2, 0]]}
    rows = {"v": array(2, 2), "bank": array(4, 2)}
    assert_states("instance_nce", raw, rows | drawn | {"temperature": mpf("0.4")})


@pytest.mark.parametrize(("draws", "size"), [(1, 3), (2, 2), (3, 2)])
def test_the_estimate_is_unbiased_and_the_posterior_is_not(draws, size):
    bank = instance_nce.EXPONENTIALS[0][:size]
    whole, normaliser = sum(bank), instance_nce.normaliser
    assert instance_nce.mean(bank, draws, lambda drawn: normaliser(bank, drawn)) == whole
    chance = instance_nce.mean(
        bank, draws, lambda drawn: instance_nce.h(bank[0], normaliser(bank, drawn), bank, draws)
    )
    assert chance > instance_nce.h(bank[0], whole, bank, draws)


def test_a_constant_estimate_is_not_biased():
    bank = (instance_nce.EXPONENTIALS[0][1],) * 3
    assert instance_nce.mean(bank, 2, lambda drawn: 1 / instance_nce.normaliser(bank, drawn)) == 1 / sum(bank)
