"""CLIP, written again: half the cross-entropy of the rows, half that of the columns, each a mean."""

import mpmath
from mpmath import mpf


def raw(image, text, temperature):
    scores = [[mpmath.fdot(u, v) / temperature for v in text] for u in image]

    def cross_entropy(table):
        return sum(mpmath.log(sum(map(mpmath.exp, row))) - row[i] for i, row in enumerate(table)) / len(table)

    return (cross_entropy(scores) + cross_entropy(list(zip(*scores, strict=True)))) / 2


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    assert_states("clip", raw, {"image": array(3, 2), "text": array(3, 2), "temperature": mpf("0.4")})
