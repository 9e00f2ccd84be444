"""InfoNCE over rows of scores, written again."""

import mpmath


def raw(scores, positive):
    losses = [
        mpmath.log(sum(map(mpmath.exp, row))) - row[own] for row, own in zip(scores, positive, strict=True)
    ]
    return sum(losses) / len(losses)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    assert_states("cpc", raw, {"scores": array(3, 4), "positive": [2, 0, 3]})
