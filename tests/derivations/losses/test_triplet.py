"""The triplet loss, written again with max(0, …) itself, on both sides of the hinge."""

from mpmath import mpf

from infonce_ref.derivations.losses.triplet import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator


def raw(anchor, positive, negative, margin):
    """Mean of max(0, ‖a − p‖² − ‖a − n‖² + μ)."""
    total = mpf(0)
    for a, p, n in zip(anchor, positive, negative, strict=True):
        near = sum((x - y) ** 2 for x, y in zip(a, p, strict=True))
        far = sum((x - y) ** 2 for x, y in zip(a, n, strict=True))
        total += max(mpf(0), near - far + margin)
    return total / len(anchor)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    triplets = {name: array(4, 3) for name in ("anchor", "positive", "negative")} | {"margin": mpf(4)}
    assert_states("triplet", raw, triplets)
    bound = STATEMENT.bind(**triplets)
    # open and shut hinges are both there
    assert set(next(bits for symbol, bits in bound.items() if str(symbol) == "α")) == {0, 1}


def test_at_the_tie_the_hinge_is_shut():
    tie = {"anchor": [[0]], "positive": [[1]], "negative": [[2]]}
    gradient = STATEMENT.gradients["anchor"]
    at = evaluator(gradient.form, STATEMENT.bind(**tie, margin=3), names=gradient.names)
    assert at(dict.fromkeys(gradient.indices, 0))[0] == 0
