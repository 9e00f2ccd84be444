"""RankNet's loss, written again."""

import mpmath


def raw(scores, positive):
    losses = [
        mpmath.log(1 + mpmath.exp(score - row[own]))
        for row, own in zip(scores, positive, strict=True)
        for j, score in enumerate(row)
        if j != own
    ]
    return sum(losses) / len(scores)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    assert_states("ranknet", raw, {"scores": array(3, 4), "positive": [2, 0, 3]})
