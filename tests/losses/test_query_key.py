import math

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.losses import query_key

LOSS = query_key.LOSS
QUEUE = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_zero_rows_are_allowed(self):
        zero = np.zeros((1, 3))
        value, cache = query_key.forward(zero, zero, np.zeros((2, 3)), temperature=0.1)
        assert value == pytest.approx(math.log(3), rel=EXACT, abs=0)
        assert all(np.all(g == 0) for g in query_key.backward(cache))


REFUSED = (
    QUEUE,
    [
        ({"keep": np.arange(12).reshape(3, 4) > 3}, "keep must leave each row a candidate besides"),
        ({"positive": QUEUE["positive"][:, :0]}, "positive must not be empty"),
    ],
)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("loss", [query_key, streaming.query_key])
def test_keys_that_coincide_far_from_0_give_a_query_no_gradient(own, loss):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((5, 3)), 1e4 + rng.standard_normal((1, 3))
    negatives = np.broadcast_to(key, (5, 7, 3) if own else (7, 3)).copy()
    value, cache = loss.forward(query, np.repeat(key, 5, axis=0), negatives, temperature=0.3)
    gradients = loss.backward(cache)
    assert value == pytest.approx(np.log(8), rel=1e-15, abs=0)
    assert not np.any(gradients.query)
    assert gradients.temperature == 0


@pytest.mark.parametrize("loss", [query_key, streaming.query_key])
def test_keys_far_from_0_and_near_to_one_another_keep_their_digits(loss):
    """Subtracting 2²⁰, which is exact, gives keys near 0 with the same loss."""
    rng = np.random.default_rng(1)
    query, rows = rng.standard_normal((5, 3)), np.round(rng.standard_normal((12, 3)) * 2**20) / 2**20
    near, far = (
        loss.backward(loss.forward(query, x[:5], x[5:], temperature=0.3)[1]) for x in (rows, rows + 2.0**20)
    )
    np.testing.assert_allclose(far.query, near.query, rtol=1e-13)
    np.testing.assert_allclose(far.temperature, near.temperature, rtol=1e-13)


# --- the streaming form ------------------------------------------------------------------------------------

TILED = streaming.query_key


@pytest.mark.parametrize(("tile", "rounds"), [(2, [(1, 3), (2, 3), (3, 3)]), (None, [(1, 1)])])
def test_own_negatives_are_taken_a_tile_of_queries_at_a_time(tile, rounds):
    rows, said = np.eye(5), []
    options = {"temperature": 1.0, "tile": tile, "progress": lambda *at: said.append(at)}
    TILED.backward(TILED.forward(rows, rows, np.zeros((5, 4, 5)), **options)[1])
    assert said == 2 * rounds


@pytest.mark.parametrize("negatives", [np.zeros((2, 1, 1)), np.zeros((1, 1))], ids=["own", "queue"])
def test_rows_of_one_feature(negatives):
    """The scores are log 3 of the positive and 0 of the negative, so P of the negative is ¼."""
    query, positive = np.full((2, 1), math.log(3)), np.ones((2, 1))
    value, cache = TILED.forward(query, positive, negatives, temperature=1.0)
    assert value == pytest.approx(math.log(4 / 3), rel=EXACT, abs=0)
    # the mean over two queries of −¼ k
    assert TILED.backward(cache).query == pytest.approx(np.full((2, 1), -1 / 8), rel=EXACT, abs=0)
