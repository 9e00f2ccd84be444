"""NCE, written again: the posterior of a datum by Bayes' rule from the two classes' priors."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import nce


def raw(data_scores, noise_scores, log_noise_data, log_noise):
    """The priors are 1/(1 + m) and m/(1 + m)."""

    def h(u, log_p, m):
        datum, noise = mpmath.exp(u) / (1 + m), mpmath.exp(log_p) * m / (1 + m)
        return datum / (datum + noise)

    value = mpf(0)
    for n, u in enumerate(data_scores):
        m = len(noise_scores[n])
        value -= mpmath.log(h(u, log_noise_data[n], m))
        for score, log_p in zip(noise_scores[n], log_noise[n], strict=True):
            value -= mpmath.log(1 - h(score, log_p, m))
    return value / len(data_scores)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    scores = {"data_scores": array(2), "noise_scores": array(2, 3)}
    assert_states("nce", raw, scores | {"log_noise_data": array(2), "log_noise": array(2, 3)})


def test_its_minimum_is_where_the_claim_says():
    """−P log h − m Pₙ log(1 − h) on a grid around P/(P + m Pₙ)."""
    p, p_noise, m = 0.3, 0.2, 4
    best = p / (p + m * p_noise)

    def risk(h):
        return -p * mpmath.log(h) - m * p_noise * mpmath.log(1 - h)

    assert all(risk(best) < risk(h / 100) for h in range(1, 100) if abs(h / 100 - best) > 1e-9)


def test_two_class_loss_is_the_raw_loss():
    """D2's counterexample: u = log 2 for both, one noise sample, p_n = 1."""
    u, none = mpmath.log(2), mpf(0)
    value = raw([u], [[u]], [none], [[none]])
    assert mpmath.exp(value) == pytest.approx(float(nce.two_class_loss(2, 2)), rel=1e-12, abs=0)  # 15 digits
