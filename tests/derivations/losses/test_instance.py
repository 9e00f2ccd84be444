"""Instance discrimination against a bank, written again."""

import mpmath
from mpmath import mpf


def raw(v, bank, index, temperature):
    value = mpf(0)
    for x, own in zip(v, index, strict=True):
        scores = [mpmath.fdot(x, row) / temperature for row in bank]
        value += mpmath.log(sum(map(mpmath.exp, scores))) - scores[own]
    return value


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    rows = {"v": array(3, 2), "bank": array(4, 2), "index": [3, 1, 3]}
    assert_states("instance", raw, rows | {"temperature": mpf("0.4")})
