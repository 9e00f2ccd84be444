"""A query against its positive and negatives, its own or a queue that all share, written again."""

import mpmath
import pytest
from mpmath import mpf


def raw(query, positive, negatives, temperature):
    losses = []
    for n, x in enumerate(query):
        keys = negatives[n] if isinstance(negatives[0][0], list) else negatives
        scores = [mpmath.fdot(x, key) / temperature for key in (positive[n], *keys)]
        losses.append(mpmath.log(sum(map(mpmath.exp, scores))) - scores[0])
    return sum(losses) / len(losses)


@pytest.mark.parametrize("negatives", [(4, 3), (2, 3, 3)], ids=["shared", "own"])
def test_the_statement_is_of_the_raw_loss(assert_states, array, negatives):
    rows = {"query": array(2, 3), "positive": array(2, 3), "negatives": array(*negatives)}
    assert_states("query_key", raw, rows | {"temperature": mpf("0.4")})


def test_the_sum_over_a_batch_is_n_times_the_mean(assert_states, array):
    def total(**arguments):
        return 2 * raw(**arguments)

    rows = {"query": array(2, 3), "positive": array(2, 3), "negatives": array(4, 3)}
    assert_states("query_key", total, rows | {"temperature": mpf("0.4")}, reduction="sum")
